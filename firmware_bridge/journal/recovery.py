"""How the daemon begins again: the last snapshot, and every event after it.

1. The newest snapshot that a good head of its segment names is taken, and the rows after it are applied as they were.
   Their digests are compared with the chain on the way: what is not as it was written is not believed. A snapshot that
   no head names is passed over (`covered`).
2. Where no snapshot can be believed, the rows are applied from the first segment of all, those in the archive too.
   This happens after an upgrade that changed what a snapshot holds, or where a key is lost. Rounds that an earlier
   edition has kept are taken over as `editions` says; what is in doubt about the round in play is `doubt`.
3. `boot` is the boot id of the last start. `daemon.startup` compares it: the same id means that the software alone was
   away, and the round goes on, `Restarted`. Another one is the power failure of the rules: `PowerCut`, `PowerOn`. What
   the devices have kept comes after it.
4. A round that ended without its record, because the record was lost in the crash, gets it again (`done`).
5. The game needs no round but the last, which the snapshot has. For the report, `past_reports` has rounds before it
   from the records of the newest segment, where a head covers them. Older segments are not checked at a start, and
   nothing is taken from their records.
6. A segment that follows a damaged one, one whose key was lost, or one of an earlier edition that left something in
   doubt, says so in its first row. It remains to be put before somebody until the daemon has made a call.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from typing import Any

from firmware_bridge.inputs.device_messages import NextPlace, Translator
from firmware_bridge.journal import event_codec, schema, segments, snapshot
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.journal.chain import Row
from firmware_bridge.journal.rounds import record_tables
from firmware_bridge.journal.rounds.editions import Editions
from firmware_bridge.journal.rounds.round_records import Done, Happened, Recorder
from firmware_bridge.journal.signed import covered, signing
from firmware_bridge.journal.signed.sealed import SnapshotError
from firmware_bridge.journal.writer import KEY_LOST, QUARANTINE, Journal
from firmware_bridge.people.alarms import Alarms
from firmware_bridge.people.two_names import of_others
from firmware_bridge.program.accepted import Programs
from gamecore.model.events.outputs import IrregularityFound, TakenBack
from gamecore.model.places import place
from gamecore.notation.header import read_header
from gamecore.notation.lines import split
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header, NotationError
from gamecore.rules.games import GAMES
from gamecore.table import Table

ROUNDS = 100
"""How many past rounds are kept at hand."""


class DamagedError(ValueError):
    """Rows that are not as they were written, from this number on."""

    def __init__(self, n: int, reason: str) -> None:
        """Keep the number."""
        self.n = n
        super().__init__(f"event {n}: {reason}")


@dataclass(slots=True)
class Recovered:
    """The table as the journal tells it, and what the devices are to send next."""

    header: Header
    table: Table
    translator: Translator
    numbers: dict[str, tuple[int, int]] = field(default_factory=dict)
    boot: str | None = None
    configured: str = ""  # the table as it was configured when the daemon began last
    recorder: Recorder = field(default_factory=Recorder)
    programs: Programs = field(default_factory=Programs)
    alarms: Alarms = field(default_factory=Alarms)
    anchored: dict[str, tuple[int, int]] = field(default_factory=dict)  # number and last event of the head it has
    done: list[Done] = field(default_factory=list)  # rounds that ended without their record
    damage: str = ""  # what nobody was told yet
    lost: bool = False  # the same of a key
    doubt: str = ""  # the same of a round in play that an earlier edition began
    signed: int = 0  # the last event that a good head covers
    unsigned: int = 0  # rounds that began since
    past: list[dict[str, Any]] = field(default_factory=list)  # reports of rounds that the table itself has not at hand


def set_up(header: Header) -> Recovered:
    """A table before its first round."""
    table = Table(GAMES[header.game], table_config(header))
    return Recovered(header, table, Translator(places_sensed=header.places_sensed))


def recover(journal: Journal, configured: Header) -> Recovered:
    """The table at the end of the journal. A round that ended without its record gets it.

    Raises:
        DamagedError: a row is not as it was written.
        sqlite3.Error: the journal cannot be read now, and is not damaged.
    """
    try:
        now, after, digest = _begin(journal, configured)
        now.signed, now.unsigned = _signed(journal), 0
        _apply(now, journal.connection, after, digest)
        _untold(now, journal)
    except UnicodeDecodeError as error:
        raise DamagedError(journal.n, str(error)) from error
    except sqlite3.DatabaseError as error:
        if not segments.is_damage(error, journal.path):
            raise
        raise DamagedError(journal.n, str(error)) from error
    return now


def _signed(journal: Journal) -> int:
    """The last event that a good head of this segment covers; without its key nothing can be said, which is told."""
    if journal.signer is None:
        return journal.n
    if journal.edition == 1:
        return max((head.n for head in covered.good_heads_1(journal.connection, journal.signer.public)), default=0)
    return max((head.n for head in covered.good_heads(journal.connection, journal.signer.public)), default=0)


def _apply(now: Recovered, connection: sqlite3.Connection, after: int, digest: bytes | None) -> None:
    """Apply the rows of a segment that follow a row and its digest; the first row says itself what it follows."""
    editions, link = Editions(connection, now.doubt), segments.linked_by(connection)
    for row, chain in segments.rows(connection, after):
        try:
            digest = link(_follows(row) if digest is None else digest, row)
            if digest == chain:
                _again(now, row, editions)
        except MemoryError:
            raise
        except Exception as error:  # whatever the rules make of it: the daemon must start
            raise DamagedError(row.n, f"cannot be applied again: {error}") from error
        if digest != chain:
            raise DamagedError(row.n, "its digest is not that of what it holds")
    now.doubt = editions.doubt
    now.done = [done for done in now.done if not editions.has_record(done.round.first)]


def _follows(row: Row) -> bytes:
    """The digest that the first row of a segment says it follows."""
    return bytes.fromhex(json.loads(row.body or "")["chain"])


def _untold(now: Recovered, journal: Journal) -> None:
    """What is to be put before somebody still: the daemon was killed before it could."""
    first = segments.beginning(journal.connection)
    told = "SELECT 1 FROM events WHERE device = 'daemon' AND kind = 'event' AND body LIKE '{\"is\":\"Call\"%'"
    if journal.connection.execute(told).fetchone():
        return
    now.lost = first.get("reason") == KEY_LOST
    now.damage = "the segment before this one, or its key" if first.get("reason") in {QUARANTINE, KEY_LOST} else ""
    now.doubt = now.doubt or str(first.get("doubt", ""))


def _begin(journal: Journal, configured: Header) -> tuple[Recovered, int, bytes | None]:
    """The table that rows are applied to, and the row with its digest after which they are.

    It is the newest snapshot, in this segment or in those before.

    A segment before this one that can be read is brought to its end here.
    """
    key = b"" if journal.signer is None else journal.signer.public
    found = _from_snapshot(journal.connection, key)
    if found is not None:
        at, kept = found
        return _resumed(kept), at, _digest(journal.connection, at)
    return _before(journal, configured), 0, None


def _before(journal: Journal, configured: Header) -> Recovered:
    """The table at the beginning of this segment, from the newest snapshot before it and all rows since."""
    older = journal.all_before()
    now, after, digest = set_up(configured), 0, None
    start, newer = 0, segments.beginning(journal.connection) if journal.signer is not None else {}
    for place_, path in reversed(list(enumerate(older))):
        with compressed_segments.opened(path) as connection:
            said = segments.beginning(connection)
            found = _from_snapshot(connection, _certified_by(said, newer))
            newer = said
            if found is not None:
                start, (after, kept) = place_, found
                now, digest = _resumed(kept), _digest(connection, after)
                break
    for path in older[start:]:
        with compressed_segments.opened(path) as connection:
            _apply(now, connection, after, digest)
        after, digest = 0, None
        now.done.clear()  # they have their records there
    return now


def _digest(connection: sqlite3.Connection, n: int) -> bytes:
    """The digest of a row."""
    row = connection.execute("SELECT chain FROM events WHERE n = ?", (n,)).fetchone()
    if row is None:
        raise DamagedError(n, "is missing, though the table as it stood after it was kept")
    return bytes(row[0])


def _certified_by(said: dict[str, object], newer: dict[str, object]) -> bytes:
    """The key that a segment names, if it has certified the next one's; else none."""
    try:
        key = bytes.fromhex(str(said.get("key", "")))
    except ValueError:
        return b""
    return key if signing.certified(newer, key) else b""


def _from_snapshot(connection: sqlite3.Connection, key: bytes) -> tuple[int, snapshot.Kept] | None:
    """The newest snapshot of a segment that its key vouches for, with the number of the event after which it was taken.

    Without a key none is believed.
    """
    if not key or segments.edition(connection) == 1:
        return None
    for at, data in covered.good_snapshots(connection, key, snapshot.FORMAT):
        try:
            kept = snapshot.load(data)
            read_header(split(kept.header)[0], GAMES)
        except (SnapshotError, NotationError):
            continue  # an older one, or the events, say the same
        return at, kept
    return None


def _resumed(kept: snapshot.Kept) -> Recovered:
    header, table = read_header(split(kept.header)[0], GAMES), Table.resumed(kept.table)
    return Recovered(
        header,
        table,
        kept.translator,
        dict(kept.numbers),
        kept.boot,
        kept.configured,
        kept.recorder,
        kept.programs,
        kept.alarms,
        dict(kept.anchored),
    )


def past_reports(journal: Journal, table: Table) -> list[dict[str, Any]]:
    """The reports of rounds before those that the table has at hand, from a segment that was checked; oldest first."""
    if journal.signer is None or journal.edition != schema.EDITION:
        return []
    known = table.view().played
    try:
        return record_tables.reports_before(journal.connection, table.round_number - known + 1, ROUNDS - known)
    except (ValueError, RecursionError):
        return []  # signed, and no report: they are for looking at, and the game goes on without them


def _again(now: Recovered, row: Row, editions: Editions) -> None:
    """Apply one row as it was applied."""
    if row.number is not None:
        numbering = now.numbers.get(row.device, (0, 0))[1]
        now.numbers[row.device] = (row.number, numbering)
    match row.kind:
        case schema.EVENT | schema.LIFTED:
            _event(now, row, editions)
        case schema.TABLE:
            fresh = set_up(read_header(split(row.body or "")[0], GAMES))
            now.header, now.table, now.translator = fresh.header, fresh.table, fresh.translator
            now.recorder = fresh.recorder
            now.alarms.another_table()
            now.configured = (row.body or "") if row.device == "daemon" else now.configured
        case schema.TOLD:
            said = (row.body or "").split()
            now.translator.tell_place(NextPlace(place(said[0]), said[1:] == ["exposed"]))
        case schema.START:
            _started(now, json.loads(row.body or "{}"))
        case schema.NOTE:
            _noted(now, row)


def _started(now: Recovered, said: dict[str, object]) -> None:
    """The daemon began; the first configuration of all is the table, a later one is a row of its own.

    Only with that row it is in force: without it the daemon was killed before it came to that.
    """
    if not now.configured:
        fresh = set_up(read_header(split(str(said["table"]))[0], GAMES))
        now.header, now.table, now.translator = fresh.header, fresh.table, fresh.translator
        now.configured = str(said["table"])
    now.boot = str(said["boot"])
    now.alarms.roles = bool(said.get("roles"))
    now.programs = now.programs.started(str(said.get("version", "")), str(said.get("program", "")))


def _noted(now: Recovered, row: Row) -> None:
    """A device that is there tells the numbering of its events; somebody accepts a program, or clears an alarm."""
    try:
        said = json.loads(row.body or "")
    except ValueError:
        return
    if not isinstance(said, dict):
        return
    if row.device == "console":
        now.programs = now.programs.noted(said)
    if row.device in {"console", "daemon"}:
        now.alarms.noted(row.n, row.at, said)
    if row.device == "daemon" and isinstance(said.get("anchored"), str):
        now.anchored[said["anchored"]] = (int(said["number"]), int(said["n"]))
    if "numbering" in said:
        device, numbering = str(said["device"]), int(said["numbering"])
        now.numbers[device] = renumbered(now.numbers.get(device), numbering)


def renumbered(known: tuple[int, int] | None, numbering: int) -> tuple[int, int]:
    """A device's last durable number, and its numbering as the device tells it: a new numbering begins with 0."""
    last, before = known or (0, numbering)
    return (last if before in {0, numbering} else 0), numbering


def _event(now: Recovered, row: Row, editions: Editions) -> None:
    try:
        event = editions.event(row, now.table)
    except event_codec.CodecError as error:
        raise DamagedError(row.n, str(error)) from error
    if event is None:
        return
    now.translator.repeats(event)
    happened, number = Happened.of(row), now.table.round_number
    now.recorder.before(happened, event, now.table)
    taken = editions.apply(row, event, now.table)
    now.unsigned += row.n > now.signed and now.table.round_number != number
    found = [output.finding for output in taken.outputs if isinstance(output, IrregularityFound)]
    now.alarms.follow_event(happened, event, found, now.table, refused=taken.refused)
    for output in taken.outputs:
        if isinstance(output, TakenBack):
            now.alarms.retracted(of_others(output.findings, happened.person or "", now.recorder.row_of))
    done = now.recorder.after(happened, now.table, refused=taken.refused)
    if done is not None:
        now.done.append(done)
        now.table.forget_rounds(ROUNDS)
