"""What the browser tests share: one chromium and one served table for a worker, a fresh context for each test.

Without chromium these tests are skipped, each by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.browser.browsing import DESK, TOUCH, Chromium, Watched, found
from tests.browser.harness_user import Hands, Sim
from tests.browser.page_user import PageUser
from tests.browser.served_table import House

Visit = Callable[..., PageUser]


@pytest.fixture(scope="session")
def one_chromium(request: pytest.FixtureRequest) -> Iterator[Chromium]:
    """The browser of this worker; none in a quick run, where no process is started."""
    if found() is None or request.config.getoption("--quick"):
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


@pytest.fixture(scope="session")
def open_house(one_chromium: Chromium, seed: int) -> Iterator[House]:
    """The served table without roles of this worker."""
    del one_chromium
    with House(seed, is_open=True) as served:
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
    ) -> PageUser:
        touched = size == TOUCH  # the screen at the table has no pointer but a finger
        watched = Watched(chromium.browser, at or house.address, size, device_scale_factor=scale, has_touch=touched)
        opened.append(watched)
        user = PageUser(watched, lang)
        if role:
            user.enter(role)
        user.open(route)
        return user

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
    """The harness page on a large screen, where nobody plays."""
    watched = Watched(chromium.browser, sim.address, DESK)
    user = PageUser(watched)
    user.open("harness")
    yield Hands(user)
    assert [] == watched.close()
