"""What the tests of the audit share: one journal of several segments, made once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.commands import audit
from tests.firmware_bridge.audit.journals import long_journal

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with five segments, the oldest archived, which no test changes."""
    state = tmp_path_factory.mktemp("journal") / "state"
    long_journal(state)
    return state


@pytest.fixture
def truedeal(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs a command of the audit: its exit status, what it printed, what it complained of."""

    def run(*words: object) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser(prog="truedeal")
        audit.add(parser.add_subparsers(dest="command"))
        args = parser.parse_args([str(word) for word in words])
        status: int = args.run(args)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run
