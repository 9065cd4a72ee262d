"""What a cell of the rulings matrix adds to its ruling, or why its finding cannot occur at that stage."""

from __future__ import annotations

from enum import unique

from gamecore.model.events.texts import Text


@unique
class MatrixNote(Text):
    """A note of the matrix."""

    STANDS = "outcomes of previous rounds stand"
    ERROR_STAYS_IN_ROUND = "an error of a round changes no later one"
    PAID_STANDS = "what an earlier round paid stands"
    NOTHING_TO_VOID = "no round is on that could be void"
    NO_HAND_ACTS = "no hand is to be acted upon"
    NO_CARD_DEALT = "no card of the round has been dealt"
    NO_ROUND = "no round is on"
    BETS_OPEN = "bets are open"
    NO_SPOKEN_OFFER = "the document asks for no spoken offer (3.15.2)"
