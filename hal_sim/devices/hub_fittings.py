"""What a hub on a real table says of cards that people handle: one fitting for each way of seeing less.

1. Without one, a card that is moved leaves its place and arrives at another, and every place says which card it is.
2. `RACK_COUNTS`: nothing reads what lies in the discard holder: a card that goes there is only seen to leave.
3. `SWEPT`: the cards of a hand that is over are taken away at once, one by one, and arrive nowhere. One that is fetched
   back from there later is only seen to arrive.
4. `IN_THE_AIR`: a person who moves several cards lifts all of them before laying the first, and while a card is on its
   way from the shoe lifts another and lays it back where it was.
5. A fitting turns what happens into what the hub sees of it, where places are sensed, and changes nothing else.
   What happens once is seen once: what was swept away does not leave again.

Not modelled: a hub that misses a card, or sees one twice.
"""

from __future__ import annotations

from enum import Enum

from gamecore.model.cards import Card
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.model.events.refusals import Refused
from gamecore.model.places import DEALER, DISCARD
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.table import Table


class Fitting(Enum):
    """What the hub sees of cards that are handled."""

    RACK_COUNTS = "rack-counts"
    SWEPT = "swept"
    IN_THE_AIR = "in-the-air"


class Hands:
    """The people's hands at one table, as its hub sees them."""

    def __init__(self, fitting: Fitting, header: Header) -> None:
        """Follow a table as the header describes it."""
        self._fitting = fitting
        self._header = header
        self._table = Table(GAMES[header.game], table_config(header))
        self._away: list[tuple[Card, int]] = []
        self._lifted: list[ev.CardMoved] = []
        self._held: ev.CardLifted | None = None

    def sightings(self, event: Event) -> list[Event]:
        """Return what the hub sees now that this happens, with what people do before and after it."""
        seen = [*self._before(event), *self._itself(event)]
        if not any(isinstance(output, Refused) for output in self._table.apply(event)):
            seen += self._after(event)
        return seen

    def rest(self) -> list[Event]:
        """Lay what is still in the air; return what the hub sees of it."""
        moved, self._lifted = self._lifted, []
        return [ev.CardLaid(one.card, one.target, exposed=True) for one in reversed(moved)]

    def _senses(self) -> bool:
        return "positions" in self._header.sensors

    def _before(self, event: Event) -> list[Event]:
        return self.rest() if self._lifted and not isinstance(event, ev.CardMoved) else []

    def _itself(self, event: Event) -> list[Event]:
        """The event as the hub sees it."""
        if not isinstance(event, ev.CardMoved) or not self._senses():
            return [event]
        left, lies = ev.CardLifted(event.card, event.source), ev.CardLaid(event.card, event.target, exposed=True)
        if self._fitting is Fitting.RACK_COUNTS and event.target == DISCARD:
            return [left]
        if self._fitting is Fitting.SWEPT and (event.card, event.source.box) in self._away:
            self._away.remove((event.card, event.source.box))
            return [lies]
        if self._fitting is Fitting.IN_THE_AIR:
            self._lifted.append(event)
            return [left]
        return [left, lies]

    def _after(self, event: Event) -> list[Event]:
        """What people do next."""
        if isinstance(event, ev.PlaceBets):
            self._away.clear()
        if not self._senses():
            return []
        if self._fitting is Fitting.SWEPT:
            return self._sweep()
        if self._fitting is Fitting.IN_THE_AIR:
            return self._fidget(event)
        return []

    def _sweep(self) -> list[Event]:
        """The hands that are over go away, the Dealer's at the end of the round."""
        view = self._table.view()
        ended = not view.round_is_on
        done = [(DEALER, view.round.dealer)] if ended else []
        for box in view.round.boxes.values():
            done += [
                (box.place_of(index), hand)
                for index, hand in enumerate(box.hands)
                if ended or (hand.stakes and (not hand.in_play or hand.bust or hand.settled))
            ]
        taken: list[Event] = []
        for place, hand in done:
            for card in hand.cards:
                if hand.cards.count(card) > self._away.count((card, place.box)):
                    self._away.append((card, place.box))
                    taken.append(ev.CardLifted(card, place))
        return taken

    def _fidget(self, event: Event) -> list[Event]:
        """While a card is on its way from the shoe another is lifted, and laid back when that one lies."""
        held, self._held = self._held, None
        if held is not None:
            return [ev.CardLaid(held.card, held.place, exposed=True)]
        lying = self._lying()
        if isinstance(event, ev.CardDrawn) and lying is not None:
            self._held = lying
            return [lying]
        return []

    def _lying(self) -> ev.CardLifted | None:
        """The last card that lies on a hand as it was dealt."""
        cards = [card for card in self._table.view().round.cards if card.counts_at is not None]
        lying = [card for card in cards if card.place == card.counts_at and card.place.box >= DEALER.box]
        if not lying or not lying[-1].card.readable:
            return None
        return ev.CardLifted(lying[-1].card, lying[-1].place)
