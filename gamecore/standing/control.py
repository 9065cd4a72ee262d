"""Who controls a box.

1. The Player seated at the box, whatever slot their wager has (MBS 3.11, RWS 1.30 and 3.8).
2. Where nobody is seated, the wager nearest the Dealer (MBS 3.12) or, at RWS, the highest one, of equals the nearest.
3. Who is seated is determined when bets close; anyone who sits down later controls from the next round on.
4. Anyone who has surrendered or withdrawn, or is absent while another is there, has no say: control passes from front
   to back to the next (MBS 3.25.1.3, 5.22.1, Pontoon 3.24.3.3), at RWS to the highest wager that is left.
5. A place without a slot means the controlling Player's, and slot 1 as long as nobody controls the box.
"""

from __future__ import annotations

from collections.abc import Collection

from gamecore.model.hands import Stake
from gamecore.model.places import Place
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.rules.ruleset import Control, Ruleset


def controller(rules: Ruleset, box: Box, absent: Collection[tuple[int, int]]) -> int:
    """The slot whose Player calls the decisions; 0 where nobody is left."""
    stakes = box.hands[0].stakes if box.hands else {}
    if len(box.mains) == 1:
        (slot,) = box.mains
        return 0 if _is_out(stakes.get(slot)) else slot
    slots = [slot for slot in sorted(box.mains) if not _is_out(stakes.get(slot))]
    if absent:
        slots = [slot for slot in slots if (box.number, slot) not in absent] or slots
    if not slots:
        return 0
    if box.seated in slots and rules.seated_controls.value:
        return box.seated
    if rules.unseated_control.value is Control.HIGHEST:
        return max(slots, key=lambda slot: (box.mains[slot].amount, -slot))
    return slots[0]


def pass_on(t: TableState, box: Box) -> None:
    """Pass control to a Player who is left; where all of them are absent, the House draws (MBS 5.22, RWS 5.3)."""
    box.controller = controller(t.rules, box, t.people.absent) or box.controller
    left = [slot for slot in box.mains if box.hands and not out(box, slot)]
    if left and all((box.number, slot) in t.people.absent for slot in left):
        for hand in box.hands:
            hand.absent = True


def seated(t: TableState, box: Box) -> int:
    """The slot of the seated Player's wager: by their name wherever it lies (MBS 3.11), else that of their seat."""
    seat = t.people.seats.get(box.number, 0)
    name = t.people.names.get((box.number, seat))
    if name is None:
        return seat
    own = [slot for slot, main in sorted(box.mains.items()) if main.player == name]
    return own[0] if own and seat not in own else seat if own else 0


def slot_meant(box: Box, place: Place) -> int:
    """The slot that a place means."""
    return place.slot or box.controller or 1


def out(box: Box, slot: int) -> bool:
    """Whether the Player at a slot has surrendered or withdrawn."""
    return _is_out(box.hands[0].stakes[slot])


def _is_out(stake: Stake | None) -> bool:
    return stake is not None and (stake.surrendered or stake.returned_by != "")
