"""What comes out of the table with an event, and the frozen values that it is made of.

1. `Refused` (`refusals`) is the one answer to a command that the rules do not allow; nothing has changed then.
2. The others say once what an event has brought. How the table stands is no output: `Table.view` shows it, and drives
   lamps, displays and screens.
3. A finding may still change while its ruling is carried out; `FindingView` is how it stood. Its `key` is the same for
   as long as it is known: the number of the event that proved it, and which of that event's findings it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import unique
from typing import NamedTuple

from gamecore.model.cards import Card
from gamecore.model.events.commands import Command
from gamecore.model.events.refusals import Refused
from gamecore.model.events.texts import Text
from gamecore.model.places import Place

SENSED, TOLD = "sensed", "told"
"""How an irregularity became known: a fitted device has shown it, or a person has said so."""
RETRACTED = "retracted"
"""The ruling on a report that was a mistake: no clause applies, and nothing follows from it."""


class Row(NamedTuple):
    """One wager, settled or not yet (`result` is then None)."""

    box: int
    slot: int
    hand: int
    kind: str
    player: str | None
    stake: int
    result: str | None
    net: int | None
    clause: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """One card from one place to another."""

    card: Card
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class Preference:
    """Whose claim comes first where several Players claim one wager, and by which clause.

    `claims` are the Players in the order of placing, `equal` those among whom only an agreement decides; `first` is
    None if no claim is accepted.
    """

    place: Place
    kind: str
    claims: tuple[str, ...]
    equal: tuple[str, ...]
    first: str | None
    clause: str


@dataclass(frozen=True, slots=True)
class Ask:
    """One question of the table to the one who must answer it."""

    who: str
    options: tuple[str, ...]
    clause: str


@unique
class Obstacle(Text):
    """Why cards may not be capable of being put where they belong."""

    VALUE_UNKNOWN = "the value of a card is unknown"
    ORDER_UNKNOWN = "the order of cards drawn together is unknown"
    RELIED_ON = "a later decision relied on the cards"


@dataclass(frozen=True, slots=True)
class FindingView:
    """One irregularity as it stood: what it is, the clause that governs it, the ruling, where it bites, the moves."""

    code: str
    clause: str
    ruling: str
    places: tuple[Place, ...]
    whose: str
    cards: tuple[Card, ...]
    moves: tuple[Move, ...]
    obstacle: Obstacle | None
    key: tuple[int, int]
    how: str

    @property
    def event(self) -> int:
        """The number of the event that proved it."""
        return self.key[0]


# --- outputs ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entered:
    """The round has entered another state."""

    state: str


@dataclass(frozen=True, slots=True)
class Implied:
    """Something that nobody announced follows from what happened: `close bets`, `close insurance`."""

    what: str


@dataclass(frozen=True, slots=True)
class IrregularityFound:
    """An irregularity was found."""

    finding: FindingView


@dataclass(frozen=True, slots=True)
class Advised:
    """Something to watch, on which nothing is decided yet: the key of the order in which the cards may lie."""

    what: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The table asks somebody."""

    ask: Ask


@dataclass(frozen=True, slots=True)
class Claimed:
    """Several Players claim one wager: who comes first so far."""

    preference: Preference


@dataclass(frozen=True, slots=True)
class Awarded:
    """Of several claims one stands, or none; the others go back."""

    preference: Preference


@dataclass(frozen=True, slots=True)
class Settled:
    """The round is settled, row by row."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A command was taken back, or a report retracted; `findings` are those that do not stand any more."""

    command: Command
    findings: tuple[FindingView, ...] = ()


Output = Refused | Entered | Implied | IrregularityFound | Advised | Asked | Claimed | Awarded | Settled | TakenBack
