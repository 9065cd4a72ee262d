"""How many presses a case takes: never more than it took, and printed beside that at the end of the run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.browsing import TOUCH, Chromium, Watched
from tests.browser.page_user import PageUser
from tests.browser.presses import BEFORE, CASES, counted
from tests.browser.served_table import House

#: What each case takes now.
NOW = {
    "a plain round with seven boxes": 12,
    "insurance on all seven": 9,
    "a double draw": 2,
    "a misdeal": 1,
    "a power cut": 1,
}


@pytest.mark.parametrize("case", CASES)
def test_presses_are_counted(
    case: str, chromium: Chromium, open_house: House, record_property: Callable[[str, object], None]
) -> None:
    """On the small screen at the table, by somebody who knows where everything stands."""
    watched = Watched(chromium.browser, open_house.address, TOUCH)
    watched.allow("status of 401", "status of 403", "status of 503")  # while the power cut lasts
    user = PageUser(watched)
    user.open()
    presses = counted(case, user.page, open_house.play, open_house.let_happen)
    assert [] == watched.close()
    record_property("table", f"presses for {case}: {BEFORE[case]} before, {presses} now")
    assert NOW[case] == presses
