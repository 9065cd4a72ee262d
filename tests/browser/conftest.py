"""What the browser tests share: one chromium and one served table for a worker, a fresh context for each test.

Without chromium these tests are skipped, each by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.browser.browsing import DESK, Chromium, Watched, found
from tests.browser.harness_user import Hands, Sim
from tests.browser.page_user import Desk
from tests.browser.served_table import House

Visit = Callable[..., Desk]


@pytest.fixture(scope="session")
def one_chromium() -> Iterator[Chromium]:
    """The browser of this worker."""
    if found() is None:
        pytest.skip("needs chromium")
    chromium = Chromium()
    try:
        yield chromium
    finally:
        chromium.close()


@pytest.fixture
def chromium(one_chromium: Chromium) -> Iterator[Chromium]:
    """The browser, for the length of one test."""
    with one_chromium.used():
        yield one_chromium


@pytest.fixture(scope="session")
def house(one_chromium: Chromium, seed: int) -> Iterator[House]:
    """The served table with roles of this worker; none is started where there is no browser."""
    del one_chromium
    with House(seed) as served:
        yield served


@pytest.fixture
def visit(chromium: Chromium, house: House) -> Iterator[Visit]:
    """Open the console in a browser of its own: `visit(role="dealer", route="table", size=TOUCH)`."""
    opened: list[Watched] = []

    def visiting(
        *,
        role: str = "",
        route: str = "table",
        size: tuple[int, int] = DESK,
        lang: str = "en",
        at: str = "",
        scale: float = 1.0,
    ) -> Desk:
        watched = Watched(chromium.browser, at or house.address, size, device_scale_factor=scale)
        opened.append(watched)
        desk = Desk(watched, lang)
        if role:
            desk.enter(role)
        desk.open(route)
        return desk

    yield visiting
    wrong = [said for watched in opened for said in watched.close()]
    assert [] == wrong


@pytest.fixture(scope="session")
def sim(one_chromium: Chromium, seed: int) -> Iterator[Sim]:
    """The harness of this worker."""
    del one_chromium
    with Sim(seed) as simulated:
        yield simulated


@pytest.fixture
def hands(chromium: Chromium, sim: Sim) -> Iterator[Hands]:
    """The harness page on a desk, where nobody plays."""
    watched = Watched(chromium.browser, sim.address, DESK)
    desk = Desk(watched)
    desk.open("harness")
    yield Hands(desk)
    assert [] == watched.close()
