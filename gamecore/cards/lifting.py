"""A card that was lifted and one that is laid: when they are one card that was moved.

1. A lifted card keeps its place until it is laid somewhere: that alone is a move, from where it lay. One that never
   arrives is no news: its hand may be over and be swept away, and what is missing at the end the count of cards proves.
2. A card that is laid is the one that was lifted from that very place: nothing has changed. Else it is the one that
   left the shoe, if one of that face did and lies nowhere yet. Else it is the one of that face that was lifted first.
   One that waits to be dealt and comes back when it is due there is dealt.
3. A place that only counts says of no card which it is. A card lifted from a hand that is over was swept away: what is
   counted elsewhere is not that one. Of the others it is the one that was lifted last.
4. A card that a ruling sends to the discard holder or to the burn is there when it has left its place: nobody reads
   what lies there. Laid anywhere else it was moved from there.
5. A new round of play forgets what was lifted in the last.
"""

from __future__ import annotations

from gamecore.irregularities import desk, repair
from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import CardLaid, CardLifted, CardMoved
from gamecore.model.places import BURN, DISCARD, Place
from gamecore.model.state import Lift, TableState
from gamecore.phases import dealing
from gamecore.standing.stage import over


def card_lifted(t: TableState, event: CardLifted) -> None:
    """A card was lifted; one that was to go where nobody reads cards is there."""
    lies = next((target for target in (DISCARD, BURN) if _ruled_to(t, event, target)), event.place)
    if lies is not event.place:
        desk.card_moved(t, CardMoved(event.card, event.place, lies))
    t.lifted.append(Lift(event.card, event.place, lies))


def card_laid(t: TableState, event: CardLaid) -> None:
    """A card lies at a place: the one that was lifted, or one from the shoe."""
    lift = _lifted(t, event)
    if lift is not None:
        t.lifted.remove(lift)
    if lift is None or (lift.source == event.place and _dealt_now(t, event)):
        dealing.card_laid(t, event)
    elif lift.lies != event.place:
        desk.card_moved(t, CardMoved(event.card, lift.lies, event.place))


def card_moved(t: TableState, event: CardMoved) -> None:
    """A card was moved, which somebody may have seen being lifted."""
    lift = next((lift for lift in t.lifted if (lift.card, lift.source) == (event.card, event.source)), None)
    if lift is not None:
        t.lifted.remove(lift)
        event = CardMoved(event.card, lift.lies, event.target)
    desk.card_moved(t, event)


def on_its_way(t: TableState, card: Card) -> int:
    """How many cards of a face have left the shoe, as far as it has said, and lie nowhere yet.

    A card that waits to be dealt is none of them: where it lies nobody knows.
    """
    pulls = [matter.cards for matter in (*t.matters[:1], *t.pulls) if matter.finding.code == "double-draw"]
    return sum(cards.count(card) for cards in (t.in_hand, t.loose, *pulls))


def _ruled_to(t: TableState, event: CardLifted, target: Place) -> bool:
    """Whether an open matter has this card moved from its place to another."""
    return any(
        move.card == event.card and move.source.box == event.place.box and move.target == target
        for matter in t.matters
        for move in repair.remaining(t, matter)
    )


def _dealt_now(t: TableState, event: CardLaid) -> bool:
    """Whether a card that waits to be dealt is due where it is laid."""
    due = t.next_place is not None and t.next_place.box == event.place.box
    return due and event.card in t.next_cards and not t.matters


def _lifted(t: TableState, event: CardLaid) -> Lift | None:
    """The lifted card that a laid one is; None if it comes from elsewhere."""
    of_face = [lift for lift in t.lifted if lift.card == event.card]
    if event.card is UNREAD and t.counts_only:
        of_face = [lift for lift in reversed(of_face) if lift.source == event.place or not _swept(t, lift)]
    back = next((lift for lift in of_face if event.place in (lift.source, lift.lies)), None)
    if back is not None or not of_face:
        return back
    from_shoe = t.in_hand if event.card is UNREAD and t.counts_only else [c for c in t.in_hand if c == event.card]
    return None if from_shoe or event.card in t.loose else of_face[0]


def _swept(t: TableState, lift: Lift) -> bool:
    """Whether the hand from which a card was lifted is over: decided, settled, or left by all."""
    hand = t.round.hand_at(lift.source)
    if hand is None or hand is t.round.dealer or not hand.stakes:
        return not t.round_is_on
    return not hand.in_play or over(t.rules, t.round, hand)
