"""Who has learned what, and the folder that it is kept in."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from firmware_bridge.journal.domain import domain_of
from firmware_bridge.journal.schema import TRAINING
from firmware_bridge.journal.writer import Journal
from hal_sim.training.folder import MOST_JOURNALS, FolderError, new_journal, take_folder
from hal_sim.training.progress import FILE, KEPT, Entry, Progress, person_name, score

NOW = datetime(2026, 11, 18, 2, 0, tzinfo=UTC)


def entry(person: str, days: int = 0, **more: int) -> Entry:
    """A lesson that was ended this many days ago."""
    at = (NOW - timedelta(days=days)).isoformat(timespec="seconds")
    numbers = {"acts": 10, "right": 9, "hints": 2, "seconds": 60, **more}
    return Entry(person, "mbs-blackjack-v6/own", at, passed=True, **numbers)


@pytest.mark.parametrize(
    ("acts", "right", "hints", "expected"), [(10, 9, 2, 70), (3, 3, 0, 100), (3, 1, 5, 0), (0, 0, 0, 0), (3, 2, 0, 66)]
)
def test_the_score_is_right_acts_less_hints(acts: int, right: int, hints: int, expected: int) -> None:
    """In whole percent of all acts, never below nothing."""
    assert expected == score(acts, right, hints)


def test_progress_is_kept_for_a_year(tmp_path: Path) -> None:
    """An entry that is older goes when the file is read, and from the file."""
    progress = Progress(tmp_path, NOW - timedelta(days=KEPT))
    for days in (KEPT + 1, KEPT - 1, 0):
        progress.add(entry("Ann", days), NOW - timedelta(days=KEPT))
    assert 2 == len(Progress(tmp_path, NOW).of("Ann"))
    assert 2 == len(json.loads((tmp_path / FILE).read_text(encoding="utf-8")))
    assert [70, 70] == [one.score for one in Progress(tmp_path, NOW).of("Ann")]


def test_a_person_is_forgotten(tmp_path: Path) -> None:
    """Nothing of their name is left in the folder."""
    progress = Progress(tmp_path, NOW)
    for person in ("Ann", "Bob", "Ann"):
        progress.add(entry(person), NOW)
    assert 2 == progress.erase("Ann")
    assert ["Bob"] == Progress(tmp_path, NOW).people()
    assert not any(b"Ann" in path.read_bytes() for path in tmp_path.iterdir())


def test_a_file_that_cannot_be_read_is_set_aside(tmp_path: Path) -> None:
    """Training starts from the beginning, and what was there is not lost."""
    (tmp_path / FILE).write_text("{", encoding="utf-8")
    assert [] == Progress(tmp_path, NOW).people()
    assert "{" == (tmp_path / FILE).with_suffix(".unreadable").read_text(encoding="utf-8")


def test_a_name_is_one_line() -> None:
    """Whatever is typed."""
    assert "Ann B. C" == person_name("  Ann\n B.\t\x1bC ")
    assert 40 == len(person_name("x" * 90))


def test_a_folder_of_a_table_is_refused(tmp_path: Path) -> None:
    """The folder itself, and one within it."""
    table = tmp_path / "table"
    table.mkdir()
    Journal(table, NOW.isoformat()).close()
    for folder in (table, table / "training"):
        with pytest.raises(FolderError, match="it holds a table's journal"):
            take_folder(folder)
    assert not (table / "training").exists()


def test_a_folder_is_trainings_from_then_on(tmp_path: Path) -> None:
    """Also each journal in it, of which the oldest go."""
    folder = take_folder(tmp_path / "new")
    assert folder == take_folder(folder)
    made = [new_journal(folder, NOW + timedelta(seconds=number)) for number in range(MOST_JOURNALS + 3)]
    assert made[3:] == sorted((folder / "journals").iterdir())
    assert TRAINING == domain_of(made[-1])
    Journal(made[-1], NOW.isoformat()).close()
    assert folder == take_folder(folder)
