"""A journal of training is no table's: by its folder, its first row, every row, and its chain."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.audit.verify import verify
from firmware_bridge.floor.intake.intake import take_batch
from firmware_bridge.floor.intake.known import DOMAIN, Known, Wrong
from firmware_bridge.floor.shipping.source import Source, SourceError
from firmware_bridge.floor.wire.batch import Batch
from firmware_bridge.floor.wire.marks import Mark
from firmware_bridge.journal import schema, segments
from firmware_bridge.journal.chain import GENESIS
from firmware_bridge.journal.domain import MARK, TABLE, domain_of, genesis, refusal, unfit
from firmware_bridge.journal.schema import TRAINING
from firmware_bridge.journal.writer import Entry, Journal
from tests.patience import PATIENCE
from tests.places import ROOT

AT = "2026-11-18T02:00:00.000000+00:00"


def written(state: Path, *, training: bool) -> Path:
    """A folder with a short journal."""
    state.mkdir(parents=True)
    if training:
        (state / MARK).touch()
    journal = Journal(state, AT)
    journal.append([Entry(AT, "shoe", schema.NOTE, "one"), Entry(AT, "shoe", schema.NOTE, "two")])
    journal.sign()
    journal.close()
    return state


def test_every_row_names_training(tmp_path: Path) -> None:
    """A column says it, which cannot say anything else; the first row says it too."""
    state = written(tmp_path / "state", training=True)
    with closing(sqlite3.connect(segments.segments(state)[0])) as connection:
        assert [(TRAINING,)] * 3 == connection.execute("SELECT domain FROM events").fetchall()
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("UPDATE events SET domain = 'a table'")
        assert TRAINING == segments.beginning(connection)["domain"]


def test_a_table_names_none(tmp_path: Path) -> None:
    """Its chain begins with zeros, its rows have no such column, and it is whole."""
    state = written(tmp_path / "state", training=False)
    with closing(sqlite3.connect(segments.segments(state)[0])) as connection:
        columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(events)")]
        assert "domain" not in columns
    assert (TABLE, GENESIS, "") == (domain_of(state), genesis(TABLE), refusal(state))
    assert verify(state).whole


def test_no_row_of_training_fits_the_chain_of_a_table(tmp_path: Path) -> None:
    """Even where nobody asks for its domain, its very first row does not follow what a table's follows."""
    state = written(tmp_path / "state", training=True)
    assert genesis(TRAINING) != GENESIS
    verdict = verify(state)
    assert verdict.first is not None
    assert (0, "journal-000001.db does not follow it as it stands") == (verdict.first.n, verdict.first.detail)


def test_nothing_of_training_is_sent_to_the_floor(tmp_path: Path) -> None:
    """What reads a journal for the floor refuses it, and so does the centre."""
    state = written(tmp_path / "state", training=True)
    with pytest.raises(SourceError, match="kept apart from tables"):
        Source(state).end()
    with pytest.raises(SourceError, match="kept apart from tables"):
        Source(state).batch_after(Mark())
    first = Batch(b"", Mark(chain=genesis(TRAINING)), Mark(), ())
    wrong = take_batch(Known(b"", b""), first, lambda _: None)
    assert isinstance(wrong, Wrong)
    assert DOMAIN == wrong.reason


@pytest.mark.parametrize("moved", [False, True])
def test_a_journal_stays_what_it_is(moved: bool, tmp_path: Path) -> None:
    """Gone on with, and copied out of its folder without the mark."""
    state = written(tmp_path / "training" / "state", training=True)
    if moved:
        state = Path(shutil.copytree(state, tmp_path / "elsewhere"))
        (state / MARK).unlink()
    journal = Journal(state, AT)
    journal.append([Entry(AT, "shoe", schema.NOTE, "three")])
    journal.close()
    assert TRAINING == domain_of(state)
    with closing(segments.open_for_reading(segments.segments(state)[0])) as connection:
        assert [(4,)] == connection.execute("SELECT count(domain) FROM events").fetchall()


def test_a_folder_within_trainings_is_trainings(tmp_path: Path) -> None:
    """The mark counts for all below it, also before there is a journal."""
    (tmp_path / MARK).touch()
    state = tmp_path / "journals" / "one"
    assert TRAINING == domain_of(state)
    assert [f"{state}: it is training's, which is kept apart from tables"] == unfit(state, training=False)
    assert [] == unfit(state, training=True)


def test_the_daemon_keeps_them_apart(tmp_path: Path) -> None:
    """A daemon of training refuses a table's folder, and one of a table refuses training's."""
    table = written(tmp_path / "table", training=False)
    assert [f"{table}: it is not training's"] == unfit(table, training=True)
    assert [] == unfit(table, training=False)
    assert [] == unfit(tmp_path / "new", training=False)


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "STATE"),
        ("replay", "STATE"),
        ("affected", "STATE"),
        ("export", "--format", "jsonl", "STATE"),
        ("export", "--format", "deal", "STATE"),
        ("bundle", "--state", "STATE"),
        ("anchor", "--state", "STATE", "--anchors", "none.toml"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_commands_for_a_tables_past_refuse_it(words: tuple[str, ...], tmp_path: Path) -> None:
    """One line, exit status 2, and nothing is written."""
    state = written(tmp_path / "state", training=True)
    before = sorted(path.name for path in tmp_path.iterdir())
    ran = subprocess.run(
        [sys.executable, "-m", "firmware_bridge.cli", *(str(state) if word == "STATE" else word for word in words)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TRUEDEAL_CONTROL": str(tmp_path / "none.sock")},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (2, "") == (ran.returncode, ran.stdout)
    assert f"truedeal {words[0]}: {refusal(state)}\n" == ran.stderr
    assert before == sorted(path.name for path in tmp_path.iterdir())
