"""Which places the table senses, and how well.

1. With `positions` the hub reads each card where it lies; with `positions-count` it counts them. With neither
   a place is told: what a person says is the layout.
2. With either of them the discard holder counts and does not name.
3. While the hub does not answer, nothing on the layout is sensed; what it has kept arrives when it is back.
4. `sensor-wrong` makes one box, or another single place, told: a card that is due there is presumed to lie there. The
   hub's reports of cards there are in the journal and are disregarded, unless a card that waits is laid where it is
   due, or the other end of a move is still sensed. It ends when the hub is back after it was lost, or with a new table.
5. Chips are sensed with `bets`, under the same conditions.
6. A device has shown a fact if it is fitted: the shoe what leaves it, the hub what lies, what is wagered and what it
   counts. The table computer itself notices that power or a link was lost. What a person names is told, whatever it
   proves; so is what follows from a card that a person says was moved between places that only count.
"""

from __future__ import annotations

from enum import Enum

from gamecore.model.events.events import Answer, CardLaid, CardMoved, DiscardCounted, Event, SensorWrong
from gamecore.model.events.facts import DeviceFact, Fact, PowerFact, WagerFact
from gamecore.model.places import DISCARD, Place
from gamecore.model.state import TableState

HUB = "hub"


class Sensing(Enum):
    """How the table knows what lies at a place."""

    READ = "read"
    COUNTED = "counted"
    TOLD = "told"
    AWAY = "away"


def how(t: TableState, place: Place) -> Sensing:
    """How the table knows which cards lie at a place."""
    if not t.fitting.senses_places or place.box in t.fitting.misread:
        return Sensing.TOLD
    if HUB in t.fitting.away:
        return Sensing.AWAY
    return Sensing.COUNTED if t.fitting.counts_only or place.box == DISCARD.box else Sensing.READ


def reads(t: TableState, place: Place) -> bool:
    """Whether the table sees which cards lie at a place."""
    return how(t, place) is Sensing.READ


def counts(t: TableState, place: Place) -> bool:
    """Whether the table sees how many cards lie at a place, and not which."""
    return how(t, place) is Sensing.COUNTED


def sees(t: TableState, place: Place) -> bool:
    """Whether the table sees that a card lies at a place."""
    return how(t, place) in {Sensing.READ, Sensing.COUNTED}


def sees_chips(t: TableState, place: Place) -> bool:
    """Whether the table sees the chips at a box."""
    return "bets" in t.config.sensors and HUB not in t.fitting.away and place.box not in t.fitting.misread


def misread(t: TableState, place: Place | None) -> bool:
    """Whether a person has said that the sensor of a place is wrong."""
    return place is not None and place.box in t.fitting.misread


def fitted(t: TableState, place: Place) -> bool:
    """Whether any sensor reports cards or chips of a place."""
    chips = place.box > 0 and "bets" in t.config.sensors
    return t.fitting.senses_places or chips or (place.box == DISCARD.box and "discard" in t.config.sensors)


#: What only where a card lies can show.
_OF_PLACES = frozenset(
    {
        *("missing-burn", "misdealt-card", "dealer-not-dealt", "box-not-dealt", "box-short", "unwagered-box-dealt"),
        *("card-in-error", "dealer-overdraw", "hand-skipped"),
    }
)


def shown(t: TableState, event: Event, fact: Fact) -> bool:
    """Whether a fitted device has shown a fact; if not, somebody has told it."""
    match fact:
        case PowerFact() | DeviceFact(code="link-lost"):
            return True
        case WagerFact(places=places):
            return "bets" in t.config.sensors and not any(misread(t, place) for place in places)
    if fact.code in _OF_PLACES:
        said = t.fitting.misread | t.round.moved_by_word
        return t.fitting.senses_places and not any(place.box in said for place in fact.places)
    match event:
        case SensorWrong() | Answer():
            return False
        case DiscardCounted():
            return "discard" in t.config.sensors
        case CardLaid(place=place) | CardMoved(target=place):
            return t.fitting.senses_places and not misread(t, place) and place.box not in t.round.moved_by_word
    return "shoe" in t.config.sensors
