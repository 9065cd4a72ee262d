"""Whether a claim holds at a table.

1. `check` gives None if the claim holds, else a sentence that says what was expected and what is.
2. What a claim does not say is not checked: no clause, no ruling, no place, neither soft nor hard. The clause of a
   finding may also stand below the claimed one; that of a wager is exact.
3. Places are compared after ``1`` has become ``1.1``: a hand that is not named is hand 1. A slot that is not named
   fits any slot, because a finding may bite one wager of a box.
4. Findings, moves and rows of the settlement are those of the current round, which lasts until the next place-bets.
   Findings that wait for the next round count too.
"""

from __future__ import annotations

from typing import Any, Protocol, cast

from gamecore.model.events.events import Command
from gamecore.model.events.refusals import Refused
from gamecore.model.money import dollars
from gamecore.model.places import Place, PlaceError, place
from gamecore.model.states import State
from gamecore.notation.syntax import (
    AskIs,
    Claim,
    FindingIs,
    MoveIs,
    NextIs,
    NoFindings,
    RefusedIs,
    StateIs,
    TotalIs,
    VoidIs,
    WagerIs,
)
from gamecore.notation.writer import write_event, write_what

Record = dict[str, Any]


class LookedAt(Protocol):
    """What a claim looks at: a table in process, or what a table elsewhere says of itself."""

    @property
    def state(self) -> State:
        """The state of the round."""

    @property
    def next_place(self) -> Place | None:
        """Where the next card belongs."""

    def total(self, place: Place, /) -> tuple[int, bool] | None:
        """The total of a hand and whether it is soft."""

    def verify(self, command: Command, /) -> Refused | None:
        """Why a command would be refused."""

    def report(self) -> dict[str, object]:
        """Rounds and asks as the notation prints them."""


def check(claim: Claim, table: LookedAt) -> str | None:
    """None if the claim holds; else what was expected, and what is."""
    wrong = _wrong(claim, table)
    expected = write_what(claim).removeprefix("expect ")
    return None if wrong is None else f"expected {expected}, but {wrong}"


def _wrong(claim: Claim, table: LookedAt) -> str | None:
    match claim:
        case StateIs(state):
            return None if table.state.value == state else f"it is {table.state.value}"
        case NextIs(expected):
            return _next(expected, table.next_place)
        case TotalIs():
            return _total(claim, table.total(claim.place))
        case FindingIs() | NoFindings():
            return _finding(claim, _findings(table))
        case AskIs():
            return _ask(claim, cast("list[Record]", table.report()["asks"]))
        case MoveIs():
            return _move(claim, _round(table)["findings"])
        case WagerIs():
            return _wager(claim, _round(table)["wagers"])
        case VoidIs():
            outcome = _round(table)["outcome"]
            return None if outcome == "void" else f"the round is {outcome}"
        case RefusedIs(command):
            refused = table.verify(command)
            return None if refused is not None else f"'{write_event(command)}' is allowed here"


def _round(table: LookedAt) -> Record:
    rounds = cast("list[Record]", table.report()["rounds"])
    return rounds[-1] if rounds else {"outcome": "not begun", "findings": [], "wagers": []}


def _findings(table: LookedAt) -> list[Record]:
    """The findings of the current round, and those that wait for the next one."""
    return [*_round(table)["findings"], *cast("list[Record]", table.report().get("findings", []))]


def _next(expected: Place | None, actual: Place | None) -> str | None:
    if expected is not None and actual is not None and _same_place(expected, actual):
        return None
    return None if expected is actual else f"it is {'none' if actual is None else actual}"


def _total(claim: TotalIs, actual: tuple[int, bool] | None) -> str | None:
    if actual is None:
        return "there are no cards"
    total, soft = actual
    if total == claim.total and claim.soft in {None, soft}:
        return None
    return f"it is {'soft' if soft else 'hard'} {total}"


# --- findings -------------------------------------------------------------------------------------------------------


def _finding(claim: FindingIs | NoFindings, findings: list[Record]) -> str | None:
    if isinstance(claim, NoFindings):
        return _findings_text(findings)
    if any(_fits(claim, finding) for finding in findings):
        return None
    return _findings_text(findings) or "there is no finding"


def _fits(claim: FindingIs, finding: Record) -> bool:
    return (
        finding["code"] == claim.code
        and (claim.clause is None or _governs(claim.clause, finding["clause"]))
        and claim.ruling in {None, finding["ruling"]}
        and (claim.place is None or any(_same_text(claim.place, text) for text in finding["places"]))
    )


def _governs(expected: str, clause: str) -> bool:
    """Whether a clause is the expected one or stands below it."""
    return clause == expected or clause.startswith(f"{expected}.")


def _findings_text(findings: list[Record]) -> str | None:
    if not findings:
        return None
    return "there is " + ", ".join(finding_text(finding) for finding in findings)


def finding_text(finding: Record) -> str:
    """A finding in the words in which it is expected."""
    places = " ".join(finding["places"])
    return f"{finding['code']} clause {finding['clause']} ruling {finding['ruling']}{f' at {places}' if places else ''}"


def _move(claim: MoveIs, findings: list[Record]) -> str | None:
    moves = [move for finding in findings for move in finding.get("moves", ())]
    for move in moves:
        ends = _same_text(claim.source, move["from"]) and _same_text(claim.target, move["to"])
        if move["card"] == str(claim.card) and ends:
            return None
    steps = ", ".join(f"{move['card']} {move['from']} {move['to']}" for move in moves)
    return f"the moves are {steps}" if steps else "nothing is to be moved"


# --- asks and wagers ------------------------------------------------------------------------------------------------


def _ask(claim: AskIs, asks: list[Record]) -> str | None:
    for ask in asks:
        if set(ask["options"]) == set(claim.options) and _same_who(claim.who, ask["who"]):
            return None
    pending = ", ".join(f"{ask['who']} {'|'.join(ask['options'])}" for ask in asks)
    return f"the table asks {pending}" if pending else "the table asks nothing"


def _same_who(expected: str, actual: str) -> bool:
    try:
        return expected == actual or _same_text(place(expected), actual)
    except PlaceError:
        return False


def _wager(claim: WagerIs, rows: list[Record]) -> str | None:
    box, hand, slot = claim.place
    here = [row for row in rows if (row["box"], row["hand"], row["slot"]) == (box, hand, slot)]
    found = [row for row in here if row["kind"] == claim.kind]
    if any(_row_fits(claim, row) for row in found):
        return None
    if found:
        return "it is " + ", ".join(row_text(row) for row in found)
    kinds = ", ".join(row["kind"] for row in here)
    return f"there is only {kinds}" if kinds else "there is no wager"


def _row_fits(claim: WagerIs, row: Record) -> bool:
    return (
        row["result"] == claim.result
        and row["net"] == dollars(claim.net)
        and claim.player in {None, row["player"]}
        and claim.clause in {None, row["clause"]}
    )


def row_text(row: Record) -> str:
    """Result, net, Player and clause of a row: ``lose -100 by Ann (4.3.1)``."""
    if row["result"] is None:
        return "not settled"
    player = f" by {row['player']}" if row["player"] else ""
    clause = f" ({row['clause']})" if row["clause"] else ""
    return f"{row['result']} {net_text(row['net'])}{player}{clause}"


def net_text(net: str | None) -> str:
    """What a wager won or lost, as it is expected: ``+150``, ``-12.50``, ``0``."""
    if net is None:
        return "?"
    short = net.removesuffix(".00")
    return short if short.startswith("-") or short == "0" else f"+{short}"


# --- places ---------------------------------------------------------------------------------------------------------


def _same_place(expected: Place, actual: Place) -> bool:
    slots = expected.slot in {0, actual.slot or 1}
    return slots and (expected.box, expected.hand or 1) == (actual.box, actual.hand or 1)


def _same_text(expected: Place, actual: str) -> bool:
    try:
        return _same_place(expected, place(actual))
    except PlaceError:
        return False
