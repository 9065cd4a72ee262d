"""The process of a simulated device: its control socket, its start and its end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
from tests.places import ROOT


class Device:
    """A device process of the test, and a bare connection to it."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "hal_sim.devices.process", "shoe", "--dir", str(folder), "--serial", "S1"]
        self.process = subprocess.Popen(
            [*command, "--key", "07" * 32, *options],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        assert b"ready\n" == self.process.stdout.readline()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(folder / "shoe.ctl"))
        self.lines = self.socket.makefile("rb")

    def say(self, *lines: str) -> list[Any]:
        """Send lines at once and return as many answers."""
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())
        return [json.loads(self.lines.readline()) for _ in lines]

    def close(self) -> None:
        """End the process."""
        self.lines.close()
        self.socket.close()
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    """A shoe that nobody listens to."""
    made = Device(tmp_path, "--tied", "--keep", "10")
    yield made
    made.close()


def test_each_line_is_answered_in_order(device: Device) -> None:
    """Several requests in one write give as many answers, each with the id of its request."""
    answers = device.say(
        '{"id":1,"do":"event","name":"CardOut","fields":{"card":"KD"}}',
        '{"id":"b","do":"events","list":[{"name":"Empty"},{"name":"CardsOut","fields":{"cards":["KD","??"]}}]}',
        '{"do":"state"}',
    )
    assert [{"id": 1, "number": 1}, {"id": "b", "numbers": [2, 3]}] == answers[:2]
    state = answers[2]
    assert (3, 0, False, True, False) == tuple(
        state[what] for what in ("kept", "acknowledged", "up", "plugged", "locked")
    )


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("no JSON", "no JSON"),
        ("[1]", "a request is a JSON object"),
        ("{}", "this device does not do 'None'"),
        ('{"do":"dance"}', "this device does not do 'dance'"),
        ('{"do":"stall"}', "this device does not do 'stall'"),
        ('{"do":"event"}', "the request needs 'name'"),
        ('{"do":"events","list":[7]}', "not subscriptable"),
        ('{"do":"noise","rate":"2"}', "flip is a chance from 0 to 1"),
        ('{"do":"noise","rate":"much"}', "could not convert"),
        ('{"do":"damage","colour":1}', "colour"),
        ('{"do":"damage","way":"up"}', "no way 'up'"),
        ('{"do":"skew"}', "the request needs 'ms'"),
    ],
)
def test_what_cannot_be_done_is_answered_with_the_reason(device: Device, line: str, says: str) -> None:
    """A wrong request is an error in the answer; the device goes on."""
    wrong, right = device.say(line, '{"do":"event","name":"Empty"}')
    assert says in wrong["error"]
    assert {"number": 1} == right


def test_a_wait_that_does_not_come_ends_with_its_time(device: Device) -> None:
    """Without a host nothing is acknowledged and no link comes up; other requests are answered meanwhile."""
    device.say('{"do":"event","name":"Empty"}')
    device.socket.sendall(
        b'{"id":1,"do":"wait","number":1,"ms":30}\n{"id":2,"do":"wait","ms":20}\n{"id":3,"do":"plug"}\n'
    )
    answers = [json.loads(device.lines.readline()) for _ in range(3)]
    assert [
        {"id": 3, "ok": True},
        {"id": 2, "up": False},
        {"id": 1, "acknowledged": False},
    ] == answers


def test_a_device_that_forgets_ends_the_waiting_for_its_events(device: Device) -> None:
    """A wait for an event that will never be acknowledged is answered when the device forgets it."""
    device.say('{"do":"event","name":"Empty"}')
    device.socket.sendall(b'{"id":1,"do":"wait","number":1}\n{"id":2,"do":"reboot","forget":true}\n')
    answers = [json.loads(device.lines.readline()) for _ in range(2)]
    assert [{"id": 1, "acknowledged": False}, {"id": 2, "ok": True}] == answers


def test_the_oldest_event_goes_when_the_memory_is_full(device: Device) -> None:
    """A device keeps this many events as it is told."""
    device.say(*['{"do":"event","name":"Empty"}'] * 25)
    assert 10 == device.say('{"do":"state"}')[0]["kept"]


def test_quit_ends_the_process_and_leaves_nothing(device: Device, tmp_path: Path) -> None:
    """After `quit` neither socket nor serial line are there."""
    assert [{"ok": True}] == device.say('{"do":"quit"}')
    assert 0 == device.process.wait(PATIENCE)
    assert [] == list(tmp_path.iterdir())


def test_a_tied_device_ends_with_its_starter(device: Device) -> None:
    """When the other end of stdin is closed the device ends."""
    assert device.process.stdin is not None
    device.process.stdin.close()
    assert 0 == device.process.wait(PATIENCE)


def test_a_device_that_is_not_tied_goes_on(tmp_path: Path) -> None:
    """Without `--tied` the end of stdin means nothing; SIGTERM ends the process in order."""
    device = Device(tmp_path)
    assert device.process.stdin is not None
    device.process.stdin.close()
    assert [{"number": 1}] == device.say('{"do":"event","name":"Empty"}')
    device.process.send_signal(signal.SIGTERM)
    assert 0 == device.process.wait(PATIENCE)
    device.close()


def test_a_device_imports_only_what_it_needs() -> None:
    """Neither pyserial nor pyusb nor the rules nor the daemon are loaded into a device's process."""
    code = "import sys, hal_sim.devices.process; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set() == {"serial", "usb", "gamecore", "firmware_bridge", "transitions"} & set(done.stdout.split())
