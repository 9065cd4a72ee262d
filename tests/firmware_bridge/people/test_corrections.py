"""What is taken back and retracted, through the daemon: roles, alarms, records, panel, scene."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from drivers.panel.messages import Press
from drivers.wire import Spot
from firmware_bridge.inputs.panel_presses import command
from firmware_bridge.people.alarms_from_records import uncleared
from firmware_bridge.people.permissions import needed, to_clear
from firmware_bridge.shown.scene import scene
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.audit.journals import HEAD, ROUND, House
from tests.firmware_bridge.positions import table_after
from tests.firmware_bridge.table_with_roles import Post, at_post

DEALT = "fresh: no\nshoe: 9H 7D 6S KC TD 2C\n\nplace-bets\nbet 1 main 100\nno-more-bets\ndraw 1; draw dealer; draw 1\n"


def journal(state: Path, text: str) -> list[tuple[object, ...]]:
    """Play a text into a journal; the findings that its records hold, with the words about them."""

    async def play() -> list[tuple[object, ...]]:
        house = House(state, parse(HEAD, GAMES).header)
        house.plays(HEAD + text)
        house.pump.process_queue()
        connection = house.books.journal.connection
        found = connection.execute("SELECT code, clause, ruling FROM findings ORDER BY id").fetchall()
        said = connection.execute("SELECT what FROM rulings ORDER BY id").fetchall()
        rounds = connection.execute("SELECT number, outcome FROM rounds ORDER BY id").fetchall()
        house.leaves()
        return [tuple(found), tuple(what for (what,) in said), tuple(rounds)]

    return asyncio.run(play())


@pytest.mark.parametrize(
    ("said", "roles"),
    [
        ("stand 1", ("dealer",)),
        ("call uncovered", ("pit-supervisor",)),
        ("call uncovered; answer house continue", ("shift-manager",)),
        ("sensor-wrong 1", ("pit-supervisor",)),
    ],
)
def test_a_command_is_taken_back_by_who_may_give_it(said: str, roles: tuple[str, ...]) -> None:
    """A dealer undoes no manager's word, and a report is not withdrawn by the one it is about."""
    assert roles == needed(ev.TakeBack(), table_after(f"{DEALT}{said}\n"))


def test_retracting_and_distrusting_a_sensor_is_for_the_pit() -> None:
    """What was retracted has somebody behind it too."""
    table = table_after(DEALT)
    assert ("pit-supervisor",) == needed(ev.Retract("uncovered"), table) == needed(ev.SensorWrong(Place(1)), table)
    assert ("pit-supervisor",) == to_clear("box-short", "retracted")


def test_the_alarm_of_what_was_a_mistake_is_cleared_and_noted(tmp_path: Path) -> None:
    """With the reason, so that the journal alone tells it."""
    word = "retract uncovered"

    async def scenes(post: Post) -> None:
        dealer, pit = await post.client("dealer"), await post.client("pit-supervisor")
        for said in ("place-bets", "bet 1 main 100", "call uncovered"):
            assert {"ok": True} == await dealer.ask("say", statement=said)
        assert post.guard is not None
        (alarm,) = post.guard.alarms.open
        refused = f"'{word}' needs pit-supervisor: logged in as dealer"
        assert refused == (await dealer.ask("say", statement=word))["refused"]
        assert {"ok": True} == await pit.ask("say", statement=word)
        post.pump.process_queue()
        assert () == post.guard.alarms.open
        one = {"n": alarm.n, "code": "uncovered", "clause": "6.1", "times": 1}
        assert {"cleared": [one], "by": "daemon", "role": "", "reason": "retracted"} == post.notes()[-1]

    at_post(tmp_path, scenes)


def test_a_retracted_report_stands_in_the_record(tmp_path: Path) -> None:
    """With both words, without a clause; it is no alarm for anybody."""
    found, said, rounds = journal(tmp_path, ROUND.replace("stand 1", "call uncovered\nretract uncovered\nstand 1"))
    assert (("uncovered", "", "retracted"),) == found
    assert ("call uncovered", "retract uncovered") == said
    assert ((1, "settled"),) == rounds
    assert [] == uncleared(tmp_path)


def test_what_is_taken_back_stands_in_the_record_and_its_finding_does_not(tmp_path: Path) -> None:
    """Both words are the journal's, what followed from them is nobody's."""
    found, said, rounds = journal(tmp_path, ROUND.replace("stand 1", "call uncovered\ntake-back\nstand 1"))
    assert ((), ("call uncovered", "take-back"), ((1, "settled"),)) == (found, said, rounds)


def test_bets_opened_by_mistake_begin_no_record(tmp_path: Path) -> None:
    """The round before has its record once, and the next one its own number."""
    _, _, rounds = journal(tmp_path, ROUND + "place-bets\ntake-back\nplace-bets\nbet 1 main 10\ncall foreign-card\n")
    assert ((1, "settled"), (2, "void")) == rounds


def test_a_report_between_rounds_is_retracted_in_the_record(tmp_path: Path) -> None:
    """What a report has added to a signed record is not taken away; the record says that it was a mistake."""
    found, _, rounds = journal(tmp_path, ROUND + "call missing-burn\nexpect refused take-back\nretract missing-burn\n")
    assert {("missing-burn", "", "retracted")} == set(found[-1:])
    assert {(1, "settled")} == set(rounds)


def test_a_recorder_knows_a_finding_again(tmp_path: Path) -> None:
    """After something was taken back the table has other objects; what was said of them is filed as before."""
    text = "call uncovered\nanswer house continue\ntake-back\nanswer house continue\nstand 1"
    found, said, _ = journal(tmp_path, ROUND.replace("stand 1", text))
    assert ("call uncovered", "answer house continue", "take-back", "answer house continue") == said
    assert (("uncovered", "6.1", "refer"),) == found


def pressed(table: Table, option: int) -> ev.Command:
    """What CALL means with an option."""
    return command(table, Press(1, "call", option, Spot(0), 0))


def test_call_takes_back_and_retracts() -> None:
    """With its options, the report that was made last."""
    table = table_after(f"{DEALT}call uncovered\n")
    assert (ev.TakeBack(), ev.Retract("uncovered")) == (pressed(table, 2), pressed(table, 3))
    assert isinstance(pressed(table, 0), ev.Call)


def test_the_scene_offers_what_may_be_corrected() -> None:
    """With the roles, and the statement that is taken back."""
    calm = scene(table_after(f"{DEALT}stand 1\n"))["corrections"]
    assert [{"statement": "take-back", "of": "stand 1", "roles": ["dealer"]}] == calm
    held = scene(table_after(f"{DEALT}call uncovered\n"))["corrections"]
    assert [
        {"statement": "take-back", "of": "call uncovered", "roles": ["pit-supervisor"]},
        {"statement": "retract uncovered", "of": "", "roles": ["pit-supervisor"]},
    ] == held
    assert [] == scene(table_after(DEALT))["corrections"]
