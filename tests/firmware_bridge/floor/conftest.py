"""What the tests of the floor share: both databases, and journals that the real writer has made."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.dialects import connect
from tests.firmware_bridge.audit.journals import long_journal
from tests.firmware_bridge.floor.postgres_rig import Cluster

CASINO, TABLE = "mbs", "bj-7"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Return a running PostgreSQL."""
    made = Cluster()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def template(cluster: Cluster) -> str:
    """Return a database with the newest schema, from which others are made."""
    return cluster.migrated()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty archive with the newest schema, of either kind."""
    if request.param == "postgresql":
        running: Cluster = request.getfixturevalue("cluster")
        return running.url(running.database(request.getfixturevalue("template")))
    address = f"sqlite:{tmp_path / 'archive.db'}"
    dialect = connect(address)
    migrations.migrate(dialect)
    dialect.close()
    return address


@pytest.fixture
def archive(url: str) -> Iterator[Archive]:
    """Return an archive of either kind that knows one table."""
    opened = Archive.open(url)
    opened.add_table(Enrolled(CASINO, TABLE, "UNKEY"))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def made_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with five segments, the oldest archived, which no test changes."""
    state = tmp_path_factory.mktemp("journal") / "state"
    long_journal(state)
    return state


@pytest.fixture
def state(made_journal: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder, to be written."""
    return shutil.copytree(made_journal, tmp_path / "state")


Commands = Callable[..., tuple[int, str, str]]
