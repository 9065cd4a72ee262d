"""When a hand is played, and what of it the Dealer's cards cannot change any more.

1. A hand is complete when it can take no further card. By its cards: a natural, a bust, 21 where the document forbids
   drawing to it; doubled, or a split Ace, with its one card. By its Players: it was stood, they have all left it, or
   one is absent and it has the total to which the House draws.
2. A hand that is bust has lost, and one that is paid at once has won (Pontoon 3.29, 4.3.1), whatever the Dealer draws.
"""

from __future__ import annotations

from gamecore.model.hands import LIMIT, Hand
from gamecore.model.round import Round
from gamecore.rules.ruleset import Ruleset


def takes_no_card(rules: Ruleset, hand: Hand) -> bool:
    """Whether the rules give this hand no further card and no choice."""
    total = hand.total
    if total >= LIMIT and (total > LIMIT or hand.soft or not rules.draws_on_hard_21.value):
        return True
    if hand.doubled and not hand.awaits_card:
        return True
    return hand.split_aces and len(hand.cards) > 1 and rules.split_aces_one_card.value


def complete(rules: Ruleset, hand: Hand) -> bool:
    """Whether the hand is played."""
    if hand.stood or takes_no_card(rules, hand) or not hand.in_play:
        return True
    if hand.awaits_card or len(hand.cards) < 2:
        return False
    return hand.absent and not rules.absent_draws.value(hand.total, hand.soft)


def won_or_lost(rules: Ruleset, hand: Hand) -> bool:
    """Whether a hand has won or lost whatever the Dealer draws."""
    return hand.bust or (rules.twenty_one_wins.value and hand.total == LIMIT)


def natural_possible(game_round: Round) -> bool:
    """Whether the Dealer has a natural, or a first card that can become one."""
    dealer = game_round.dealer
    if len(dealer.cards) > 1:
        return dealer.natural
    return not dealer.cards or dealer.cards[0].points in {1, 10}
