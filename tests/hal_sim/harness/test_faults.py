"""The harness with pulled cables, cut power, noisy lines and people: nothing is lost, and all of it plays again."""

from __future__ import annotations

from hal_sim.table.sim_table import DAEMON, SimTable
from tests.hal_sim.harness.harness_rig import Page, check_recording

PLACED = ("place-bets", "bet 1 main 50", "bet 2 main 50", "no-more-bets", "draw burn")


def findings(page: Page) -> list[str]:
    """What the table has found, by its report."""
    return [one["code"] for told in page.report()["rounds"] for one in told["findings"]]  # type: ignore[attr-defined]


def test_the_power_is_cut_and_returns(page: Page, other: SimTable) -> None:
    """The daemon's process is killed; cards that are dealt in the dark count when it is back, and nothing else can."""
    page.table(seed=1, roles=False)
    page.act(*PLACED, "draw 1")
    before = page.player.at.pid(DAEMON)
    assert page.request("power", do="off")["ok"]
    assert not page.state()["power"]
    assert {"error"} <= page.post("/api/say", 503, id="in-the-dark", statement="draw 2").keys()
    for refused in ("stand 1", "draw", "unplug shoe", "restart"):
        assert "no power" in page.request("act", statement=refused)["refused"]
    assert "no power" in page.request("press", button="hit")["refused"]
    assert "plug the cables in and turn the power on first" == page.request("robot", playing=True)["refused"]
    assert [] == page.act("draw 2")
    assert page.request("power", do="on")["ok"]
    state = page.state()
    assert state["power"]
    assert before != page.player.at.pid(DAEMON)
    assert "power-failure" in findings(page)
    text = check_recording(page, other).splitlines()
    assert text.index("power-cut") + 1 == text.index("power-on")


def test_a_table_is_set_up_in_the_dark(page: Page) -> None:
    """Another table needs the power: it returns with it."""
    page.table(seed=2)
    page.act(*PLACED, "power-cut")
    page.table(seed=3)
    assert page.state()["power"]
    assert ["place-bets"] == page.act("place-bets")


def test_the_software_is_restarted(page: Page, other: SimTable) -> None:
    """The round goes on where it was."""
    page.table(seed=4)
    page.act(*PLACED, "draw 1")
    assert page.request("power", do="restart")["ok"]
    page.act("draw 2", "draw dealer")
    assert [] == findings(page)
    assert "restart" in check_recording(page, other).splitlines()


def test_a_cable_is_pulled_and_plugged_in(page: Page, other: SimTable) -> None:
    """What the device saw meanwhile stays in it and counts when it is back."""
    page.table(seed=5)
    page.act(*PLACED)
    assert ["unplug shoe"] == [one["event"] for one in page.request("cable", device="shoe", plugged=False)["seen"]]
    shown = {one["name"]: one for one in page.state()["devices"]}
    assert (False, True) == (shown["shoe"]["plugged"], shown["hub"]["plugged"])
    page.act("draw 1")
    assert 1 == next(one["kept"] for one in page.state()["devices"] if one["name"] == "shoe")
    assert page.request("cable", device="shoe", plugged=True)["ok"]
    assert "link-lost" in findings(page)
    check_recording(page, other)


def test_a_press_waits_in_an_unplugged_panel(page: Page, other: SimTable) -> None:
    """It means what it means when the daemon hears it."""
    page.table(seed=6)
    page.act("unplug panel")
    assert {"ok": True, "kept": True, "seen": []}.items() <= page.request("press", button="bets").items()
    assert "idle" == page.report()["state"]
    page.act("plug panel")
    assert "betting" == page.report()["state"]
    assert "place-bets" in check_recording(page, other).splitlines()


def test_noise_is_recorded(page: Page, other: SimTable) -> None:
    """It changes nothing but stands in the file."""
    page.table(seed=7)
    assert page.request("noise", device="hub", rate="0.001")["ok"]
    page.act(*PLACED)
    assert "noise hub 0.001" == page.state()["recording"]["last"][0]["text"]
    assert "noise hub 0.001" in check_recording(page, other).splitlines()


# --- people ----------------------------------------------------------------------------------------------------------


def test_roles(page: Page, other: SimTable) -> None:
    """A table with roles: hands deal, but what is a supervisor's to say a supervisor says, and clears the alarm."""
    page.table(seed=8, roles=True)
    page.until(lambda _: page.get("/api/session")["roles"])
    state = page.state()
    assert ["1111", "2222", "3333", "4444", "5555", "6666"] == [one["pin"] for one in state["people"]]
    page.act(*PLACED, "draw 1 = 9H", "draw 1 = 2D")
    refused = page.request("act", statement="reconstructed")["refused"]
    assert "needs pit-supervisor: nobody is logged in; say it at the console" in refused
    assert (
        403
        == page.client.post(
            "/api/say",
            json={"id": "nobody-here", "statement": "reconstructed"},
            headers={"X-Truedeal-Token": page.token},
        ).status_code
    )
    page.act("move 2D 1 2")
    page.login("dealer")
    assert "needs pit-supervisor" in page.say("reconstructed")["refused"]
    assert page.request("key", on=True)["ok"]
    assert page.state()["panel"]["key"]
    assert "needs pit-supervisor" in page.say("reconstructed")["refused"]  # the key is for the panel
    page.login("pit-supervisor")
    assert page.say("reconstructed")["ok"]
    page.login("dealer")
    page.act("draw dealer")
    scene = page.player.submit(lambda: page.player.at.control.ask(do="scene")).result(60)["scene"]
    assert ["misdealt-card"] == [alarm["code"] for alarm in scene["alarms"]]
    assert page.request("key", on=False)["ok"]
    assert "refused" in page.post("/api/clear", id="too-low-a-role", n=scene["alarms"][0]["n"], reason="seen")
    page.login("pit-supervisor")
    assert page.post("/api/clear", id="high-enough-1", n=scene["alarms"][0]["n"], reason="seen")["ok"]
    check_recording(page, other)


def test_the_robot_plays_at_a_table_with_roles(page: Page) -> None:
    """It speaks for everybody, and clears what it has raised."""
    page.refresh()
    page.table(seed=9, roles=True)
    assert page.request("robot", playing=True, any=1.0, speed="max")["ok"]
    page.until(lambda state: state["robot"]["rounds"] > 3)
    page.request("robot", playing=False, any=0.0)
    page.player.submit(page.player.game.clear_alarms).result(60)
    assert [] == page.player.submit(lambda: page.player.at.control.ask(do="status")).result(60)["alarms"]
    page.table(seed=10, roles=False)
    assert [] == page.state()["people"]
    assert not page.state()["table"]["roles"]
