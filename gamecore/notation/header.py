"""The header of a file: which game, which table, which cards come out next.

1. One ``key: value`` a line. `game` is required and decides the defaults and bounds of the rest.
2. A value outside the approved rules is an error here, before any card is dealt.
3. Defaults: the most decks the rules allow, up to 8; all boxes of the layout; no limits; a fresh shoe; the burn as
   the rules say, none with a continuous shuffler; shuffling by machine; every sensor fitted; nothing to be confirmed.
4. ``shoe`` lists the next cards out. ``left`` is how many cards the shoe holds, those included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gamecore.model.cards import Card, CardError, card
from gamecore.model.config import SENSORS
from gamecore.model.money import MoneyError, cents, dollars
from gamecore.notation import words as vocabulary
from gamecore.notation.arguments import Wrong, nearest, one_of
from gamecore.notation.lines import Line
from gamecore.notation.playing.shoe import set_size
from gamecore.notation.syntax import Header, NotationError
from gamecore.rules.ruleset import Ruleset

T = TypeVar("T")
Games = Mapping[str, Ruleset]

KEYS = ("game", "decks", "boxes", "limits", "shoe", "seed", "left", "fresh", "burn", "shuffling", "sensors", "confirm")
MOST_DECKS_BY_DEFAULT = 8

_KEY = re.compile(r"([A-Za-z-]+)\s*:(.*)")
_NUMBER = re.compile(r"[0-9]{1,18}")
_LIMIT = re.compile(r"(\S+)\s+([^\s-]+)\s*-\s*([^\s-]+)")


class _Values:
    """The values of the header, each with its line."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Part keys and values; a key may stand once."""
        self._found: dict[str, tuple[int, str]] = {}
        for number, text in lines:
            key, value = _key_and_value(number, text)
            if key in self._found:
                raise NotationError(number, f"{key}: stands twice in the header, first in line {self._found[key][0]}")
            self._found[key] = (number, value)

    def has(self, key: str) -> bool:
        """Whether the header has this key."""
        return key in self._found

    def line(self, key: str) -> int:
        """The line of a key, or of the header's end where the key is not said."""
        return self._found[key][0] if key in self._found else max((line for line, _ in self._found.values()), default=1)

    def get(self, key: str, default: T, parse: Callable[[str], T]) -> T:
        """The value of a key, or its default."""
        if key not in self._found:
            return default
        line, value = self._found[key]
        try:
            return parse(value)
        except Wrong as wrong:
            raise NotationError(line, f"{key}: {wrong}") from wrong


def read_header(lines: Sequence[Line], games: Games) -> Header:
    """The header of a file.

    Raises:
        NotationError: the first thing that is wrong in it.
    """
    values = _Values(lines)
    if not values.has("game"):
        line = values.line("game")
        raise NotationError(line, f"the header names no game: expected 'game: ' and one of {', '.join(games)}")
    rules = games[values.get("game", "", lambda text: one_of(text, tuple(games), "game"))]
    shuffling = values.get("shuffling", "machine", lambda text: one_of(text, vocabulary.SHUFFLINGS, "way to shuffle"))
    continuous = shuffling == "continuous"
    least, most = rules.decks.value
    header = Header(
        game=rules.id,
        decks=values.get("decks", max(least, min(most, MOST_DECKS_BY_DEFAULT)), lambda text: _decks(text, rules)),
        boxes=values.get("boxes", rules.boxes.value[1], lambda text: _boxes(text, rules)),
        limits=values.get("limits", (), lambda text: _limits(text, rules)),
        shoe=values.get("shoe", (), _cards),
        seed=values.get("seed", 0, lambda text: _number(text, "a seed")),
        left=values.get("left", None, lambda text: _number(text, "a count of cards")),
        fresh=values.get("fresh", default=True, parse=_yes),
        burn=values.get("burn", default=rules.burn.value and not continuous, parse=_yes),
        shuffling=shuffling,
        sensors=values.get("sensors", vocabulary.ALL_FITTED, _sensors),
        confirm=values.get("confirm", default=False, parse=_yes),
    )
    if continuous and header.burn:
        raise NotationError(values.line("burn"), "burn: a continuous shuffler has no burn, expected no")
    _check_left(header, rules, values.line("left"))
    return header


def _key_and_value(number: int, text: str) -> tuple[str, str]:
    match = _KEY.fullmatch(text)
    if match is None:
        message = f"'{text}' is no header line: expected KEY: VALUE; an empty line ends the header"
        raise NotationError(number, message)
    key, value = match[1], match[2].strip()
    if key not in KEYS:
        raise NotationError(number, f"'{key}' is no header key: {nearest(key, KEYS)}expected one of {', '.join(KEYS)}")
    return key, value


def _check_left(header: Header, rules: Ruleset, line: int) -> None:
    if header.left is None:
        return
    whole = set_size(rules.ranks.value, header.decks, header.shoe)
    if header.left > whole:
        raise NotationError(line, f"left: {header.left} cards cannot be left of a set of {whole}")
    if header.left < len(header.shoe):
        message = f"left: the shoe lists {len(header.shoe)} cards, it cannot hold only {header.left}"
        raise NotationError(line, message)


# --- values ---------------------------------------------------------------------------------------------------------


def _number(text: str, what: str) -> int:
    if _NUMBER.fullmatch(text) is None:
        raise Wrong(f"'{text}' is not {what}: expected a whole number")
    return int(text)


def _decks(text: str, rules: Ruleset) -> int:
    return _within(text, "decks", rules.decks.value, f"{rules.id} is played with", rules.decks.clause)


def _boxes(text: str, rules: Ruleset) -> int:
    return _within(text, "boxes", rules.boxes.value, f"the layout of {rules.id} has", rules.boxes.clause)


def _within(text: str, what: str, bounds: tuple[int, int], why: str, clause: str) -> int:
    number = _number(text, f"a number of {what}")
    least, most = bounds
    if not least <= number <= most:
        by = f" ({clause})" if clause[:1].isdigit() else ""
        raise Wrong(f"{number} is not possible: {why} {least} to {most} {what}{by}")
    return number


def _limits(text: str, rules: Ruleset) -> tuple[tuple[str, int, int], ...]:
    if text == "none":
        return ()
    limits = tuple(_limit(part.strip(), rules) for part in text.split(","))
    kinds = [kind for kind, _, _ in limits]
    twice = next((kind for kind in kinds if kinds.count(kind) > 1), None)
    if twice is not None:
        raise Wrong(f"'{twice}' has two limits")
    return limits


def _limit(text: str, rules: Ruleset) -> tuple[str, int, int]:
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise Wrong(f"'{text}' is no limit: expected KIND MIN-MAX such as main 25-5000")
    kinds = rules.wager_kinds()
    if match[1] not in kinds:
        hint = nearest(match[1], kinds)
        raise Wrong(f"'{match[1]}' has no place on the layout of {rules.id}: {hint}it has {', '.join(kinds)}")
    least, most = _cents(match[2]), _cents(match[3])
    if least > most:
        raise Wrong(f"the least wager {dollars(least)} is above the most {dollars(most)}")
    return match[1], least, most


def _cents(text: str) -> int:
    try:
        return cents(text)
    except MoneyError as error:
        raise Wrong(str(error)) from error


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return tuple(card(word) for word in text.replace("|", " ").split())
    except CardError as error:
        raise Wrong(str(error)) from error


def _yes(text: str) -> bool:
    return one_of(text, ("yes", "no"), "answer") == "yes"


def _sensors(text: str) -> frozenset[str]:
    if text == "none":
        return frozenset()
    found = frozenset(one_of(word, SENSORS, "sensor") for word in text.replace(",", " ").split())
    if {"positions", "positions-count"} <= found:
        raise Wrong("positions and positions-count exclude each other")
    return found
