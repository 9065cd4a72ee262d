"""The schema of the archive, compared with its golden files: nobody changes a table without seeing it.

After a migration was added: TRUEDEAL_GOLDEN=1 writes the files again.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.floor.archive import migrations
from firmware_bridge.floor.archive.dialects import Dialect, connect
from tests.firmware_bridge.floor.postgres_rig import Cluster

_GOLDEN = Path(__file__).parent / "schema"
_COLUMNS = """SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace s ON s.oid = c.relnamespace
    WHERE s.nspname = 'public' AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
    AND NOT c.relispartition ORDER BY c.relname, a.attnum"""
_INDEXES = """SELECT i.indexdef FROM pg_indexes i JOIN pg_class c ON c.relname = i.tablename
    WHERE i.schemaname = 'public' AND NOT c.relispartition ORDER BY i.indexname"""
_PARTITIONS = """SELECT pg_get_partkeydef(c.oid), c.relname FROM pg_class c WHERE c.relkind = 'p' ORDER BY c.relname"""


def in_sqlite(dialect: Dialect) -> list[str]:
    """Every statement that makes the schema, as the database has it."""
    chosen = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name"
    return [" ".join(made.split()) for (made,) in dialect.execute(chosen)]


def in_postgresql(dialect: Dialect) -> list[str]:
    """Every column, index and partitioned table."""
    lines = [
        f"{table}.{name} {kind}{' NOT NULL' if must else ''}" for table, name, kind, must in dialect.execute(_COLUMNS)
    ]
    lines += [made for (made,) in dialect.execute(_INDEXES)]
    return lines + [f"{table} BY {key}" for key, table in dialect.execute(_PARTITIONS)]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_schema_is_the_golden_one(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Every table, column and index of the newest schema."""
    address = f"sqlite:{tmp_path / 'archive.db'}"
    if kind == "postgresql":
        running: Cluster = request.getfixturevalue("cluster")
        address = running.url(request.getfixturevalue("template"))
    dialect = connect(address)
    migrations.migrate(dialect)
    lines = in_sqlite(dialect) if kind == "sqlite" else in_postgresql(dialect)
    dialect.close()
    golden = _GOLDEN / f"{kind}.txt"
    if os.environ.get("TRUEDEAL_GOLDEN"):
        golden.write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert golden.read_text(encoding="utf-8").splitlines() == lines
