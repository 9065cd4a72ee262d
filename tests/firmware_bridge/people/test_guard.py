"""A table with roles over a real socket: logins, permissions, the key switch, alarms; each an event of the journal."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from drivers.faults import UNPLUGGED, Fault
from drivers.panel import Alarm, KeySwitch, Press, Text
from drivers.shoe import CardOut, Lock, Unlock
from drivers.wire import Spot
from firmware_bridge.journal import schema
from firmware_bridge.shown.news_type import News
from tests.firmware_bridge.table_with_roles import PIN, Post, at_post

ORIGIN = f"uid {os.getuid()}"
HELD = ("place-bets", "call uncovered")


def press(button: str, option: int = 0) -> Press:
    """Return a press of a button."""
    return Press(1, button, option, Spot(0), 0)


async def hold(post: Post) -> None:
    """Let a dealer open a round that is then held."""
    dealer = await post.client("dealer")
    for statement in HELD:
        assert {"ok": True} == await dealer.ask("say", statement=statement)


# --- logins ----------------------------------------------------------------------------------------------------------


def test_a_login_gives_its_role_to_this_connection_alone(tmp_path: Path) -> None:
    """It is noted, and ends with a logout."""

    async def scene(post: Post) -> None:
        first, second, reader = await post.client("dealer"), await post.client(), await post.reader()
        assert ("dealer", None) == ((await first.ask("status"))["role"], (await reader.ask("status"))["role"])
        assert {"ok": True} == await first.ask("say", statement="place-bets")
        refused = "'say' needs a login: nobody is logged in"
        assert refused == (await second.ask("say", statement="no-more-bets"))["refused"]
        assert {"ok": True} == await first.ask("logout")
        assert refused == (await first.ask("say", statement="no-more-bets"))["refused"]
        post.pump.process_queue()
        assert [
            {"login": "the dealer", "role": "dealer", "origin": ORIGIN},
            {"logout": "the dealer"},
        ] == post.notes()
        said = [(row.person, row.role, row.how) for row, _ in post.journal.rows() if row.kind == schema.EVENT]
        assert [("the dealer", "dealer", "told")] == said

    at_post(tmp_path, scene)


def test_a_failed_login_ends_the_one_before(tmp_path: Path) -> None:
    """Anyone who claims to be somebody else is nobody until they have proved it."""

    async def scene(post: Post) -> None:
        client = await post.client("dealer")
        await client.ask("login", name="the shift-manager", pin="0000")
        assert "'status' needs a login: nobody is logged in" == (await client.ask("status"))["refused"]

    at_post(tmp_path, scene)


@pytest.mark.parametrize("pin", [4711, None, ["4711"], {"4711": 1}])
def test_a_pin_that_is_no_text_is_not_repeated(tmp_path: Path, pin: object) -> None:
    """The error says what was expected alone."""

    async def scene(post: Post) -> None:
        client = await post.client()
        assert {"error": "pin: expected a text"} == await client.ask("login", name="the dealer", pin=pin)

    at_post(tmp_path, scene)


def test_without_roles_everything_is_allowed(tmp_path: Path) -> None:
    """Nobody needs to log in, nobody can, and no alarm waits to be cleared."""

    async def scene(post: Post) -> None:
        client = await post.client()
        for statement in (*HELD, "answer house continue"):
            assert {"ok": True} == await client.ask("say", statement=statement)
        assert "refused" in await client.ask("login", name="the dealer", pin=PIN)
        assert "refused" in await client.ask("clear", reason="looked at")
        assert Alarm(on=False) == post.devices["panel"].told["Alarm"]
        assert None is await post.says("panel", KeySwitch(on=True))
        assert [{"key-switch": "on"}] == post.notes()

    at_post(tmp_path, scene, people=())


# --- permissions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["", "surveillance", "engineer"])
def test_who_only_reads_reads_everything_and_commands_nothing(tmp_path: Path, role: str) -> None:
    """Every reading request is answered, every command refused."""

    async def scene(post: Post) -> None:
        client = await post.client(role) if role else await post.reader()
        for do in ("status", "rounds", "health", "scene"):
            assert {"refused", "error"}.isdisjoint(await client.ask(do))
        for statement in ("place-bets", "place 3", "call uncovered", "approve shift-manager", "bet 1 main 50"):
            assert ["refused", "refusal"] == list(await client.ask("say", statement=statement))
        assert "idle" == post.pump.table.state.value

    at_post(tmp_path, scene)


def test_an_answer_of_the_house_and_an_approval_need_their_role(tmp_path: Path) -> None:
    """A lower role is told which one is needed, and nothing has changed."""

    async def scene(post: Post) -> None:
        await hold(post)
        manager = await post.client("pit-manager")
        for statement in ("answer house continue", "approve shift-manager"):
            refused = f"'{statement}' needs shift-manager: logged in as pit-manager"
            assert refused == (await manager.ask("say", statement=statement))["refused"]
        assert "held" == post.pump.table.state.value
        shift = await post.client("shift-manager")
        assert {"ok": True} == await shift.ask("say", statement="approve shift-manager")
        assert "betting" == post.pump.table.state.value

    at_post(tmp_path, scene)


def test_a_card_is_told_to_those_who_see_all_cards(tmp_path: Path) -> None:
    """Others hear that one was drawn, not which: it may lie face down."""

    async def scene(post: Post) -> None:
        dealer, eye = await post.client("dealer"), await post.client("surveillance")
        for statement in ("place-bets", "bet 3 main 50", "no-more-bets"):
            await dealer.ask("say", statement=statement)
        await dealer.ask("watch")
        await eye.ask("watch")
        await post.says("shoe", CardOut("KD#A1", 0, face_up=False))
        told = [(await client.read())["seen"]["event"] for client in (dealer, eye)]
        assert ["draw = ??", "draw = KD#A1"] == told
        assert (["??"], ["KD#A1"]) == tuple([(await client.ask("status"))["on_table"] for client in (dealer, eye)])

    at_post(tmp_path, scene)


# --- the key switch --------------------------------------------------------------------------------------------------


def test_a_press_that_needs_the_supervisor_needs_the_key(tmp_path: Path) -> None:
    """Without it the display says so, the journal has a row of its own, and the table does not hear of it."""

    async def scene(post: Post) -> None:
        await hold(post)
        refused = await post.says("panel", press("done", 2))
        assert "'cannot-reconstruct' needs shift-manager: say it at the console" == refused
        row = [row for row, _ in post.journal.rows()][-1]
        said = {"said": "cannot-reconstruct", "refused": refused}
        assert (schema.REFUSED, "panel", "dealer", said) == (row.kind, row.person, row.role, json.loads(row.body or ""))
        shown = post.devices["panel"].told["Text"]
        assert isinstance(shown, Text)
        assert "needs" in shown.upper + shown.lower

    at_post(tmp_path, scene)


def test_the_key_switch_is_off_when_it_is_turned_or_unseen(tmp_path: Path) -> None:
    """Each turn is noted; a panel that is lost has no key in it."""

    async def scene(post: Post) -> None:
        for on in (True, False, True):
            await post.says("panel", KeySwitch(on=on))
            assert post.pump.guard is not None
            assert (on, on) == (post.pump.guard.key, post.pump.guard.key_counts)
        post.reports.down("panel", Fault(UNPLUGGED, "gone"))
        assert post.pump.guard is not None
        assert not post.pump.guard.key
        assert not post.pump.guard.key_counts
        assert ["on", "off", "on"] == [note["key-switch"] for note in post.notes() if "key-switch" in note]

    at_post(tmp_path, scene)


# --- alarms ----------------------------------------------------------------------------------------------------------


def test_an_alarm_stays_after_the_hold_until_it_is_cleared_with_a_reason(tmp_path: Path) -> None:
    """The shoe is free when the round goes on; the alarm is off when the right role has cleared it."""

    async def scene(post: Post) -> None:
        await hold(post)
        panel, shoe = post.devices["panel"].told, post.devices["shoe"].told
        assert (Alarm(on=True), Lock()) == (panel["Alarm"], shoe["Lock"])
        shift, pit = await post.client("shift-manager"), await post.client("pit-supervisor")
        await shift.ask("say", statement="answer house continue")
        assert (Alarm(on=True), Unlock()) == (panel["Alarm"], shoe["Unlock"])
        (alarm,) = (await pit.ask("status"))["alarms"]
        assert ("uncovered", "6.1", "refer") == (alarm["code"], alarm["clause"], alarm["ruling"])
        refused = "'clear uncovered' needs shift-manager: logged in as pit-supervisor"
        assert refused == (await pit.ask("clear", reason="I say so"))["refused"]
        assert Alarm(on=True) == panel["Alarm"]
        assert {"ok": True, "cleared": [alarm]} == await shift.ask("clear", reason="  seen on\ncamera ")
        assert Alarm(on=False) == panel["Alarm"]
        what = [{"n": alarm["n"], "code": "uncovered", "clause": "6.1", "times": 1}]
        by = {"by": "the shift-manager", "role": "shift-manager", "reason": "seen on camera"}
        assert {"cleared": what} | by == post.notes()[-1]
        assert "there is no alarm" == (await shift.ask("clear", reason="again"))["refused"]

    at_post(tmp_path, scene)


def test_who_watches_hears_of_the_key_and_of_what_is_cleared(tmp_path: Path) -> None:
    """Neither is an event of the game, and both change what a console shows."""

    async def scene(post: Post) -> None:
        await hold(post)
        shift = await post.client("shift-manager")
        await shift.ask("say", statement="answer house continue")
        [alarm] = (await shift.ask("status"))["alarms"]
        news: list[News] = []
        post.pump.watchers.append(news.append)
        await post.says("panel", KeySwitch(on=True))
        assert "cleared" in await shift.ask("clear", reason="looked at")
        assert [{"key": {"on": True}}, {"cleared": {"alarms": [alarm["n"]], "by": "the shift-manager"}}] == news

    at_post(tmp_path, scene)


def test_one_of_several_alarms_is_cleared_by_its_number(tmp_path: Path) -> None:
    """The others stay, and the alarm is on while there is one."""

    async def scene(post: Post) -> None:
        await hold(post)
        post.reports.down("hub", Fault(UNPLUGGED, "gone"))
        engineer = await post.client("engineer")
        lost = next(one for one in (await engineer.ask("status"))["alarms"] if one["code"] == "link-lost")
        assert "refused" in await engineer.ask("clear", reason="cable")
        assert "there is no such alarm" == (await engineer.ask("clear", reason="cable", n=1))["refused"]
        other = {"reason": "cable", "n": lost["n"], "code": "uncovered"}
        assert "there is no such alarm" == (await engineer.ask("clear", **other))["refused"]
        same = other | {"code": "link-lost"}
        assert {"ok": True, "cleared": [lost]} == await engineer.ask("clear", **same)
        assert ["uncovered"] == [one["code"] for one in (await engineer.ask("status"))["alarms"]]
        assert Alarm(on=True) == post.devices["panel"].told["Alarm"]

    at_post(tmp_path, scene)


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 201])
def test_an_alarm_is_not_cleared_without_a_reason(tmp_path: Path, reason: str) -> None:
    """It must say something, and not a book."""

    async def scene(post: Post) -> None:
        await hold(post)
        shift = await post.client("shift-manager")
        assert {"error": "reason: expected 1 to 200 characters"} == await shift.ask("clear", reason=reason)
        assert 1 == len((await shift.ask("status"))["alarms"])

    at_post(tmp_path, scene)


def test_an_alarm_outlives_the_daemon(tmp_path: Path) -> None:
    """At the next start it is on, and can still be cleared."""

    async def before(post: Post) -> None:
        await hold(post)

    async def after(post: Post) -> None:
        shift = await post.client("shift-manager")
        await shift.ask("say", statement="answer house continue")
        assert ["uncovered"] == [one["code"] for one in (await shift.ask("status"))["alarms"]]
        assert Alarm(on=True) == post.devices["panel"].told["Alarm"]
        assert "cleared" in await shift.ask("clear", reason="the same")

    at_post(tmp_path, before)
    at_post(tmp_path, after)


# --- past rounds -----------------------------------------------------------------------------------------------------


def test_past_rounds_are_told_newest_first_and_one_by_one(tmp_path: Path) -> None:
    """Also those of an older file of the journal; each with its findings and what was said to them."""

    async def scene(post: Post) -> None:
        dealer, manager = await post.client("dealer"), await post.client("pit-manager")
        for number in range(3):
            for statement in ("place-bets", "bet 2 main 50", "call foreign-card"):
                assert {"ok": True} == await dealer.ask("say", statement=statement)
            assert {"ok": True} == await manager.ask("say", statement="approve pit-manager")
            assert (await manager.ask("clear", reason="seen"))["ok"]
            if number == 1:
                books, pump = post.pump.books, post.pump
                post.journal.rotate("2025-01-01", books.kept(pump.header, pump.table, pump._translator))
        rounds = (await dealer.ask("rounds"))["rounds"]
        assert [(3, "void", "2"), (2, "void", "2"), (1, "void", "2")] == [
            (one["number"], one["outcome"], one["boxes"]) for one in rounds
        ]
        assert ["foreign-card"] * 3 == [one["findings"] for one in rounds]
        assert rounds[:2] == (await dealer.ask("rounds", count=2))["rounds"]
        second = (await dealer.ask("round", number=2))["round"]
        assert (2, ["foreign-card"], 2) == (
            second["report"]["number"],
            [one["code"] for one in second["findings"]],
            second["number"],
        )
        assert second == (await dealer.ask("round", first=rounds[1]["first"]))["round"]
        assert 3 == (await dealer.ask("round"))["round"]["number"]
        assert {"error": "there is no such round at hand"} == await dealer.ask("round", number=9)
        for count in (0, -1, 101):
            assert f"count: expected 1 to 100, got {count}" == (await dealer.ask("rounds", count=count))["error"]
        assert rounds[1:2] == (await dealer.ask("rounds", count=1, skip=1))["rounds"]
        assert "skip: expected 0 to 900" in (await dealer.ask("rounds", skip=-1))["error"]

    at_post(tmp_path, scene)


def test_the_round_that_is_on_is_drawn_as_it_lies(tmp_path: Path) -> None:
    """Without a number, that one is meant."""

    async def scene(post: Post) -> None:
        dealer = await post.client("dealer")
        await dealer.ask("say", statement="place-bets")
        answer = (await dealer.ask("round"))["round"]
        assert ("mbs-blackjack-v6", 1, "open") == (
            answer["game"],
            answer["report"]["number"],
            answer["report"]["outcome"],
        )

    at_post(tmp_path, scene)
