"""What comes out of the table. Nothing is shown, locked, paid or published that did not come from here.

1. `Refused` is the one answer to a command that the rules do not allow; nothing has changed then.
2. The others say what has changed. Lamps, displays and the journal are driven by them alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.model.places import Place
from gamecore.model.round import Ask, Finding, Preference, Row


@dataclass(frozen=True, slots=True)
class Refused:
    """A command is not allowed here: why, and by which clause."""

    reason: str
    clause: str

    def __str__(self) -> str:
        """The reason with its clause."""
        return f"{self.reason} ({self.clause})"


@dataclass(frozen=True, slots=True)
class Entered:
    """The round has come to another state."""

    state: str


@dataclass(frozen=True, slots=True)
class Implied:
    """Something that nobody announced follows from what happened: `close bets`, `close insurance`."""

    what: str


@dataclass(frozen=True, slots=True)
class Found:
    """An irregularity was found."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class Advised:
    """Something to watch, on which nothing is decided yet."""

    what: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The table asks somebody."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class Claimed:
    """Several Players claim one wager: who comes first as long as nobody else does."""

    preference: Preference


@dataclass(frozen=True, slots=True)
class Awarded:
    """Of several claims one stands, or none; the others go back."""

    preference: Preference


@dataclass(frozen=True, slots=True)
class Moved:
    """The next card belongs at another place."""

    place: Place | None


@dataclass(frozen=True, slots=True)
class Settled:
    """The round is settled, row by row."""

    rows: tuple[Row, ...]


Output = Refused | Entered | Implied | Found | Advised | Asked | Claimed | Awarded | Moved | Settled
