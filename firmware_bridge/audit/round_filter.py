"""Which rounds are wanted: by number, time, box, outcome, finding, clause or person. What is None does not matter.

1. A time means the rounds that were on at some moment from `since` to `until`; one without a zone is UTC.
2. A box means that a wager lay on it. A finding means that the round has one of this code, a clause that it has one by
   this clause or by one under it; both mean that one finding has both.
3. A person means that they said something while the round was on, or about what was found in it. They are named as the
   journal names them, by name or by staff number; capitals do not matter.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from gamecore.rules.codes import CODES


class About(NamedTuple):
    """What a round is chosen by: `findings` are codes and clauses."""

    number: object
    began: str
    ended: str
    outcome: str
    boxes: str
    findings: Collection[tuple[str, str]]
    people: Collection[str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rounds that are wanted."""

    numbers: range | None = None
    since: str | None = None
    until: str | None = None
    box: int | None = None
    outcome: str | None = None
    finding: str | None = None
    clause: str | None = None
    person: str | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked for at all."""
        return self != Chosen()

    def takes(self, one: About) -> bool:
        """Whether a round is wanted."""
        return (
            (self.numbers is None or one.number in self.numbers)
            and (self.since is None or not one.ended or one.ended >= self.since)
            and (self.until is None or one.began <= self.until)
            and (self.box is None or str(self.box) in one.boxes.split())
            and (self.outcome is None or one.outcome == self.outcome)
            and self._was_there(one.people)
            and ((self.finding or self.clause) is None or any(self.finds(*found) for found in one.findings))
        )

    def finds(self, code: str, clause: str) -> bool:
        """Whether a finding is wanted."""
        under = self.clause is None or f"{clause}.".startswith(f"{self.clause}.")
        return under and self.finding in {None, code}

    def _was_there(self, people: Collection[str]) -> bool:
        if self.person is None:
            return True
        wanted = self.person
        return any(is_called(person, wanted) for person in people)


def is_called(person: str, wanted: str) -> bool:
    """Whether a person of the journal is the one who is wanted: by name or by staff number, in any case."""
    return wanted.casefold() in _names(person.casefold())


def _names(person: str) -> tuple[str, ...]:
    """How a person may be named: as the journal calls them, by name, by staff number."""
    name, _, number = person.removesuffix(")").rpartition(" (")
    return (person, name, number) if name else (person,)


def chosen_rounds(text: str) -> range:
    """The numbers that ``A-B`` or ``A`` names.

    Raises:
        ValueError: it names none.
    """
    first, _, last = text.partition("-")
    try:
        numbers = range(int(first), int(last or first) + 1)
    except ValueError:
        numbers = range(0)
    if not numbers or numbers[0] < 1:
        message = f"expected A-B such as 3-7, got {text!r}"
        raise ValueError(message)
    return numbers


def chosen_time(text: str) -> str:
    """A time as the journal writes it.

    Raises:
        ValueError: the text is no time.
    """
    try:
        told = datetime.fromisoformat(text)
        told = told.replace(tzinfo=UTC) if told.tzinfo is None else told.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        message = f"expected a time such as 2026-01-31T20:15Z, got {text!r}"
        raise ValueError(message) from error
    return told.isoformat(timespec="microseconds")


def chosen_finding(text: str) -> str:
    """The code of a finding.

    Raises:
        ValueError: there is no such code.
    """
    if text not in CODES:
        message = f"there is no {text!r}"
        raise ValueError(message)
    return text
