"""`truedeal sim` with its page: it serves, it ends, and without a page the terminal goes on."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import urllib.request
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from hal_sim import command as sim
from tests.hal_sim.test_sim_command import GAME, command, done, left_of, read_until
from tests.patience import PATIENCE
from tests.places import ROOT

ADDRESS = re.compile(rb"in a browser: (http://127\.0\.0\.1:\d+/)#/harness")


def got(url: str) -> dict[str, object]:
    """The JSON at an address."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:  # noqa: S310  loopback
        found: dict[str, object] = json.load(answer)
    return found


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_until_a_signal(number: signal.Signals, seed: int) -> None:
    """With a stream open and a robot that waits it ends within seconds, and nothing of it is left."""
    port = free_port()
    process = command("--paused", "--port", port, "--seed", seed, "--game", GAME)
    assert process.stdout is not None
    out = read_until(process.stdout.fileno(), b"#/harness")
    found = ADDRESS.search(out)
    assert found is not None
    url = found[1].decode()
    assert f"http://127.0.0.1:{port}/" == url
    state = got(f"{url}api/harness/state")
    assert "nobody" == state["playing"]
    assert [{"name": "harness", "script": "/extra/harness/harness.js"}] == got(f"{url}api/session")["extras"]
    stream = urllib.request.urlopen(f"{url}api/stream", timeout=PATIENCE)  # noqa: S310  loopback
    assert b"retry" in stream.readline()
    if number is signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    rest, err = process.communicate(timeout=PATIENCE)
    stream.close()
    assert (0, b"") == (process.returncode, err)
    assert b"ended: 0 rounds" in rest
    assert [] == left_of(process)


def test_the_page_stays_when_the_robot_has_played_its_rounds(seed: int) -> None:
    """The robot rests, the page answers on with the last round, and a signal ends it; every report was equal."""
    process = command("--web", "--rounds", 1, "--speed", "max", "--seed", seed, "--errors", "0.5")
    assert process.stdout is not None
    out = read_until(process.stdout.fileno(), b"the page stays until Ctrl-C")
    found = ADDRESS.search(out)
    assert found is not None
    state = got(f"{found[1].decode()}api/harness/state")
    assert ("nobody", True) == (state["playing"], state["own"])
    assert got(f"{found[1].decode()}api/rounds")["rounds"]
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=PATIENCE)
    lines = (out + rest).decode().splitlines()
    assert (0, b"") == (process.returncode, err)
    assert 5 == sum(line.startswith("round ") for line in lines)
    assert "reports of the daemon equal to those in process: 5 of 5" in lines
    assert [] == left_of(process)


def test_a_page_that_was_asked_for_and_has_no_port_ends_the_command(seed: int) -> None:
    """One line says so, with the status of wrong usage; nothing is started."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, out, err = done("--port", port, "--rounds", 1, "--speed", "max", "--seed", seed, "--game", GAME)
    assert (2, "", f"truedeal sim: 127.0.0.1:{port}: Address already in use\n") == (status, out, err)


HIDE = "import sys; sys.modules['uvicorn'] = None; from firmware_bridge.cli import main; sys.exit(main(sys.argv[1:]))"


def test_without_its_packages_a_page_that_was_asked_for_ends_the_command(seed: int) -> None:
    """One line says what is missing."""
    args = ["sim", "--web", "--rounds", "1", "--speed", "max", "--seed", str(seed), "--game", GAME]
    ran = subprocess.run(
        [sys.executable, "-c", HIDE, *args],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    said = "truedeal sim: uvicorn is not installed, see truedeal[console]\n"
    assert (2, "", said) == (ran.returncode, ran.stdout, ran.stderr)


def test_without_its_packages_a_terminal_that_asked_for_no_page_goes_on(
    seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what is missing, and the robot plays without the page."""
    played: list[object] = []

    def play(_args: object, _games: object, _errors: object, page: object) -> int:
        played.append(page)
        return 0

    monkeypatch.setitem(sys.modules, "hal_sim.harness.web", None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sim, "_play", play)
    assert 0 == main(["sim", "--seed", str(seed), "--game", GAME])
    assert [None] == played
    assert "no page: hal_sim.harness.web is not installed, see truedeal[console]\n" == capsys.readouterr().out


@pytest.mark.parametrize(("option", "shown"), [((), True), (("--no-web",), False)])
def test_on_a_terminal_the_address_stands_above_the_table(option: tuple[str, ...], shown: bool, seed: int) -> None:
    """The page is there without being asked for, unless it is not wanted."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    process = command("--seed", seed, "--speed", "max", "--game", GAME, *option, terminal=theirs)
    out = read_until(ours, b" cards a second")
    os.killpg(process.pid, signal.SIGINT)
    os.close(theirs)
    out = read_until(ours, b"nothing comes after the end", out)
    os.close(ours)
    assert 0 == process.wait(PATIENCE)
    assert shown is bool(ADDRESS.search(out))
    assert [] == left_of(process)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--web", "--in-process"), "the page works devices"),
        (("--paused", "--in-process"), "the page works devices"),
        (("--no-web", "--paused"), "--port and --paused are for the page"),
        (("--no-web", "--port", "8790"), "--port and --paused are for the page"),
        (("--web", "--save", "x.deal"), "--save is for the robot alone"),
        (("--port", "70000"), "'70000' is not a port"),
        (("--scenarios", "nowhere/at/all"), "nowhere/at/all: there is no such folder"),
    ],
)
def test_wrong_usage_of_the_page_is_one_line(args: tuple[str, ...], said: str) -> None:
    """What cannot be meant is refused before anything is started."""
    status, out, err = done(*args)
    assert (2, "", 1) == (status, out, err.count("\n"))
    assert said in err


def test_a_folder_of_scenarios(seed: int, tmp_path: Path) -> None:
    """Its files are in the list."""
    (tmp_path / "mine.deal").write_text("game: mbs-blackjack-v6\n\nplace-bets\n", encoding="utf-8")
    process = command("--web", "--paused", "--seed", seed, "--game", GAME, "--scenarios", tmp_path)
    assert process.stdout is not None
    found = ADDRESS.search(read_until(process.stdout.fileno(), b"#/harness"))
    assert found is not None
    files = got(f"{found[1].decode()}api/harness/scenarios")["scenarios"]
    assert isinstance(files, list)
    assert ["mine"] == [one["name"] for one in files if one["folder"] == tmp_path.name]
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert [] == left_of(process)
