"""What a file in deal notation says, as values.

1. A `Scenario` is a header and statements. A statement is what was said (`what`), the line where it stands and its
   text. Two statements are equal if they say the same thing: line and text do not count.
2. Most statements are one event of the table. `Draw`, `Pull` and `Load` are not: which card comes out is a matter of
   the prepared shoe, and whether one event or two arrive is a matter of the sensors. The player turns them into events.
3. A claim (`expect …`) changes nothing. What a claim does not say is not checked.
4. A scenario whose text breaks off at an error keeps what stands before it, and the error.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gamecore.model.cards import Card
from gamecore.model.events.events import Command, Event
from gamecore.model.places import Place

_LONGEST = 800


class NotationError(Exception):
    """What is wrong in a file, and in which line. The message is one line that can be printed anywhere."""

    def __init__(self, line: int, message: str) -> None:
        """Keep the line and the message; characters that a terminal would obey are spelled out."""
        spelled = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in message)
        self.line = line
        self.message = spelled if len(spelled) <= _LONGEST else f"{spelled[:_LONGEST]}…"
        super().__init__(f"{line}: {self.message}")


@dataclass(frozen=True, slots=True)
class Header:
    """What the header says, defaults filled in. Limits are cents: kind, least, most."""

    game: str
    decks: int
    boxes: int
    limits: tuple[tuple[str, int, int], ...]
    shoe: tuple[Card, ...]
    seed: int
    left: int | None
    fresh: bool
    burn: bool
    shuffling: str
    sensors: frozenset[str]
    confirm: bool = False

    @property
    def places_sensed(self) -> bool:
        """Whether the table senses by itself where a card is laid."""
        return bool(self.sensors & {"positions", "positions-count"})

    @property
    def places_counted(self) -> bool:
        """Whether the table senses that a card is laid, but not which."""
        return self.places_sensed and "positions" not in self.sensors


# --- statements that are not yet events ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draw:
    """One card leaves the shoe and is laid at `place`, or at the next proper place.

    `card` is what the shoe reads instead of the prepared card. `laid` is False where the card lies nowhere yet.
    """

    place: Place | None = None
    card: Card | None = None
    face_up: bool = False
    exposed: bool = False
    laid: bool = True


@dataclass(frozen=True, slots=True)
class Pull:
    """Several cards leave the shoe in one pull: the first `show` of them are disclosed, or those that are `named`."""

    count: int
    show: int = 0
    named: tuple[Card, ...] = ()
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """The shoe is loaded with a whole set, or with `count` cards; `cards` come out first."""

    cards: tuple[Card, ...] = ()
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Noise:
    """The link of a device is noisy. It matters on the wire alone."""

    device: str
    rate: str


# --- claims --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StateIs:
    """The state of the round."""

    state: str


@dataclass(frozen=True, slots=True)
class NextIs:
    """Where the next card belongs; None: nowhere."""

    place: Place | None


@dataclass(frozen=True, slots=True)
class TotalIs:
    """The total of a hand; `soft` is None if it is not said."""

    place: Place
    total: int
    soft: bool | None = None


@dataclass(frozen=True, slots=True)
class FindingIs:
    """A finding of the current round, or one that waits for the next."""

    code: str
    clause: str | None = None
    ruling: str | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class NoFindings:
    """Neither the current round has a finding, nor does one wait for the next."""


@dataclass(frozen=True, slots=True)
class AskIs:
    """The table asks somebody, and offers exactly these options."""

    who: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveIs:
    """One step of the reconstruction."""

    card: Card
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class WagerIs:
    """A row of the settlement; `net` in cents."""

    place: Place
    kind: str
    result: str
    net: int
    player: str | None = None
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class VoidIs:
    """The current round is void."""


@dataclass(frozen=True, slots=True)
class RefusedIs:
    """A command would be refused here."""

    command: Command


Claim = StateIs | NextIs | TotalIs | FindingIs | NoFindings | AskIs | MoveIs | WagerIs | VoidIs | RefusedIs
What = Event | Draw | Pull | Load | Noise | Claim


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, with the line and the text where it stands."""

    what: What
    line: int = field(default=0, compare=False)
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A file: its header, its statements, and the error at which its text breaks off, if it does."""

    header: Header
    statements: tuple[Statement, ...]
    error: NotationError | None = field(default=None, compare=False)
