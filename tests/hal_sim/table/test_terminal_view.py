"""What the simulated table shows, and how fast the robot goes about it."""

from __future__ import annotations

import io
import os
import time

import pytest

from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import DEALER, Place
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Draw, Load
from gamecore.rules.games import GAMES
from gamecore.table import Table
from hal_sim.dealer.robot_dealer import a_header
from hal_sim.dealer.robot_sitting import Pace, agrees
from hal_sim.table.terminal_view import Lines, Link, Panel, Scene, Screen, finding_line, picture

RWS = "rws-free-bet-2025"


def a_scene() -> Scene:
    """A squeezed box, an open one and an upcard, after a foreign wager arrived late."""
    table = Table(GAMES[RWS], table_config(a_header(GAMES, RWS, 1)))
    for event in (
        ev.PlaceBets(),
        ev.WagerPlaced(Place(2, 0, 1), "main", 50_00),
        ev.WagerPlaced(Place(4, 0, 1), "main", 25_00),
        ev.WagerPlaced(Place(4, 0, 1), "rws-pairs", 5_00),
        ev.NoMoreBets(),
        ev.Squeeze(2),
    ):
        table.apply(event)
    for text, place in (("KD", Place(2)), ("7S", Place(4)), ("AC", DEALER)):
        table.apply(ev.CardDrawn(card(text)))
        table.apply(ev.CardLaid(card(text), place))
    table.apply(ev.WagerPlaced(Place(1, 0, 1), "main", 100_00))
    findings = [finding_line(finding) for finding in table.view().round.findings]
    panel = Panel((0, 2, 0, 1), "CARD TO BOX 2", "", alarm=False, locked=False)
    links = [Link("shoe", True, 3, 0, 0), Link("hub", False, 7, 2, 1)]
    return Scene("a table", table, panel, links, findings, ["draw 4", "bet 1/1 main 100"], "1 round")


def test_the_picture_of_a_table() -> None:
    """Panel, lamps, state, hands, wagers, findings with ruling and clause, statements, pace and links are there."""
    lines = [line.text.rstrip() for line in picture(a_scene())]
    for wanted in (
        "a table",
        f"panel  |{'CARD TO BOX 2':40}|  no alarm",
        f"       |{'':40}|  shoe free",
        "lamps  1.  2*  3.  4o",
        "state  initial-deal, next card 2",
        f"Dealer   {'AC':24} soft 11",
        f"Box 4    {'7S':24}       7  25.00, rws-pairs 5.00",
        "! late-wager at 1/1: refuse-wager (5.8)",
        "  bet 1/1 main 100",
        "1 round",
        "shoe     up         3 events, 0 waiting, 0 damaged",
        "hub      DOWN       7 events, 2 waiting, 1 damaged",
    ):
        assert wanted in lines


def test_a_card_face_down_is_not_shown() -> None:
    """Of a squeezed hand neither card nor total is told."""
    assert f"Box 2    {'??':24}          50.00" in [line.text for line in picture(a_scene())]


def test_nothing_is_wider_or_longer_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are cut at the terminal's edge and below its last row; colour only where it is wanted."""
    monkeypatch.setattr("shutil.get_terminal_size", lambda **_: os.terminal_size((20, 8)))
    stream = io.StringIO()
    with Screen(stream, colour=False) as screen:
        screen.refresh(a_scene, now=True)
    drawn = stream.getvalue().removeprefix("\x1b[?1049h\x1b[?25l\x1b[H").removesuffix("\x1b[J\x1b[?25h\x1b[?1049l")
    lines = drawn.replace("\x1b[K", "").split("\n")
    assert 7 == len(lines)
    assert 19 == max(map(len, lines))
    assert "\x1b" not in "".join(lines)


def test_the_screen_is_not_redrawn_too_often() -> None:
    """A scene is not even made while the last drawing is fresh."""
    now = [100.0]
    made = []

    def scene() -> Scene:
        made.append(now[0])
        return a_scene()

    screen = Screen(io.StringIO(), colour=True, clock=lambda: now[0])
    for seconds in (100.0, 100.05, 100.11, 100.15, 100.3):
        now[0] = seconds
        screen.refresh(scene)
    assert [100.0, 100.11, 100.3] == made


def test_plain_lines_are_what_was_told() -> None:
    """Elsewhere than on a terminal only news is printed."""
    stream = io.StringIO()
    with Lines(stream) as lines:
        lines.refresh(a_scene)
        lines.show_line("round 1")
    assert "round 1\n" == stream.getvalue()


@pytest.mark.parametrize(("speed", "seconds"), [(1.0, 5.0), (5.0, 1.0), (None, 0.0)])
def test_a_card_a_second(speed: float | None, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """At 1x two cards and a load take five seconds, at 5x one, at max none; the time that playing takes counts."""
    now, idle = [100.0], []

    def sleep(slept: float) -> None:
        now[0] += slept

    monkeypatch.setattr(time, "sleep", sleep)
    pace = Pace(speed, lambda: now[0])
    for what in (Draw(), Draw(), Load()):
        now[0] += 0.01  # what playing takes
        pace.wait_until_due(what, lambda: idle.append(now[0]))
    took = now[0] - 100.0
    assert max(seconds, 0.03) == pytest.approx(took, abs=0.011)
    assert len(idle) >= 3


def test_reports_agree_as_far_as_the_daemons_reaches() -> None:
    """The daemon keeps only the last rounds: those are compared, with all that stands beside them."""
    own: dict[str, object] = {"state": "complete", "rounds": [1, 2, 3]}
    assert agrees({"state": "complete", "rounds": [2, 3]}, own)
    assert agrees({"state": "complete", "rounds": []}, own)
    assert agrees(own, own)
    assert not agrees({"state": "complete", "rounds": [1, 2]}, own)
    assert not agrees({"state": "void", "rounds": [3]}, own)
