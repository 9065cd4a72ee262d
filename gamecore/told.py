"""Tables without position sensors: a person tells the places and is believed.

1. No error of the order of dealing is raised, and no command refused because of one, until a person makes it known
   (`call`). Then clause and ruling follow from how far the round has come.
2. A card counts where it is told to lie, also on a box without a wager.
3. The initial deal is over when the last wagered box has its second card, or when a box is dealt a third one, whoever
   was left out.
"""

from __future__ import annotations

from gamecore import dealer, offers, shoe, turns
from gamecore.cards import Card
from gamecore.hands import Hand
from gamecore.machine import State
from gamecore.places import DEALER, Place
from gamecore.round import Drawn
from gamecore.state import TableState


def believe(t: TableState, card: Card, place: Place) -> None:
    """A card counts where a person says that it lies."""
    game_round = t.round
    if not t.round_is_on or t.machine.state is State.BETTING:
        t.next_cards.append(card)
        t.suspect("card-in-error", places=(place,), cards=(card,))
        return
    if t.burn_due:
        game_round.burn_was_due = True
        t.burn_due = False
    if t.machine.state is State.BETS_CLOSED:
        t.enter("deal_first_card")
        shoe.first_card(t)
    hand = _hand(t, place)
    if hand is None:
        game_round.draws.append(Drawn(card, place, t.next_place, credited=False))
        return
    third = hand is not game_round.dealer and len(hand.cards) >= 2
    dealt_out = t.machine.state is State.INITIAL_DEAL and third
    if dealt_out:
        offers.begin(t)
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    initial = t.machine.state is State.INITIAL_DEAL
    due = t.next_place
    hand.add(card)
    game_round.draws.append(Drawn(card, place, due, subsequent=not initial))
    if initial:
        _next_of_deal(t, place)
        return
    game_round.subsequent = True
    hand.awaits_card = False
    if t.machine.state is State.PLAYER_TURN and not turns.point_to_first(t):
        turns.finish(t)
    elif t.machine.state is State.DEALER_TURN:
        dealer.after_card(t)


def _hand(t: TableState, place: Place) -> Hand | None:
    """The hand at a told place, made for a box that has none."""
    if place.box < 0:
        return None
    if place.box == DEALER.box:
        return t.round.dealer
    box = t.round.box(place.box)
    if not box.hands:
        box.hands = [Hand()]
    return t.round.hand_at(place)


def point(t: TableState) -> None:
    """The next place of the initial deal is the first that is short, in the order of the deal."""
    game_round = t.round
    for index, (place, hand) in enumerate(game_round.deal):
        second = index > len(game_round.order)
        if len(hand.cards) < (2 if second else 1):
            t.next_place, t.next_hand = place, hand
            return


def _next_of_deal(t: TableState, place: Place) -> None:
    game_round = t.round
    last = game_round.order[-1] if game_round.order else None
    if last is not None and place.box == last.number and len(last.hands[0].cards) >= 2:
        offers.begin(t)
        return
    point(t)
