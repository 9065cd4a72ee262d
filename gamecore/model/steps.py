"""The steps of the procedures that have any: how far the carrying out of a ruling has come."""

from __future__ import annotations

from enum import Enum


class PullStep(Enum):
    """Several cards drawn in one pull."""

    CLOSES_OFFERS = "it came when offers were due or open, and closes them as any card does"
    LAY = "nobody must choose: the first card goes where one is due"
    SELECT = "a Player selects the card"
    OPTIONS = "every Player is asked for an option"
    OFFERED_ON = "what the first Player left is offered to the next"
    DISCARD_REST = "what the Pit Manager does not select is discarded"


class SkippedStep(Enum):
    """A hand that was skipped."""

    SKIPPED = "the Dealer says that the hand was skipped: the cards go back"


class ReconstructStep(Enum):
    """A deal that is put back in order."""

    CANNOT = "the house says that the cards cannot be put back"


Step = PullStep | SkippedStep | ReconstructStep
