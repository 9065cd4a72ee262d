"""Following the loud line of the page, and nothing else, plays every round to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import KINDS, Kind
from tests.browser.browsing import TOUCH, Chromium, Watched
from tests.browser.conftest import Visit
from tests.browser.line_follower import PageFollower
from tests.browser.page_user import PageUser
from tests.browser.served_table import House
from tests.firmware_bridge.shown.advice_follower import Follower

Follow = Callable[..., PageFollower]
ROUNDS, SOAKED = 5, 500
AT_A_TABLE = 50
"""Rounds of one seed: 500 rounds are ten tables, and each of them can be run by itself."""
SOAKS = [
    pytest.param(AT_A_TABLE, begun, marks=pytest.mark.soak, id=f"{AT_A_TABLE}-from-{begun}")
    for begun in range(0, SOAKED, AT_A_TABLE)
]
SEEDS = 40
MOST_ROUNDS, SHORT = 3, 24
"""Of rounds with an irregularity in the last of them; so many lines are short enough to be followed in a browser."""

LEFT = {"insufficient-cards": 20}
"""Cards in the shoe, where it must soon be empty."""

PREVENTED = frozenset({"cut-card-passed"})
"""What does not come to it: the line says to shuffle first."""


@pytest.fixture
def follow(chromium: Chromium, open_house: House) -> Iterator[Follow]:
    """Open the page at 800x480, and follow its line at a table of a game and a seed."""
    watched = Watched(chromium.browser, open_house.address, TOUCH)
    watched.allow("status of 401", "status of 403", "status of 503")  # while a power cut lasts
    user = PageUser(watched)
    user.open()
    yield lambda game, seed, left=None: PageFollower(game, seed, user, open_house, left=left)
    assert [] == watched.close()


@pytest.mark.parametrize(("rounds", "begun"), [pytest.param(ROUNDS, 0, id=str(ROUNDS)), *SOAKS])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_rounds_by_the_visible_line_alone(game: str, rounds: int, begun: int, seed: int, follow: Follow) -> None:
    """Nothing is refused and nothing found, whatever the Players wager and decide."""
    follower = follow(game, seed + begun)
    for _ in range(rounds):
        follower.play_round()
    assert [] == follower.shadow.found
    assert "" == follower.differs()


def has_found(follower: Follower, kind: Kind) -> bool:
    """Whether the table has found what such an irregularity leads to; nothing where the line prevents it."""
    found = {finding.code for finding in follower.shadow.found}
    return not found if kind.name in PREVENTED else not kind.code or kind.code in found


def chance_for(kind: Kind, seed: int) -> tuple[str, int, int]:
    """A game and a seed whose rounds soon give a chance for an irregularity, and how many there are of them."""
    games = [game for game, rules in sorted(GAMES.items()) if kind.possible(rules)]
    first = KINDS.index(kind) % len(games)
    found: dict[int, tuple[str, int, int]] = {}
    for game in (*games[first:], *games[:first]):
        for number in range(seed, seed + SEEDS):
            follower = Follower(game, number, left=LEFT.get(kind.name), at_buttons=True)
            for played in range(1, MOST_ROUNDS + 1):
                if follower.play_round(kind) and has_found(follower, kind):
                    found.setdefault(len(follower.lines), (game, number, played))
                    break
            if found and min(found) <= SHORT:
                return found[min(found)]
    return found[min(found)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_visible_line_leads_from_each_to_a_free_table(kind: Kind, seed: int, follow: Follow) -> None:
    """Each irregularity once: the page asks, somebody does so, and the next round can begin."""
    game, chosen, rounds = chance_for(kind, seed)
    follower = follow(game, chosen, LEFT.get(kind.name))
    assert [follower.play_round(kind) for _ in range(rounds)][-1]
    assert has_found(follower, kind)
    assert "" == follower.differs()
    assert follower.look().key in {"open", "open-void"}


TOLD = """game: mbs-blackjack-v6
fresh: no
shoe: 9H 7D 6S KC TD

place-bets
bet 1 main 100; bet 3 main 50
no-more-bets
draw 1; draw 3; draw dealer
call foreign-card
"""


def test_with_roles_the_visible_line_leads_through_confirmation_count_and_clearing(house: House, visit: Visit) -> None:
    """A void that a person told: each line is read on the page, and what it asks for is done by those it names."""
    house.play(TOLD)
    user = visit(role="dealer", size=TOUCH)
    line = user.page.locator("[data-test=alarm-advice]")
    expect(line).to_contain_text("Void: Pit Manager to confirm")
    user.test("alarm-login").click()
    user.fill_login("pit-manager")
    user.press(user.test("duty", statement="approve pit-manager"))
    expect(line).to_contain_text("Take the set out and count it")
    expect(user.page.locator(".alarm .shoe")).to_have_attribute("data-locked", "true")
    house.let_happen("shuffle machine", "load")
    expect(line).to_contain_text("Alarm open: Pit Manager to clear it")
    user.test("clear-open").click()
    assert user.sent(user.test("clear", reason="counted"), "clear")["ok"] is True
    expect(user.test("alarm")).to_have_count(0)
    expect(user.test("advice")).to_contain_text("Round void: return wagers, open bets")
    user.say("place-bets")
    user.stands("betting")


def test_while_the_set_is_to_be_counted_the_page_opens_no_bets(open_house: House, visit: Visit) -> None:
    """MBS 5.1.1: without roles no alarm stays, and the page still asks for the set before the next round."""
    open_house.play(TOLD.replace("call foreign-card", "draw 1 = JOKER"))
    user = visit(at=open_house.address, size=TOUCH)
    expect(user.test("advice")).to_contain_text("Take the set out and count it")
    expect(user.page.locator(".cell-bets")).to_have_attribute("aria-disabled", "true")
    user.page.locator(".cell-bets").dispatch_event("click")
    expect(user.test("toast")).to_contain_text("Take the set out and count it")
    assert "void" == open_house.scene()["state"]
    open_house.let_happen("shuffle machine", "load")
    user.say("place-bets")
    user.stands("betting")
