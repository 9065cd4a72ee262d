"""The harness by hand: every action is a statement or a press, is recorded, and plays again to the same report."""

from __future__ import annotations

import pytest

from gamecore.notation.lines import split
from gamecore.rules.games import GAMES
from hal_sim.table.sim_table import SimTable
from tests.hal_sim.harness.harness_rig import BLACKJACK, Page, check_recording
from tests.places import ROOT

DEMO = ROOT / "deploy" / "demo"


@pytest.mark.parametrize("game", GAMES)
def test_a_round_by_hand(page: Page, other: SimTable, game: str, seed: int) -> None:
    """A whole round of each game, statement by statement, is recorded as a file that gives the same report."""
    head, body = split((DEMO / f"{game}.deal").read_text(encoding="utf-8"))
    cards = next(line.text.partition(":")[2] for line in head if line.text.startswith("shoe:"))
    page.table(game, seed=seed, shuffling="machine")
    assert page.request("act", statement=f"load {cards.replace('|', ' ')}")["ok"]
    page.act("shuffle machine") if game == "rws-free-bet-2025" else None
    statements = [line.text for line in body if not line.text.startswith("expect")]
    page.act(*statements)
    assert "complete" == page.report()["state"]
    text = check_recording(page, other)
    assert f"game: {game}" in text.splitlines()


def test_presses_mean_what_the_daemon_says(page: Page, other: SimTable) -> None:
    """One press is enough; what it meant is in the answer and in the recording, and a refused one in neither."""
    page.table(seed=5)
    meant = [page.request("press", button="bets")["seen"][0]["event"]]
    page.act("bet 2 main 100")
    meant.append(page.request("press", button="bets")["seen"][0]["event"])
    page.act("draw burn = 5C", "draw 2 = 9H", "draw dealer = 6S", "draw 2 = 2D")
    meant.append(page.request("press", button="offer", option=2)["seen"][0]["event"])
    meant.append(page.request("press", button="close")["seen"][0]["event"])
    refused = page.request("press", button="split")
    meant.append(page.request("press", button="double", amount="100")["seen"][0]["event"])
    page.act("draw 2 = TC", "draw dealer = TD", "draw dealer = TH")
    meant.append(page.request("press", button="settle")["seen"][0]["event"])
    assert [
        "place-bets",
        "no-more-bets",
        "offer surrender",
        "close surrender",
        "double 2 100",
        "settle",
    ] == meant
    assert "split 2" == refused["seen"][0]["event"]
    assert refused["refused"]
    text = check_recording(page, other)
    assert "split" not in text
    assert "double 2 100" in text.splitlines()
    listed = page.state()["recording"]["last"]
    assert ["split 2"] == [one["text"] for one in listed if one["refused"]]


def test_several_cards_in_one_pull(page: Page, other: SimTable) -> None:
    """Two cards at once are dropped at a place; what is asked is answered at the console, and all is recorded."""
    page.table(seed=9)
    page.act("place-bets", "bet 1 main 50", "bet 2 main 50", "no-more-bets", "draw burn")
    events = [seen["event"] for seen in page.request("pull", count=2, show=1, place="1")["seen"]]
    assert ["pull 2", "disclose ??", "lay ?? 1", "lay ?? 1"] == events
    assert "held" == page.report()["state"]
    scene = page.player.submit(lambda: page.player.at.control.ask(do="scene")).result(60)["scene"]
    for _ in range(10):
        if scene["state"] != "held":
            break
        asked = [one["statement"] for ask in scene["asks"] for one in ask["answers"]]
        duties = [one["statement"] for one in scene["duties"] if not one["statement"].startswith("absent")]
        assert page.say((asked or duties)[0])["ok"]
        scene = page.player.submit(lambda: page.player.at.control.ask(do="scene")).result(60)["scene"]
    check_recording(page, other)


def test_a_reconstruction_by_moving_cards(page: Page, other: SimTable) -> None:
    """A misdealt card is carried back by hand, a person says so at the console, and the round goes on."""
    page.table(seed=3)
    page.act("place-bets", "bet 1 main 50", "bet 2 main 50", "no-more-bets", "draw burn", "draw 1 = 9H", "draw 1 = 2D")
    assert "held" == page.report()["state"]
    assert ["lift ?? 1", "lay ?? 2 exposed"] == page.act("move 2D 1 2")
    assert page.say("reconstructed")["ok"]
    page.act("draw dealer")
    text = check_recording(page, other)
    assert {"lift 2D 1", "lay 2D 2 exposed"} <= set(text.splitlines())
    assert "reconstructed" in text.splitlines()


def test_a_hidden_card_is_moved_without_being_known(page: Page, other: SimTable) -> None:
    """A squeezed card is taken by its number at its place; no answer, and nothing that the page is told, names it."""
    page.table("rws-free-bet-2025", seed=3)
    page.act("place-bets", "bet 1 main 50", "bet 2 main 50", "no-more-bets", "squeeze 1", "draw 1 = 9H", "draw 2 = 3C")
    page.act("draw dealer = 7S", "draw 1 = 4D", "draw 2 = 5S")
    answer = page.request("act", statement="move ?? 1 2", index=1)
    assert ["lift ?? 1", "lay ?? 2 exposed"] == [one["event"] for one in answer["seen"]]
    assert not {"9H", "4D"} & set(str(answer).replace("'", " ").split())
    assert {"lift 4D 1", "lay 4D 2 exposed"} <= set(check_recording(page, other).splitlines())


def test_chips_and_counts_and_the_shoe(page: Page, other: SimTable) -> None:
    """What the other devices see is a statement too."""
    page.table("mbs-pontoon-v5", seed=3)
    left = page.state()["shoe"]["left"]
    page.act("place-bets", "bet 1/2 main 50", "unbet 1/2 main", "bet 1 main 50", f"shoe-count {left}", "no-more-bets")
    page.act("draw burn", "cut-card", "draw 1", "draw dealer", "draw 1", "open-shoe")
    state = page.state()
    assert ("out", left - 4) == (state["shoe"]["cutting_card"]["is"], state["shoe"]["left"])
    check_recording(page, other)


def test_what_is_said_at_the_console_is_recorded(page: Page, other: SimTable) -> None:
    """No matter who speaks: the recording is what the daemon's journal holds."""
    page.table(seed=4)
    for statement in ("place-bets", "seat 2/1 ann", "bet 2 main 25 by ann", "no-more-bets"):
        assert page.say(statement)["ok"]
    page.act("draw burn")
    assert "seat 2/1 ann" in check_recording(page, other).splitlines()


@pytest.mark.parametrize("sensors", [[], ["shoe"], ["shoe", "positions-count", "bets"], ["shoe", "positions", "panel"]])
def test_tables_with_few_sensors(page: Page, other: SimTable, sensors: list[str]) -> None:
    """What no sensor sees is told at the console, by the same statements."""
    page.table(sensors=sensors, boxes=5, seed=6)
    page.act("place-bets", "bet 3 main 50", "no-more-bets", "draw burn", "draw 3", "draw dealer", "draw 3")
    assert (5, sensors) == (page.state()["table"]["boxes"], page.state()["table"]["sensors"])
    check_recording(page, other)


@pytest.mark.parametrize(
    ("what", "body", "said"),
    [
        ("act", {"statement": "drwa 1"}, "did you mean 'draw'?"),
        ("act", {"statement": "draw 9"}, "there is no box 9"),
        ("act", {"statement": ""}, "is no statement"),
        ("act", {"statement": "expect void"}, "nothing happens by it"),
        ("act", {"statement": "pull 2 show 9H"}, "say how many"),
        ("act", {}, "statement: expected a text"),
        ("act", {"statement": "draw 1", "index": "x"}, "index: expected a whole number"),
        ("pull", {"count": 1}, "count: expected 2 to"),
        ("press", {"button": "coffee"}, "button: expected one of bets"),
        ("press", {"button": "hit", "place": "x"}, "'x' is no place"),
        ("press", {"button": "insure", "amount": "much"}, "much"),
        ("key", {"on": "yes"}, "on: expected true or false"),
        ("cable", {"device": "toaster", "plugged": False}, "toaster"),
        ("power", {"do": "explode"}, "do: expected one of on, off, restart"),
        ("noise", {"device": "shoe", "rate": "7"}, "'7' is no rate"),
        ("robot", {"any": 2}, "any: expected a rate"),
        ("robot", {"rates": {"coffee": 1}}, "rates: expected"),
        ("robot", {"speed": 0}, "speed: expected a number"),
        ("scenario", {"do": "dance"}, "do: expected open"),
        ("scenario", {"do": "open", "id": "0/../../README.md"}, "there is no such scenario"),
        ("scenario", {"do": "open", "id": "0/nothing.deal"}, "cannot be read"),
        ("scenario", {"do": "text", "text": "game: poker\n\n"}, "line 1"),
        ("table", {"game": "poker"}, "game: expected one of"),
        ("table", {"game": BLACKJACK, "boxes": 9}, "boxes: 9 is not possible"),
        ("table", {"game": BLACKJACK, "sensors": ["nose"]}, "sensors: expected"),
    ],
)
def test_what_is_no_such_thing_is_told(page: Page, what: str, body: dict[str, object], said: str) -> None:
    """A request that means nothing changes nothing, and is answered with what was expected."""
    assert said in page.request(what, 400, **body)["error"]


def test_a_forged_request_reaches_nothing(page: Page) -> None:
    """The console's policy stands before the harness: without the session's token nothing is done."""
    answer = page.client.post("/api/harness/act", json={"statement": "place-bets"})
    assert 403 == answer.status_code
