"""Facts that a phase of play has seen, or a person has reported, and that the rules of irregularities must judge.

1. A fact is frozen, and its class says what it is about: a plain `Fact` is about a box, the shoe, the power or the
   whole table.
2. Every fact has the code of the finding that it may become, the case that the documents tell apart, and the places
   where it bites; one about cards has their records.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.model.places import Place
from gamecore.model.records import CardRecord


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the rules of irregularities must judge."""

    code: str
    case: str = ""
    places: tuple[Place, ...] = ()
    records: tuple[CardRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class CardFact(Fact):
    """Cards that lie somewhere or have left the shoe."""


@dataclass(frozen=True, slots=True)
class OrderedCards(Fact):
    """Cards that have left the shoe in a known order, while another card, or fewer, were due."""


@dataclass(frozen=True, slots=True)
class PulledCards(Fact):
    """Cards of one pull, whose order nobody knows."""


@dataclass(frozen=True, slots=True)
class TakenCard(Fact):
    """A card that was taken off a hand, and what it leaves behind."""


@dataclass(frozen=True, slots=True)
class EarlyCard(Fact):
    """A card about which a ruling is awaited, laid where none is due."""


@dataclass(frozen=True, slots=True)
class CountedCard(Fact):
    """Where places only count: one of these cards was laid, and nobody knows which."""


@dataclass(frozen=True, slots=True)
class WagerFact(Fact):
    """Chips at a spot: the kind of wager, how much was placed, whose it is."""

    kind: str = ""
    amount: int = 0
    player: str | None = None


@dataclass(frozen=True, slots=True)
class DeviceFact(Fact):
    """A device that does not answer, or that a person says is wrong."""

    device: str = ""
