"""What rulings do to wagers: returned, refused, withdrawn.

1. A wager that has won or lost for good is not touched: what was lost before is not returned (MBS 5.25).
2. Withdrawing takes all that a Player still has in play at a box: main wagers on every hand, insurance, side wagers
   that the cards have not decided yet.
3. A round in which nothing is left in play is concluded.
"""

from __future__ import annotations

from gamecore import control, dealer, settlement
from gamecore.irregularities.stage import natural_won
from gamecore.outputs import Settled
from gamecore.places import Place
from gamecore.round import Box, Row
from gamecore.state import TableState

_BY_INITIAL_CARDS = ("pair", "rws-pairs", "ace-race", "pandemonium")


def withdraw(t: TableState, box: Box, slot: int, clause: str) -> None:
    """A Player takes back what is still in play at a box."""
    for hand in box.hands:
        stake = hand.stakes.get(slot)
        if stake is None or stake.withdrawn or hand.bust:
            continue
        if hand.cards and (dealer.decided(t.rules, hand) or (hand.natural and natural_won(t.rules, t.round))):
            continue
        stake.returned_by = clause
    insurance = box.insurance.get(slot)
    if insurance is not None and insurance.player is None and not insurance.returned_by:
        insurance.returned_by = clause
    for side in box.sides:
        if side.slot == slot and not side.returned_by and not _decided(box, side.kind):
            side.returned_by = clause
    box.controller = control.controller(t.rules, box, t.seats.get(box.number), t.absent)


def _decided(box: Box, kind: str) -> bool:
    dealt_two = bool(box.hands) and (box.split_from is not None or len(box.hands[0].cards) >= 2)
    return kind in _BY_INITIAL_CARDS and dealt_two


def return_box(t: TableState, box: Box, clause: str) -> None:
    """Every wager on a box goes back."""
    for slot in box.mains:
        withdraw(t, box, slot, clause)
    for side in box.sides:
        side.returned_by = side.returned_by or clause


def refuse(t: TableState, place: Place, kind: str, amount: int, player: str | None, clause: str) -> None:
    """Chips that do not count: a row of their own, refused."""
    row = Row(place.box, place.slot or 1, place.hand or 1, kind, player, amount, "refused", 0, clause)
    t.round.refused.append(row)


def nothing_in_play(t: TableState) -> bool:
    """Whether no main wager of the round is left in play or has an outcome."""
    stakes = [stake for box in t.round.order for hand in box.hands for stake in hand.stakes.values()]
    return all(stake.returned_by for stake in stakes)


def conclude(t: TableState) -> None:
    """The round ends without full settlement: every wager has gone back."""
    t.round.rows = settlement.settle(t.rules, t.round)
    t.round.outcome = "concluded"
    t.matters.clear()
    t.rights.clear()
    t.next_cards.clear()
    t.returning.clear()
    t.enter("conclude")
    t.out.append(Settled(tuple(t.round.rows)))
    t.in_hand.clear()
    t.expect_nothing()


def void(t: TableState, clause: str) -> None:
    """The round has no result: every wager goes back."""
    rows = [settlement.returned(row, clause) for row in settlement.open_rows(t.round)]
    t.round.rows = [*rows, *t.round.refused]
    t.round.outcome = "void"
    t.matters.clear()
    t.rights.clear()
    t.next_cards.clear()
    t.returning.clear()
    t.enter("declare_void")
    t.out.append(Settled(tuple(t.round.rows)))
    t.in_hand.clear()
    t.expect_nothing()
