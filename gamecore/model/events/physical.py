"""What happens physically at a table: cards, chips, counts, power, cables. None of it is ever refused.

1. What breaks a rule becomes a finding.
2. A drawn card is two events where positions are sensed: it left the shoe, it lies at a place. Where they are not
   sensed, the place is told with the card or is the next proper one.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.model.cards import Card
from gamecore.model.places import Place

# --- cards -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left the shoe. `told`: the place that a person names, where no sensor sees it."""

    card: Card
    told: Place | None = None
    face_up: bool = False
    exposed: bool = False  # face up though squeezing was permitted; with `told` only


@dataclass(frozen=True, slots=True)
class CardsPulled:
    """Several cards left the shoe in one pull; `shown` are the disclosed ones."""

    cards: tuple[Card, ...]
    shown: tuple[Card, ...] = ()
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card that left the shoe lies at a place. `exposed`: face up though squeezing was permitted."""

    card: Card
    place: Place
    exposed: bool = False


@dataclass(frozen=True, slots=True)
class CardLifted:
    """A card was taken from the place where it lay. Where it goes is told when it is laid, if it ever is."""

    card: Card
    place: Place


@dataclass(frozen=True, slots=True)
class CardMoved:
    """A card was moved by hand."""

    card: Card
    source: Place
    target: Place


@dataclass(frozen=True, slots=True)
class CardsTurned:
    """The face-down cards of a box were turned."""

    box: int


@dataclass(frozen=True, slots=True)
class CardPushedBack:
    """A card that had left the shoe was pushed back into it."""

    card: Card


@dataclass(frozen=True, slots=True)
class ShoeOpened:
    """The cover of the shoe was opened."""


@dataclass(frozen=True, slots=True)
class CuttingCardOut:
    """The cutting card came out of the shoe."""


@dataclass(frozen=True, slots=True)
class ShoeCounted:
    """The shoe's count of the cards in it."""

    count: int


@dataclass(frozen=True, slots=True)
class ShoeEmpty:
    """A card was asked of a shoe that holds none."""


@dataclass(frozen=True, slots=True)
class DiscardCounted:
    """The discard holder's count."""

    count: int


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The cards were shuffled, by `machine`, or by `riffle` as often as `times` says."""

    method: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Loaded:
    """`count` cards were loaded into the shoe. Nobody knows which ones, or in what order."""

    count: int


# --- chips, power, cables -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """Chips arrived at a betting spot. `player` is whose they are, if a person says so; else they are the spot's."""

    place: Place
    kind: str
    amount: int
    player: str | None = None


@dataclass(frozen=True, slots=True)
class WagerRemoved:
    """Chips left a betting spot; the whole wager where no amount is known. `player` is whose, if a person says so."""

    place: Place
    kind: str
    amount: int | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class PowerCut:
    """The table computer lost power."""


@dataclass(frozen=True, slots=True)
class PowerOn:
    """The table computer is back after a loss of power."""


@dataclass(frozen=True, slots=True)
class Restarted:
    """The software alone came back; the round goes on.

    With `confirm` the table asks for confirmation from now on, though its header does not say so: the round began
    under software that did not know it, or where nobody logged in.
    """

    confirm: bool = False


@dataclass(frozen=True, slots=True)
class LinkLost:
    """A device does not answer."""

    device: str


@dataclass(frozen=True, slots=True)
class LinkBack:
    """A device answers again."""

    device: str


Physical = (
    CardDrawn
    | CardsPulled
    | CardLaid
    | CardLifted
    | CardMoved
    | CardsTurned
    | CardPushedBack
    | ShoeOpened
    | CuttingCardOut
    | ShoeCounted
    | ShoeEmpty
    | DiscardCounted
    | Shuffled
    | Loaded
    | WagerPlaced
    | WagerRemoved
    | PowerCut
    | PowerOn
    | Restarted
    | LinkLost
    | LinkBack
)
