"""``truedeal sniff``: captures and live links decoded, tags verified, faults with remedies, bad input in one line."""

from __future__ import annotations

import argparse
import io
import json
import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import drivers.ports
from drivers.angel_eye.encoder import Encoder
from drivers.faults import Fault
from drivers.hub import CATALOGUE as HUB
from drivers.hub import CardArrived
from drivers.link.device import DeviceLink
from drivers.link.editions.tagged import TaggedDevice, TaggedHost
from drivers.link.host import HostLink
from drivers.messages import Spot
from drivers.shoe import CATALOGUE as SHOE
from drivers.shoe import CardOut, Lock
from firmware_bridge.commands.service import sniff
from firmware_bridge.commands.service.link_listener import listener

KEY = bytes(range(32))
CARDS = ("KD", "AS", "??")


class Ran(NamedTuple):
    """What a call of the command gave."""

    status: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The lines as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


Sniff = Callable[..., Ran]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Sniff:
    """The command."""
    parser = argparse.ArgumentParser()
    sniff.add(parser.add_subparsers())

    def run_sniff(*arguments: object) -> Ran:
        args = parser.parse_args(["sniff", *map(str, arguments)])
        status: int = args.run(args)
        return Ran(status, *capsys.readouterr())

    return run_sniff


def conversation(*, keyed: bool = True) -> bytes:
    """A shoe and its host from the handshake to a lock, both directions as a tap hears them."""
    key = KEY if keyed else None
    host = HostLink(kind="shoe", serial="S-1", shake=TaggedHost(key), expected=1)
    device = DeviceLink(kind="shoe", serial="S-1", firmware="1.2", capabilities=0, shake=TaggedDevice(key), boot=7)
    tapped = b""
    now = 0.0
    device.opened(now)
    host.opened(now)
    for card in CARDS:
        device.event(*SHOE.encode(CardOut(card, 250, face_up=False)), 1234, now)
    for turn in range(40):
        now = turn * 0.05
        host.tick(now)
        device.tick(now)
        if turn == 20:
            assert host.send(*SHOE.encode(Lock()), now)
        out = host.outgoing()
        device.received(out, now)
        back = device.outgoing()
        host.received(back, now)
        if host.up:
            host.acknowledge(len(CARDS), now)
        tapped += out + back
    assert host.up
    return tapped


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A file with the conversation."""
    path = tmp_path / "shoe.bin"
    path.write_bytes(conversation())
    return path


def test_a_capture_is_decoded_frame_by_frame(call: Sniff, capture: Path) -> None:
    """Types, numbers and messages; without the key all tags are unchecked, and that is no fault."""
    ran = call(capture, "--json")
    *records, last = ran.records
    assert (0, "") == (ran.status, ran.err)
    assert ["CHALLENGE", "IDENTITY", "START"] == list(dict.fromkeys(record["type"] for record in records))[:3]
    cards = [(record["number"], record["fields"]["card"]) for record in records if record.get("message") == "CardOut"]
    assert [(number, card) for number, card in enumerate(CARDS, start=1)] == list(dict.fromkeys(cards))
    assert {"unchecked"} == {record["tag"] for record in records if "tag" in record}
    assert {"summary": {"frames": len(records), "faults": 0, "bytes": capture.stat().st_size}} == last
    offsets = [record["at"] for record in records]
    assert sorted(set(offsets)) == offsets


def test_directions_are_known_by_type_and_by_ident(call: Sniff, capture: Path) -> None:
    """What may go either way stays unknown without the key."""
    records = call(capture, "--json").records[:-1]
    ways = {(record.get("message") or record["type"], record["direction"]) for record in records}
    known = {("CHALLENGE", "host>device"), ("IDENTITY", "device>host"), ("START", "host>device")}
    assert known | {("CardOut", "device>host"), ("Lock", "host>device"), ("ACK", "?"), ("HEARTBEAT", "?")} == ways


def key_file(folder: Path, text: str) -> Path:
    """Return a file with a key."""
    path = folder / "device.key"
    path.write_text(f"{text}\n", encoding="ascii")
    return path


def test_with_the_key_every_tag_is_verified_and_every_direction_known(call: Sniff, capture: Path) -> None:
    """The handshake is in the capture."""
    ran = call(capture, "--json", "--with-key", key_file(capture.parent, KEY.hex()))
    records = ran.records[:-1]
    assert 0 == ran.status
    assert {"verified"} == {record["tag"] for record in records if record["type"] != "CHALLENGE"}
    assert {"host>device", "device>host"} == {record["direction"] for record in records}


def test_with_another_key_the_device_is_foreign(call: Sniff, capture: Path) -> None:
    """Its proof is wrong, and the tags stay unchecked."""
    ran = call(capture, "--json", "--with-key", key_file(capture.parent, bytes(32).hex()))
    faults = [record["fault"] for record in ran.records if "fault" in record]
    assert (1, {"foreign-device"}) == (ran.status, set(faults))


def test_a_forged_frame_has_a_wrong_tag(call: Sniff, capture: Path) -> None:
    """A frame of an unkeyed shoe spliced into a session with a key."""
    with capture.open("ab") as file:
        file.write(conversation(keyed=False).split(b"\0\0")[-1].join((b"\0", b"\0")))
    ran = call(capture, "--json", "--with-key", key_file(capture.parent, KEY.hex()))
    (fault,) = [record for record in ran.records if "fault" in record]
    assert (1, "foreign-device", "wrong") == (ran.status, fault["fault"], fault["tag"])


def test_without_a_handshake_the_key_verifies_nothing(call: Sniff, tmp_path: Path) -> None:
    """The nonces are not known."""
    path = tmp_path / "late.bin"
    data = conversation()
    begun = max(line.at for line in listener("shoe", None, {}).feed(data, 0.0) if line.type == "START")
    path.write_bytes(data[begun:])
    ran = call(path, "--json", "--with-key", key_file(tmp_path, KEY.hex()))
    assert (0, {"unchecked"}) == (ran.status, {record["tag"] for record in ran.records[:-1]})


def test_a_link_without_a_key_has_no_tags(call: Sniff, tmp_path: Path) -> None:
    """Their zeros are told apart from tags that nobody checked."""
    path = tmp_path / "plain.bin"
    path.write_bytes(conversation(keyed=False))
    records = call(path, "--json").records
    assert {"none"} == {record["tag"] for record in records if record.get("type") in {"DATA", "ACK", "HEARTBEAT"}}


def test_a_person_reads_one_line_a_frame_and_a_summary(call: Sniff, capture: Path) -> None:
    """With its bytes if asked for."""
    plain, with_bytes = call(capture), call(capture, "--hex")
    lines = plain.out.splitlines()
    assert any("CardOut card=KD gap_ms=250 face_up=False [tag unchecked]" in line for line in lines)
    frames = len(lines) - 1
    assert f"{frames} frames, 0 faults, {capture.stat().st_size} bytes" == lines[-1]
    assert 2 * frames + 1 == len(with_bytes.out.splitlines())


def test_damage_is_a_fault_with_its_remedy(call: Sniff, tmp_path: Path) -> None:
    """A flipped bit, and a capture that ends inside a frame."""
    data = bytearray(conversation())
    data[20] ^= 0x10
    path = tmp_path / "bad.bin"
    path.write_bytes(bytes(data) + b"\x05half")
    ran = call(path)
    faults = [line for line in ran.out.splitlines() if "FAULT" in line]
    assert (1, 2) == (ran.status, len(faults))
    assert all("bad-frame" in line and "check the cable" in line for line in faults)
    assert ran.out.splitlines()[-1].split(", ")[1] == "2 faults"


def test_a_message_of_another_device_is_not_understood(call: Sniff, capture: Path) -> None:
    """The hub has no such event: the fault says its number and its bytes."""
    ran = call(capture, "--json", "--driver", "hub")
    faults = [record for record in ran.records if "fault" in record]
    assert {"unknown-message"} == {fault["fault"] for fault in faults}
    assert 0x10 in {fault["fields"]["ident"] for fault in faults}


def test_places_read_as_box_hand_and_slot(call: Sniff, tmp_path: Path) -> None:
    """In text with commas, in JSON as a list."""
    host = HostLink(kind="hub", serial=None, shake=TaggedHost(None), expected=1)
    device = DeviceLink(kind="hub", serial="H", firmware="1", capabilities=0, shake=TaggedDevice(None), boot=1)
    device.event(*HUB.encode(CardArrived(Spot(3, 1, 0), "KD", exposed=True)), 5, 0.0)
    device.opened(0.0)
    host.opened(0.0)
    tapped = b""
    for _ in range(4):
        device.received(host.outgoing(), 0.0)
        tapped += (back := device.outgoing())
        host.received(back, 0.0)
    path = tmp_path / "hub.bin"
    path.write_bytes(tapped)
    assert "CardArrived place=3,1,0 card=KD exposed=True" in call(path, "--driver", "hub").out
    (record,) = [record for record in call(path, "--driver", "hub", "--json").records if "message" in record]
    assert [3, 1, 0] == record["fields"]["place"]


def test_an_angel_eye_capture_gives_its_events(call: Sniff, tmp_path: Path) -> None:
    """Three copies are one event; the check can be chosen."""
    device = Encoder(check="sum-hex")
    path = tmp_path / "ae.bin"
    path.write_bytes(device.start() + device.card("KD") + device.outside("QS") + b"noise" + device.card("KD"))
    ran = call(path, "--json", "--driver", "angel-eye", "--option", "check=sum-hex", "--option", "sequence=digits")
    messages = [(record["number"], record["message"]) for record in ran.records if "message" in record]
    assert [(1, "Started"), (2, "CardOut"), (3, "OutsideFlow"), (4, "CardOut")] == messages
    assert ["bad-frame"] == [record["fault"] for record in ran.records if "fault" in record]


def test_the_standard_input_is_a_capture(call: Sniff, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named by a hyphen."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(conversation())))
    assert 0 == call("-").status


class Tapped:
    """A real port, to which the other end speaks and hangs up once it is read; that it is written to is an error."""

    def __init__(self, port: drivers.ports.Port, master: int) -> None:
        self._port = port
        self._master = master

    def start(self, received: Callable[[bytes], None], lost: Callable[[Fault], None]) -> None:
        """Begin to read, then the other end speaks, and hangs up when all was heard."""
        data = conversation()
        left = len(data)

        def heard(piece: bytes) -> None:
            nonlocal left
            received(piece)
            left -= len(piece)
            if not left:
                os.close(self._master)

        self._port.start(heard, lost)
        assert len(data) == os.write(self._master, data)

    def write(self, data: bytes) -> None:
        """Nobody may speak."""
        raise AssertionError(data)

    def close(self) -> None:
        """Let go."""
        self._port.close()


@pytest.mark.parametrize("form", ["{}", "serial:{}"])
def test_a_live_link_is_read_until_it_is_hung_up_and_never_written_to(
    call: Sniff, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """A real pseudo-terminal, by its path or its address."""
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    real = drivers.ports.opener
    monkeypatch.setattr(drivers.ports, "opener", lambda address, loop: lambda: Tapped(real(address, loop)(), master))
    os.close(slave)
    ran = call(form.format(path), "--json")
    cards = {record["fields"]["card"] for record in ran.records if record.get("message") == "CardOut"}
    assert (0, set(CARDS)) == (ran.status, cards)
    assert all("seconds" in record or "summary" in record for record in ran.records)


def test_a_live_link_is_read_for_as_long_as_asked(call: Sniff) -> None:
    """Nothing came: that is said."""
    master, slave = pty.openpty()
    try:
        ran = call(f"serial:{os.ttyname(slave)}", "--seconds", "0.01")
    finally:
        os.close(slave)
        os.close(master)
    assert (2, 1) == (ran.status, ran.err.count("\n"))
    assert "0 bytes and no whole frame" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["missing.bin"], "No such file", id="no such file"),
        pytest.param(["."], "Is a directory", id="a folder"),
        pytest.param(["serial:/dev/no-such-port"], "port-missing", id="no such port"),
        pytest.param(["serial:relative"], "begins with /", id="no address"),
        pytest.param(["serial:/dev/null?baud=7"], "the speed is one of", id="no such speed"),
        pytest.param(["a.bin", "--driver", "toaster"], "no driver 'toaster'", id="no such driver"),
        pytest.param(["a.bin", "--with-key", "a.bin"], "--with-key", id="a key that is no number"),
        pytest.param(
            ["a.bin", "--with-key", "short"], "--with-key: a key has 16 to 32 bytes", id="a key that is short"
        ),
        pytest.param(["a.bin", "--with-key", "none"], "--with-key: [Errno 2] No such file", id="no file of a key"),
        pytest.param(["a.bin", "--driver", "angel-eye", "--option", "check=crc"], "check is 'crc'", id="no such check"),
        pytest.param(["a.bin", "--seconds", "nan"], "--seconds", id="no time"),
        pytest.param(["a.bin"], "19 bytes and no whole frame of a shoe", id="no capture"),
        pytest.param(["empty.bin"], "0 bytes and no whole frame", id="an empty file"),
    ],
)
def test_bad_input_is_one_clear_line(
    call: Sniff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """On the standard error output, with status 2."""
    (tmp_path / "a.bin").write_bytes(b"this is no capture\n")
    (tmp_path / "empty.bin").write_bytes(b"")
    (tmp_path / "short").write_bytes(b"00ff\n")
    monkeypatch.chdir(tmp_path)
    ran = call(*arguments)
    assert (2, 1) == (ran.status, ran.err.count("\n"))
    assert said in ran.err


@given(st.lists(st.binary(max_size=300), max_size=10), st.sampled_from(["shoe", "hub", "panel", "angel-eye"]))
def test_any_bytes_can_be_listened_to(pieces: list[bytes], kind: str) -> None:
    """No exception, and as many bytes as came."""
    heard = listener(kind, KEY, {})
    lines = [line for piece in pieces for line in heard.feed(piece, 0.0)]
    lines += heard.end(1.0)
    assert all(line.type or line.fault for line in lines)
    assert all(0 < line.at <= sum(map(len, pieces)) for line in lines)
