"""What `settle` would pay and take, before it is said.

1. It is the settlement itself, on the round as it stands: nothing is worked out a second time, and nothing changes.
2. It is known when every hand is played and every meter pressed. While a card of a box lies face down nothing is shown
   of that box: an amount would give the hand away.
3. When the round has ended, its rows are the same in the past tense.
4. What was paid and taken on the way is known as soon as that was said: hands that were paid or collected, and with an
   interim settlement the side wagers that the first two cards decide. Nothing that is still to come changes them.
"""

from __future__ import annotations

from gamecore.model.events.outputs import Row
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases.closing import jackpots_due
from gamecore.rules.ruleset import Decider
from gamecore.settlement.settle import settle, settle_on_the_way


def preview(t: TableState) -> tuple[Row, ...]:
    """What every wager would win or lose if the round were settled now; its rows, when it has ended."""
    if not t.round_is_on:
        return tuple(t.round.rows)
    if not _is_played(t) or jackpots_due(t):
        return ()
    hidden = _hidden(t)
    return tuple([row for row in settle(t.rules, t.round) if row.box not in hidden])


def settled_on_the_way(t: TableState) -> tuple[Row, ...]:
    """What was paid and taken while the round went on; empty if it is void."""
    if t.machine.state is State.VOID:
        return ()
    decided = {side.kind for side in t.rules.side_wagers if side.decided_by is Decider.FIRST_TWO_CARDS}
    rows = settle_on_the_way(t.rules, t.round, decided if t.round.interim else ())
    hidden = _hidden(t) if rows else set()
    return tuple(row for row in rows if row.box not in hidden)


def _hidden(t: TableState) -> set[int]:
    """The boxes where a card lies face down."""
    return {number for number, box in t.round.boxes.items() if any(hand.face_down for hand in box.hands)}


def _is_played(t: TableState) -> bool:
    """Whether nobody has anything left to decide or to draw; offers that nobody speaks may still stand."""
    state = t.machine.state
    return state is State.SETTLEMENT or (state is State.OFFERS and t.next_hand is None and t.round.turn is None)
