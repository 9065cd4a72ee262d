"""What the tests of the archive share: one long journal, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware_bridge.journal.archive.journals import copied, old_journal


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with many segments, which no test changes."""
    state = tmp_path_factory.mktemp("old") / "state"
    old_journal(state)
    return state


@pytest.fixture
def state(made_once: Path, tmp_path: Path) -> Path:
    """Return a state folder of the test's own, all of whose segments are at hand."""
    return copied(made_once, tmp_path / "state")
