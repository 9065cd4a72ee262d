"""What an answer about cards of a pull may name (MBS 5.23, RWS 5.12).

1. A card is named as it was offered: an undisclosed one by its place in the pull, a disclosed one by its face. The face
   of an undisclosed card is accepted too.
2. One card is taken. A Player to whom several are disclosed may take more, as many as his hand may: one in the initial
   deal, for a doubled hand and for a split Ace, and none after 21.
3. The Pit Manager may not take what is plainly better for the Dealer, and judges the rest (MBS 5.23.4.5).
"""

from __future__ import annotations

from copy import copy

from gamecore.model.cards import Card
from gamecore.model.hands import LIMIT, Hand
from gamecore.model.machine import State
from gamecore.model.round import Ask
from gamecore.model.state import Matter, TableState
from gamecore.phases import turns
from gamecore.standing.asked import asked_place

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
OFFERED_ON = "offered on"
DEALT_OUT = frozenset({State.PLAYER_TURN, State.DEALER_TURN})


def pick(matter: Matter, word: str) -> Card | None:
    """The card that an answer means, by its place in the pull or by its face."""
    if word in ORDINALS and ORDINALS.index(word) < len(matter.cards):
        return matter.cards[ORDINALS.index(word)]
    return next((held for held in matter.cards if word in {str(held), held.face}), None)


def fits(t: TableState, matter: Matter, question: Ask, words: tuple[str, ...]) -> bool:
    """Whether an answer names cards that were asked for, as offered or by the face, and no more than may be taken."""
    counted = any(option in ORDINALS for option in question.options)
    if not words or (not counted and any(word in ORDINALS for word in words)):
        return False
    left = matter.cards if counted else [held for held in matter.cards if str(held) in question.options]
    left, cards = list(left), [pick(matter, word) for word in words]
    for picked in cards:
        if picked is None or picked not in left:
            return False
        left.remove(picked)
    if matter.procedure == "pit-worst":
        return len(words) == 1 and _may_select(t, matter, words[0])
    place = asked_place(question.who) if matter.step == OFFERED_ON else t.next_place
    hand = t.round.hand_at(place) if place is not None else None
    several = matter.procedure == "choose-disclosed" and t.held_from in DEALT_OUT and hand is not None
    return len(words) == 1 or (several and hand is not None and _takes(t, hand, [held for held in cards if held]))


def _takes(t: TableState, hand: Hand, cards: list[Card]) -> bool:
    """Whether a hand may take all these cards, one after the other: not after its last one (MBS 3.26.4, 3.29, 3.30)."""
    trial = copy(hand)
    trial.cards = list(hand.cards)
    for index, held in enumerate(cards):
        if index and turns.complete(t.rules, trial):
            return False
        trial.add(held)
        trial.awaits_card = False
    return True


def _may_select(t: TableState, matter: Matter, word: str) -> bool:
    """Whether the Pit Manager may take this card: not one that is plainly better for the Dealer (MBS 5.23.4.5)."""
    picked = pick(matter, word)
    return picked is not None and picked in most_detrimental(t, matter.cards)


def most_detrimental(t: TableState, cards: list[Card]) -> list[Card]:
    """The cards than which no other is plainly worse for the Dealer.

    Plain is a bust against anything else, and of two totals on which the Dealer stands the lower one. What a total that
    draws again is worth is for the Pit Manager to judge, and so is a 22 that stands off: against one hand it is worse
    for the Dealer than a standing total, against another better (Free Bet 4.7.3).
    """
    ranks = [_dealer_rank(t, held) for held in cards]
    worst = min((rank for rank in ranks if rank is not None), default=None)
    return [held for held, rank in zip(cards, ranks, strict=True) if rank == worst or (rank is None and worst != 0)]


def _dealer_rank(t: TableState, held: Card) -> int | None:
    """What the Dealer would have with this card: 0 for a bust, a standing total; None where that is to be judged."""
    hand = Hand()
    for lying in t.round.dealer.cards:
        hand.add(lying)
    hand.add(held)
    if hand.total == LIMIT + 1 and t.rules.dealer_22_stands_off.value:
        return None
    if hand.total > t.rules.dealer_bust_above.value:
        return 0
    return None if t.rules.dealer_draws.value(hand.total, hand.soft) else hand.total
