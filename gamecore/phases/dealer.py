"""The Dealer's hand: whether a card must be drawn.

1. The Dealer draws by the rule of the document (`dealer_draws`), after all Players have decided.
2. No card is drawn that can change nothing (MBS 3.35, Pontoon 3.34, RWS 3.26.1). What wagers still need of the Dealer's
   hand is nothing, only whether it is a natural, or its total.
3. Only a natural matters to a Player's natural, to an Insurance wager and to a surrender in Pontoon (3.24.2); the total
   matters to every hand still in play and to a wager on the Dealer's bust.
"""

from __future__ import annotations

from gamecore.model.hands import Hand, Stake
from gamecore.model.places import DEALER
from gamecore.model.round import Round
from gamecore.model.state import TableState
from gamecore.rules.ruleset import Decider, Ruleset
from gamecore.standing.played import natural_possible, won_or_lost

NOTHING, NATURAL, TOTAL = 0, 1, 2


def _stake_needs(rules: Ruleset, hand: Hand, stake: Stake) -> int:
    if stake.returned_by:
        return NOTHING
    if stake.surrendered:
        return NATURAL if rules.surrender_lost_to_natural.value else NOTHING
    if stake.even_money or stake.rescued or won_or_lost(rules, hand):
        return NOTHING
    return NATURAL if hand.natural else TOTAL


def need(rules: Ruleset, game_round: Round) -> int:
    """What of the Dealer's hand can still change the outcome of a wager."""
    most = NOTHING if rules.no_idle_card.value else TOTAL
    for box in game_round.boxes.values():
        for hand in box.hands:
            for slot, stake in hand.stakes.items():
                if box.mains[slot].returned_by:  # it goes back whatever the Dealer draws (MBS 5.26)
                    continue
                most = max(most, _stake_needs(rules, hand, stake))
                if most == TOTAL:
                    return TOTAL
        for side in box.sides:
            if not side.returned_by and rules.side(side.kind).decided_by is Decider.DEALERS_HAND:
                return TOTAL
        if any(not wager.returned_by for wager in box.insurance):
            most = max(most, NATURAL)
    return most


def must_draw(rules: Ruleset, game_round: Round, needed: int) -> bool:
    """Whether the Dealer takes a card now."""
    dealer = game_round.dealer
    if needed == TOTAL:
        return len(dealer.cards) < 2 or rules.dealer_draws.value(dealer.total, dealer.soft)
    return needed == NATURAL and len(dealer.cards) < 2 and natural_possible(game_round)


def begin(t: TableState) -> None:
    """Let the Dealer draw or, if nothing is left to draw, await settlement: all Players have decided."""
    t.round.turn = None
    t.round.dealer_need = need(t.rules, t.round)
    if must_draw(t.rules, t.round, t.round.dealer_need):
        t.enter("draw_dealer")
        t.expect(DEALER, t.round.dealer)
    else:
        _finish(t)


def after_card(t: TableState) -> None:
    """Await settlement if the Dealer needs no further card; after an irregularity wagers may have left the round."""
    if t.round.findings:
        t.round.dealer_need = need(t.rules, t.round)
    if not must_draw(t.rules, t.round, t.round.dealer_need):
        _finish(t)


def reconsider(t: TableState) -> None:
    """Look again whether the Dealer needs a card: a wager has left the round."""
    t.round.dealer_need = need(t.rules, t.round)
    after_card(t)


def _finish(t: TableState) -> None:
    t.enter("await_settlement")
    t.expect_nothing()
