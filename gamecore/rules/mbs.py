"""The rulings matrix of the four MBS documents.

1. Section 5 is the same in Blackjack, Pontoon and Ace Race; Free Bet has one clause more (5.26), so that the limits and
   the power failure stand one number later there. `Numbers` holds what differs, also the clause of side wagers.
2. Early is the initial deal before any interim settlement; late is after an interim settlement or from the beginning
   of the subsequent deal (5.6, 5.11 to 5.16, 5.21).
3. What no clause covers is referred to the shift manager (6.1), under its own code.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.model.steps import Procedure
from gamecore.rules.matrix import BEFORE_DEAL, DEALT, EVERY, IN_ROUND, Cell, Matrix, cannot, row
from gamecore.rules.notes import MatrixNote
from gamecore.rules.stages import Stage

EARLY = (Stage.INITIAL,)
LATE = (Stage.INTERIM, Stage.SUBSEQUENT, Stage.FINAL)
BETWEEN = (Stage.BETWEEN,)
LATER = (Stage.LATER,)

VOID = Cell("void", "5.1.1", Procedure.VOID)
STANDS = Cell("continue", "5.1.2", Procedure.RECORD, MatrixNote.STANDS)
REFER = Cell("refer", "6.1", Procedure.REFER)
NOTED = Cell("refer", "6.1", Procedure.RECORD)
NO_CARD = cannot(MatrixNote.NO_CARD_DEALT)
NO_ROUND = cannot(MatrixNote.NO_ROUND)
NOT_DEALT = (BEFORE_DEAL, NO_CARD)
NOT_ON = (BETWEEN, NO_ROUND)
SEEN_LATER = (LATER, REFER)


@dataclass(frozen=True, slots=True)
class Numbers:
    """What differs between the four documents."""

    side_wager: str
    insurance: Cell
    insurance_too_late: Cell
    under: str
    over: str
    settled: str
    power: str


def matrix(numbers: Numbers) -> Matrix:
    """The rows of one document."""
    return (*_cards(), *_dealing(), *_double_draw(), *_wagers(numbers), *_others(numbers))


def _cards() -> Matrix:
    between = (BETWEEN, Cell("refer", "6.1", Procedure.HOLD_NEXT, MatrixNote.NOTHING_TO_VOID))
    rows = [row(code, "", (IN_ROUND, VOID), (LATER, STANDS), between) for code in ("extra-card", "missing-card")]
    return (
        row("foreign-card", "", (IN_ROUND, VOID), (LATER, STANDS), between),
        *rows,
        row(
            "unshuffled-cards",
            "",
            (IN_ROUND, VOID),
            (LATER, STANDS),
            (BETWEEN, Cell("void", "5.1.1", Procedure.VOID_NEXT)),
        ),
        row("unshuffled-cards", "suspected", (EVERY, Cell("pit-decides", "5.1", Procedure.PIT_SHUFFLED))),
        row(
            "insufficient-cards",
            "manual",
            (DEALT, Cell("riffle-and-continue", "5.19", Procedure.RIFFLE)),
            (BEFORE_DEAL, Cell("riffle-and-continue", "5.19", Procedure.RIFFLE)),
            NOT_ON,
            SEEN_LATER,
        ),
        row("insufficient-cards", "machine", (IN_ROUND, REFER), NOT_ON, SEEN_LATER),
        row(
            "cut-card-passed",
            "manual",
            (IN_ROUND, Cell("shuffle-after-round", "5.20", Procedure.SHUFFLE_AFTER)),
            NOT_ON,
            SEEN_LATER,
        ),
        row("cut-card-passed", "machine", (IN_ROUND, REFER), NOT_ON, SEEN_LATER),
        row(
            "face-up-card",
            "later card",
            (DEALT, Cell("continue", "5.5", Procedure.RECORD)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row("face-up-card", "first card", (IN_ROUND, REFER), (BETWEEN, NOTED), SEEN_LATER),
        row("unreadable-card", "", (EVERY, Cell("pit-decides", "6.1", Procedure.PIT_VALUE))),
    )


def _dealing() -> Matrix:
    early, late = (
        Cell("reconstruct", "5.6.1", Procedure.RECONSTRUCT),
        Cell("reconstruct", "5.6.2", Procedure.RECONSTRUCT),
    )
    short = Cell("reconstruct", "5.13", Procedure.RECONSTRUCT)
    burn_first = (*BEFORE_DEAL, *EARLY)
    next_card = Cell("as-next-card", "5.8", Procedure.NEXT_CARD)
    return (
        row(
            "missing-burn",
            "",
            (burn_first, Cell("reconstruct", "5.21.1", Procedure.RECONSTRUCT)),
            (LATE, Cell("continue", "5.21.2", Procedure.RECORD)),
            NOT_ON,
            SEEN_LATER,
        ),
        row("misdealt-card", "", ((*EARLY, *BEFORE_DEAL), early), (LATE, late), NOT_ON, SEEN_LATER),
        row(
            "dealer-not-dealt",
            "",
            (EARLY, Cell("reconstruct", "5.11", Procedure.RECONSTRUCT)),
            (LATE, Cell("dealer-draws", "5.12", Procedure.DEALER_DRAWS)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row(
            "box-not-dealt",
            "",
            (EARLY, short),
            (LATE, Cell("return-wager", "5.14", Procedure.RETURN_BOX)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row(
            "box-short",
            "",
            (EARLY, short),
            (LATE, Cell("option", "5.16", Procedure.SHORT_OPTION)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row(
            "unwagered-box-dealt",
            "",
            ((*EARLY, *BEFORE_DEAL), early),
            (LATE, Cell("discard", "5.15", Procedure.DISCARD_BOX)),
            NOT_ON,
            SEEN_LATER,
        ),
        row("card-in-error", "", (DEALT, next_card), ((*BEFORE_DEAL, *BETWEEN), next_card), SEEN_LATER),
        row(
            "dealer-overdraw",
            "complete",
            (DEALT, Cell("discard", "5.7", Procedure.DISCARD_OVERDRAW)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row(
            "dealer-overdraw",
            "below",
            (DEALT, Cell("as-next-card", "5.8", Procedure.KEEP)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row(
            "hand-skipped",
            "next hand",
            (DEALT, Cell("as-next-card", "5.17", Procedure.SKIPPED)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row(
            "hand-skipped",
            "more hands",
            (DEALT, Cell("continue", "5.18", Procedure.RECORD)),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
    )


def _double_draw() -> Matrix:
    cases = (
        ("none disclosed", Cell("option", "5.23.1", Procedure.SELECT_UNDISCLOSED)),
        ("one disclosed", Cell("as-next-card", "5.23.2", Procedure.DISCLOSED_NEXT)),
        ("more disclosed", Cell("option", "5.23.3", Procedure.CHOOSE_DISCLOSED)),
        ("Dealer, none disclosed", Cell("pit-decides", "5.23.4.1", Procedure.PIT_SELECTS)),
        ("Dealer, one disclosed", Cell("as-next-card", "5.23.4.3", Procedure.DISCLOSED_NEXT)),
        ("Dealer, more disclosed", Cell("pit-decides", "5.23.4.5", Procedure.PIT_WORST)),
    )
    nobody = (BETWEEN, Cell("refer", "6.1", Procedure.REFER, MatrixNote.NO_HAND_ACTS))
    return tuple(row("double-draw", case, (IN_ROUND, cell), nobody, SEEN_LATER) for case, cell in cases)


def _wagers(numbers: Numbers) -> Matrix:
    settled = (LATER, Cell("continue", numbers.settled, Procedure.RECORD))
    bets_open = ((Stage.BETTING,), cannot(MatrixNote.BETS_OPEN))
    closed = (Stage.CLOSED, *DEALT)
    side = Cell("return-wager", numbers.side_wager, Procedure.RETURN_SIDE)
    return (
        row("late-wager", "", (closed, Cell("refuse-wager", "5.3", Procedure.REFUSE)), bets_open, NOT_ON, SEEN_LATER),
        row("wager-withdrawn", "", (closed, Cell("continue", "5.4", Procedure.RECORD)), bets_open, NOT_ON, SEEN_LATER),
        row(
            "under-minimum",
            "first time",
            (closed, Cell("pay-once", numbers.under, Procedure.PAY_ONCE)),
            bets_open,
            NOT_ON,
            settled,
        ),
        row(
            "under-minimum",
            "again",
            (closed, Cell("return-wager", numbers.under, Procedure.RETURN_UNDER)),
            bets_open,
            NOT_ON,
            settled,
        ),
        row(
            "over-maximum",
            "",
            (closed, Cell("settle-to-limit", numbers.over, Procedure.TO_LIMIT)),
            bets_open,
            NOT_ON,
            settled,
        ),
        row("side-wager-without-main", "", (closed, side), bets_open, NOT_ON, SEEN_LATER),
    )


def _others(numbers: Numbers) -> Matrix:
    absent = Cell("house-draws", "5.22", Procedure.HOUSE_DRAWS)
    return (
        row("insurance-not-offered", "", (DEALT, numbers.insurance), NOT_DEALT, NOT_ON, SEEN_LATER),
        row(
            "insurance-not-offered",
            "Dealer's second card",
            (DEALT, numbers.insurance_too_late),
            NOT_DEALT,
            NOT_ON,
            SEEN_LATER,
        ),
        row("absent-player", "alone", (IN_ROUND, absent), NOT_ON, SEEN_LATER),
        row(
            "absent-player",
            "others",
            (IN_ROUND, Cell("continue", "5.22.1", Procedure.CONTROL_PASSES)),
            NOT_ON,
            SEEN_LATER,
        ),
        row(
            "power-failure",
            "no outcome",
            (IN_ROUND, Cell("option", f"{numbers.power}.1", Procedure.WITHDRAW_OPTION)),
            (BETWEEN, NOTED),
            SEEN_LATER,
        ),
        row(
            "power-failure",
            "outcome",
            (IN_ROUND, Cell("continue", f"{numbers.power}.2", Procedure.RECORD)),
            (BETWEEN, NOTED),
            SEEN_LATER,
        ),
        row("unsettled-side-wager", "", (EVERY, NOTED)),
        row("link-lost", "", (EVERY, NOTED)),
        row("uncovered", "", (EVERY, REFER)),
        row("uncovered", "sensor", (EVERY, NOTED)),
    )


INSURANCE_UNCOVERED = Cell("refer", "6.1", Procedure.REFER)

BLACKJACK = matrix(Numbers("3.15.2", INSURANCE_UNCOVERED, INSURANCE_UNCOVERED, "5.26", "5.27", "5.28", "5.29"))
PONTOON = matrix(Numbers("3.15.3", INSURANCE_UNCOVERED, INSURANCE_UNCOVERED, "5.26", "5.27", "5.28", "5.29"))
ACE_RACE = matrix(Numbers("3.15.3", INSURANCE_UNCOVERED, INSURANCE_UNCOVERED, "5.26", "5.27", "5.28", "5.29"))
LATE_INSURANCE, TOO_LATE = Cell("option", "5.26", Procedure.LATE_INSURANCE), Cell("continue", "5.26", Procedure.RECORD)
FREE_BET = matrix(Numbers("3.15.4", LATE_INSURANCE, TOO_LATE, "5.27", "5.28", "5.29", "5.30"))
