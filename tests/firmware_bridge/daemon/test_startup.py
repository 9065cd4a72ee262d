"""How the daemon opens its books: alone, on a full disk, and with a configuration that has changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from firmware_bridge.audit.replay import replay
from firmware_bridge.daemon.startup import open_books
from firmware_bridge.journal import folder_lock, schema, segments, snapshot
from firmware_bridge.journal.writer import Journal
from firmware_bridge.people.accounts.roles import LEAST, Person, make_pin
from firmware_bridge.pump.items import Note, entry
from firmware_bridge.setup.config import Config
from firmware_bridge.setup.device_config import DeviceConfig
from gamecore.notation.writer import write_header
from gamecore.table import Table
from gamecore.view import keeping
from tests.firmware_bridge.journal.test_recovery import PLAIN, SHORT
from tests.firmware_bridge.pump_rig import TOLD
from tests.firmware_bridge.restarted_daemon import Started, all_rows, fill, scene

AT = "2025-01-01T00:00:00.000000+00:00"
OTHER = "import sys; from pathlib import Path; from firmware_bridge.journal.writer import Journal\n"
HOLDS = OTHER + "j = Journal(Path(sys.argv[1]), 'now'); print('holds', flush=True); sys.stdin.read()"


# --- alone -----------------------------------------------------------------------------------------------------------


def test_a_second_process_is_turned_away_and_the_first_goes_on(tmp_path: Path) -> None:
    """It changes nothing, says why, and calls nothing damaged; when the first is gone it may come."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdin is not None
    assert other.stdout is not None
    assert "holds\n" == other.stdout.readline()
    before = (tmp_path / "journal-000001.db").read_bytes()
    with pytest.raises(Exception, match="another process writes it") as refused:
        Journal(tmp_path, AT)
    assert not segments.is_damage(refused.value, tmp_path / "journal-000001.db")  # type: ignore[arg-type]
    assert before == (tmp_path / "journal-000001.db").read_bytes()
    other.communicate()
    Journal(tmp_path, AT).close()


# --- a full disk -----------------------------------------------------------------------------------------------------


@pytest.mark.root
def test_a_start_on_a_full_disk_holds_the_table(small_disk: Path) -> None:
    """After an orderly end nothing lies beside the journal: it is opened with what was kept in reserve."""

    def act() -> list[object]:
        table = Started(small_disk, header=PLAIN)
        table.happen(*SHORT)
        table.pump.close()
        kept = (table.state / folder_lock.RESERVE).exists()
        ballast = fill(small_disk)
        again = Started(small_disk, header=PLAIN)
        fill(small_disk)
        while not again.pump.stalled:
            again.happen(Note("one more"))
        ballast.unlink()
        again.pump.process_queue()
        stalled = again.pump.stalled
        again.pump.close()
        once_more = Started(small_disk, header=PLAIN)
        once_more.killed()
        equal = again.pump.report() == table.pump.table.report()
        return [kept, equal, stalled, (table.state / folder_lock.RESERVE).exists()]

    assert [True, True, "", True] == scene(act)


def test_the_reserve_is_given_up_for_nothing_else(tmp_path: Path) -> None:
    """While the disk has room it stays, whatever else is wrong."""
    folder_lock.keep_reserve(tmp_path)
    assert not folder_lock.give_up_reserve(tmp_path)
    assert folder_lock.ROOM == (tmp_path / folder_lock.RESERVE).stat().st_size


# --- a row that nobody can apply -------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [ZeroDivisionError, AssertionError, RecursionError, KeyError])
def test_a_row_that_cannot_be_applied_keeps_no_daemon_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    """A fault of the program at the same event at each start would be the end of the table: it is set aside."""

    def fails(_: Table, __: object) -> NoReturn:
        raise fault

    def act() -> list[str]:
        table = Started(tmp_path, header=PLAIN)
        table.happen(*SHORT[:2])
        table.killed()
        with monkeypatch.context() as patch:
            patch.setattr(Table, "apply", fails)
            config = Config(PLAIN, table.state, tmp_path / "control.sock", (), tmp_path / "boot_id")
            opened = open_books(config, AT)
        opened.books.journal.close()
        return [path.name for path in table.state.glob("*.quarantined")]

    assert ["journal-000001.db.quarantined"] == scene(act)


# --- another version -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", ["killed", "closed"])
def test_a_journal_of_a_version_with_other_classes_goes_on_to_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """What that one has kept is not read: the events make the table again, and the records still prove themselves."""

    def act() -> list[object]:
        with monkeypatch.context() as before:
            before.setattr(keeping, "SCHEMA", 1)
            before.setattr(snapshot, "FORMAT", 1)
            table = Started(tmp_path, header=PLAIN)
            table.happen(*SHORT, *SHORT, *SHORT[:4])
            table.pump.close() if ends == "closed" else table.killed()
        again = Started(tmp_path, header=PLAIN)
        again.happen(*SHORT[4:])
        again.pump.close()
        replayed, aside = replay(table.state), list(table.state.glob("*.quarantined"))
        return [again.pump.table.round_number, replayed.rounds, replayed.differences, aside]

    assert [3, 3, [], []] == scene(act)


# --- another configuration -------------------------------------------------------------------------------------------


def test_a_daemon_that_is_killed_before_its_new_table_brings_it_at_the_next_start(tmp_path: Path) -> None:
    """The start was durable, the new table was not."""

    def act() -> list[bool]:
        table = Started(tmp_path, header=PLAIN)
        table.happen(*SHORT)
        table.killed()
        config = Config(TOLD, table.state, tmp_path / "control.sock", (), tmp_path / "boot_id")
        opened = open_books(config, AT)
        start = opened.first[0]
        assert isinstance(start.what, Note)
        opened.books.journal.append([entry(AT, 0, start, start.what)])
        opened.books.journal.close()
        seen = []
        for _ in range(2):
            again = Started(tmp_path, header=TOLD)
            seen.append(again.pump.header.burn)
            again.killed()
        return seen

    assert PLAIN.burn != TOLD.burn
    assert [TOLD.burn, TOLD.burn] == scene(act)


def test_a_table_that_waits_for_the_end_of_a_round_is_noted(tmp_path: Path) -> None:
    """The configuration that is not yet in force is in the journal as well."""

    def act() -> list[str | None]:
        table = Started(tmp_path, header=PLAIN)
        table.happen(*SHORT[:4])
        table.killed()
        Started(tmp_path, header=TOLD).killed()
        return [row.body for row in all_rows(table.state) if row.kind == schema.NOTE]

    assert [{"configured-from-the-next-start-between-rounds": write_header(TOLD)}] == list(
        map(json.loads, filter(None, scene(act)))
    )


def test_what_was_changed_in_the_configuration_shows_and_no_secret_does(tmp_path: Path) -> None:
    """A key or a PIN that was exchanged gives another digest; neither stands in the journal."""
    (tmp_path / "boot").write_text("1\n", encoding="ascii")
    ann = Person("ann", "dealer", make_pin("4711 it is", LEAST))
    shoe = DeviceConfig("shoe", "shoe", "serial:/dev/shoe", "S-1", b"k" * 32, options={"token": "hush"})
    config = Config(PLAIN, tmp_path / "state", tmp_path / "c", (shoe,), tmp_path / "boot", roles=(ann,))
    others = [
        config,
        replace(config, devices=(replace(shoe, key=b"l" * 32),)),
        replace(config, devices=(replace(shoe, serial="S-2"),)),
        replace(config, roles=(replace(ann, pin=make_pin("4711 it is", LEAST)),)),
        replace(config, control=tmp_path / "d"),
    ]
    said = []
    for one in (config, *others):
        opened = open_books(one, AT)
        opened.books.journal.close()
        assert isinstance(opened.first[0].what, Note)
        said.append(opened.first[0].what.text)
    digests = [json.loads(text)["digest"] for text in said]
    assert (digests[0], len(others)) == (digests[1], len(set(digests)))
    assert "S-1" == json.loads(said[0])["devices"]["shoe"]["serial"]
    secrets = ("hush", (b"k" * 32).hex(), ann.pin.text, os.fsdecode(b"k" * 32))
    assert [] == [secret for secret in secrets for text in said if secret in text]
