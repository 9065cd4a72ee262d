"""Settlement: what every wager won or lost, to the cent, and the clause that says so.

1. A main wager is settled hand by hand: what went back, surrender, even money and rescue first, then bust, naturals and
   21, then a Dealer's natural, then the comparison of totals.
2. A natural loses to nothing: it stands off against a Dealer's natural, except in Pontoon, where it always wins.
3. A Dealer's natural takes from doubled and split hands what the document says (`DealerNatural`); what it does not
   take goes back. A row that loses less than its stake says so by its net; one that loses nothing is `returned`.
4. A row's stake is chips. A free hand has none: it wins what its marker stands for, and loses 0.00.
5. Side wagers are settled by their own tables, and a bonus that is no wager is a row with stake 0.00.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from gamecore.model.events.outputs import Row
from gamecore.model.hands import LIMIT, Hand, Stake
from gamecore.model.money import HALF, Odds
from gamecore.model.round import Box, Round, SideWager
from gamecore.rules.ruleset import SILENT, DealerNatural, Ruleset, SuperBonus
from gamecore.rules.side_wagers import own_main

WIN, LOSE, STAND_OFF = "win", "lose", "stand-off"
SURRENDERED, RETURNED = "surrendered", "returned"

#: result, net, clause
Verdict = tuple[str, int, str]


def settle(rules: Ruleset, game_round: Round) -> list[Row]:
    """Every wager of the round, settled: by box, the main wagers of each hand, then the others; bonuses come last."""
    rows: list[Row] = []
    for _, box in sorted(game_round.boxes.items()):
        rows.extend(_main_rows(rules, game_round, box))
        if box.insurance:
            rows.extend(_insurance_rows(rules, game_round, box))
        if box.sides:
            rows.extend(_side_rows(rules, game_round, box, box.sides))
    if rules.super_bonus.value is not None:
        rows.extend(_super_bonus_rows(rules, game_round, rows))
    rows.extend(game_round.refused)
    return rows


def settle_on_the_way(rules: Ruleset, game_round: Round, kinds: Collection[str]) -> list[Row]:
    """What was paid or collected while the round goes on: hands that are settled, and side wagers of these kinds.

    A surrender that the Dealer's natural can still void is acted on at the end (Pontoon 3.24.3), and a side wager on
    split Aces lies there only since then.
    """
    rows: list[Row] = []
    late = SURRENDERED if rules.surrender_lost_to_natural.value else ""
    for _, box in sorted(game_round.boxes.items()):
        if any(hand.settled for hand in box.hands):
            mains = _main_rows(rules, game_round, box)
            rows.extend(row for row in mains if box.hands[row.hand - 1].settled and row.result != late)
        sides = [side for side in box.sides if side.kind in kinds and not side.after_split]
        rows.extend(_side_rows(rules, game_round, box, sides))
    return rows


def _main_rows(rules: Ruleset, game_round: Round, box: Box) -> list[Row]:
    rows = []
    allowance = _allowance(rules, game_round, box)
    for number, hand in enumerate(box.hands, start=1):
        for slot, stake in hand.stakes.items():
            main = box.mains[slot]
            if main.returned_by:
                result, net, clause = RETURNED, 0, main.returned_by
            else:
                counted = stake if main.settles_as is None else _limited(stake, main.settles_as)
                result, net, clause = main_verdict(rules, game_round, hand, slot, counted, allowance)
            rows.append(Row(box.number, slot, number, "main", main.player, stake.at_risk, result, net, clause))
    return rows


def _limited(stake: Stake, limit: int) -> Stake:
    """The stake as a limit lets it win or lose: each part of it up to that amount (MBS 5.27, RWS 5.1.1)."""
    return replace(stake, base=min(stake.base, limit), chips=min(stake.chips, limit), added=min(stake.added, limit))


# --- the main wager ------------------------------------------------------------------------------------------------


def main_verdict(
    rules: Ruleset, game_round: Round, hand: Hand, slot: int, stake: Stake, allowance: dict[int, int]
) -> Verdict:
    """One Player's stake on one hand, settled."""
    outcomes = rules.outcomes
    dealer = game_round.dealer
    if stake.returned_by:
        return RETURNED, 0, stake.returned_by
    if stake.surrendered:
        if rules.surrender_lost_to_natural.value and dealer.natural:
            return LOSE, -stake.base, outcomes.surrender_lost
        return SURRENDERED, -HALF.pays(stake.base), outcomes.surrendered
    if stake.even_money:
        return WIN, stake.base, outcomes.even_money
    if stake.rescued:
        return LOSE, -stake.chips, outcomes.rescued
    total = hand.total
    if total > LIMIT:
        clause = outcomes.bust_split if hand.split else outcomes.bust_doubled if hand.doubled else outcomes.bust
        return LOSE, -stake.at_risk, clause
    if hand.natural:
        return _natural(rules, game_round, stake)
    if total == LIMIT and rules.twenty_one_wins.value:
        return WIN, twenty_one_odds(rules, hand, stake).pays(stake.plays_for), outcomes.natural
    if dealer.natural and (rules.natural_beats_21.value or total < LIMIT or hand.split or stake.doubled):
        return _dealer_natural(rules, hand, slot, stake, allowance)
    return _compare(rules, total, dealer.total, stake)


def _natural(rules: Ruleset, game_round: Round, stake: Stake) -> Verdict:
    outcomes = rules.outcomes
    dealer = game_round.dealer
    up_card = game_round.up_card
    if dealer.natural and not rules.natural_beats_natural.value:
        against_ace = up_card is not None and up_card.is_ace
        return STAND_OFF, 0, outcomes.both_natural_against_ace if against_ace else outcomes.both_natural
    clause = outcomes.natural
    if dealer.total == LIMIT + 1 and rules.dealer_22_stands_off.value:
        clause = outcomes.natural_against_22
    elif up_card is not None and up_card.is_ace:
        clause = outcomes.natural_against_ace
    return WIN, rules.natural_pays.value.pays(stake.base), clause


def _compare(rules: Ruleset, total: int, dealer: int, stake: Stake) -> Verdict:
    outcomes = rules.outcomes
    if dealer == LIMIT + 1 and rules.dealer_22_stands_off.value:
        return STAND_OFF, 0, outcomes.dealer_22
    if dealer > rules.dealer_bust_above.value:
        return WIN, rules.regular_pays.value.pays(stake.plays_for), outcomes.dealer_bust
    if total > dealer:
        return WIN, rules.regular_pays.value.pays(stake.plays_for), outcomes.higher
    if total == dealer:
        return STAND_OFF, 0, outcomes.same
    return LOSE, -stake.at_risk, outcomes.lower


def twenty_one_odds(rules: Ruleset, hand: Hand, stake: Stake) -> Odds:
    """What a 21 pays where it is paid at once: the first bonus hand that fits, a doubled one even (Pontoon 4.1.1.4)."""
    if stake.doubled and rules.doubled_pays_regular.value:
        return rules.regular_pays.value
    for bonus in rules.bonus_hands.value:
        if bonus.test(hand):
            return bonus.pays
    return rules.regular_pays.value


# --- the Dealer's natural against doubled and split hands ----------------------------------------------------------


def _allowance(rules: Ruleset, game_round: Round, box: Box) -> dict[int, int]:
    """How much each Player on a box can still lose to the Dealer's natural, where the document caps it."""
    if not game_round.dealer.natural:
        return {}
    left = {
        slot: main.amount if main.settles_as is None else min(main.amount, main.settles_as)
        for slot, main in box.mains.items()
    }
    if rules.dealer_natural_takes.value is DealerNatural.ORIGINAL_IN_ALL:
        for hand in box.hands:
            if hand.bust:
                for slot, stake in hand.stakes.items():
                    left[slot] = max(0, left[slot] - stake.at_risk)
    return left


def _dealer_natural(rules: Ruleset, hand: Hand, slot: int, stake: Stake, allowance: dict[int, int]) -> Verdict:
    outcomes = rules.outcomes
    clause = outcomes.dealer_natural
    split = hand.split if rules.dealer_natural_takes.value is DealerNatural.EVERYTHING else stake.split
    if split:
        clause = outcomes.dealer_natural_split
    if stake.doubled and (not split or rules.dealer_natural_takes.value is DealerNatural.ORIGINAL_OF_DOUBLED):
        clause = outcomes.dealer_natural_doubled
    loss = stake.at_risk
    if rules.dealer_natural_takes.value is DealerNatural.ORIGINAL_OF_DOUBLED:
        loss = stake.chips
    elif rules.dealer_natural_takes.value is not DealerNatural.EVERYTHING:
        loss = min(stake.at_risk, allowance[slot])
        allowance[slot] -= loss
    if loss == 0 and stake.at_risk > 0:
        return RETURNED, 0, clause
    return LOSE, -loss, clause


# --- other wagers --------------------------------------------------------------------------------------------------


def _insurance_rows(rules: Ruleset, game_round: Round, box: Box) -> list[Row]:
    """Insurance wins if the Dealer's second card makes the natural; after even money it was returned."""
    cards = game_round.dealer.cards
    won = len(cards) > 1 and cards[1].rank in rules.insurance_wins_on.value
    rows = []
    for wager in sorted(box.insurance, key=lambda wager: wager.slot):
        verdict: Verdict = (LOSE, -wager.amount, rules.insurance_wins_on.clause)
        if wager.returned_by:
            verdict = (RETURNED, 0, wager.returned_by)
        elif won:
            verdict = (WIN, rules.insurance_pays.value.pays(wager.amount), rules.insurance_wins_on.clause)
        player = wager.player if wager.player is not None else box.mains[wager.slot].player
        rows.append(Row(box.number, wager.slot, 1, "insurance", player, wager.amount, *verdict))
    return rows


def _side_rows(rules: Ruleset, game_round: Round, box: Box, sides: Iterable[SideWager]) -> list[Row]:
    rows = []
    for wager in sides:
        side = rules.side(wager.kind)
        verdict: Verdict
        if wager.returned_by:
            verdict = (RETURNED, 0, wager.returned_by)
        else:
            category = side.category(game_round, box, wager)
            amount = wager.amount if wager.limit is None else min(wager.amount, wager.limit)
            if category is None:
                follows = side.follows_controller != SILENT and not own_main(box, wager)
                verdict = (LOSE, -amount, side.follows_controller if follows else side.loses_by)
            else:
                clause = rules.side_wager_on_split_aces.clause if wager.after_split else side.wins_by
                if side.follows_controller != SILENT and not own_main(box, wager):
                    clause = side.follows_controller
                verdict = (WIN, dict(side.pays)[category].pays(amount), clause)
        rows.append(Row(box.number, wager.slot, wager.hand, wager.kind, wager.player, wager.amount, *verdict))
    return rows


def _super_bonus_rows(rules: Ruleset, game_round: Round, settled: list[Row]) -> list[Row]:
    """The Super Bonus, and the bonus payment to all other original wagers (Pontoon 4.1.1 to 4.1.1.4)."""
    bonus = rules.super_bonus.value
    winners = {} if bonus is None else _super_bonus_winners(bonus, game_round)
    if bonus is None or not winners:
        return []
    rows = []
    for box in game_round.order:
        for slot, main in box.mains.items():
            pays = winners.get((box.number, slot), 0)
            clause = bonus.clause
            if not pays and not _returned(box, slot) and not _won_doubled(box, slot, settled):
                pays, clause = bonus.others, bonus.others_clause
            if pays:
                rows.append(Row(box.number, slot, 1, "super-bonus", main.player, 0, WIN, pays, clause))
    return rows


def _super_bonus_winners(bonus: SuperBonus, game_round: Round) -> dict[tuple[int, int], int]:
    """What each original wager on a hand that makes the Super Bonus is paid, by box and slot."""
    winners: dict[tuple[int, int], int] = {}
    for box in game_round.order:
        for hand in box.hands:
            for slot, stake in hand.stakes.items() if bonus.test(game_round, hand) else ():
                limit = box.mains[slot].settles_as
                base = stake.base if limit is None else min(stake.base, limit)
                band = next((pays for least, pays in bonus.bands if base >= least), 0)
                if band and not stake.withdrawn:
                    winners[box.number, slot] = band
    return winners


def _returned(box: Box, slot: int) -> bool:
    """Whether the original wager went back, so that it neither won nor lost."""
    stakes = [hand.stakes[slot] for hand in box.hands if slot in hand.stakes]
    return all(stake.returned_by for stake in stakes)


def _won_doubled(box: Box, slot: int, settled: list[Row]) -> bool:
    """Whether the original wager, which lies on the first hand, won doubled: then no bonus payment (4.1.1.4)."""
    stake = box.hands[0].stakes.get(slot)
    if stake is None or not stake.doubled:
        return False
    return any(
        row.result == WIN and row.kind == "main" and (row.box, row.slot, row.hand) == (box.number, slot, 1)
        for row in settled
    )


# --- wagers that are not settled -----------------------------------------------------------------------------------


class OfBoxes(Protocol):
    """A round, or a picture of one: a box of either has the same names."""

    @property
    def boxes(self) -> Mapping[int, Any]:
        """The boxes by number."""


def open_rows(game_round: OfBoxes) -> list[Row]:
    """Every wager of a round that is on, without an outcome but for Insurance and side wagers that have gone back."""
    return [row for _, box in sorted(game_round.boxes.items()) for row in _open(box)]


def _open(box: Any) -> Iterator[Row]:
    for number, hand in enumerate(box.hands, start=1):
        for slot, stake in hand.stakes.items():
            yield _without_outcome(box, slot, number, "main", box.mains[slot].player, stake.at_risk)
    if not box.hands:
        for slot, main in sorted(box.mains.items()):
            yield _without_outcome(box, slot, 1, "main", main.player, main.amount)
    for insurance in sorted(box.insurance, key=lambda wager: wager.slot):
        player = insurance.player or box.mains[insurance.slot].player
        row = _without_outcome(box, insurance.slot, 1, "insurance", player, insurance.amount)
        yield returned(row, insurance.returned_by) if insurance.returned_by else row
    for side in box.sides:
        row = _without_outcome(box, side.slot, side.hand, side.kind, side.player, side.amount)
        yield returned(row, side.returned_by) if side.returned_by else row


def _without_outcome(box: Any, slot: int, hand: int, kind: str, player: str | None, stake: int) -> Row:
    return Row(box.number, slot, hand, kind, player, stake, None, None, None)


def returned(row: Row, clause: str) -> Row:
    """The row of a wager that goes back to its Player."""
    return Row(row.box, row.slot, row.hand, row.kind, row.player, row.stake, RETURNED, 0, clause)
