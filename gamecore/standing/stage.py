"""How far a round has come, in the words of the documents.

1. MBS tells apart before and after an interim settlement or the beginning of the subsequent deal (5.6, 5.11 to 5.16,
   5.21). RWS tells apart whether an Interim or a Final Settlement has taken place (5.9, 5.10.1), whatever was dealt.
2. A finding keeps the clause of the stage at which it was found.
3. An outcome is established when any wager has conclusively won or lost (MBS 5.29, Free Bet 5.30, RWS 5.4): a hand that
   is bust, paid or given up, a wager on the first two cards, on markers that lie there or on the Dealer's second card,
   and every wager once the Dealer's hand is complete. One that was returned has done neither.
"""

from __future__ import annotations

from gamecore.model.hands import Hand
from gamecore.model.machine import BETWEEN_ROUNDS, State
from gamecore.model.round import Box, Round, SideWager
from gamecore.model.state import TableState
from gamecore.phases import dealer
from gamecore.rules import side_wagers
from gamecore.rules.ruleset import Ruleset
from gamecore.rules.stages import Stage
from gamecore.settlement import settle as settlement

_ON_MARKERS = ("lucky-stash", "pot-of-gold")
_ON_TWO_CARDS = ("pair", "rws-pairs", "ace-race", "pandemonium")


def stage_of(t: TableState) -> Stage:
    """The stage of the round that is on."""
    state = t.held_from if t.machine.state is State.HELD else t.machine.state
    if state in BETWEEN_ROUNDS:
        return Stage.BETWEEN
    if state is State.BETTING:
        return Stage.BETTING
    if state is State.BETS_CLOSED:
        return Stage.CLOSED
    game_round = t.round
    if t.rules.final_settlement.value:
        if game_round.final:
            return Stage.FINAL
        if game_round.interim:
            return Stage.INTERIM
    if game_round.subsequent:
        return Stage.SUBSEQUENT
    return Stage.INTERIM if game_round.interim else Stage.INITIAL


def outcome_established(rules: Ruleset, game_round: Round) -> bool:
    """Whether any wager has conclusively won or lost."""
    return any(_box_decided(rules, game_round, box) for box in game_round.boxes.values())


def settled_by_cards(t: TableState) -> bool:
    """Whether every card is on the table and some wager has won or lost by them."""
    state = t.held_from if t.machine.state is State.HELD else t.machine.state
    if state is not State.SETTLEMENT:
        return False
    decided = {settlement.WIN, settlement.LOSE, settlement.SURRENDERED}
    return any(row.result in decided for row in settlement.settle(t.rules, t.round))


def _box_decided(rules: Ruleset, game_round: Round, box: Box) -> bool:
    if not box.hands:
        return False
    if any(_hand_decided(rules, game_round, hand) for hand in box.hands):
        return True
    if insurance_decided(game_round) and any(not wager.returned_by for wager in box.insurance):
        return True
    return any(not side.returned_by and side_decided(box, side) for side in box.sides)


def insurance_decided(game_round: Round) -> bool:
    """Whether the Insurance wagers have won or lost: by the Dealer's second card (MBS 3.27, RWS 3.15.2)."""
    return len(game_round.dealer.cards) > 1


def side_decided(box: Box, side: SideWager) -> bool:
    """Whether the cards or a marker that lies there have decided a side wager, wherever the round goes."""
    if not box.hands:
        return False
    if side.kind in _ON_MARKERS:
        return box.markers(side_wagers.marker_slot(box, side)) > 0
    if side.after_split:
        return len(box.hands[side.hand - 1].cards) > 1
    return side.kind in _ON_TWO_CARDS and side_wagers.initial_cards(box) is not None


def _hand_decided(rules: Ruleset, game_round: Round, hand: Hand) -> bool:
    kept = [stake for stake in hand.stakes.values() if not stake.returned_by]
    return any(stake.withdrawn for stake in kept) or (bool(kept) and over(rules, game_round, hand))


def over(rules: Ruleset, game_round: Round, hand: Hand) -> bool:
    """Whether a hand has won or lost for good, or was settled: a card laid on it counts no more (RWS 3.16, 3.18)."""
    decided = dealer.decided(rules, hand) or (hand.natural and natural_won(rules, game_round))
    return hand.settled or (bool(hand.cards) and decided)


def natural_won(rules: Ruleset, game_round: Round) -> bool:
    """Whether a natural has won already: always in Pontoon, elsewhere if the Dealer cannot have one."""
    if rules.natural_beats_natural.value:
        return True
    return bool(game_round.dealer.cards) and not dealer.natural_possible(game_round)
