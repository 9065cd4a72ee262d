"""The control socket: what may be asked, and the socket itself."""

from __future__ import annotations

import json
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from drivers.faults import UNPLUGGED, Fault
from drivers.happenings import Identity
from drivers.hub import Chips
from drivers.panel import Press
from drivers.shoe import CardOut
from drivers.wire import Spot
from firmware_bridge.control import server as controlling
from tests.firmware_bridge.control_socket_rig import AtSocket, SocketRig, serve

IDENTITY = Identity("hub", "H-1", "1.2", (1, 0), 0, authenticated=True, boot=1)


# --- what may be asked -----------------------------------------------------------------------------------------------


def test_a_statement_is_applied_and_answered(at_socket: AtSocket) -> None:
    """What is said at the console counts, and is in the journal under its name."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        assert {"ok": True} == await client.ask("say", statement="place-bets")
        assert {"ok": True} == await client.ask("say", statement="seat 1/1 Zoë")
        assert "betting" == rig.pump.table.state.value
        assert ["console", "console"] == [row.device for row in rig.rows()]

    at_socket(scene)


def test_a_refused_statement_is_answered_with_reason_clause_and_key(at_socket: AtSocket) -> None:
    """And it changes nothing."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        answer = await client.ask("say", statement="settle")
        refusal = {"key": "nothing-to-settle", "clause": "1.1.11", "arguments": {}}
        assert {"refused": "there is nothing to settle (1.1.11)", "refusal": refusal} == answer
        assert "idle" == rig.pump.table.state.value

    at_socket(scene)


def test_places_are_told_for_the_next_cards(at_socket: AtSocket) -> None:
    """On a table without position sensors, each card lies where it was told."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        header = "game: mbs-blackjack-v6\nfresh: no\nsensors: shoe panel"
        assert {"ok": True} == await client.ask("table", header=header)
        for statement in ("place-bets", "bet 3 main 50", "no-more-bets", "place 3", "place dealer exposed"):
            assert {"ok": True} == await client.ask("say", statement=statement)
        rig.says("shoe", 1, CardOut("KD", 0, face_up=False))
        rig.says("shoe", 2, CardOut("5C", 0, face_up=False))
        assert {"refused": None} == await client.ask("seen", device="shoe", number=2)
        assert {"failure": None} == await client.ask("expect", claim="total 3 10")
        assert {"failure": None} == await client.ask("expect", claim="total dealer 5")

    at_socket(scene)


def test_a_claim_is_checked(at_socket: AtSocket) -> None:
    """One that holds has no failure, the other says what was expected and what is."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        assert {"failure": None} == await client.ask("expect", claim="state idle")
        failure = (await client.ask("expect", claim="state held"))["failure"]
        assert ("held" in failure, "idle" in failure) == (True, True)
        assert {"failure": None} == await client.ask("expect", claim="refused settle")

    at_socket(scene)


def test_the_report_and_the_status_are_those_of_the_table(at_socket: AtSocket) -> None:
    """The status tells game, state, next place, links and the cards on the table."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        await client.ask("say", statement="place-bets")
        rig.says("hub", 1, Chips(Spot(3, 0, 1), "main", 50_00, emptied=False))
        rig.says("panel", 1, Press(1, "bets", 0, Spot(0), 0))
        rig.links["panel"] = False
        assert {"refused": None} == await client.ask("seen", device="panel", number=1)
        expected: dict[str, object] = {
            "table": None,
            "game": "mbs-blackjack-v6",
            "state": "bets-closed",
            "next": "3",
            "on_table": [],
        }
        assert expected | {"links": {"shoe": True, "hub": True, "panel": False}} == await client.ask("status")
        assert {"report": rig.pump.report()} == await client.ask("report")
        rig.says("shoe", 1, CardOut("KD", 0, face_up=False))
        rig.pump.process_queue()
        assert "3" == (await client.ask("status"))["next"]

    at_socket(scene)


def test_a_new_table_waits_for_the_round(at_socket: AtSocket) -> None:
    """A round that is on is given up only where that is said, and then the journal has it."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        await client.ask("say", statement="place-bets")
        header = "game: mbs-pontoon-v5\nboxes: 5"
        refused = "round 1 is on: another table is put there after it"
        assert refused == (await client.ask("table", header=header))["refused"]
        assert "betting" == (await client.ask("status"))["state"]
        assert {"ok": True} == await client.ask("table", header=header, abandon=True)
        status = await client.ask("status")
        assert ("mbs-pontoon-v5", "idle") == (status["game"], status["state"])
        (told,) = (json.loads(row.body or "") for row in rig.rows() if (row.body or "").startswith('{"abandoned"'))
        assert (1, "abandoned", "") == (told["abandoned"], told["round"]["outcome"], told["round"]["ended"])
        await client.ask("say", statement="place-bets")
        listed = await client.ask("rounds")
        assert [(1, "mbs-blackjack-v6", "abandoned")] == [
            (one["number"], one["game"], one["outcome"]) for one in listed["rounds"]
        ]
        assert (1, "mbs-pontoon-v5", "open") == tuple(listed["on"][key] for key in ("number", "game", "outcome"))

    at_socket(scene)


def test_no_undealt_card_is_told(at_socket: AtSocket) -> None:
    """A table with a prepared shoe is refused, however it is prepared."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        for prepared in ("shoe: AS KD", "seed: 7"):
            answer = await client.ask("table", header=f"game: mbs-pontoon-v5\n{prepared}")
            assert "expected neither shoe nor seed" in answer["error"]

    at_socket(scene)


def test_nobody_speaks_for_a_device_that_is_there(at_socket: AtSocket) -> None:
    """What a fitted device counts cannot be said; what no device here reports can."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        for statement in ("shoe-count 400", "bet 1 main 100", "cut-card"):
            assert "a device reports it" in (await client.ask("say", statement=statement))["error"]
        assert {"ok": True} == await client.ask("say", statement="shuffle machine")

    at_socket(scene)


def test_there_is_an_end_to_connections(at_socket: AtSocket, monkeypatch: pytest.MonkeyPatch) -> None:
    """One too many is told so and closed; when another has gone there is room again."""

    async def scene(rig: SocketRig) -> None:
        first = await rig.client()
        await first.ask("status")
        second = await rig.client()
        assert "which is the most" in (await second.read())["error"]
        first.writer.close()
        answer: dict[str, object] = {}
        while "state" not in answer:  # until the server has seen it go
            third = await rig.client()
            with suppress(ConnectionError, AssertionError):
                answer = await third.ask("status")

    monkeypatch.setattr(controlling, "CONNECTIONS", 1)
    at_socket(scene)


def test_an_event_is_seen_when_it_is_applied(at_socket: AtSocket) -> None:
    """The answer waits for the event; requests after it do not wait for the answer."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        client.writer.write(b'{"id":1,"do":"seen","device":"panel","number":1}\n')
        assert 2 == (await client.line(b'{"id":2,"do":"status"}'))["id"]
        rig.says("panel", 1, Press(1, "settle", 0, Spot(0), 0))
        answer = await client.read()
        assert (1, True) == (answer["id"], bool(answer["refused"]))

    at_socket(scene)


def test_someone_who_has_said_all_is_answered_still(at_socket: AtSocket) -> None:
    """Each of several requests, also one that waits; then the connection ends."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        client.writer.write(b'{"id":1,"do":"seen","device":"panel","number":1}\n{"id":2,"do":"status"}\n')
        client.writer.write_eof()
        assert 2 == (await client.read())["id"]
        rig.says("panel", 1, Press(1, "settle", 0, Spot(0), 0))
        assert 1 == (await client.read())["id"]
        assert await client.ended()

    at_socket(scene)


def test_a_link_is_waited_for(at_socket: AtSocket) -> None:
    """At once where it is as asked, else when it changes."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        assert {"ok": True} == await client.ask("link", device="hub", up=True)
        client.writer.write(b'{"id":1,"do":"link","device":"hub","up":false}\n')
        client.writer.write(b'{"id":2,"do":"link","device":"shoe","up":false}\n')
        assert 3 == (await client.line(b'{"id":3,"do":"status"}'))["id"]
        rig.reports.down("hub", Fault(UNPLUGGED, "gone"))
        assert {"id": 1, "ok": True} == await client.read()
        assert 4 == (await client.line(b'{"id":4,"do":"status"}'))["id"]

    at_socket(scene)


def test_who_watches_hears_everything_and_others_nothing(at_socket: AtSocket) -> None:
    """Events with their refusal, links with their fault; each once, also to a client that asked twice."""

    async def scene(rig: SocketRig) -> None:
        watcher, other = await rig.client(), await rig.client()
        assert {"ok": True} == await watcher.ask("watch")
        assert {"ok": True} == await watcher.ask("watch")
        rig.says("panel", 1, Press(1, "bets", 0, Spot(0), 0))
        rig.reports.down("hub", Fault(UNPLUGGED, "gone"))
        rig.reports.up("hub", IDENTITY)
        news = [await watcher.read() for _ in range(5)]
        assert [("hub", False, "unplugged"), ("hub", True, None)] == [
            (item["link"]["device"], item["link"]["up"], item["link"]["fault"]) for item in news[:2]
        ]
        assert [("panel", 1, "place-bets"), ("daemon", None, "unplug hub"), ("daemon", None, "plug hub")] == [
            (item["seen"]["device"], item["seen"]["number"], item["seen"]["event"]) for item in news[2:]
        ]
        assert "betting" == (await other.ask("status"))["state"]

    at_socket(scene)


def test_two_clients_speak_to_one_table(at_socket: AtSocket) -> None:
    """What one says the other sees, each gets their own answers, and one that leaves leaves no watcher behind."""

    async def scene(rig: SocketRig) -> None:
        first, second = await rig.client(), await rig.client()
        before = len(rig.pump.watchers)
        await first.ask("watch")
        assert before + 1 == len(rig.pump.watchers)
        first.writer.close()
        await first.writer.wait_closed()
        assert {"ok": True} == await second.ask("say", statement="place-bets")
        assert {"failure": None} == await second.ask("expect", claim="state betting")
        assert before == len(rig.pump.watchers)

    at_socket(scene)


# --- the socket ------------------------------------------------------------------------------------------------------


def test_the_socket_is_for_its_owner_and_group(at_socket: AtSocket) -> None:
    """Nobody else may speak to the table."""

    async def scene(rig: SocketRig) -> None:
        mode = rig.path.stat().st_mode
        assert (True, 0o660) == (stat.S_ISSOCK(mode), stat.S_IMODE(mode))

    at_socket(scene)


def test_what_an_earlier_run_has_left_is_no_obstacle(tmp_path: Path) -> None:
    """A daemon that was killed leaves its socket behind."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        assert "idle" == (await client.ask("status"))["state"]

    assert [] == serve(tmp_path, scene)
    assert (tmp_path / "control.sock").is_socket()
    assert [] == serve(tmp_path, scene)


def test_closing_ends_every_connection(at_socket: AtSocket) -> None:
    """A client sees the end, whatever it waits for."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        client.writer.write(b'{"id":1,"do":"seen","device":"hub","number":1}\n')
        await client.ask("watch")
        await rig.control.close()
        assert await client.ended()

    at_socket(scene)
