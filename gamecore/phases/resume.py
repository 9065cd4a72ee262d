"""Where play goes on after hands or wagers have changed under it.

1. `point_to_next_due` finds the hand or the phase that comes next from the cards and wagers as they are now. It
   changes no card.
2. In the initial deal a hand that all its Players have left gets no further card (RWS 5.7.3, MBS 5.25): what it was
   still to get is taken out of the proper order, by which a deal is put back too. Where places are told, the next
   place is the first that is short of a card.
3. The Dealer's late first card brings the offers of surrender and insurance (MBS 5.12.2).
"""

from __future__ import annotations

from gamecore.cards import order, whereabouts
from gamecore.cards.queries import dealt, strays, with_role
from gamecore.model.places import DEALER
from gamecore.model.records import Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import dealer, offers, turns
from gamecore.phases.cards.counting import point_to_next
from gamecore.standing import played

_FURTHER = frozenset({State.PLAYER_TURN, State.DEALER_TURN})


def point_to_next_due(t: TableState) -> None:
    """Point to where the next card belongs, after hands or wagers have changed."""
    if t.hold.matters or t.machine.state is State.HELD or with_role(t, Role.GIVEN):
        return
    match t.machine.state:
        case State.PLAYER_TURN:
            if not turns.point_to_first(t):
                turns.finish(t)
        case State.DEALER_TURN:
            dealer.reconsider(t)
        case State.BETS_CLOSED | State.INITIAL_DEAL:
            deal_on(t)
        case State.OFFERS:
            offers.point(t)
        case State.SETTLEMENT:
            t.expect_nothing()


def take_up_joined(t: TableState) -> None:
    """Let cards that joined a matter and that its ruling put nowhere count where they lie if due, or be next."""
    for record in strays(t):
        whereabouts.mark_relaid(t.round, record, judged=False)


def skip_invalidated(t: TableState) -> None:
    """Take hands that all their Players have left out of the rest of the initial deal."""
    game_round = t.round
    done = game_round.dealt if t.fitting.senses_places else max(0, len(dealt(t)) - game_round.burn_was_due)
    game_round.deal[done:] = [entry for entry in game_round.deal[done:] if order.is_dealt_to(t, *entry)]


def point_to_short(t: TableState) -> bool:
    """Point to the first place of the initial deal that is short of a card, where places are told; False if none."""
    first_row: set[int] = set()
    for place, hand in t.round.deal:
        if len(hand.cards) < (2 if place.box in first_row else 1) and order.is_dealt_to(t, place, hand):
            t.next_place, t.next_hand = place, hand
            return True
        first_row.add(place.box)
    return False


def deal_on(t: TableState) -> None:
    """Go on with the initial deal where it was left, or end it."""
    game_round = t.round
    skip_invalidated(t)
    if not t.fitting.senses_places:
        if t.machine.state is State.BETS_CLOSED and any(hand.cards for _, hand in game_round.deal):
            t.enter("deal_first_card")
        if t.shoe.burn_due:
            t.expect_nothing()
        elif not point_to_short(t):
            _deal_is_over(t)
        return
    if game_round.dealt and t.machine.state is State.BETS_CLOSED:
        t.enter("deal_first_card")
    if not point_to_next(t):
        _deal_is_over(t)


def _deal_is_over(t: TableState) -> None:
    if t.machine.state is State.BETS_CLOSED:
        t.enter("deal_first_card")
    offers.begin(t)


def turn_back(t: TableState) -> None:
    """Turn back to Players who can act again, or to the Dealer: hands have changed in a hold."""
    if t.hold.held_from not in {State.DEALER_TURN, State.SETTLEMENT}:
        return
    if any(not played.complete(t.rules, hand) for box in t.round.order for hand in box.hands):
        t.hold.held_from = State.PLAYER_TURN
    elif t.hold.held_from is State.SETTLEMENT:
        t.round.dealer_need = dealer.need(t.rules, t.round)
        if dealer.must_draw(t.rules, t.round, t.round.dealer_need):
            t.hold.held_from = State.DEALER_TURN
            t.expect(DEALER, t.round.dealer)


def dealer_received(t: TableState) -> None:
    """Make the offers that the Dealer's late first card calls for (MBS 5.12.2)."""
    t.turn.dealer_owed = False
    t.turn.acting = None
    t.round.offers.clear()
    offers.due(t)
    if t.round.offers and t.machine.state in _FURTHER:
        t.enter("reopen_offers")
        offers.point(t)
    else:
        point_to_next_due(t)
