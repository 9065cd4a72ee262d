"""The rulings matrix of the RWS document.

1. A dealing error before any Interim or Final Settlement is reconstructed (5.9), after one it is not (5.10.1); either
   way all Players have the options of 5.7. The Dealer's card too many is discarded at any time (5.10.2), cards at a box
   without a Bet after a settlement (5.10.3).
2. What voids the round stands in 5.4.2, 5.5 and 5.13.2.
3. What no paragraph covers is referred to the shift manager (5.20).
4. What is found a round later changes nothing: what was settled stands (5.6), and a dealing error stays in its round
   (5.14).
"""

from __future__ import annotations

from gamecore.model.steps import Procedure
from gamecore.rules.matrix import BEFORE_DEAL, DEALT, EVERY, IN_ROUND, Cell, Matrix, cannot, row
from gamecore.rules.notes import MatrixNote
from gamecore.rules.stages import Stage

OPEN_TO_REPAIR = (*BEFORE_DEAL, Stage.INITIAL, Stage.SUBSEQUENT)
SETTLED = (Stage.INTERIM, Stage.FINAL)
BETWEEN = (Stage.BETWEEN,)

REFER = Cell("refer", "5.20", Procedure.REFER)
NOTED = Cell("refer", "5.20", Procedure.RECORD)
STANDS = ((Stage.LATER,), Cell("continue", "5.14", Procedure.RECORD, MatrixNote.ERROR_STAYS_IN_ROUND))
SETTLEMENT_STANDS = ((Stage.LATER,), Cell("continue", "5.6", Procedure.RECORD, MatrixNote.PAID_STANDS))
NOT_ON = (BETWEEN, cannot(MatrixNote.NO_ROUND))
RECONSTRUCT = Cell("reconstruct", "5.9", Procedure.RECONSTRUCT_OPTIONS)
OPTION = Cell("option", "5.10.1", Procedure.OPTIONS)
NO_OFFER = (EVERY, cannot(MatrixNote.NO_SPOKEN_OFFER))
ERROR = ((OPEN_TO_REPAIR, RECONSTRUCT), (SETTLED, OPTION))
OVERDRAW = Cell("discard", "5.10.2", Procedure.DISCARD_OVERDRAW_OPTIONS)
SKIPPED = (
    (OPEN_TO_REPAIR, Cell("reconstruct", "5.9", Procedure.SKIPPED_OPTIONS)),
    (SETTLED, Cell("option", "5.10.1", Procedure.SKIPPED_STAYS)),
)


def _void(clause: str) -> Cell:
    return Cell("void", clause, Procedure.VOID)


def _matrix() -> Matrix:
    between = (BETWEEN, Cell("refer", "5.20", Procedure.HOLD_NEXT, MatrixNote.NOTHING_TO_VOID))
    bets_open = ((Stage.BETTING,), cannot(MatrixNote.BETS_OPEN))
    closed = (Stage.CLOSED, *DEALT)
    errors = ("misdealt-card", "dealer-not-dealt", "box-not-dealt", "box-short", "missing-burn")
    return (
        row("foreign-card", "", (IN_ROUND, _void("5.5.1")), between, SETTLEMENT_STANDS),
        row("extra-card", "", (IN_ROUND, _void("5.5.2")), between, SETTLEMENT_STANDS),
        row("missing-card", "", (IN_ROUND, _void("5.5.2")), between, SETTLEMENT_STANDS),
        row(
            "unshuffled-cards",
            "",
            (IN_ROUND, _void("5.5.4")),
            (BETWEEN, Cell("void", "5.5.4", Procedure.VOID_NEXT)),
            SETTLEMENT_STANDS,
        ),
        row("unshuffled-cards", "suspected", (EVERY, Cell("pit-decides", "5.5.4", Procedure.PIT_SHUFFLED))),
        row("insufficient-cards", "manual", (IN_ROUND, _void("5.5.3")), NOT_ON, SETTLEMENT_STANDS),
        row("insufficient-cards", "machine", (IN_ROUND, _void("5.5.3")), NOT_ON, SETTLEMENT_STANDS),
        row("cut-card-passed", "manual", (IN_ROUND, NOTED), NOT_ON, STANDS),
        row("cut-card-passed", "machine", (IN_ROUND, NOTED), NOT_ON, STANDS),
        row("face-up-card", "first card", (EVERY, Cell("as-next-card", "5.11", Procedure.RECORD))),
        row("face-up-card", "later card", (EVERY, Cell("as-next-card", "5.11", Procedure.RECORD))),
        row("unreadable-card", "", (EVERY, Cell("pit-decides", "5.13.1", Procedure.PIT_VALUE))),
        *(row(code, "", *ERROR, NOT_ON, STANDS) for code in errors),
        row(
            "unwagered-box-dealt",
            "",
            (OPEN_TO_REPAIR, RECONSTRUCT),
            (SETTLED, Cell("discard", "5.10.3", Procedure.DISCARD_BOX_OPTIONS)),
            NOT_ON,
            STANDS,
        ),
        row("card-in-error", "", *ERROR, (BETWEEN, REFER), STANDS),
        row("dealer-overdraw", "complete", (IN_ROUND, OVERDRAW), NOT_ON, STANDS),
        row("dealer-overdraw", "below", (IN_ROUND, OVERDRAW), NOT_ON, STANDS),
        *(row("hand-skipped", case, *SKIPPED, NOT_ON, STANDS) for case in ("next hand", "more hands")),
        *_double_draw(),
        row(
            "late-wager",
            "",
            (closed, Cell("refuse-wager", "5.8", Procedure.REFUSE)),
            bets_open,
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row(
            "wager-withdrawn",
            "",
            (closed, Cell("refuse-wager", "5.8", Procedure.RECORD)),
            bets_open,
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row(
            "under-minimum",
            "first time",
            (closed, Cell("continue", "5.2.1", Procedure.RECORD)),
            bets_open,
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row(
            "under-minimum",
            "again",
            (closed, Cell("continue", "5.2.1", Procedure.RECORD)),
            bets_open,
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row(
            "over-maximum",
            "",
            (closed, Cell("settle-to-limit", "5.1.1", Procedure.PRO_RATA)),
            bets_open,
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row(
            "over-maximum",
            "boom-busted",
            (closed, Cell("return-wager", "5.1.3", Procedure.RETURN_EXCESS)),
            bets_open,
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row(
            "side-wager-without-main",
            "",
            (closed, Cell("return-wager", "5.16", Procedure.RETURN_SIDE)),
            bets_open,
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row("insurance-not-offered", "", NO_OFFER),
        row("insurance-not-offered", "Dealer's second card", NO_OFFER),
        row(
            "absent-player",
            "alone",
            (IN_ROUND, Cell("house-draws", "5.3", Procedure.HOUSE_DRAWS)),
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row(
            "absent-player",
            "others",
            (IN_ROUND, Cell("continue", "1.30", Procedure.CONTROL_PASSES)),
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row("power-failure", "no outcome", (IN_ROUND, _void("5.4.2")), (BETWEEN, NOTED), SETTLEMENT_STANDS),
        row(
            "power-failure",
            "outcome",
            (IN_ROUND, Cell("continue", "5.4.1", Procedure.RECORD)),
            (BETWEEN, NOTED),
            SETTLEMENT_STANDS,
        ),
        row(
            "unsettled-side-wager",
            "",
            (IN_ROUND, Cell("continue", "5.17", Procedure.RECORD)),
            NOT_ON,
            SETTLEMENT_STANDS,
        ),
        row("link-lost", "", (EVERY, NOTED)),
        row("uncovered", "", (EVERY, REFER)),
        row("uncovered", "sensor", (EVERY, NOTED)),
    )


def _double_draw() -> Matrix:
    players = ("none disclosed", "one disclosed", "more disclosed")
    dealers = ("Dealer, none disclosed", "Dealer, one disclosed", "Dealer, more disclosed")
    between = (BETWEEN, REFER)
    select = Cell("option", "5.12", Procedure.SELECT_OPTIONS)
    discard = Cell("discard", "5.12.1", Procedure.DISCARD_PULLED)
    return (
        *(row("double-draw", case, (IN_ROUND, select), between, STANDS) for case in players),
        *(row("double-draw", case, (IN_ROUND, discard), between, STANDS) for case in dealers),
    )


FREE_BET = _matrix()
