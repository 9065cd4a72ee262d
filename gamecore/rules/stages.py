"""The stages of a round that the documents tell apart, from bets open to a later round."""

from __future__ import annotations

from enum import unique

from gamecore.model.events.texts import Text


@unique
class Stage(Text):
    """How far a round has come."""

    BETWEEN = "no round is on"
    BETTING = "bets are open"
    CLOSED = "bets are closed"
    INITIAL = "initial deal"
    INTERIM = "interim settlement"
    SUBSEQUENT = "subsequent deal"
    FINAL = "Final Settlement"
    LATER = "a later round has begun"
