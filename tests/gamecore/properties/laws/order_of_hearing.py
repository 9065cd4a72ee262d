"""6. Order of hearing: reports of the shoe and of the table in either order give the same result.

1. A card that leaves the shoe and is laid, wherever: the table may be heard first.
2. Two cards, one after the other: the shoe may have said both before the table says anything.
3. Where places only count, a card is laid and nobody names it; of two that are out the pit says which one arrived. A
   told card is one report.
4. The core has no clock; how the bridge waits for a report is shown with the whole stack.
"""

from __future__ import annotations

from functools import partial

from gamecore.model.cards import Card, deck
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.events.outputs import IrregularityFound
from gamecore.model.places import DEALER, Place
from gamecore.model.records import Role
from gamecore.notation.writer import write_event
from gamecore.table import Table
from tests.gamecore.properties import regular
from tests.gamecore.properties.laws.base import Probe, Property
from tests.gamecore.properties.laws.there_and_back import standing
from tests.gamecore.properties.tables import Play


class OrderOfHearing(Property):
    """Two reports, exchanged."""

    name = "order of hearing"
    often = 0.05

    def probes(self, play: Play) -> list[Probe]:
        """A card at every place, and two cards."""
        t = play.state
        if not play.header.places_sensed or t.fitting.away or t.fitting.misread:
            return []
        if any(record.felt is None or record.lifted is not None for record in t.round.records):
            return []  # the report may be of a card that is out already
        if any(record.role is Role.ARRIVING for record in t.round.records):
            return []
        if play.header.places_counted and any(r.role is Role.NEXT or r.presumed for r in t.round.records):
            return []  # what arrives before the shoe has spoken is the next card, or one that nobody saw arrive
        seen = {record.card.face for record in t.round.records}  # a card that lies may have been moved
        faces = [
            card
            for card in deck(play.rules.ranks.value)
            if card.face not in seen and not t.shoe.cards.out.get(card.face)
        ]
        if len(faces) < 2 or t.shoe.cards.in_shoe < 2:
            return []
        at = len(play.events) * 7
        one, other = faces[at % len(faces)], faces[(at + 5) % len(faces)]
        if one == other:
            return []
        places = [box.place_of(len(box.hands) - 1) for box in t.round.boxes.values() if box.mains]
        here = play.table.next_place
        found: list[Probe] = [partial(self._one, play, one, place) for place in (*places, DEALER)]
        if here is not None and not play.header.places_counted:
            found.append(partial(self._two, play, (one, other), here))
        return found

    def _one(self, play: Play, card: Card, place: Place) -> None:
        drawn, laid = events.CardDrawn(card), regular.laid(play, card, place)
        if any(isinstance(output, IrregularityFound) for output in play.table.copied().apply(drawn)):
            return  # the card itself is found: what follows is another event
        self._compare(play, (drawn, laid), (laid, drawn))

    def _two(self, play: Play, cards: tuple[Card, Card], place: Place) -> None:
        first = play.table.copied()
        first.apply(events.CardDrawn(cards[0]))
        first.apply(regular.laid(play, cards[0], place))
        second = first.next_place
        if second is None or first._state.hold.matters or not first.round_is_on:
            return
        if any(isinstance(output, IrregularityFound) for output in first.apply(events.CardDrawn(cards[1]))):
            return  # with the second card the round is held
        draws = [events.CardDrawn(card) for card in cards]
        lays = [regular.laid(play, cards[0], place), regular.laid(play, cards[1], second)]
        self._compare(play, (draws[0], lays[0], draws[1], lays[1]), (*draws, *lays))

    def _compare(self, play: Play, one: tuple[Event, ...], other: tuple[Event, ...]) -> None:
        seen = [_after(play.table.copied(), order) for order in (one, other)]
        self.exercised += 1
        if seen[0] == seen[1]:
            return
        differ = [f"{key}: {seen[0][key]} or {seen[1][key]}" for key in seen[0] if seen[0][key] != seen[1][key]]
        said = [[write_event(event) for event in order] for order in (one, other)]
        self.hold(False, f"{said[0]} heard as {said[1]}: " + "; ".join(differ))


def _after(table: Table, order: tuple[Event, ...]) -> dict[str, object]:
    for event in order:
        table.apply(event)
    t = table._state
    found = [(f.code, f.clause, f.ruling, f.places, f.moves, f.cards) for f in t.round.findings]
    # What was found when it left the shoe has no place yet.
    found += [(f.code, f.clause, f.ruling, (), f.moves, f.cards) for f in t.hold.for_later]
    return standing(t) | {"found": found, "asks": t.asks, "rows": t.round.rows}
