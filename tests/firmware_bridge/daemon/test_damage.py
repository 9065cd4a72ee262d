"""A damaged journal: set aside, never deleted, put before somebody, and the table runs on."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from drivers import shoe
from drivers.panel import Alarm, Text
from firmware_bridge.inputs.device_messages import Translator
from firmware_bridge.journal import schema, writer
from firmware_bridge.journal.signed import signing
from firmware_bridge.pump.record_writer import StalledError
from gamecore.model.events import events as ev
from gamecore.model.states import State
from tests.firmware_bridge.journal.test_recovery import PLAIN, SHORT
from tests.firmware_bridge.restarted_daemon import Started, all_rows, fill, kept, scene
from tests.patience import PATIENCE

PAGE = 4096
TO_THE_HOUSE = ev.Call("uncovered", device="computer")


def a_journal(folder: Path, rounds: int = 3, *, closes: bool = True) -> Started:
    """A table that has played some rounds and is in the middle of another, when the daemon ended."""
    table = Started(folder, header=PLAIN)
    for _ in range(rounds):
        table.happen(*SHORT)
    table.happen(*SHORT[:4])
    if closes:
        table.killed()
    return table


def overwrite(path: Path, at: int, data: bytes) -> None:
    """Write over a part of a file."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def found(table: Started) -> list[str]:
    """The findings of the round that is on, or made between rounds."""
    said: list[dict[str, str]] = table.pump.table.report().get("findings", [])  # type: ignore[assignment]  # plain data
    return [finding.code for finding in table.pump.table.view().round.findings] + [each["code"] for each in said]


def the_round(table: Started) -> object:
    """The round that is on; past ones are for looking at."""
    report = table.pump.table.report()
    return report["state"], report["rounds"][-1:]  # type: ignore[index]  # plain data


# --- at the start ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["header", "schema", "cut to nothing", "cut in a page", "version", "zeros", "rows"])
def test_a_damaged_file_is_set_aside_at_the_start(tmp_path: Path, what: str) -> None:
    """The daemon starts, the file lies beside, a new segment follows the head, and the shift manager is asked."""

    def act() -> tuple[Started, Path]:
        table = a_journal(tmp_path)
        path = table.books.journal.path
        match what:
            case "header":
                overwrite(path, 0, b"no database here")
            case "schema":
                overwrite(path, 100, bytes(range(256)) * 8)
            case "cut to nothing":
                os.truncate(path, 0)
            case "cut in a page":
                os.truncate(path, path.stat().st_size // PAGE // 2 * PAGE + 100)
            case "version":
                overwrite(path, 18, b"\x07\x07")
            case "zeros":
                overwrite(path, PAGE, bytes(path.stat().st_size - PAGE))
            case _:
                overwrite(path, 2 * PAGE, bytes(random.Random(1).randbytes(path.stat().st_size - 2 * PAGE)))
        again = Started(tmp_path, header=PLAIN)
        assert "uncovered" in found(again)
        again.killed()
        return again, path

    table, path = scene(act)
    aside = path.with_name(f"{path.name}.quarantined")
    assert (True, [False]) == (aside.exists(), [path.exists()])
    rows = list(all_rows(table.state))
    assert (schema.SEGMENT, True) == (rows[0].kind, '"reason":"quarantine"' in (rows[0].body or ""))
    assert TO_THE_HOUSE in kept(table.state)
    notes = [row.body for row in rows if row.kind == schema.NOTE and "the journal was damaged" in (row.body or "")]
    assert (1, True) == (len(notes), aside.name in str(notes[0]))
    head = signing.published(table.state / signing.HEAD)
    assert head is not None
    assert rows[0].n > 1


@pytest.mark.parametrize("share", range(3))
def test_whatever_is_damaged_the_daemon_starts(tmp_path: Path, seed: int, share: int) -> None:
    """Bytes of chance anywhere in the file: the round that is on is what it was, or somebody is told."""
    chance = random.Random(seed + share)
    expected = the_round(scene(lambda: a_journal(tmp_path / "whole")))

    def act(folder: Path) -> bool:
        shutil.copytree(tmp_path / "whole", folder)
        path = folder / "state" / "journal-000001.db"
        pages = path.stat().st_size // PAGE
        for _ in range(chance.randrange(1, 4)):
            at, size = chance.choice(((0, 100), (0, PAGE), (chance.randrange(pages) * PAGE, PAGE)))
            place = at + chance.randrange(size)
            overwrite(path, place, chance.randbytes(min(chance.choice((1, 8, 500, PAGE)), PAGE - place % PAGE)))
        table = Started(folder, header=PLAIN)
        table.killed()
        return "uncovered" in found(table) or the_round(table) == expected

    assert [True] * 20 == [scene(lambda number=number: act(tmp_path / str(number))) for number in range(20)]  # type: ignore[misc]


def test_a_row_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    """SQLite has nothing against it, the chain has."""

    def act() -> Started:
        table = a_journal(tmp_path)
        with closing(sqlite3.connect(table.books.journal.path)) as connection, connection:
            last = connection.execute("SELECT MAX(n) FROM events WHERE body LIKE '%KD%'").fetchone()
            connection.execute("UPDATE events SET body = replace(body, 'KD', '5D') WHERE n = ?", last)
        again = Started(tmp_path, header=PLAIN)
        again.killed()
        return again

    table = scene(act)
    assert 1 == len(list(table.state.glob("*.quarantined")))
    assert [TO_THE_HOUSE] == kept(table.state)[-1:]


def test_rows_that_were_cut_off_are_noticed(tmp_path: Path) -> None:
    """A journal that is shorter than its published head has been cut; the new segment follows that head."""

    def act() -> Started:
        table = a_journal(tmp_path)
        with closing(sqlite3.connect(table.books.journal.path)) as connection, connection:
            head = signing.published(table.state / signing.HEAD)
            assert head is not None
            connection.execute("DELETE FROM events WHERE n >= ?", (head.n,))
        again = Started(tmp_path, header=PLAIN)
        again.killed()
        assert head.n + 1 == next(iter(all_rows(table.state))).n
        return again

    table = scene(act)
    assert 1 == len(list(table.state.glob("*.quarantined")))
    assert TO_THE_HOUSE in kept(table.state)


def test_damage_is_put_before_somebody_even_after_a_crash(tmp_path: Path) -> None:
    """A daemon that was killed between setting a file aside and saying so says it at the next start, and only once."""

    def act() -> list[int]:
        table = a_journal(tmp_path, closes=False)
        table.books.journal.quarantine("", table.books.kept(PLAIN, table.pump.table, table.pump._translator))
        table.killed()
        calls = []
        for _ in range(3):
            again = Started(tmp_path, header=PLAIN)
            calls.append(kept(again.state).count(TO_THE_HOUSE))
            again.killed()
        return calls

    assert [1, 1, 1] == scene(act)


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_log_that_is_damaged_loses_nothing_silently(tmp_path: Path, suffix: str, seed: int) -> None:
    """What SQLite drops of a damaged log is missing against the published head, or nothing is missing."""
    chance = random.Random(seed)

    def act(folder: Path) -> None:
        table = a_journal(folder, closes=False)
        path = table.books.journal.path
        copies = {name: path.with_name(path.name + name).read_bytes() for name in ("", "-wal", "-shm")}
        events = kept(table.state)
        table.killed()
        for name, data in copies.items():
            path.with_name(path.name + name).write_bytes(data)
        beside = path.with_name(path.name + suffix)
        at = chance.randrange(beside.stat().st_size - 64)
        overwrite(beside, at, chance.randbytes(64))
        again = Started(folder, header=PLAIN)
        again.killed()
        told = TO_THE_HOUSE in kept(again.state)
        whole = kept(again.state)[: len(events)] == events
        durable = signing.published(again.state / signing.HEAD)
        assert told or whole or durable is not None

    for number in range(10):
        scene(lambda number=number: act(tmp_path / str(number)))  # type: ignore[misc]


# --- while it runs ---------------------------------------------------------------------------------------------------


def test_a_file_that_turns_out_damaged_is_set_aside_and_play_goes_on(tmp_path: Path) -> None:
    """The event that met the damage is in the new segment, the round goes on, and the shift manager is asked."""

    def act() -> Started:
        table = a_journal(tmp_path, closes=False)
        spoil(table)
        table.happen(SHORT[4])
        table.killed()
        return table

    table = scene(act)
    events = kept(table.state)
    assert SHORT[4] == events[0]
    assert [TO_THE_HOUSE] == events[-1:]
    assert State.HELD is table.pump.table.state
    assert 1 == len(list(table.state.glob("*.quarantined")))

    def again() -> tuple[object, object]:
        started = Started(tmp_path, header=PLAIN)
        started.killed()
        return table.pump.table.report(), started.pump.table.report()

    expected, actual = scene(again)
    assert expected["rounds"][-1] == actual["rounds"][-1]  # type: ignore[index]  # plain data


def test_a_file_that_turns_out_damaged_at_the_end_of_a_round_loses_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is written to the new segment."""
    damaged: list[bool] = []
    end_round = writer.Journal.end_round

    def turns_out(self: writer.Journal, *args: object) -> object:
        if not damaged:
            damaged.append(True)
            error = sqlite3.DatabaseError("database disk image is malformed")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error
        return end_round(self, *args)  # type: ignore[arg-type]  # as it was called

    def act() -> list[tuple[object, ...]]:
        table = Started(tmp_path, header=PLAIN)
        table.happen(*SHORT[:-1])
        monkeypatch.setattr(writer.Journal, "end_round", turns_out)
        table.happen(SHORT[-1])
        table.pump.process_queue()
        rounds = table.query("SELECT number, outcome FROM rounds")
        table.killed()
        return rounds

    assert [(1, "settled")] == scene(act)
    assert 1 == len(list((tmp_path / "state").glob("*.quarantined")))
    assert TO_THE_HOUSE in kept(tmp_path / "state")


def spoil(table: Started) -> None:
    """Damage the file under an open connection, which has read none of it yet."""
    journal = table.books.journal
    journal.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = journal.path
    journal.connection.close()
    journal._connection = writer.connect(path)
    journal.connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    overwrite(path, PAGE, random.Random(2).randbytes(path.stat().st_size - PAGE))


def test_what_is_no_damage_is_not_set_aside(tmp_path: Path) -> None:
    """A file that another process holds is waited for, at the start by the service that starts the daemon."""

    def act() -> None:
        table = a_journal(tmp_path, closes=False)
        table.books.journal.connection.execute("PRAGMA busy_timeout = 0")
        entries, translator = [writer.Entry("", "daemon", "note", "x")], Translator(places_sensed=False)
        with closing(sqlite3.connect(table.books.journal.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StalledError):
                table.books.write(entries, PLAIN, table.pump.table, translator)
        table.killed()

    scene(act)
    assert [] == list((tmp_path / "state").glob("*quarantined*"))


def test_a_journal_that_another_process_holds_is_one_line(tmp_path: Path) -> None:
    """The daemon ends with its reason, and the service starts it again; nothing is set aside."""
    state = tmp_path / "state"
    scene(lambda: a_journal(tmp_path))
    config = tmp_path / "table.toml"
    table = f'[table]\nopen = true\ngame = "mbs-blackjack-v6"\nstate = "{state}"\ncontrol = "{tmp_path / "c.sock"}"\n'
    config.touch(mode=0o600)
    config.write_text(f"{table}[devices]\n", encoding="ascii")
    command = [sys.executable, "-m", "firmware_bridge.cli", "run", "--config", str(config)]
    with closing(sqlite3.connect(state / "journal-000001.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    expected = f"truedeal run: the journal in {state} cannot be used now: database is locked\n"
    assert (1, "", expected) == (ended.returncode, ended.stdout, ended.stderr)
    assert [] == list(state.glob("*quarantined*"))


# --- a real disk that is full ----------------------------------------------------------------------------------------


@pytest.mark.root
def test_a_disk_that_fills_up_holds_the_table_and_loses_nothing(small_disk: Path) -> None:
    """Wherever it fills up: nothing is half written, the panel says so; with room again everything goes on."""

    def act() -> tuple[Started, list[object]]:
        table = Started(small_disk, header=PLAIN)
        table.happen(*SHORT)
        ballast = fill(small_disk)
        os.truncate(ballast, ballast.stat().st_size - 8 * PAGE)
        expected = kept(table.state)
        number = 0
        while not table.pump.stalled:
            number += 1
            table.says("shoe", number, shoe.Count(number))
            expected.append(ev.ShoeCounted(number))
        expected.pop()
        assert expected == kept(table.state)
        assert ("shoe acknowledged", number - 1) == next(e for e in table.log[::-1] if e[0] == "shoe acknowledged")
        told = [said for what, said in table.log if what == "panel told"]
        table.pump.process_queue()
        ballast.unlink()
        table.pump.process_queue()
        assert ([*expected, ev.ShoeCounted(number)], "") == (kept(table.state), table.pump.stalled)
        table.happen(*SHORT)
        table.pump.close()
        again = Started(small_disk, header=PLAIN)
        again.killed()
        assert table.pump.table.report() == again.pump.report()
        return table, told

    table, told = scene(act)
    assert [Alarm(on=True)] == [said for said in told if isinstance(said, Alarm)][-1:]
    assert ["JOURNAL: "] == [said.lower[:9] for said in told if isinstance(said, Text)][-1:]
    assert [] == list(table.state.glob("*quarantined*"))


@pytest.mark.root
def test_a_disk_that_is_full_at_the_start_is_no_damage(small_disk: Path) -> None:
    """The daemon starts or says why it cannot; nothing is set aside, and with room again it goes on."""

    def act() -> None:
        table = a_journal(small_disk)
        ballast = fill(small_disk)
        try:
            again = Started(small_disk, header=PLAIN)
            again.killed()
        except (sqlite3.OperationalError, OSError):
            pass
        ballast.unlink()
        again = Started(small_disk, header=PLAIN)
        again.killed()
        assert [] == list(table.state.glob("*quarantined*"))
        assert list(SHORT[:4]) == kept(table.state)[3 * len(SHORT) :][:4]
        assert TO_THE_HOUSE not in kept(table.state)

    scene(act)
