"""The roles of PostgreSQL: each may do its work, and nobody else reads cards that are not disclosed."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from firmware_bridge.floor.archive import migrations, tokens
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.dialects import ArchiveError, connect
from firmware_bridge.floor.centre.folder import take_folder
from firmware_bridge.floor.intake.known import TakenBatch, Wrong
from firmware_bridge.floor.wire.tokens import Token
from tests.firmware_bridge.floor.conftest import CASINO, TABLE
from tests.firmware_bridge.floor.postgres_rig import Cluster
from tests.places import ROOT

ROLES = (ROOT / "deploy" / "floor" / "roles.sql").read_text(encoding="utf-8")


@pytest.fixture
def base(cluster: Cluster) -> str:
    """Return a database whose roles are made as the handbook does it."""
    name = cluster.database()
    with psycopg.connect(cluster.url(name), autocommit=True) as connection:
        connection.execute(ROLES.encode())
        for role in ("td_ingest", "td_floor", "td_door", "td_audit", "td_backup"):
            connection.execute(f"ALTER ROLE {role} LOGIN".encode())
    dialect = connect(cluster.url(name))
    migrations.migrate(dialect)
    dialect.close()
    return name


def test_the_ingester_writes_with_its_own_role(cluster: Cluster, base: str, state: Path) -> None:
    """It takes a journal, makes the partition of the month, and may not enrol a table."""
    owner = Archive.open(cluster.url(base))
    owner.add_table(Enrolled(CASINO, TABLE, ""))
    ingester = Archive.open(cluster.url(base, "td_ingest"))
    assert all(isinstance(one, TakenBatch) for one in take_folder(ingester, state, CASINO, TABLE))
    with pytest.raises(ArchiveError, match="permission denied"):
        ingester.add_table(Enrolled(CASINO, "other", ""))
    with pytest.raises(ArchiveError, match="permission denied"):
        ingester.dialect.execute("DELETE FROM events")
    assert [("0",)] == owner.dialect.execute("SELECT count(*)::text FROM events_otherwise")
    ingester.close()
    owner.close()


@pytest.mark.parametrize("role", ["td_floor", "td_audit", "td_backup"])
def test_who_reads_the_rows_that_name_cards(cluster: Cluster, base: str, role: str) -> None:
    """The console reads tables for questions alone; auditors and backups read everything, and change nothing."""
    dialect = connect(cluster.url(base, role))
    assert [] == dialect.execute("SELECT * FROM rounds")
    for chosen in ("SELECT * FROM events", "SELECT * FROM records", "SELECT * FROM aside"):
        if role == "td_floor":
            with pytest.raises(ArchiveError, match="permission denied"):
                dialect.execute(chosen)
        else:
            assert [] == dialect.execute(chosen)
    with pytest.raises(ArchiveError, match="permission denied"):
        dialect.execute("DELETE FROM rounds")
    dialect.close()


def test_the_door_enrols_and_releases_with_its_own_role(cluster: Cluster, base: str) -> None:
    """It issues and uses a token, releases what an ingester has quarantined, and sees no round and no card."""
    door, ingester = (Archive.open(cluster.url(base, role)) for role in ("td_door", "td_ingest"))
    token = Token.make("floor:1", "ab" * 16)
    tokens.add_token(door, token, (CASINO, TABLE), ("Ann", "Bob"))
    assert tokens.use_token(door, token.id, Enrolled(CASINO, TABLE, "U"), bytes(32))
    (place,) = door.places()
    ingester.quarantine(place.journal, Wrong("fork", 1, "another past"), b"bytes")
    door.release(place.journal, "Ann", "Bob", ends=False)
    assert [] == door.quarantined()
    for chosen in ("SELECT * FROM events", "SELECT * FROM aside", "SELECT * FROM rounds", "SELECT * FROM wagers"):
        with pytest.raises(ArchiveError, match="permission denied"):
            door.dialect.execute(chosen)
    door.close()
    ingester.close()


def test_the_console_writes_what_people_do_at_it_and_nothing_else(cluster: Cluster, base: str) -> None:
    """Escalations, what is to be sent, saved views and rosters; no alarm and no journal."""
    dialect = connect(cluster.url(base, "td_floor"))
    dialect.execute("INSERT INTO views VALUES ('12', 'shift', ?, 'now')", ("/findings?since=shift",))
    dialect.execute("DELETE FROM views")
    dialect.execute("INSERT INTO rosters VALUES ('mbs', 1, ?, 'Ann', 'Bob', 'now')", (b"{}",))
    raised = "INSERT INTO escalations VALUES ('a', 'mbs', 'bj-7', 'j', 1, 'c', 'r', 't', 1.5, 'raised', 61.5)"
    dialect.execute(raised)
    taken = "UPDATE escalations SET state = 'escalated' WHERE state = 'raised' AND due <= ? RETURNING id"
    assert [("a",)] == dialect.execute(taken, (62.0,))
    assert [] == dialect.execute(taken, (62.0,))
    for refused in ("UPDATE alarms SET cleared = 'now'", "UPDATE journals SET state = 'open'", "DELETE FROM rosters"):
        with pytest.raises(ArchiveError, match="permission denied"):
            dialect.execute(refused)
    dialect.close()
