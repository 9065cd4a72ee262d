"""What `settle` would pay and take, before it is said.

1. It is the settlement itself, on the round as it stands: nothing is worked out a second time, and nothing changes.
2. It is known when every hand is played and every meter pressed. While a card of a box lies face down nothing is shown
   of that box: an amount would give the hand away.
3. When the round has ended, its rows are the same in the past tense.
"""

from __future__ import annotations

from gamecore.model.events.outputs import Row
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases.closing import jackpots_due
from gamecore.settlement.settle import settle


def preview(t: TableState) -> tuple[Row, ...]:
    """What every wager would win or lose if the round were settled now; its rows, when it has ended."""
    if not t.round_is_on:
        return tuple(t.round.rows)
    if not _is_played(t) or jackpots_due(t):
        return ()
    hidden = {number for number, box in t.round.boxes.items() if any(hand.face_down for hand in box.hands)}
    return tuple([row for row in settle(t.rules, t.round) if row.box not in hidden])


def _is_played(t: TableState) -> bool:
    """Whether nobody has anything left to decide or to draw; offers that nobody speaks may still stand."""
    state = t.machine.state
    return state is State.SETTLEMENT or (state is State.OFFERS and t.next_hand is None and t.round.turn is None)
