"""Tables for questions: what people ask of many tables at once, extracted from the records that were verified.

1. Everything here can be made again from the bytes that were sent, and proves nothing. A record that makes no sense is
   left out; its bytes are still kept.
2. A round is there once on each line, as its newest record has it, with its wagers, findings, rulings and alarms, and
   with its Dealer and shuffler (`sightings`). Records come with the round's end, so that nothing here names a card that
   is still to be disclosed.
3. Texts are cleaned: a database need not take every character that a table wrote.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firmware_bridge.floor.archive import alarms
from firmware_bridge.floor.archive.alarms import Raised
from firmware_bridge.floor.archive.cleaning import cleaned, extract
from firmware_bridge.floor.archive.dialects import Dialect
from firmware_bridge.floor.archive.sightings import dealer_at, shuffler_at
from firmware_bridge.floor.intake.known import Event, Record

if TYPE_CHECKING:
    from firmware_bridge.floor.archive.archive import Place

EVENT = ("journal", "line", "n", "arrived", "segment", "at", "kind", "device", "person", "chain", "data")
_ROUND = (
    *("journal", "casino", "name", "line", "segment", "id", "number", "game", "first", "last"),
    *("began", "ended", "outcome", "boxes", "dealer", "shuffler", "arrived"),
)
_WAGER = ("journal", "line", "first", "place", "said", "stake", "net", "arrived")
_FINDING = (
    *("journal", "casino", "name", "line", "segment", "id", "first", "n"),
    *("code", "clause", "ruling", "places", "cards", "whose", "how", "person", "role", "at", "dealer", "shuffler"),
)
_RULING = (
    *("journal", "casino", "name", "line", "segment", "id", "first", "finding", "n"),
    *("at", "who", "what", "person", "role"),
)


def event(journal: bytes, one: Event, day: str) -> tuple[object, ...]:
    """An event as it is stored."""
    row = one.row
    extracts = (extract(text) for text in (row.at, row.kind, row.device, row.person))
    return (journal, one.line, row.n, day, one.segment, *extracts, one.chain, one.data)


def write_records(dialect: Dialect, place: Place, records: Sequence[Record], day: str) -> None:
    """Write what records say; a round takes the place of its earlier record on the line."""
    for record in records:
        match record.table, record.columns:
            case "rounds", (int(), int(), str(), int(), int(), str(), str(), str(), str(), str(), *_):
                _write_round(dialect, place, record, day)
            case "findings", (int(), int(), int(), str(), str(), str(), str(), str(), str(), *_):
                _write_finding(dialect, place, record)
            case "rulings", (int(), int(), int() | None, int(), str(), str(), str(), *_):
                _write_ruling(dialect, place, record)
            case _:
                continue


def _write_round(dialect: Dialect, place: Place, record: Record, day: str) -> None:
    columns: tuple[Any, ...] = record.columns
    id_, number, game, first, last, began, ended, outcome, boxes, report, *_ = columns
    for table in ("wagers", "findings", "rulings", "rounds"):
        chosen = f"DELETE FROM {table} WHERE journal = ? AND line = ? AND first = ?"  # noqa: S608  the names are ours
        dialect.execute(chosen, (place.journal, record.line, first))
    alarms.forget_round(dialect, place.journal, record.line, first)
    texts = map(cleaned, (began, ended, outcome, boxes))
    by = dealer_at(dialect, place.journal, last), shuffler_at(dialect, place.journal, first)
    where = (*place, record.line, record.segment)
    dialect.insert("rounds", _ROUND, [(*where, id_, number, cleaned(game), first, last, *texts, *by, day)])
    rows = [
        (place.journal, record.line, first, count, cleaned(json.dumps(wager)), stake, net, day)
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


def _first_of(dialect: Dialect, place: Place, record: Record, round_: object) -> int | None:
    """The first event of the round that a record belongs to; None if there is no such round."""
    chosen = "SELECT first FROM rounds WHERE journal = ? AND line = ? AND segment = ? AND id = ?"
    found = dialect.execute(chosen, (place.journal, record.line, record.segment, round_))
    return int(found[0][0]) if found else None


def _write_finding(dialect: Dialect, place: Place, record: Record) -> None:
    columns: tuple[Any, ...] = record.columns
    id_, round_, n, *what = columns[:9]
    first = _first_of(dialect, place, record, round_)
    if first is None:
        return
    code, clause, ruling, places, cards, whose = map(cleaned, what)
    how, person, role = map(extract, (*columns[9:12], "", "", "")[:3])
    found = dialect.execute("SELECT at FROM events WHERE journal = ? AND n = ? ORDER BY line DESC", (place.journal, n))
    at = str(found[0][0]) if found else ""
    by = dealer_at(dialect, place.journal, n), shuffler_at(dialect, place.journal, n)
    where = (*place, record.line, record.segment)
    told = (code, clause, ruling, places, cards, whose, how, person, role, at, *by)
    dialect.insert("findings", _FINDING, [(*where, id_, first, n, *told)])
    alarms.raise_alarm(dialect, place, Raised(record.line, n, at, code, clause, ruling, places, first))


def _write_ruling(dialect: Dialect, place: Place, record: Record) -> None:
    columns: tuple[Any, ...] = record.columns
    id_, round_, finding, n, *said = columns[:7]
    first = _first_of(dialect, place, record, round_)
    if first is not None:
        who = map(extract, (*columns[7:9], "", "")[:2])
        row = (*place, record.line, record.segment, id_, first, finding, n, *map(cleaned, said), *who)
        dialect.insert("rulings", _RULING, [row])
