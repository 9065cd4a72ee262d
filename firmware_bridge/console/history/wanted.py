"""Which past rounds a request asks for.

1. It may name number, time, box, finding, card, outcome, clause, person, amount and notes; what it leaves out does not
   matter.
2. What cannot be understood is an error that says what was expected. A name that is not known here is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.audit.round_filter import chosen_time
from firmware_bridge.journal.segments import number_of
from gamecore.model.cards import Card, CardError, card
from gamecore.model.money import MoneyError, cents
from gamecore.rules.codes import CODES

USUAL, MOST = 20, 100
"""Rounds of a page: unless asked for, and at most."""
OUTCOMES = ("settled", "concluded", "void")
"""How a round that is over has ended."""
NOTES = ("any", "bookmarked")
PERSON = 60
"""Characters of the longest name that is looked for."""
_CLAUSE = re.compile(r"[0-9]+(\.[0-9]+)*", re.ASCII)


class WantedError(ValueError):
    """What is wanted cannot be understood; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rounds are looked for; what is None does not matter. `amount` is the least stake of a wager, in cents."""

    number: int | None = None
    since: str | None = None
    until: str | None = None
    box: int | None = None
    finding: str | None = None
    card: Card | None = None
    count: int = USUAL
    after: tuple[str, int] | None = None  # go on behind the round with this id in this segment
    outcome: str | None = None
    clause: str | None = None
    person: str | None = None
    amount: int | None = None
    notes: str | None = None


def wanted(asked: Mapping[str, str]) -> Wanted:
    """What a request asks for.

    Raises:
        WantedError: it cannot be understood.
    """
    values = {name: text.strip() for name, text in asked.items() if text.strip()}
    after = values.get("next")
    return Wanted(
        _whole(values, "number", 1),
        _time(values, "from"),
        _time(values, "to"),
        _whole(values, "box", 1),
        _one_of(values, "finding", ("any", *CODES)),
        _card(values["card"]) if "card" in values else None,
        min(_whole(values, "count", 1) or USUAL, MOST),
        None if after is None else place_of(after),
        _one_of(values, "outcome", OUTCOMES),
        _clause(values),
        _person(values),
        _amount(values),
        _one_of(values, "notes", NOTES),
    )


def _one_of(values: Mapping[str, str], name: str, known: tuple[str, ...]) -> str | None:
    text = values.get(name)
    if text is not None and text not in known:
        raise WantedError(f"{name}: there is no {text!r}")
    return text


def _whole(values: Mapping[str, str], name: str, least: int) -> int | None:
    text = values.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 15 or int(text) < least:
        raise WantedError(f"{name}: expected a whole number from {least}, got {text!r}")
    return int(text)


def _clause(values: Mapping[str, str]) -> str | None:
    text = values.get("clause")
    if text is not None and not _CLAUSE.fullmatch(text):
        raise WantedError(f"clause: expected a number such as 5.23.1, got {text!r}")
    return text


def _person(values: Mapping[str, str]) -> str | None:
    text = values.get("person")
    if text is not None and (len(text) > PERSON or not text.isprintable()):
        raise WantedError(f"person: expected a name or a staff number of at most {PERSON} characters")
    return text


def _amount(values: Mapping[str, str]) -> int | None:
    text = values.get("amount")
    if text is None:
        return None
    try:
        return cents(text)
    except MoneyError as error:
        raise WantedError(f"amount: {error}") from error


def _time(values: Mapping[str, str], name: str) -> str | None:
    """A time as the journal writes it; one without a zone is UTC."""
    text = values.get(name)
    if text is None:
        return None
    try:
        return chosen_time(text)
    except ValueError as error:
        raise WantedError(f"{name}: {error}") from error


def _card(text: str) -> Card:
    try:
        found = card(text.upper().replace("10", "T") if "#" not in text else text)
    except CardError as error:
        raise WantedError(f"card: {error}") from error
    if not found.readable:
        raise WantedError("card: a card that could not be read is looked for by its finding, unreadable-card")
    return found


def place_of(text: str) -> tuple[str, int]:
    """Where a page goes on.

    Raises:
        WantedError: the text continues no page.
    """
    name, _, id_ = text.partition(":")
    try:
        number_of(Path(name))
        return name, int(id_[:15])
    except ValueError as error:
        raise WantedError(f"next: {text!r} continues nothing") from error
