"""The states of a round of play, in the words of the notation; `machine` has every way from one to another."""

from __future__ import annotations

from enum import Enum


class State(Enum):
    """How a round stands, in the words of the notation."""

    IDLE = "idle"
    BETTING = "betting"
    BETS_CLOSED = "bets-closed"
    INITIAL_DEAL = "initial-deal"
    OFFERS = "offers"
    PLAYER_TURN = "player-turn"
    DEALER_TURN = "dealer-turn"
    SETTLEMENT = "settlement"
    HELD = "held"
    VOID = "void"
    COMPLETE = "complete"

    #: States are looked up at every event: by identity, which is what tells members apart.
    __hash__ = object.__hash__


IN_ROUND = (
    State.BETTING,
    State.BETS_CLOSED,
    State.INITIAL_DEAL,
    State.OFFERS,
    State.PLAYER_TURN,
    State.DEALER_TURN,
    State.SETTLEMENT,
)
BETWEEN_ROUNDS = frozenset({State.IDLE, State.VOID, State.COMPLETE})
