"""What rulings do to wagers: returned, refused, withdrawn; the round void.

1. `gamecore.standing.decided.goes_back` says what goes back to a Player who withdraws; at MBS a wager that has won or
   lost for good is not touched (5.25).
2. One Player's choice moves nobody else's wager. A side wager or Insurance on a hand that its Players have left stays
   and is settled. Only what an invalidated hand can no longer decide goes back to those who placed it (RWS 5.7.3).
3. A round is concluded when every wager has gone back. If one stands, the round is settled.
4. A void goes through the gate of `confirming`. Cards that were not shuffled stay so until a load.
5. What was said to be withdrawn before it was approved goes back as it stood then.
"""

from __future__ import annotations

from gamecore.irregularities.confirming import confirmed
from gamecore.model.events.outputs import Row
from gamecore.model.matters import Matter
from gamecore.model.places import Place
from gamecore.model.round import Box, SideWager
from gamecore.model.state import TableState
from gamecore.model.steps import Effect
from gamecore.phases import ending
from gamecore.rules.ruleset import Decider, Withdrawal
from gamecore.standing import asked, control
from gamecore.standing.decided import decided, side_decided
from gamecore.standing.who import Wager, anything_stands, key_of, wagers


def void(t: TableState, matter: Matter, clause: str, *, word: bool = False) -> None:
    """Void the round, once that is confirmed."""
    if confirmed(t, matter, Effect.VOID, clause, word=word):
        if matter.finding.code == "unshuffled-cards":
            t.shoe.unshuffled = clause
        ending.void(t, clause)


def withdraw(t: TableState, matter: Matter | None, name: str, clause: str) -> None:
    """Give a Player back what still goes back where they were asked."""
    _give_back(t, _named_when_said(t, matter, name) or asked.going_back_to(t, name), clause)


def withdraw_everywhere(t: TableState, matter: Matter, name: str, owner: str, clause: str) -> None:
    """Give a Player back what still goes back on any box, side wagers on the hands of others included."""
    _give_back(t, _named_when_said(t, matter, name) or asked.going_back_everywhere(t, owner), clause)


def _named_when_said(t: TableState, matter: Matter | None, name: str) -> list[Wager]:
    """What was to go back to a Player when they said that they withdraw, if that had to be approved."""
    pending = None if matter is None else matter.pending
    keys = pending.said.get(name, ()) if pending is not None else ()
    return [wager for wager in wagers(t.round) if keys and wager.stands and key_of(wager) in keys]


def return_box(t: TableState, box: Box, clause: str) -> None:
    """Return every wager on a box, except those that are decided already."""
    there = [wager for wager in wagers(t.round) if wager.box is box]
    _give_back(t, [wager for wager in there if wager.stands and not decided(t, wager)], clause)


def _give_back(t: TableState, going: list[Wager], clause: str) -> None:
    for wager in going:
        wager.chips.returned_by = clause
    for box in {wager.box.number: wager.box for wager in going}.values():
        if t.rules.withdrawal.value is Withdrawal.UNSETTLED and not any(hand.in_play for hand in box.hands):
            return_undecidable(t, box, clause)
        # Where nobody is left, whose markers count for others stays who had the control (Free Bet 3.15.4.1).
        control.pass_on(t, box)


def return_undecidable(t: TableState, box: Box, clause: str) -> None:
    """Return the side wagers that a hand which is no more would have decided (RWS 5.7.3, MBS 5.16.2)."""
    for side in undecidable(t, box):
        side.returned_by = clause


def undecidable(t: TableState, box: Box) -> list[SideWager]:
    """The side wagers on a box that stand and that only its hand would decide."""
    return [
        side
        for side in box.sides
        if t.rules.side(side.kind).decided_by is not Decider.DEALERS_HAND
        and not side.returned_by
        and not side_decided(t, box, side)
    ]


def refuse(t: TableState, place: Place, kind: str, amount: int, player: str | None, clause: str) -> None:
    """Note chips that do not count, as a refused row of their own."""
    row = Row(place.box, place.slot or 1, place.hand or 1, kind, player, amount, "refused", 0, clause)
    t.round.refused.append(row)


def conclude_if_nothing_stands(t: TableState) -> bool:
    """End a round in which every wager has gone back; False where one is left to be settled."""
    if anything_stands(t.round):
        return False
    ending.conclude(t)
    return True
