"""What is asked of the archive about the past of all tables.

1. A page has at most `PAGE` rows, the newest first, and says where the next one begins; nothing is counted that is not
   shown. `csv_lines` goes on from page to page.
2. Only tables for questions are read: they are filled at a round's end. No card is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from firmware_bridge.audit.exports.csv_cells import key, line, moment, text
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.dialects import Row
from firmware_bridge.floor.pit.answers import FindingRow, PastPage, RoundLine
from firmware_bridge.floor.pit.past.asked import FINDINGS, PAGE, Asked, place_text

_ROUND = "r.number, r.game, r.began, r.ended, r.outcome, r.first"
_FINDINGS = f"""SELECT f.at, f.journal, f.n, f.id, f.name, f.dealer, f.shuffler, f.code, f.clause, f.ruling, f.places,
    f.whose, f.how, f.person, f.role, {_ROUND}
    FROM findings f LEFT JOIN rounds r ON r.journal = f.journal AND r.line = f.line AND r.first = f.first"""  # noqa: S608
_VOIDS = f"""SELECT r.ended, r.journal, r.first, r.id, r.name, r.dealer, r.shuffler, '', '', '', '', '', '', '', '',
    {_ROUND} FROM rounds r"""  # noqa: S608  names of ours
_ORDER = {FINDINGS: "f.at, f.journal, f.n, f.id", "voids": "r.ended, r.journal, r.first, r.id"}
_LAST = """SELECT journal, line, first, number, game, began, ended, outcome, boxes, dealer FROM rounds
    WHERE casino = ? AND name = ? ORDER BY began DESC LIMIT ?"""
_CODES = "SELECT code FROM findings WHERE journal = ? AND line = ? AND first = ? ORDER BY n, id"
HEAD = (
    "kind,at_utc,casino,table,dealer,shuffler,code,clause,ruling,places,whose,how,person,role,round,game,key,outcome,"
    "journal,event\r\n"
)


def past_page(archive: Archive, casino: str, what: Asked) -> PastPage:
    """A page of findings or void rounds."""
    rows = _rows(archive, casino, what)
    shown = rows[:PAGE]
    after = None if len(rows) <= PAGE else place_text(*_place(shown[-1]))
    return {"rows": [_row(what.what, one) for one in shown], "next": after}


def csv_lines(archive: Archive, casino: str, what: Asked) -> Iterator[str]:
    """The findings or void rounds as CSV, as many as there are."""
    yield HEAD
    while True:
        rows = _rows(archive, casino, what)
        for row in rows[:PAGE]:
            yield _csv(casino, what.what, row)
        if len(rows) <= PAGE:
            return
        what = replace(what, after=_place(rows[PAGE - 1]))


def last_rounds(archive: Archive, casino: str, table: str, count: int) -> list[RoundLine]:
    """The last rounds of a table, the newest first, each with the kinds of its findings."""
    found: list[RoundLine] = []
    for journal, line_, first, number, game, began, ended, outcome, boxes, dealer in archive.dialect.execute(
        _LAST, (casino, table, count)
    ):
        codes = [str(code) for (code,) in archive.dialect.execute(_CODES, (journal, line_, first))]
        said = {"game": game, "began": began, "ended": ended, "outcome": outcome, "boxes": boxes, "dealer": dealer}
        words = {name: str(value or "") for name, value in said.items()}
        found.append({"key": key(began, first), "number": number, "codes": codes, **words})  # type: ignore[typeddict-item]
    return found


def _rows(archive: Archive, casino: str, what: Asked) -> list[Row]:
    condition, values = what.conditions(casino)
    order = _ORDER[what.what]
    if what.what == FINDINGS:
        statement = f"{_FINDINGS} WHERE f.at IS NOT NULL AND {condition}"
    else:
        statement = f"{_VOIDS} WHERE r.outcome = 'void' AND r.ended IS NOT NULL AND {condition}"
    if what.after is not None:
        statement += f" AND ({order}) < (?, ?, ?, ?)"
        values += what.after
    newest = ", ".join(f"{column} DESC" for column in order.split(", "))
    return archive.dialect.execute(f"{statement} ORDER BY {newest} LIMIT {PAGE + 1}", values)


def _place(row: Row) -> tuple[str, bytes, int, int]:
    return str(row[0]), bytes(row[1]), int(row[2]), int(row[3])


def _row(kind: str, row: Row) -> FindingRow:
    at, _, n, _, name, dealer, shuffler, code, clause, ruling, places, whose, how, person, role, *rest = row
    number, game, began, _, outcome, first = rest
    return {
        "kind": kind,
        "at": str(at),
        "table": str(name),
        "dealer": str(dealer or ""),
        "shuffler": str(shuffler or ""),
        "code": str(code or ""),
        "clause": str(clause or ""),
        "ruling": str(ruling or ""),
        "places": str(places or ""),
        "whose": str(whose or ""),
        "how": str(how or ""),
        "person": str(person or ""),
        "role": str(role or ""),
        "round": number,
        "game": str(game or ""),
        "outcome": str(outcome or ""),
        "key": "" if first is None else key(began, first),
        "n": int(n),
    }


def _csv(casino: str, kind: str, row: Row) -> str:
    one = _row(kind, row)
    who = [text(one[name]) for name in ("table", "dealer", "shuffler")]
    told = [text(one[name]) for name in ("code", "clause", "ruling", "places", "whose", "how", "person", "role")]
    which = [one["round"], text(one["game"]), one["key"], one["outcome"], text(bytes(row[1]).hex()), one["n"]]
    return line([kind, moment(one["at"]), text(casino), *who, *told, *which])
