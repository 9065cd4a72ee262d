"""What plays by itself at the harness: the robot with its dials, scenarios step by step or at any speed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from hal_sim.dealer.error_plan import KINDS
from tests.hal_sim.harness.harness_rig import BLACKJACK, Page, a_page, played_again, same
from tests.hal_sim.table.test_scenarios_on_hardware import playable

TEXT = """game: mbs-blackjack-v6
shoe: 5C | 9H 7D 6S KC TD 2C 8H 3S

place-bets
bet 1 main 100; bet 3 main 50
expect state betting
expect state idle
no-more-bets
draw burn
hit 1
draw 1
"""
SCENARIOS = 25


@pytest.fixture(scope="module")
def page(seed: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One page for all tests, with a folder of scenarios of its own."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "mine.deal").write_text(TEXT, encoding="utf-8")
    with a_page(seed, (folder,)) as page:
        yield page


def score(page: Page) -> dict[str, object]:
    """The scenario that is open."""
    found: dict[str, object] = page.state()["scenario"]
    return found


# --- scenarios -------------------------------------------------------------------------------------------------------


def test_the_list_of_scenarios(page: Page) -> None:
    """Demonstrations, the scenarios of the tests and of a folder that is named are there, each with its game."""
    files = page.get("/api/harness/scenarios")["scenarios"]
    assert {"demo", "scenarios", "incidents"} <= {one["folder"] for one in files}
    assert set(GAMES) <= {one["game"] for one in files}
    assert ["mine"] == [one["name"] for one in files if one["id"].endswith("/mine.deal")]


def test_step_by_step(page: Page) -> None:
    """Each step plays one statement; an expectation is shown as held or failed, a refusal ends it."""
    id_ = next(one["id"] for one in page.get("/api/harness/scenarios")["scenarios"] if one["name"] == "mine")
    assert page.request("scenario", do="open", id=id_)["ok"]
    assert ("place-bets", 4, 0, 9) == tuple(score(page)[name] for name in ("next", "line", "at", "of"))
    for _ in range(5):
        page.request("scenario", do="step")
    lines = score(page)["lines"]
    assert isinstance(lines, list)
    assert ["done", "done", "held", "failed", ""] == [line["state"] for line in lines[3:8]]
    assert "betting" in lines[6]["why"]
    for _ in range(9):
        page.request("scenario", do="step")
    now = score(page)
    assert (1, 1, True) == (now["held"], now["failed"], now["over"])
    assert str(now["ended"]).startswith("line 10: ")
    assert page.request("scenario", do="close")["ok"]
    assert None is page.state()["scenario"]
    assert "no scenario is open" == page.request("scenario", do="step")["refused"]


def test_scenarios_at_full_speed(page: Page, seed: int) -> None:
    """Any scenario ends in the report of the table in process, every expectation held, and is recorded."""
    page.request("robot", speed="max")
    for file in random.Random(seed).sample(playable(), SCENARIOS):
        text = file.read_text(encoding="utf-8")
        alone = play_text(text, "alone", GAMES)
        assert page.request("scenario", do="text", name=file.stem, text=text)["ok"]
        assert page.request("scenario", do="play")["ok"]
        page.until(lambda state: state["scenario"]["over"] and state["playing"] == "nobody")
        report = page.report()
        assert (file.name, report) == (file.name, {name: alone.report[name] for name in report})
        assert (file.name, len(alone.failures)) == (file.name, score(page)["failed"])
        if alone.error is None:
            assert (file.name, True) == (file.name, same(report, played_again(page.recording())))


def test_a_hand_stops_a_scenario(page: Page) -> None:
    """What is done by hand stops what plays by itself; the scenario can be gone on with."""
    page.request("robot", speed=0.01)
    page.request("scenario", do="text", text=TEXT)
    assert "scenario" == page.request("scenario", do="play")["state"]["playing"]
    page.until(lambda state: state["scenario"]["at"] == 1)
    assert "nobody" == page.request("act", statement="bet 2 main 25")["state"]["playing"]
    page.request("scenario", do="step")
    assert 2 == score(page)["at"]
    assert "nobody" == page.request("scenario", do="stop")["state"]["playing"]


# --- the robot -------------------------------------------------------------------------------------------------------


def test_the_robot_starts_and_stops(page: Page) -> None:
    """It plays rounds until it is stopped, and what it has played is recorded."""
    page.table(seed=21)
    assert page.request("robot", playing=True, speed="max")["ok"]
    page.until(lambda state: state["robot"]["rounds"] > 2)
    assert "nobody" == page.request("robot", playing=False)["state"]["playing"]
    assert same(page.report(), played_again(page.recording()))


def test_a_hand_interferes_with_the_robot(page: Page) -> None:
    """Whatever somebody does in the middle of a round, the robot finishes it, and the tables have not parted."""
    page.table(seed=22)
    chance = random.Random(22)
    deeds = ("draw 1", "draw dealer", "bet 3 main 25", "open-shoe", "stand 1", "pull 2", "restart", "absent 1")
    for deed in deeds:
        page.request("robot", playing=True, speed="max", any=0.5)
        page.until(lambda state: state["recording"]["count"] % 7 == chance.randint(0, 6))
        page.request("act", statement=deed)
        assert "nobody" == page.state()["playing"]
    before = page.state()["robot"]["rounds"]
    page.request("robot", playing=True)
    page.until(lambda state: state["robot"]["rounds"] > before + 2)
    page.request("robot", playing=False)
    assert "" == page.state()["message"]
    assert same(page.report(), played_again(page.recording()))


def test_every_dial(page: Page) -> None:
    """There is a dial for each kind of error; what is set is shown, and what is set to nothing is not."""
    assert [kind.name for kind in KINDS] == [one["name"] for one in page.get("/api/harness/about")["errors"]]
    page.table("rws-free-bet-2025", seed=23)
    page.request("robot", rates={kind.name: 0.05 for kind in KINDS}, any=0.1, speed=2)
    robot = page.state()["robot"]
    assert ({kind.name: 0.05 for kind in KINDS}, 0.1, 2.0) == (robot["rates"], robot["any"], robot["speed"])
    assert {kind.name for kind in KINDS} - {"missing-burn", "insurance-not-offered"} == set(robot["possible"])
    page.request("robot", rates={"double-draw": 1, "late-wager": 0}, any=0, speed="max", playing=True)
    page.until(lambda state: state["robot"]["rounds"] > 6)
    page.request("robot", playing=False, rates={})
    assert "double-draw" in [one["code"] for told in page.report()["rounds"] for one in told["findings"]]  # type: ignore[attr-defined]
    assert {} == page.state()["robot"]["rates"]


def test_the_terminal_is_told(page: Page) -> None:
    """Tables, rounds and findings are told there as they come."""
    page.table(seed=24)
    page.request("robot", playing=True, speed="max", any=1.0)
    page.until(lambda state: state["robot"]["rounds"] > 3)
    page.request("robot", playing=False, any=0)
    told = page.view.told
    begun = max(index for index, line in enumerate(told) if line.startswith("table "))
    assert f"({BLACKJACK}), seed 24" in told[begun]
    assert any(line.startswith("round 1: ") for line in told[begun:])
    assert any(line.startswith("! ") for line in told[begun:])
    scene = page.player.submit(page.player.scene).result(60)
    assert scene.notes[0].startswith("in a browser: http://127.0.0.1:")


def test_no_undealt_card_is_told(page: Page) -> None:
    """Neither the state nor the recording names a card that has not come out of the shoe."""
    page.table(seed=25, boxes=5)
    assert [] == [line for line in page.recording().splitlines() if line.startswith("shoe:")]
    page.act("place-bets", "bet 1 main 25", "no-more-bets", "draw burn", "draw 1")
    shoe = next(line for line in page.recording().splitlines() if line.startswith("shoe:"))
    assert 3 == len(shoe.split())
    assert (
        Path(page.client.get("/api/harness/recording").headers["content-disposition"].split('"')[1]).suffix == ".deal"
    )
