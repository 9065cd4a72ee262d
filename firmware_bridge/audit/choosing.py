"""Which rounds are wanted: by number, time, box or finding. What is None does not matter.

1. A time means the rounds that were on at some moment from `since` to `until`; one without a zone is UTC.
2. A box means that a wager lay on it; a finding means that it has one of this code.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from gamecore.rules.codes import CODES


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rounds that are wanted."""

    numbers: range | None = None
    since: str | None = None
    until: str | None = None
    box: int | None = None
    finding: str | None = None

    def __bool__(self) -> bool:
        """Whether something is asked for at all."""
        return self != Chosen()

    def takes(self, number: object, times: tuple[str, str], boxes: str, codes: Collection[str]) -> bool:
        """Whether a round is wanted: its number, when it began and ended, the boxes with a wager, what was found."""
        began, ended = times
        return (
            (self.numbers is None or number in self.numbers)
            and (self.since is None or not ended or ended >= self.since)
            and (self.until is None or began <= self.until)
            and (self.box is None or str(self.box) in boxes.split())
            and (self.finding is None or self.finding in codes)
        )


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
        ValueError: it is none.
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
        ValueError: there is none.
    """
    if text not in CODES:
        message = f"there is no {text!r}"
        raise ValueError(message)
    return text
