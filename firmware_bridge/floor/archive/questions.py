"""Tables for questions: what people ask of many tables at once, extracted from what was verified.

1. Everything here can be made again from the bytes that were sent, and proves nothing. A record that makes no sense is
   left out; its bytes are still kept.
2. A round is there once on each line, as its newest record has it, with its wagers and findings. Records come with the
   round's end, so that nothing here names a card that is still to be disclosed.
3. Texts are cleaned: a database need not take every character that a table wrote.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firmware_bridge.floor.archive.dialects import Dialect
from firmware_bridge.floor.intake.known import Event, Record

if TYPE_CHECKING:
    from firmware_bridge.floor.archive.archive import Place

EVENT = ("journal", "line", "n", "arrived", "segment", "at", "kind", "device", "person", "chain", "data")
_ROUND = (
    *("journal", "casino", "name", "line", "segment", "id", "number", "game", "first", "last"),
    *("began", "ended", "outcome", "boxes"),
)
_WAGER = ("journal", "line", "first", "place", "said", "stake", "net")
_FINDING = (
    *("journal", "casino", "name", "line", "segment", "id", "first", "n"),
    *("code", "clause", "ruling", "places", "cards", "whose"),
)
_EXTRACT = 200  # characters of an extract


def cleaned(text: str | None) -> str:
    """A text that any database takes."""
    return (text or "").replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")


def event(journal: bytes, one: Event, day: str) -> tuple[object, ...]:
    """An event as it is stored."""
    row = one.row
    extracts = (cleaned(text)[:_EXTRACT] for text in (row.at, row.kind, row.device, row.person))
    return (journal, one.line, row.n, day, one.segment, *extracts, one.chain, one.data)


def write_records(dialect: Dialect, place: Place, records: Sequence[Record]) -> None:
    """Write what records say; a round takes the place of its earlier record on the line."""
    for record in records:
        match record.table, record.columns:
            case "rounds", (int(), int(), str(), int(), int(), str(), str(), str(), str(), str(), *_):
                _write_round(dialect, place, record)
            case "findings", (int(), int(), int(), str(), str(), str(), str(), str(), str(), *_):
                _write_finding(dialect, place, record)
            case _:
                continue


def _write_round(dialect: Dialect, place: Place, record: Record) -> None:
    columns: tuple[Any, ...] = record.columns
    id_, number, game, first, last, began, ended, outcome, boxes, report, *_ = columns
    for table in ("wagers", "findings", "rounds"):
        chosen = f"DELETE FROM {table} WHERE journal = ? AND line = ? AND first = ?"  # noqa: S608  the names are ours
        dialect.execute(chosen, (place.journal, record.line, first))
    texts = map(cleaned, (began, ended, outcome, boxes))
    where = (*place, record.line, record.segment)
    dialect.insert("rounds", _ROUND, [(*where, id_, number, cleaned(game), first, last, *texts)])
    rows = [
        (place.journal, record.line, first, count, cleaned(json.dumps(wager)), stake, net)
        for count, (wager, stake, net) in enumerate(_wagers(report), start=1)
    ]
    if rows:
        dialect.insert("wagers", _WAGER, rows)


def _wagers(report: str) -> list[tuple[object, int | None, int | None]]:
    """The wagers of a report, each with stake and result in cents."""
    try:
        told = json.loads(report)["wagers"]
        return [(one, _cents(one["stake"]), _cents(one["net"])) for one in told]
    except (LookupError, TypeError, ValueError, RecursionError, AttributeError):
        return []


def _cents(amount: str | None) -> int | None:
    return None if amount is None else int(amount.replace(".", ""))  # two decimals, as reports have it


def _write_finding(dialect: Dialect, place: Place, record: Record) -> None:
    columns: tuple[Any, ...] = record.columns
    id_, round_, n, *what = columns[:9]
    chosen = "SELECT first FROM rounds WHERE journal = ? AND line = ? AND segment = ? AND id = ?"
    found = dialect.execute(chosen, (place.journal, record.line, record.segment, round_))
    if found:
        where = (*place, record.line, record.segment)
        dialect.insert("findings", _FINDING, [(*where, id_, found[0][0], n, *map(cleaned, what))])
