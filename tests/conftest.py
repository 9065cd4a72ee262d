"""What every test shares: the seed of the run, the profile of hypothesis, the skipping of tests that need root.

1. All chance in a run comes from one seed: TRUEDEAL_SEED, or a fresh one. It is printed at the start, so that any run
   can be repeated.
2. The seed is put back into the environment, where the workers of pytest-xdist and programs that tests start find it.
3. Hypothesis gets the same seed, and prints with a failure the line that repeats that failure alone. With a seed it
   keeps no examples from earlier runs, so that the seed alone decides what a run tries.
4. A table that a test records (`record_property("table", …)`) is printed at the end of the run, whatever worker ran it.
5. Files with long tests come first (`longest`); `--quick` leaves out long tests and what starts processes (`quick`).
"""

import os
import secrets

import pytest
from hypothesis import settings

from tests.longest import put_longest_first, recorded, write_record

pytest_plugins = ["tests.quick"]

# No deadline: a busy machine is not a failure.
settings.register_profile("truedeal", print_blob=True, deadline=None)
settings.load_profile("truedeal")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--record-longest", action="store_true", help="write tests/longest.json at the end of a whole run")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Decide the seed before hypothesis' own plugin reads its option."""
    seed = os.environ.setdefault("TRUEDEAL_SEED", str(secrets.randbelow(2**32)))
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = seed


def pytest_report_header() -> str:
    """Print the seed, and how to repeat the run."""
    return f"seed: TRUEDEAL_SEED={os.environ['TRUEDEAL_SEED']}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take longest; skip what needs root."""
    put_longest_first(items, recorded())
    if os.geteuid() == 0:
        return
    for item in items:
        if item.get_closest_marker("root"):
            item.add_marker(pytest.mark.skip(reason="needs root"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests have recorded, and write down which tests took longest if that is wanted."""
    ended = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    for report in ended:
        for name, value in report.user_properties:
            if name == "table":
                terminalreporter.write_line(str(value))
    if terminalreporter.config.getoption("--record-longest"):
        write_record([*ended, *terminalreporter.getreports("")])  # the last are setting up and taking down


@pytest.fixture(scope="session")
def seed() -> int:
    """Return the seed of this run."""
    return int(os.environ["TRUEDEAL_SEED"])
