"""Whose turn it is.

1. Boxes act clockwise from the Dealer's left, the hands of a split box in order (MBS 3.18, 3.23; RWS 3.11, 3.22.2).
2. A hand that is complete (`standing.played`) is passed over.
3. A hand with fewer than two cards must get its second card before anything else; an absent Player's hand waits
   for cards until it is complete.
4. When no hand is left, the Dealer's turn begins; a first card that is owed to the Dealer comes before it (MBS 5.12).
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.model.hands import LIMIT, Hand
from gamecore.model.places import DEALER
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import dealer
from gamecore.standing.played import complete

_PLAYER_TURN = State.PLAYER_TURN  # asked at every turn: Python finds a member of an Enum slowly


def point_to_next(t: TableState) -> bool:
    """Find the hand whose turn it is, from the present one on; False if none is left."""
    game_round = t.round
    boxes = game_round.order
    start = boxes.index(game_round.turn) if game_round.turn is not None else 0
    index = game_round.turn_hand
    for box in boxes[start:]:
        hands = box.hands
        while index < len(hands):
            hand = hands[index]
            if not complete(t.rules, hand):
                game_round.turn, game_round.turn_hand = box, index
                t.turn.just_split = t.turn.just_split and index + 1 < len(hands) and len(hand.cards) < 2
                if len(hand.cards) < 2 or hand.absent:
                    hand.awaits_card = True
                t.expect(box.place_of(index), hand)
                return True
            index += 1
        index = 0
    return False


def point_to_first(t: TableState) -> bool:
    """Find the hand whose turn is first; False if no hand needs a decision."""
    t.round.turn, t.round.turn_hand = None, 0
    if point_to_next(t):
        return True
    t.round.turn, t.round.turn_hand = None, 0
    return False


def begin(t: TableState) -> None:
    """Let the Players decide: the offers are over."""
    if point_to_first(t):
        t.enter("ask_players")
    else:
        finish(t)


def finish(t: TableState) -> None:
    """Begin the Dealer's turn, after a first card that is still owed: no Player has anything left to decide."""
    if t.turn.dealer_owed:
        t.expect(DEALER, t.round.dealer)
        return
    dealer.begin(t)


def after_card(t: TableState, hand: Hand) -> None:
    """Go on after a card to the hand whose turn it is."""
    hand.awaits_card = False
    if hand.doubled:
        t.turn.last_doubled = hand
    if hand.hard > LIMIT:
        whereabouts.turn_up(hand)
    if complete(t.rules, hand):
        next_turn(t)
    else:
        hand.awaits_card = hand.absent or len(hand.cards) < 2
        if t.turn.dealer_owed:
            point_to_next(t)


def pass_on(t: TableState) -> None:
    """Pass the turn on if a ruling has completed the hand whose turn it is."""
    turn = t.round.turn
    if t.machine.state is State.PLAYER_TURN and turn is not None:
        hand = turn.hands[t.round.turn_hand]
        if complete(t.rules, hand) and not t.turn.dealer_owed:
            next_turn(t)


def next_turn(t: TableState) -> None:
    """Go to the next turn: the hand whose turn it was is played."""
    if t.machine.state is _PLAYER_TURN and not point_to_next(t):
        finish(t)
