"""Which card somebody takes hold of that he cannot see.

1. A card that lies face down is written ``??`` on every screen, and so in what a hand says: ``move ?? 2 3``. Which of
   the cards at the place is meant follows from its number among those that are drawn there, counted from 0.
2. The order is that in which the scene shows them (`firmware_bridge.bridge.scene_cards`).
3. ``lay ?? 2`` takes a card that has left the shoe and lies nowhere yet, or one that waits to be dealt.
"""

from __future__ import annotations

from gamecore.model import events as ev
from gamecore.model.cards import UNREAD, Card
from gamecore.model.hands import Hand
from gamecore.model.places import BURN, DEALER, DISCARD, Place
from gamecore.model.state import TableState
from gamecore.notation.syntax import What
from gamecore.view.report import visible_cards

DRAWN, ASIDE = "drawn", "aside"
_BACK = str(UNREAD)


def named(table: TableState, what: What, source: str, index: int) -> What:
    """What is said, with the card that is meant instead of ``??``; as it is where no such card lies there."""
    match what:
        case ev.CardMoved(card, place, target) if card == UNREAD:
            return ev.CardMoved(_pick(_at(table, place), index), place, target)
        case ev.CardLifted(card, place) if card == UNREAD:
            return ev.CardLifted(_pick(_at(table, place), index), place)
        case ev.CardLaid(card, place, exposed) if card == UNREAD:
            return ev.CardLaid(_pick(waiting(table, source), index), place, exposed)
        case ev.CardPushedBack(card) if card == UNREAD:
            return ev.CardPushedBack(_pick(waiting(table, source), index))
        case _:
            return what


def waiting(table: TableState, source: str) -> list[Card]:
    """The cards that have left the shoe and lie nowhere yet (`DRAWN`), or wait to be dealt or chosen (`ASIDE`)."""
    if source == DRAWN:
        return list(table.in_hand)
    pulled = [
        card
        for matter in (*table.matters, *table.pulls)
        if matter.finding.code == "double-draw"
        for card in (*matter.cards, *matter.hidden)
    ]
    return [*pulled, *table.next_cards]


def _pick(cards: list[Card], index: int) -> Card:
    return cards[index] if 0 <= index < len(cards) else UNREAD


def _at(table: TableState, place: Place) -> list[Card]:
    """The cards that lie at a place, in the order in which they are shown."""
    hand = table.round.dealer if place == DEALER else table.round.hand_at(place)
    if place in {BURN, DISCARD} or hand is None:
        return [drawn.card for drawn in table.round.draws if drawn.place == place]
    return _lying(table, hand)


def _lying(table: TableState, hand: Hand) -> list[Card]:
    """The cards of a hand that lie there: while the round is held one of them may have been carried elsewhere."""
    from firmware_bridge.bridge.scene_cards import lying  # noqa: PLC0415  which is drawn for a hidden card alone

    shown = list(zip(visible_cards(hand), hand.cards, strict=True))
    for card in lying(table).off.get(id(hand), []):
        wanted = str(card) if any(text == str(card) for text, _ in shown) else _BACK
        gone = next((index for index, (text, _) in enumerate(shown) if text == wanted), None)
        if gone is not None:
            del shown[gone]
    return [card for _, card in shown]
