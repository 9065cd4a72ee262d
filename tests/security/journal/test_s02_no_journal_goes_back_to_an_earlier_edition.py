"""S02, S14: nobody turns what was written into an earlier edition, which promised less, to have it signed again."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import LINKS, Row
from firmware_bridge.journal.signed import covered, signing
from firmware_bridge.people.permissions import KEY_LOST, RECOVERED
from firmware_bridge.pump.items import DAEMON
from gamecore.model.events import events as ev
from tests.firmware_bridge.audit.journals import HEAD, House, long_journal, made, rounds
from tests.firmware_bridge.journal.test_editions import RECORDED
from tests.firmware_bridge.restarted_daemon import all_rows, kept

STAKE, RAISED = "10000", "90000"


def turned_back(state: Path) -> None:
    """Write the newest segment again in edition 1, with another stake and no head; publish the head before it."""
    path = segments.segments(state)[-1]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        rows = [Row(*row[:-1]) for row in connection.execute("SELECT * FROM events ORDER BY n")]
    said = {
        key: value for key, value in json.loads(rows[0].body or "").items() if key in {"follows", "chain", "reason"}
    }
    rows[0] = rows[0]._replace(body=json.dumps(said))
    segments.remove(path)
    chain = bytes.fromhex(said["chain"])
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in schema.MADE[1]:
            connection.execute(statement)
        for row in rows:
            forged = row._replace(body=row.body and row.body.replace(STAKE, RAISED))
            chain = LINKS[1](chain, forged)
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*forged[:8], chain))
    (state / signing.HEAD).unlink()
    for before in segments.segments(state)[-2:-1]:
        with closing(sqlite3.connect(before)) as connection:
            signing.publish(state, covered.heads(connection)[-1])


def stakes(house: House) -> set[str]:
    """What was wagered in the rounds at hand."""
    return {wager["stake"] for one in house.pump.report()["rounds"] for wager in one["wagers"]}  # type: ignore[attr-defined]


@pytest.mark.parametrize("several", [False, True])
def test_a_segment_of_edition_1_after_this_one_is_set_aside(tmp_path: Path, *, several: bool) -> None:
    """Its rows fit each other, and no head contradicts them: it is damage, and nothing is taken from it."""
    state = tmp_path / "state"
    if several:
        long_journal(state)
    else:
        made(state, rounds(3))
    turned_back(state)
    if several:
        assert "its rows are of an earlier edition than those before it" in str(verify(state).first)
    house = made(state, lambda _: None)
    assert (1, True) == (len(list(state.glob("*.quarantined"))), ev.Call("uncovered", device="computer") in kept(state))
    assert "900.00" not in stakes(house)
    assert not verify(state).whole


@pytest.mark.parametrize("key", [b"", bytes(range(32))])
def test_without_the_key_of_edition_1_nothing_of_it_is_certified(tmp_path: Path, key: bytes) -> None:
    """The keys of this edition are gone too, and another's lies there: the key was lost, and verify says so."""
    state = tmp_path / "state"
    made(state, rounds(3))
    turned_back(state)
    shutil.rmtree(state / "keys")
    if key:
        (state / "signing.key").write_bytes(key)
    house = made(state, lambda _: None)
    assert {KEY_LOST, "uncovered"} == {alarm.code for alarm in house.books.alarms.open}
    assert "key lost" in str(verify(state).first)


@pytest.mark.parametrize("signed", [True, False])
def test_what_edition_1_has_signed_is_promised_at_an_upgrade_too(tmp_path: Path, *, signed: bool) -> None:
    """A journal that it has really written: without its heads an alarm says from where on nothing is covered."""
    with tarfile.open(RECORDED) as archive:
        archive.extractall(tmp_path, filter="data")
    state = tmp_path / "bets-open"
    (path,) = segments.segments(state)
    if not signed:
        with closing(sqlite3.connect(path)) as connection, connection:
            assert connection.execute("DELETE FROM heads").rowcount
        (state / signing.HEAD).unlink()
    made(state, lambda _: None, HEAD)
    notes = [
        json.loads(row.body or "")
        for row in all_rows(state)
        if row.device == DAEMON and row.kind == schema.NOTE and (row.body or "").startswith("{")
    ]
    assert ([] if signed else [RECOVERED]) == [note["alarm"] for note in notes if "alarm" in note]
