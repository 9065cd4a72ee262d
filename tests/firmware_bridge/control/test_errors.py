"""The control socket: requests that cannot be understood, and clients that do not behave."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.faults import UNPLUGGED, Fault
from firmware_bridge.control import connection as visiting
from firmware_bridge.control.connection import LONGEST
from firmware_bridge.control.requests import REQUESTS
from tests.firmware_bridge.control_socket_rig import AtSocket, SocketRig, serve


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({}, ["do", "missing"]),
        ({"do": "dance"}, ["do", "'dance'", *REQUESTS]),
        ({"do": None}, ["do", "None"]),
        ({"do": ["say"]}, ["do", "text"]),
        ({"do": "say"}, ["statement", "missing"]),
        ({"do": "say", "statement": 5}, ["statement", "text", "5"]),
        ({"do": "say", "statement": ""}, ["nothing is said"]),
        ({"do": "say", "statement": "  \n "}, ["nothing is said"]),
        ({"do": "say", "statement": "dance"}, ["dance", "expected one of"]),
        ({"do": "say", "statement": "stand 99"}, ["99"]),
        ({"do": "say", "statement": "place"}, ["PLACE"]),
        ({"do": "say", "statement": "place 0"}, ["'0'", "no place"]),
        ({"do": "say", "statement": "place 3 openly"}, ["PLACE [exposed]"]),
        ({"do": "say", "statement": "place 3 exposed 4"}, ["PLACE [exposed]"]),
        ({"do": "say", "statement": "draw 1"}, ["draw 1", "a device reports it"]),
        ({"do": "say", "statement": "pull 2"}, ["a device reports it"]),
        ({"do": "say", "statement": "load"}, ["a device reports it"]),
        ({"do": "say", "statement": "noise shoe 0.1"}, ["a device reports it"]),
        ({"do": "say", "statement": "expect state idle"}, ["a device reports it"]),
        ({"do": "say", "statement": "power-cut"}, ["a device reports it"]),
        ({"do": "say", "statement": "restart"}, ["a device reports it"]),
        ({"do": "say", "statement": "unplug hub"}, ["a device reports it"]),
        ({"do": "say", "statement": "seat 1/1 \ud800"}, ["surrogates"]),
        ({"do": "expect"}, ["claim", "missing"]),
        ({"do": "expect", "claim": ""}, ["expect"]),
        ({"do": "expect", "claim": "rain"}, ["rain", "expected one of"]),
        ({"do": "expect", "claim": "state rain"}, ["rain"]),
        ({"do": "table"}, ["header", "missing"]),
        ({"do": "table", "header": None}, ["header", "text", "None"]),
        ({"do": "table", "header": ""}, ["game"]),
        ({"do": "table", "header": "game: poker"}, ["poker", "mbs-blackjack-v6"]),
        ({"do": "table", "header": "game: mbs-blackjack-v6\n# \ud800"}, ["surrogates"]),
        ({"do": "seen", "device": "hub"}, ["number", "missing"]),
        ({"do": "seen", "number": 1}, ["device", "missing"]),
        ({"do": "seen", "device": "lamp", "number": 1}, ["'lamp'", "shoe, hub, panel"]),
        ({"do": "seen", "device": "hub", "number": "1"}, ["number", "whole number", "'1'"]),
        ({"do": "seen", "device": "hub", "number": True}, ["number", "whole number"]),
        ({"do": "link", "device": "hub"}, ["up", "missing"]),
        ({"do": "link", "device": "hub", "up": 1}, ["up", "true or false"]),
        ({"do": "link", "device": ["hub"], "up": True}, ["device", "text"]),
    ],
)
def test_a_bad_request_is_answered_and_the_connection_stays(
    at_socket: AtSocket, request_: dict[str, object], words: list[str]
) -> None:
    """The error says what was expected and what stands there; nothing is in the journal."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        answer = await client.line(json.dumps({"id": 7, **request_}).encode())
        assert {"id", "error"} == set(answer)
        assert 7 == answer["id"]
        assert [] == [word for word in words if word not in answer["error"]]
        assert "idle" == (await client.ask("status"))["state"]
        assert [] == rig.rows()

    at_socket(scene)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"status",
        b"{",
        b"[]",
        b"5",
        b"null",
        b'"status"',
        b"\xff\xfe",
        b'{"do":"say","statement":"\xff"}',
        b"[" * 60_000,
        b'{"id":' * 10_000,
    ],
)
def test_what_is_no_request_is_answered_and_the_connection_stays(at_socket: AtSocket, line: bytes) -> None:
    """A line that is no JSON object has no number, but an answer."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        answer = await client.line(line)
        assert (None, True) == (answer["id"], bool(answer["error"]))
        assert "idle" == (await client.ask("status"))["state"]

    at_socket(scene)


@pytest.mark.parametrize("number", [0, -1, 2**70, 1.5, "a", None, True, [1], {"a": 1}, "\ud800", "é"])
def test_an_answer_has_the_number_of_its_request(at_socket: AtSocket, number: object) -> None:
    """Whatever a client takes as a number, it is given back."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        answer = await client.line(json.dumps({"id": number, "do": "status"}).encode())
        assert (number, "idle") == (answer["id"], answer["state"])

    at_socket(scene)


def test_a_line_that_is_too_long_ends_that_connection_alone(at_socket: AtSocket) -> None:
    """Others go on, and the memory that a client can take is bounded."""

    async def scene(rig: SocketRig) -> None:
        client, other = await rig.client(), await rig.client()
        fits = json.dumps({"id": 1, "do": "status", "more": "x" * (LONGEST - 100)}).encode()
        assert "idle" == (await client.line(fits))["state"]
        client.writer.write(b"x" * (2 * LONGEST + 1))
        assert await client.ended()
        assert "idle" == (await other.ask("status"))["state"]

    at_socket(scene)


def test_who_does_not_read_is_cut_off(at_socket: AtSocket, monkeypatch: pytest.MonkeyPatch) -> None:
    """News pile up for nobody: beyond a bound the connection ends, and the table goes on."""
    monkeypatch.setattr(visiting, "UNREAD", 100_000)

    async def scene(rig: SocketRig) -> None:
        watcher, other = await rig.client(), await rig.client()
        before = len(rig.pump.watchers)
        await watcher.ask("watch")
        watcher.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a socket's transport can
        for number in range(1, 20_000):
            rig.reports.fault("hub", Fault(UNPLUGGED, "x" * 100))
            if number % 1000 == 0:
                await other.ask("status")
            if before == len(rig.pump.watchers):
                break
        assert before == len(rig.pump.watchers)
        assert "idle" == (await other.ask("status"))["state"]

    at_socket(scene)


@settings(max_examples=40)
@given(lines=st.lists(st.binary(max_size=60).map(lambda line: line.replace(b"\n", b"")), min_size=1, max_size=10))
def test_no_bytes_end_the_connection(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    """Any line has one answer."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        answers = [await client.line(line) for line in lines]
        assert len(lines) == len([answer for answer in answers if "error" in answer])

    assert [] == serve(tmp_path_factory.mktemp("rig"), scene)


values = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["hub", "state idle", "settle", "x"])


@settings(max_examples=60)
@given(
    asked=st.lists(
        st.builds(
            lambda do, rest: {"do": do, **rest},
            st.sampled_from(sorted(set(REQUESTS) - {"watch", "seen", "link"})),
            st.dictionaries(st.sampled_from(["statement", "claim", "header"]), values),
        ),
        max_size=8,
    )
)
def test_every_request_has_one_answer(tmp_path_factory: pytest.TempPathFactory, asked: list[dict[str, object]]) -> None:
    """Good or bad, a request that waits for nothing is answered with its number."""

    async def scene(rig: SocketRig) -> None:
        client = await rig.client()
        for number, request in enumerate(asked):
            client.writer.write(json.dumps({"id": number, **request}).encode() + b"\n")
        answers = [await client.read() for _ in asked]
        assert list(range(len(asked))) == sorted(answer["id"] for answer in answers)

    assert [] == serve(tmp_path_factory.mktemp("rig"), scene)
