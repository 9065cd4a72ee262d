"""`--quick`: the tests that neither start a process nor take long.

1. No list says which tests start processes. A test that is about to start one, itself or in its fixtures, is skipped
   at that moment: nothing was started, and the next test runs. Browsers, containers, daemons and devices are processes.
2. `git` may be started: it looks at the tree and ends.
3. What takes long is left out by the record of a whole run (`longest`).
4. Between tests, and while they are collected, any process may be started.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.longest import LONG, function_of, recorded

STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"})
ALLOWED = frozenset({"git"})
REASON = "starts a process: `sh tests/run.sh` runs it"


class Quick:
    """Skips each test that is about to start a process."""

    def __init__(self) -> None:
        self._running = False
        self._started = False

    def look_at(self, event: str, args: tuple[object, ...]) -> None:
        """Skip the test that runs if this event of the interpreter starts a process for it."""
        if not self._running or event not in STARTS or self._is_allowed(event, args):
            return
        self._started = True
        pytest.skip(REASON)

    @staticmethod
    def _is_allowed(event: str, args: tuple[object, ...]) -> bool:
        return event == "subprocess.Popen" and Path(str(args[0])).name in ALLOWED

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """Listen while a test runs, with what it sets up and takes down."""
        self._running, self._started = True, False
        try:
            return (yield)
        finally:
            self._running = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Report a test that was stopped as skipped, even if it caught that and failed."""
        report = yield
        if self._started and report.failed:
            path, line, _ = report.location
            report.outcome, report.longrepr = "skipped", (path, line or 0, REASON)
        return report


def long_ones(items: list[pytest.Item], record: dict[str, float]) -> list[pytest.Item]:
    """Return those that take long."""
    return [item for item in items if record.get(function_of(item.nodeid), 0.0) >= LONG]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--quick", action="store_true", help="leave out tests that start processes or take long")


def pytest_configure(config: pytest.Config) -> None:
    """Listen from now on."""
    if config.getoption("--quick"):
        quick = Quick()
        sys.addaudithook(quick.look_at)
        config.pluginmanager.register(quick)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long."""
    left_out = set(long_ones(items, recorded())) if config.getoption("--quick") else set()
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
