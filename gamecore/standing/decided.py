"""Which wagers are undecided now.

1. A wager is decided as soon as no card that can still come changes its result, whatever face it may have. What is
   left in the shoe is never used: no undealt card is known.
2. A main wager: bust, given up, paid, 21 in Pontoon; a natural that the Dealer cannot match or whose match is known;
   any hand that is played, once the Dealer's hand is complete. A stand-off is decided too, and neither won nor lost.
3. A side wager on the first two cards: with the second card; one on a natural also with a first card that can make
   none. One on Free Bet Markers: with the first marker, or when no hand of the Player whose markers count can use one
   any more: it is played, or its first two cards can be neither split nor doubled free. One on the Dealer's hand: when
   that is complete. Insurance: with the Dealer's second card.
4. While a matter about the dealing is open, a box is in doubt if a card counts, lies or was due there, but not all
   three. No wager on such a box but Insurance has won or lost, unless it was settled. A side wager on the first two
   cards is decided all the same if these two lie as they were due, or after an interim settlement.
5. What a Player who withdraws takes back is a policy of the document (`Withdrawal`): what is undecided (MBS 5.25), or
   every Bet that did not have to be settled yet (RWS 5.7.3: 3.13, 3.16, 3.19).
6. An outcome is established when any wager that stands has conclusively won or lost (MBS 5.29, Free Bet 5.30, RWS 5.4).
"""

from __future__ import annotations

from typing import assert_never

from gamecore.cards.queries import place_of
from gamecore.model.cards import Card, deck
from gamecore.model.hands import LIMIT, Hand, Stake
from gamecore.model.places import DEALER
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Box, InsuranceWager, Round, SideWager
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.rules import side_wagers
from gamecore.rules.ruleset import Decider, Ruleset, Withdrawal
from gamecore.settlement import settle as settlement
from gamecore.standing import played
from gamecore.standing.who import Wager, wagers

#: Irregularities after which cards may belong elsewhere than where they count.
_ABOUT_DEALING = frozenset(
    {
        "misdealt-card",
        "dealer-not-dealt",
        "box-not-dealt",
        "box-short",
        "missing-burn",
        "unwagered-box-dealt",
        "card-in-error",
        "hand-skipped",
    }
)
_OUTCOMES = frozenset({settlement.WIN, settlement.LOSE, settlement.SURRENDERED})


def decided(t: TableState, wager: Wager) -> bool:
    """Whether no card that can still come changes the result of a wager."""
    match wager.chips:
        case Stake():
            return _main_decided(t, wager.box, wager.box.hands[wager.hand - 1], wager.chips)
        case InsuranceWager():
            return insurance_decided(t.round)
        case SideWager():
            return side_decided(t, wager.box, wager.chips)
        case _:
            assert_never(wager.chips)


def outcome_established(t: TableState) -> bool:
    """Whether any wager has conclusively won or lost."""
    return any(wager.stands and decided(t, wager) and not _stands_off(t, wager) for wager in wagers(t.round))


def _stands_off(t: TableState, wager: Wager) -> bool:
    """Whether a decided main wager has neither won nor lost."""
    stake, main = wager.chips, wager.box.mains.get(wager.slot)
    if not isinstance(stake, Stake) or main is None:
        return False
    hand, allowance = wager.box.hands[wager.hand - 1], {wager.slot: main.amount}
    result, _, _ = settlement.main_verdict(t.rules, t.round, hand, wager.slot, stake, allowance)
    return bool(main.returned_by) or result not in _OUTCOMES


# --- main wagers and insurance -------------------------------------------------------------------------------------


def _main_decided(t: TableState, box: Box, hand: Hand, stake: Stake) -> bool:
    if stake.withdrawn or hand.settled:
        return True
    if in_doubt(t, box.number):
        return False
    if over(t.rules, t.round, hand) or (hand.natural and len(t.round.dealer.cards) > 1):
        return True
    return len(hand.cards) > 1 and played.complete(t.rules, hand) and dealer_is_done(t)


def over(rules: Ruleset, game_round: Round, hand: Hand) -> bool:
    """Whether a hand has won or lost for good, or was settled: a card laid on it counts no more (RWS 3.16, 3.18)."""
    own_cards = played.won_or_lost(rules, hand) or (hand.natural and natural_won(rules, game_round))
    return hand.settled or (bool(hand.cards) and own_cards)


def natural_won(rules: Ruleset, game_round: Round) -> bool:
    """Whether a natural has won already: always in Pontoon, elsewhere if the Dealer cannot have one."""
    if rules.natural_beats_natural.value:
        return True
    return bool(game_round.dealer.cards) and not played.natural_possible(game_round)


def dealer_is_done(t: TableState) -> bool:
    """Whether the Dealer's hand takes no further card: complete, or nothing is left that it could change."""
    hand = t.round.dealer
    if in_doubt(t, DEALER.box):
        return False
    complete = len(hand.cards) > 1 and not t.rules.dealer_draws.value(hand.total, hand.soft)
    return complete or _phase(t) is State.SETTLEMENT


def insurance_decided(game_round: Round) -> bool:
    """Whether the Insurance wagers have won or lost: by the Dealer's second card (MBS 3.27, RWS 3.15.2)."""
    return len(game_round.dealer.cards) > 1


def in_doubt(t: TableState, number: int) -> bool:
    """Whether cards that count at a box, or were due there, lie elsewhere, and an open matter is about that.

    A card that was taken too late to be put back leaves no doubt: the hand counts as it lies, its first two as dealt.
    """
    if not any(matter.finding.code in _ABOUT_DEALING for matter in t.hold.matters):
        return False
    return any(_casts_doubt(t, record, number) for record in t.round.records if record.role is Role.ON_HAND)


def _casts_doubt(t: TableState, record: CardRecord, number: int) -> bool:
    """Whether a card counts, lies and was due at different boxes, and one of these is the box.

    Where places are told, a card that was moved home counts where it was believed until the house says so.
    """
    counts = place_of(t.round, record.hand).box if record.hand is not None else DEALER.box
    lies = record.felt.box if record.felt is not None else counts
    due = record.due.box if record.due is not None else lies
    return (record.due is None or not due == lies == counts) and number in {lies, due, counts}


def _phase(t: TableState) -> State:
    return t.hold.held_from if t.machine.state is State.HELD else t.machine.state


# --- side wagers ---------------------------------------------------------------------------------------------------


def side_decided(t: TableState, box: Box, side: SideWager) -> bool:
    """Whether the cards or the markers have decided a side wager, wherever the round goes."""
    match t.rules.side(side.kind).decided_by:
        case Decider.DEALERS_HAND:
            return dealer_is_done(t)
        case Decider.FIRST_TWO_CARDS:
            return _has_two_cards(box, side) and not _cards_in_doubt(t, box)
        case Decider.NATURAL:
            return (_has_two_cards(box, side) or _makes_no_natural(box)) and not _cards_in_doubt(t, box)
        case Decider.MARKERS:
            return _markers_decided(t, box, side)
        case decider:
            assert_never(decider)


def _cards_in_doubt(t: TableState, box: Box) -> bool:
    """Whether the first two cards may be others; an interim settlement has paid on those that lay there."""
    if t.round.interim or not in_doubt(t, box.number):
        return False
    first = box.initial
    return len(first) < 2 or any(_casts_doubt(t, record, box.number) for record in first)


def _has_two_cards(box: Box, side: SideWager) -> bool:
    if side.after_split:
        return len(box.hands[side.hand - 1].cards) > 1
    return side_wagers.initial_cards(box) is not None


def _makes_no_natural(box: Box) -> bool:
    """Whether the first card is neither an Ace nor a ten-point card (Pontoon 1.1.11)."""
    cards = box.hands[0].cards if box.hands else []
    return bool(cards) and cards[0].readable and cards[0].points not in {1, 10}


def _markers_decided(t: TableState, box: Box, side: SideWager) -> bool:
    """Whether a marker lies there, or the Player whose markers count can use none any more."""
    slot = side_wagers.marker_slot(box, side)
    if _phase(t) is State.SETTLEMENT or box.markers(slot):
        return True
    stakes = [(hand, hand.stakes[slot]) for hand in box.hands if slot in hand.stakes]
    return bool(box.hands) and not any(_may_use_marker(t, box, hand, stake) for hand, stake in stakes)


def _may_use_marker(t: TableState, box: Box, hand: Hand, stake: Stake) -> bool:
    """Whether a hand is still to be acted upon, and its first two cards may be split or doubled free, or are not there.

    Others may join a double until its card is dealt (Free Bet 3.26.6, RWS 3.23.2). An absent Player uses none (MBS
    5.22, RWS 5.3). That one has withdrawn does not decide what others have wagered.
    """
    given_up = stake.surrendered or stake.even_money or stake.rescued
    played = hand.stood or hand.settled or hand.absent or (hand.doubled and not hand.awaits_card)
    past = len(hand.cards) > 2 or hand.total >= LIMIT or (hand.split_aces and len(hand.cards) > 1)
    doubtful = in_doubt(t, box.number) and not t.round.interim
    return not (given_up or played) and (doubtful or (not past and _lets_use_marker(t.rules, box, hand)))


def _lets_use_marker(rules: Ruleset, box: Box, hand: Hand) -> bool:
    """Whether a hand's first two cards let a Player split or double free, or may do so once they are there.

    Cards that are split for chips may become such hands (Free Bet 3.21, 3.26.5; RWS 1.13, 3.22, 3.23.1).
    """
    cards, splits = hand.cards, rules.split_hands.value - len(box.hands)
    if (len(cards) < 2 and not hand.split) or not all(card.readable for card in cards):
        return True
    if len(cards) < 2:
        return any(_may_become_free(rules, card, splits) for card in cards)
    return _is_free(rules, cards[0], cards[1], splits)


def _is_free(rules: Ruleset, first: Card, second: Card, splits: int) -> bool:
    """Whether two cards may be split or doubled free, at once or after splits for chips."""
    hand = Hand()
    hand.add(first)
    hand.add(second)
    if rules.free_doubles.value(hand):
        return True
    if splits <= 0:
        return False
    halves = (first, second) if rules.splits.value(first, second) else ()
    return rules.free_splits.value(first, second) or any(_may_become_free(rules, card, splits - 1) for card in halves)


def _may_become_free(rules: Ruleset, first: Card, splits: int) -> bool:
    """Whether some second card makes two that may be split or doubled free; the rules say it once for all."""
    key = rules.id, first.rank, splits
    known = _MAY_BECOME_FREE.get(key)
    if known is None:
        ranks = rules.ranks.value
        known = any(_is_free(rules, first, second, splits) for second in deck(ranks)[: len(ranks)])
        _MAY_BECOME_FREE[key] = known
    return known


_MAY_BECOME_FREE: dict[tuple[str, str, int], bool] = {}


# --- what a Player who withdraws takes back ------------------------------------------------------------------------


def goes_back(t: TableState, wager: Wager) -> bool:
    """Whether a wager goes back to a Player who withdraws now."""
    if not wager.stands:
        return False
    match t.rules.withdrawal.value:
        case Withdrawal.UNDECIDED:
            return not decided(t, wager)
        case Withdrawal.UNSETTLED:
            return not _must_be_settled(t, wager)
        case policy:
            assert_never(policy)


def _must_be_settled(t: TableState, wager: Wager) -> bool:
    """Whether a Bet is settled by now, or has to be (RWS 1.10, 1.21, 3.13, 3.19)."""
    match wager.chips:
        case Stake():
            hand = wager.box.hands[wager.hand - 1]
            lost_or_won = over(t.rules, t.round, hand) and (hand.settled or not in_doubt(t, wager.box.number))
            return wager.chips.withdrawn or lost_or_won
        case InsuranceWager():
            return insurance_decided(t.round)
        case SideWager():
            due = t.round.interim or t.round.subsequent
            return due and wager.chips.kind in t.rules.settled_first.value and decided(t, wager)
        case _:
            assert_never(wager.chips)
