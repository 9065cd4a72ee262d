"""Which card somebody takes hold of without seeing it.

1. A card that lies face down is written ``??`` on every screen, and so in what a hand says: ``move ?? 2 3``. Which of
   the cards at the place is meant follows from its number among those that are drawn there, counted from 0.
2. The order is that in which the scene shows them (`gamecore.view.veil`).
3. ``lay ?? 2`` takes a card that has left the shoe and lies nowhere yet, or one that waits to be dealt.
"""

from __future__ import annotations

from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events as ev
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.notation.syntax import What
from gamecore.view.pictures import HandView
from gamecore.view.report import visible_cards
from gamecore.view.veil import DRAWN, lying
from gamecore.view.view import PULL, TableView

_BACK = str(UNREAD)


def named(view: TableView, what: What, source: str, index: int) -> What:
    """What is said, with the card that is meant instead of ``??``; as it is where no such card lies there."""
    match what:
        case ev.CardMoved(card, place, target) if card == UNREAD:
            return ev.CardMoved(_pick(_at(view, place), index), place, target)
        case ev.CardLifted(card, place) if card == UNREAD:
            return ev.CardLifted(_pick(_at(view, place), index), place)
        case ev.CardLaid(card, place, exposed) if card == UNREAD:
            return ev.CardLaid(_pick(cards_from(view, source), index), place, exposed)
        case ev.CardPushedBack(card) if card == UNREAD:
            return ev.CardPushedBack(_pick(cards_from(view, source), index))
        case _:
            return what


def cards_from(view: TableView, source: str) -> list[Card]:
    """The cards that have left the shoe and lie nowhere yet (`DRAWN`), or wait to be dealt or chosen (`ASIDE`)."""
    if source == DRAWN:
        return list(view.in_transit)
    pulled = [
        card
        for matter in (*view.matters, *view.pulls)
        if matter.finding.code == PULL
        for card in (*matter.cards, *matter.hidden)
    ]
    return [*pulled, *view.next_cards]


def _pick(cards: list[Card], index: int) -> Card:
    return cards[index] if 0 <= index < len(cards) else UNREAD


def _at(view: TableView, place: Place) -> list[Card]:
    """The cards that lie at a place, in the order in which they are shown."""
    hand = view.round.dealer if place == DEALER else view.round.hand_at(place)
    if place in {BURN, DISCARD} or hand is None:
        return [drawn.card for drawn in view.round.dealt if drawn.place == place]
    return _lying(view, hand)


def _lying(view: TableView, hand: HandView) -> list[Card]:
    """The cards of a hand that lie there: while the round is held one of them may have been carried elsewhere."""
    shown = list(zip(visible_cards(hand), hand.cards, strict=True))
    for card in lying(view).off.get(id(hand), []):
        wanted = str(card) if any(text == str(card) for text, _ in shown) else _BACK
        gone = next((index for index, (text, _) in enumerate(shown) if text == wanted), None)
        if gone is not None:
            del shown[gone]
    return [card for _, card in shown]
