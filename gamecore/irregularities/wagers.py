"""What rulings do to wagers: returned, refused, withdrawn.

1. A wager that has won or lost for good is not touched: what was lost before is not returned (MBS 5.25).
2. Withdrawing takes all that a Player still has in play at a box: main wagers on every hand, insurance, side wagers
   that the cards have not decided yet.
3. A round in which nothing is left in play is concluded.
"""

from __future__ import annotations

from gamecore.irregularities import order
from gamecore.model.hands import Hand, Stake
from gamecore.model.outputs import Settled
from gamecore.model.places import Place
from gamecore.model.round import Box, InsuranceWager, Row, SideWager
from gamecore.model.state import TableState
from gamecore.phases import dealer, limits
from gamecore.settlement import settle as settlement
from gamecore.standing import control
from gamecore.standing.stage import insurance_decided, over, side_decided


def withdraw(t: TableState, box: Box, slot: int, clause: str) -> None:
    """A Player takes back what is still in play at a box."""
    for wager in in_play(t, box, slot):
        wager.returned_by = clause
    if not any(hand.in_play for hand in box.hands):
        for side in box.sides:
            if t.rules.side(side.kind).needs_main == "box" and not side.returned_by and not _decided(t, box, side):
                side.returned_by = clause  # somebody else's, on a hand that nobody plays any more
    # Where nobody is left, whose markers count for others stays who had the control (Free Bet 3.15.4.1).
    box.controller = control.controller(t.rules, box, t.absent) or box.controller


def withdraw_everywhere(t: TableState, player: str, clause: str) -> None:
    """A Player takes back whatever he has in play on any box, side wagers on the hands of others included."""
    for box in t.round.boxes.values():
        for slot, main in box.mains.items():
            if main.player == player:
                withdraw(t, box, slot, clause)
        for side in box.sides:
            if side.player == player and not side.returned_by and not _decided(t, box, side):
                side.returned_by = clause
        for insurance in box.insurance:
            if insurance.player == player and not insurance.returned_by and not insurance_decided(t.round):
                insurance.returned_by = clause


def in_play(t: TableState, box: Box, slot: int) -> list[Stake | InsuranceWager | SideWager]:
    """What a Player still has in play at a box: nothing that has won, lost or gone back."""
    found: list[Stake | InsuranceWager | SideWager] = []
    for hand in box.hands:
        stake = hand.stakes.get(slot)
        if stake is None or stake.withdrawn or (over(t.rules, t.round, hand) and not _in_doubt(t, hand)):
            continue
        found.append(stake)
    own_insurance = [wager for wager in box.insurance if wager.slot == slot and wager.player is None]
    if not insurance_decided(t.round):
        found += [wager for wager in own_insurance if not wager.returned_by]
    player = box.mains[slot].player if slot in box.mains else None
    own = [side for side in box.sides if side.slot == slot and side.player == player and not side.returned_by]
    return [*found, *(side for side in own if not _decided(t, box, side))]


def _in_doubt(t: TableState, hand: Hand) -> bool:
    """Whether a hand that is not settled yet may have won or lost by cards that were never meant for it."""
    return bool(t.matters) and not hand.settled and order.broken(t)


def _decided(t: TableState, box: Box, side: SideWager) -> bool:
    """Whether a side wager has won or lost; at RWS only one that must have been settled by now (3.13, 5.7.3)."""
    if t.rules.final_settlement.value:
        settled = t.round.interim or t.round.subsequent
        return settled and side.kind in t.rules.settled_first.value and side_decided(box, side)
    return side_decided(box, side)


def return_box(t: TableState, box: Box, clause: str) -> None:
    """Every wager on a box goes back, but what its first two cards have decided."""
    for slot in box.mains:
        withdraw(t, box, slot, clause)
    for side in box.sides:
        if not _decided(t, box, side):
            side.returned_by = side.returned_by or clause


def refuse(t: TableState, place: Place, kind: str, amount: int, player: str | None, clause: str) -> None:
    """Chips that do not count: a row of their own, refused."""
    row = Row(place.box, place.slot or 1, place.hand or 1, kind, player, amount, "refused", 0, clause)
    t.round.refused.append(row)


def nothing_in_play(t: TableState) -> bool:
    """Whether no main wager is left in play or has an outcome, and nobody's wager on the Dealer's hand either."""
    stakes = [stake for box in t.round.order for hand in box.hands for stake in hand.stakes.values()]
    if not all(stake.returned_by for stake in stakes):
        return False
    boxes = t.round.boxes.values()
    on_dealer = [wager for box in boxes for wager in box.insurance]
    on_bust = [side for box in boxes for side in box.sides if side.kind in dealer.ON_DEALER_BUST]
    return all(wager.returned_by for wager in on_dealer) and all(side.returned_by for side in on_bust)


def conclude(t: TableState) -> None:
    """The round ends without full settlement: every wager has gone back."""
    t.round.rows = settlement.settle(t.rules, t.round)
    limits.remember_paid(t)
    t.round.outcome = "concluded"
    t.matters.clear()
    t.pulls.clear()
    t.rights.clear()
    t.next_cards.clear()
    t.returning.clear()
    t.relaid.clear()
    t.enter("conclude")
    t.out.append(Settled(tuple(t.round.rows)))
    t.in_hand.clear()
    t.expect_nothing()


def void(t: TableState, clause: str) -> None:
    """The round has no result: every wager goes back."""
    lying = settlement.open_rows(t.round)
    rows = [settlement.returned(row, clause) if row.result is None else row for row in lying]
    t.round.rows = [*rows, *t.round.refused]
    t.round.outcome = "void"
    t.matters.clear()
    t.pulls.clear()
    t.rights.clear()
    t.next_cards.clear()
    t.returning.clear()
    t.relaid.clear()
    t.enter("declare_void")
    t.out.append(Settled(tuple(t.round.rows)))
    t.in_hand.clear()
    t.expect_nothing()
