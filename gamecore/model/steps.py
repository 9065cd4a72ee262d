"""The procedures that carry out rulings, and the steps of those that have any.

`gamecore.irregularities.procedures` says what each does; the rulings matrix names them.
"""

from __future__ import annotations

from enum import Enum


class Procedure(Enum):
    """How a ruling is carried out."""

    RECORD = "record"
    KEEP = "keep"
    VOID = "void"
    VOID_NEXT = "void-next"
    HOLD_NEXT = "hold-next"
    REFER = "refer"
    RECONSTRUCT = "reconstruct"
    RECONSTRUCT_OPTIONS = "reconstruct-options"
    PUT_BACK = "put-back"
    OPTIONS = "options"
    NEXT_CARD = "next-card"
    SKIPPED = "skipped"
    SKIPPED_OPTIONS = "skipped-options"
    SKIPPED_STAYS = "skipped-stays"
    DISCARD_OVERDRAW = "discard-overdraw"
    DISCARD_OVERDRAW_OPTIONS = "discard-overdraw-options"
    DISCARD_BOX = "discard-box"
    DISCARD_BOX_OPTIONS = "discard-box-options"
    PIT_VALUE = "pit-value"
    PIT_SHUFFLED = "pit-shuffled"
    RIFFLE = "riffle"
    SHUFFLE_AFTER = "shuffle-after"
    DEALER_DRAWS = "dealer-draws"
    RETURN_BOX = "return-box"
    SHORT_OPTION = "short-option"
    WITHDRAW_OPTION = "withdraw-option"
    WITHDRAWALS = "withdrawals"
    HOUSE_DRAWS = "house-draws"
    CONTROL_PASSES = "pass-control"
    LATE_INSURANCE = "late-insurance"
    REFUSE = "refuse"
    PAY_ONCE = "pay-once"
    RETURN_UNDER = "return-under"
    RETURN_SIDE = "return-side"
    TO_LIMIT = "to-limit"
    PRO_RATA = "pro-rata"
    RETURN_EXCESS = "return-excess"
    SELECT_UNDISCLOSED = "select-undisclosed"
    DISCLOSED_NEXT = "disclosed-next"
    CHOOSE_DISCLOSED = "choose-disclosed"
    PIT_SELECTS = "pit-selects"
    PIT_WORST = "pit-worst"
    SELECT_OPTIONS = "select-options"
    DISCARD_PULLED = "discard-pulled"


#: Procedures where the cards may be said to lie as ruled while somebody is still asked.
BEFORE_ANSWERS = frozenset(
    {
        Procedure.RECONSTRUCT,
        Procedure.RECONSTRUCT_OPTIONS,
        Procedure.DISCARD_BOX_OPTIONS,
        Procedure.DISCLOSED_NEXT,
        Procedure.SKIPPED_OPTIONS,
    }
)


class Effect(Enum):
    """What gives wagers back, in the words of the rulings."""

    VOID = "void"
    RETURN = "return-wager"
    WITHDRAW = "withdraw"


class PullStep(Enum):
    """Several cards drawn in one pull."""

    WAITS = "other cards, or other matters, come first"
    WAITS_PAST_OFFERS = "the same; it came when offers were due or open, and closes them as any card does"
    LAY = "the first card goes where one is due, unless its Player refuses it"
    SELECT = "a Player selects one of the cards, which nobody has seen"
    CHOOSE = "a Player chooses among the disclosed cards"
    OFFERED_ON = "what the first Player left is offered to the next"
    PIT_SELECTS = "the Pit Manager selects the Dealer's card"
    DISCARD_REST = "the Pit Manager selects the Dealer's card, and what is disclosed beside it is discarded"
    SELECT_FIRST = "a Player selects the card that comes first, before every Player is asked for an option"
    OPTIONS = "every Player is asked for an option"


class SkippedStep(Enum):
    """A hand that was skipped."""

    ASKED = "the Dealer says whether the hand was skipped or has stood"
    SKIPPED = "it was: the cards go back"
    STOOD = "it has stood: what was moved meanwhile goes back"


Step = PullStep | SkippedStep
