"""Where cards lie, told from the events alone.

`lay` of a card that lies somewhere is a move from there. Where its face lies at several places nobody can tell from
which it came: such faces are not looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from gamecore.model.events import events
from gamecore.model.events.events import Event


def felt(record: list[Event]) -> tuple[defaultdict[int, Counter[str]], frozenset[str]]:
    """The cards at each box, 0 is the Dealer, negative places are the burn and the discard holder; faces not known."""
    lying: defaultdict[int, Counter[str]] = defaultdict(Counter)
    transit: Counter[str] = Counter()
    unsure: set[str] = set()
    for event in record:
        match event:
            case events.CardDrawn(card):
                transit[str(card)] += 1
            case events.CardsPulled(cards):
                transit.update(map(str, cards))
            case events.CardLaid(card, place):
                if not transit[str(card)] and sum(cards[str(card)] > 0 for cards in lying.values()) > 1:
                    unsure.add(str(card))
                _take_card(transit, lying, str(card))
                lying[place.box][str(card)] += 1
            case events.CardMoved(card, source, target):
                lying[source.box][str(card)] -= 1
                lying[target.box][str(card)] += 1
    return defaultdict(Counter, {box: +cards for box, cards in lying.items()}), frozenset(unsure)


def _take_card(transit: Counter[str], lying: dict[int, Counter[str]], card: str) -> None:
    if transit[card]:
        transit[card] -= 1
        return
    for cards in lying.values():
        if cards[card] > 0:
            cards[card] -= 1
            return
