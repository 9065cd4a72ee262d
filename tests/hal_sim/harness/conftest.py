"""What the tests of the harness share: a page, and a table where recordings are played again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hal_sim.table.sim_table import SimTable
from tests.hal_sim.harness.harness_rig import Page, a_page


@pytest.fixture(scope="module")
def page(seed: int) -> Iterator[Page]:
    """One page for all tests, each of which sets up its own table."""
    with a_page(seed) as page:
        yield page


@pytest.fixture(scope="module")
def other(seed: int) -> Iterator[SimTable]:
    """Another simulated table, where recordings are played again."""
    with SimTable(seed=seed + 1) as table:
        yield table
