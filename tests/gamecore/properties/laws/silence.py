"""2. Nothing is silent: what lies where it does not count is on its way, or is named by a finding or an open matter.

1. Where a card counts and where it lies is compared box by box and hand by hand, where the place is seen. Which card it
   is, a place that only counts cannot say: there whatever names the place names the card.
2. A hand that is over may be cleared away. A card that counts for nothing may lie anywhere but on a playing area. A
   card that is next may lie where it lay when it became that; one that was drawn in a hold has joined the open matter.
3. A card is named if an open matter lists it, or if a finding of the round, or one that waits for it, has it among its
   moves. It is also named if such a finding has it among its cards, and a place of the card (where it lies, counts or
   was due) among its places.
4. Where places are told, an error of the deal waits for somebody to speak of it. But a card that counts for a hand is
   told to lie there, and none waits for a ruling to be carried out while nothing is open.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamecore.cards import sensing
from gamecore.cards.difference import is_over, is_playing_area, remaining
from gamecore.cards.order import belongs
from gamecore.cards.queries import is_stray, place_of
from gamecore.model.cards import UNREAD
from gamecore.model.matters import Demand
from gamecore.model.places import DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Finding
from gamecore.model.state import TableState
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.tables import Play


class Silence(Property):
    """Felt against count."""

    name = "nothing is silent"

    def after(self, play: Play) -> None:
        """Look at every card that lies."""
        t = play.state
        if not t.round_is_on or "hub" in t.fitting.away:
            return
        for record in t.round.records:
            if record.felt is None or record.lifted is not None or not self._is_looked_at(play, record):
                continue
            if agrees(t, record):
                continue
            self.exercised += 1
            named = _places_named if play.header.places_counted else _names
            if not any(named(t, finding, record) for finding in _findings(t)) and not _is_listed(t, record):
                self.hold(False, f"after {type(play.event).__name__} silent: {described(record)}")

    def _is_looked_at(self, play: Play, record: CardRecord) -> bool:
        if record.felt is not None and play.header.places_sensed:
            return sensing.sees(play.state, record.felt)
        return record.role in {Role.ON_HAND, Role.GIVEN, Role.RELAID}


def described(record: CardRecord) -> str:
    """A card as one would speak of it."""
    return f"{record.card} at {record.felt} is {record.role.name}, due at {record.due}, home {record.home}"


def agrees(t: TableState, record: CardRecord) -> bool:
    """Whether a card lies where it counts."""
    felt = record.felt
    assert felt is not None
    if record.role is Role.ON_HAND and record.hand is not None:
        at = place_of(t.round, record.hand)
        if (felt.box, felt.hand or 1) == (at.box, at.hand or 1):
            return True
        if felt == record.home and record.goes is not None and not is_playing_area(t, felt):
            return True  # a ruling gave it to the hand, and it lies there until somebody lays it
        return felt.box < DEALER.box and is_over(record.hand)
    if record.role is Role.ARRIVING and not record.from_shoe:  # the shoe has not spoken yet
        return True
    if record.role is Role.NEXT:  # it is asked for when a card is due; laid in a hold, it is looked at afterwards
        return felt == record.home or bool(t.hold.matters) or not is_playing_area(t, felt)
    if record.role in {Role.GIVEN, Role.RELAID}:  # the ruling on it is being carried out
        return bool(t.hold.matters)
    if is_stray(record) and t.hold.matters:  # it has joined the open matter
        return True
    if record.role is Role.OUT and felt == record.home and (not _plays(t, felt) or record.due == felt):
        return True  # of a hand that all have left, or left as laid by the house
    return not is_playing_area(t, felt)


def _plays(t: TableState, place: Place) -> bool:
    """Whether anybody still has a part in a hand at a place."""
    box = t.round.boxes.get(place.box)
    return box is None or not box.hands or any(hand.in_play for hand in box.hands)


def _findings(t: TableState) -> Iterator[Finding]:
    yield from t.round.findings
    yield from t.hold.for_later
    for matter in (*t.hold.matters, *t.hold.beside, *t.hold.pulls):
        yield matter.finding


def _is_listed(t: TableState, record: CardRecord) -> bool:
    """Whether an open matter lists what is to be done with a card; of equal cards each may be the other."""
    home = place_of(t.round, record.hand) if record.hand is not None else None
    equal = [other for other in t.round.records if other.card == record.card and other is not record]
    if any(other.felt == home and other.hand is not record.hand for other in equal if home is not None):
        return True
    put_back = any(matter.demand is Demand.RECONSTRUCT for matter in t.hold.matters)
    if put_back and any(other is record and place == record.felt for other, place in belongs(t)):
        return True
    moves = [move for matter in t.hold.matters for move in remaining(t, matter)]
    return any(move.card == record.card for move in moves)  # of equal cards any may be the one that is moved


def _boxes(t: TableState, record: CardRecord) -> set[int]:
    """Where a card lies, counts and was due."""
    ends = {record.felt, record.due, place_of(t.round, record.hand) if record.hand is not None else None}
    return {place.box for place in ends if place is not None}


def _places_named(t: TableState, finding: Finding, record: CardRecord) -> bool:
    """Whether a finding speaks of a card that waits for its ruling, or of a place of one, whichever it takes it for."""
    if record.finding is finding:
        return True
    moves = {place for move in finding.moves for place in (move.source, move.target)}
    return not finding.places or bool(_boxes(t, record) & {place.box for place in (*finding.places, *moves)})


def _names(t: TableState, finding: Finding, record: CardRecord) -> bool:
    if record.finding is finding:
        return True
    boxes = _boxes(t, record)
    named = record.card in finding.cards or UNREAD in finding.cards  # it may have been named since
    if named and (not finding.places or boxes & {place.box for place in finding.places}):
        return True
    same = [other for other in t.round.records if other.card == record.card]  # each may be the other
    equal = {other.felt.box for other in same if other.felt is not None}  # the box may have been split since
    return any(move.card == record.card and equal & {move.source.box, move.target.box} for move in finding.moves)
