"""How far a round has come, in the words of the documents.

1. MBS tells apart before and after an interim settlement or the beginning of the subsequent deal (5.6, 5.11 to 5.16,
   5.21). RWS tells apart whether an Interim or a Final Settlement has taken place (5.9, 5.10.1), whatever was dealt.
2. A finding keeps the clause of the stage at which it was found, except a pull that had to wait
   (`gamecore.irregularities.deferred_matters`). That a report comes in a later round is decided where reports are
   taken.
"""

from __future__ import annotations

from gamecore.model.state import TableState
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.rules.stages import Stage


def stage_of(t: TableState) -> Stage:
    """The stage of the round that is on."""
    state = t.hold.held_from if t.machine.state is State.HELD else t.machine.state
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
