"""A crash at every write and every sync of a whole shoe: the journal opens, and the state equals the replay.

1. A shoe is played to its end over the daemon's own pump and journal, and everything done to the disk is recorded.
2. For each moment of the recording the power goes: what was not synchronised is lost, or there, or torn into sectors of
   which some are there, earlier ones missing while later ones are there.
3. What is then on the disk is opened as the daemon opens it. Every row that was said to be durable is there, no other
   row than those that were written is, nothing is set aside, and the table is what the rows make.
4. TRUEDEAL_CRASHES=N takes every Nth moment of the soak; 1, all of them, otherwise.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import event_codec, schema, segments, writer
from firmware_bridge.journal.chain import GENESIS, Row, link
from firmware_bridge.journal.recovery import ROUNDS, set_up
from firmware_bridge.pump.items import CONSOLE, Item
from gamecore.model.events import events as ev
from gamecore.notation.parser import parse
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.faults.disk import WAYS, Disk
from tests.faults.recording import Delete, Durable, Operation, Recording, Rename, Sync, Write
from tests.firmware_bridge.restarted_daemon import Started, scene
from tests.gamecore.play.random_dealer import Robot

GAME = "mbs-blackjack-v6"
SAMPLE = 100
EVERY = int(os.environ.get("TRUEDEAL_CRASHES", "1"))
SHARES = 8
LONG = 400
"""Events after which the next shoe begins a new segment: so few that it happens here."""


@dataclass
class Shoe:
    """What was recorded, and what the table was after each row."""

    header: Header
    operations: list[Operation]
    chains: list[bytes] = field(default_factory=lambda: [GENESIS])
    reports: list[bytes] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)


@cache
def shoe(seed: int) -> Shoe:
    """Play a shoe, and the beginning of the next, as the daemon does."""
    with TemporaryDirectory(prefix="truedeal-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "LONG", LONG)
        return scene(lambda: _played(Path(folder), seed))


def _played(folder: Path, seed: int) -> Shoe:
    header = parse(f"game: {GAME}\nseed: {seed}\nshuffling: machine\n\n", GAMES).header
    robot = Robot(GAMES[GAME], random.Random(seed), seed, header)
    chance = random.Random(seed)
    while sum(isinstance(event, ev.Loaded) for event in robot.events) < 2:
        robot.play_round()
    (folder / "state").mkdir()
    with Recording(folder / "state") as recording:
        table = Started(folder, header=robot.header)
        recording.durable(table.books.journal.n)
        for event in robot.events:
            table.pump.enqueue(Item(CONSOLE, event, raw=chance.randbytes(chance.randrange(60))))
            if chance.random() < 0.6:
                table.pump.process_queue()
                recording.durable(table.books.journal.n)
        table.pump.close()
    made = Shoe(robot.header, recording.operations)
    rows = list(_rows(folder / "state"))
    _follow(made, rows)
    assert table.pump.table.report() == Table.report(_replayed(made.header, rows))
    return made


def _rows(state: Path) -> Iterator[tuple[Row, bytes]]:
    for path in segments.segments(state):
        with closing(segments.open_for_reading(path)) as connection:
            yield from segments.rows(connection)


def _replayed(header: Header, rows: list[tuple[Row, bytes]]) -> Table:
    """The table that rows make, without snapshots."""
    table = set_up(header).table
    for row, _ in rows:
        if row.kind == schema.EVENT:
            table.apply(event_codec.decode(row.body or ""))
            table.forget_rounds(ROUNDS)
    return table


def _follow(made: Shoe, rows: list[tuple[Row, bytes]]) -> None:
    """Note what the table is after each row."""
    table = set_up(made.header).table
    ended, on = 0, False
    made.reports.append(digest(table))
    made.rounds.append(0)
    for n, (row, chain) in enumerate(rows, start=1):
        assert (n, link(made.chains[-1], row)) == (row.n, chain)
        made.chains.append(chain)
        if row.kind == schema.EVENT:
            table.apply(event_codec.decode(row.body or ""))
            table.forget_rounds(ROUNDS)
        now_on = table.round_is_on
        ended, on = ended + (on and not now_on), now_on
        made.reports.append(digest(table))
        made.rounds.append(ended)


def digest(table: Table) -> bytes:
    """Return a digest of a table's report, of whose rounds a table that begins again knows the last."""
    report = table.report()
    rounds = report["rounds"]
    assert isinstance(rounds, list)
    return blake2b(json.dumps(report | {"rounds": rounds[-1:]}, sort_keys=True).encode(), digest_size=16).digest()


# --- after a crash ---------------------------------------------------------------------------------------------------


def wrong_after(made: Shoe, image: dict[str, bytes], durable: int, folder: Path) -> str | None:
    """Return what is wrong when the daemon begins again with these files; None if nothing is."""
    state = folder / "state"
    state.mkdir(parents=True)
    for name, data in image.items():
        (state / name).parent.mkdir(exist_ok=True)
        (state / name).write_bytes(data)
    try:
        table = Started(folder, header=made.header)
    except (sqlite3.Error, ValueError, OSError) as error:
        return f"it does not open: {error!r}"
    begun = len(table.first) + ("journal-000001.db" not in image)  # rows that this start has written
    try:
        return _wrong(made, table, durable, begun)
    except sqlite3.Error as error:
        return f"it cannot be read: {error!r}"
    finally:
        table.killed()


def _wrong(made: Shoe, table: Started, durable: int, begun: int) -> str | None:
    rows = list(_rows(table.state))
    count = len(rows) - begun
    if rows[0][0].kind != schema.SEGMENT or table.pump.stalled or list(table.state.glob("*quarantined*")):
        return "something was set aside"
    if any(isinstance(what, ev.Call) for what in table.first):
        return f"somebody is asked about it: {table.first}"
    if problems := verify(table.state).problems:
        return f"it is not whole: {problems[0]}"
    if count < durable:
        return f"{count} rows are there, {durable} were durable"
    if [chain for _, chain in rows[:count]] != made.chains[1 : count + 1]:
        return "the rows are not those that were written"
    if digest(table.pump.table) != made.reports[count]:
        return f"after {count} rows the table is another"
    recorded = sum(_count(path) for path in segments.segments(table.state))
    return None if recorded == made.rounds[count] else f"{recorded} rounds have records, {made.rounds[count]} are over"


def _count(path: Path) -> int:
    with closing(segments.open_for_reading(path)) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM rounds").fetchone()[0])


def crashes(made: Shoe, moments: set[int], chance: random.Random, folder: Path) -> Iterator[str]:
    """Crash at these moments, each in every way; what is wrong."""
    disk, durable = Disk(), 0
    for moment, operation in enumerate(made.operations):
        disk.carry_out(operation)
        if isinstance(operation, Durable):
            durable = operation.n
        if moment not in moments:
            continue
        for way in ("all",) if disk.quiet else WAYS:
            image = disk.after_a_crash(way, chance)
            wrong = scene(lambda image=image, durable=durable: wrong_after(made, image, durable, folder))  # type: ignore[misc]
            if wrong is not None:
                yield f"moment {moment} of {len(made.operations)}, {operation[:2]}, {way}: {wrong}"
            shutil.rmtree(folder)


def test_the_recording_is_of_a_whole_shoe(seed: int) -> None:
    """Writes and syncs of the log, the file, the head and a second segment."""
    made = shoe(seed)
    files = {operation.name for operation in made.operations if isinstance(operation, Write)}
    assert {"journal-000001.db", "journal-000001.db-wal", "journal-000002.db.new", "head.json.new"} <= files
    assert made.rounds[-1] > 20
    assert sum(isinstance(operation, Sync) for operation in made.operations) > 500


def rotation(made: Shoe) -> list[int]:
    """The moments at which the second segment takes the place of the first: its key, its file, the old key."""
    named = [at for at, operation in enumerate(made.operations) if _is_of_rotation(str(operation[0]))]
    return list(range(named[0] - 1, named[-1] + 3))


def _is_of_rotation(name: str) -> bool:
    return name.startswith(("keys/000002", "journal-000002.db.new"))


def test_the_old_key_is_gone_when_the_new_segment_is_there(seed: int) -> None:
    """Its seed is overwritten, on the disk, and removed."""
    operations = shoe(seed).operations
    (gone,) = (at for at, one in enumerate(operations) if isinstance(one, Delete) and one.name == "keys/000001.seed")
    assert (Write("keys/000001.seed", 0, bytes(32)), Sync("keys/000001.seed")) == tuple(operations[gone - 2 : gone])
    assert operations.index(Rename("journal-000002.db.new", "journal-000002.db")) < gone


def test_a_crash_at_any_moment_loses_nothing_durable(seed: int, tmp_path: Path) -> None:
    """A sample of the moments, those around the change of segments among them."""
    made, chance = shoe(seed), random.Random(seed)
    moments = {*chance.sample(range(len(made.operations)), SAMPLE), *chance.sample(rotation(made), 25)}
    assert [] == list(crashes(made, moments, chance, tmp_path / "crash"))


@pytest.mark.soak
def test_a_crash_at_every_moment_of_a_change_of_keys_loses_nothing(seed: int, tmp_path: Path) -> None:
    """Every step in which one segment and its key follow another, in every way."""
    made = shoe(seed)
    assert [] == list(crashes(made, set(rotation(made)), random.Random(seed), tmp_path / "crash"))


@pytest.mark.soak
@pytest.mark.parametrize("share", range(SHARES))
def test_a_crash_at_every_moment_loses_nothing_durable(seed: int, tmp_path: Path, share: int) -> None:
    """Every write and every sync, in every way."""
    made = shoe(seed)
    moments = set(range(share * EVERY, len(made.operations), SHARES * EVERY))
    assert [] == list(crashes(made, moments, random.Random(seed + share), tmp_path / "crash"))


def test_a_disk_that_forgets_what_was_synchronised_is_noticed(seed: int, tmp_path: Path) -> None:
    """The control: without its syncs the recording does lose what was durable, and the checks say so."""
    made, chance = shoe(seed), random.Random(seed)
    unsynced: list[Operation] = [each for each in made.operations if not isinstance(each, Sync)]
    lying = replace(made, operations=unsynced)
    moments = set(chance.sample(range(len(lying.operations) // 2, len(lying.operations)), 5))
    assert [] != list(crashes(lying, moments, chance, tmp_path / "crash"))
