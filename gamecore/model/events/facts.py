"""Facts that a phase of play has seen, or a person has reported, and that the rules of irregularities must judge.

1. A fact is frozen, and its class is its shape: cards, a pull, a box, a wager, a count, an omission, a device, the
   power, a report. Each has the fields of its shape and no others; `Fact` is any of them.
2. Every fact says the code of the finding that it may become, the case that the documents tell apart, and the places
   where it bites. Where the shape has but one code or case, that is no field.
3. `cards_of` gives the cards that a fact is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, assert_never

from gamecore.model.places import Place
from gamecore.model.records import CardRecord

# --- cards ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardFact:
    """A card that lies somewhere or has left the shoe."""

    code: str
    record: CardRecord
    places: tuple[Place, ...] = ()
    case: str = ""


@dataclass(frozen=True, slots=True)
class TakenCard:
    """A card that was taken off the hand of a box, and what it leaves behind there."""

    code: str
    record: CardRecord
    box: Place

    case: ClassVar[str] = ""

    @property
    def places(self) -> tuple[Place, ...]:
        """The box."""
        return (self.box,)


@dataclass(frozen=True, slots=True)
class EarlyCard:
    """A card about which a ruling is awaited, laid where none is due."""

    record: CardRecord
    place: Place

    code: ClassVar[str] = "misdealt-card"
    case: ClassVar[str] = ""

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it was laid."""
        return (self.place,)


@dataclass(frozen=True, slots=True)
class CountedCard:
    """Where places only count: one of these cards was laid at a place, and nobody knows which."""

    place: Place
    records: tuple[CardRecord, ...]

    code: ClassVar[str] = "unreadable-card"
    case: ClassVar[str] = ""

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it was laid."""
        return (self.place,)


@dataclass(frozen=True, slots=True)
class OrderedCards:
    """Cards that have left the shoe in a known order, while another card, or fewer, were due."""

    records: tuple[CardRecord, ...]
    places: tuple[Place, ...] = ()

    code: ClassVar[str] = "card-in-error"
    case: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class PulledCards:
    """Cards of one pull, whose order nobody knows: how many are disclosed, and on whose hand."""

    records: tuple[CardRecord, ...]
    case: str
    places: tuple[Place, ...]

    code: ClassVar[str] = "double-draw"


# --- wagers and the table ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoxFact:
    """A box and who plays there."""

    code: str
    box: Place
    case: str = ""

    @property
    def places(self) -> tuple[Place, ...]:
        """The box."""
        return (self.box,)


@dataclass(frozen=True, slots=True)
class WagerFact:
    """Chips at a spot: the kind of wager, how much was placed, whose it is."""

    code: str
    places: tuple[Place, ...]
    kind: str
    case: str = ""
    amount: int = 0
    player: str | None = None


@dataclass(frozen=True, slots=True)
class CountFact:
    """The cards in the shoe and the discard holder: their number or order, or that somebody was at them."""

    code: str
    case: str = ""
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class OmissionFact:
    """What had to be offered or settled before the card that has come."""

    code: str
    case: str = ""
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceFact:
    """A device that does not answer, or that a person says is wrong."""

    code: str
    device: str
    case: str = ""
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class PowerFact:
    """The power failed in mid-round, with or without an outcome."""

    case: str

    code: ClassVar[str] = "power-failure"
    places: ClassVar[tuple[Place, ...]] = ()


@dataclass(frozen=True, slots=True)
class ReportFact:
    """What a person reports or asks for, without a card or chips that the table could name."""

    code: str
    case: str = ""
    places: tuple[Place, ...] = ()


OfOneCard = CardFact | TakenCard | EarlyCard
OfCards = CountedCard | OrderedCards | PulledCards
WithoutCards = BoxFact | WagerFact | CountFact | OmissionFact | DeviceFact | PowerFact | ReportFact
Fact = OfOneCard | OfCards | WithoutCards


def cards_of(fact: Fact) -> tuple[CardRecord, ...]:
    """The cards that a fact is about."""
    match fact:
        case CardFact() | TakenCard() | EarlyCard():
            return (fact.record,)
        case CountedCard() | OrderedCards() | PulledCards():
            return fact.records
        case BoxFact() | WagerFact() | CountFact() | OmissionFact() | DeviceFact() | PowerFact() | ReportFact():
            return ()
        case _:
            assert_never(fact)
