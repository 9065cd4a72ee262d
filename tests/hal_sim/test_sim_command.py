"""`truedeal sim` as a person starts it: it plays, it ends, and nothing of it is left behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from hal_sim.command import A_FEW
from hal_sim.dealer.error_plan import Errors
from hal_sim.dealer.robot_dealer import Robot, a_header
from tests.patience import PATIENCE
from tests.places import ROOT

PROGRAM = [sys.executable, "-m", "firmware_bridge.cli", "sim"]
GAME = "mbs-blackjack-v6"


def command(*args: object, terminal: int | None = None) -> subprocess.Popen[bytes]:
    """Start the command in a session of its own, where all that it starts can be counted."""
    return subprocess.Popen(
        [*PROGRAM, *map(str, args)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL if terminal is None else terminal,
        stdout=subprocess.PIPE if terminal is None else terminal,
        stderr=subprocess.PIPE if terminal is None else terminal,
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def done(*args: object) -> tuple[int, str, str]:
    """Run the command to its end: exit status, what it printed, what it complained of; nothing may be left running."""
    process = command(*args)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert [] == left_of(process)
    return process.returncode, out.decode(), err.decode()


def left_of(process: subprocess.Popen[bytes]) -> list[str]:
    """The command lines of what still runs in the session of an ended process."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == process.pid and fields[0] != "Z":
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return found


def read_until(stream: int, wanted: bytes, so_far: bytes = b"") -> bytes:
    """What comes out of a stream until it holds the wanted bytes, or ends."""
    until = time.monotonic() + PATIENCE
    while wanted not in so_far:
        ready, _, _ = select.select([stream], [], [], max(until - time.monotonic(), 0.0))
        assert ready, f"{wanted!r} did not come in time: {so_far[-500:]!r}"
        try:
            part = os.read(stream, 65536)
        except OSError:  # the other end of a terminal is gone
            part = b""
        if not part:
            break
        so_far += part
    return so_far


def test_a_few_rounds_of_every_game(seed: int) -> None:
    """Without a terminal: a few rounds of all games on simulated hardware with errors, in plain lines."""
    status, out, err = done("--seed", seed, "--errors", "0.6")
    assert (0, "") == (status, err)
    lines = out.splitlines()
    assert A_FEW * len(GAMES) == sum(line.startswith("round ") for line in lines)
    assert list(GAMES) == re.findall(r"^table \d: .* \((\S+)\), seed \d+$", out, re.MULTILINE)
    assert "refused 0, given to the shift manager 0" in lines
    assert "reports of the daemon equal to those in process: 5 of 5" in lines
    assert "\x1b" not in out


def test_findings_are_shown_with_clause_and_ruling(seed: int) -> None:
    """A finding is a line, and counted at the end."""
    options = ("--in-process", "--game", GAME, "--rounds", 4, "--speed", "max", "--error", "foreign-card=1")
    status, out, _ = done("--seed", seed, *options)
    assert 0 == status
    found = re.findall(r"^! foreign-card at \S+: void \(5\.1\.1\)$", out, re.MULTILINE)
    assert f"findings: foreign-card {len(found)}" in out.splitlines()
    assert len(found) > 0


@pytest.mark.parametrize("where", [(), ("--in-process",)])
def test_what_is_saved_plays_again(where: tuple[str, ...], seed: int, tmp_path: Path) -> None:
    """The file ends in the report of the robot's own table, which the daemon's was equal to."""
    file = tmp_path / "played.deal"
    options = ("--game", GAME, "--rounds", 4, "--speed", "max", "--errors", "0.8", "--seed", seed, "--save", file)
    assert 0 == done(*options, *where)[0]
    robot = Robot(GAMES[GAME], a_header(GAMES, GAME, seed), seed, Errors(any_rate=0.8))
    for _ in range(4):
        list(robot.play_round())
    again = play_text(file.read_text(encoding="utf-8"), "played", GAMES)
    assert {"file": "played", "game": GAME, **robot.table.report(), "failures": []} == again.report


def test_each_table_has_its_file(seed: int, tmp_path: Path) -> None:
    """With several games every file is numbered and named by its game, and each can be played."""
    done("--in-process", "--rounds", 2, "--speed", "max", "--seed", seed, "--save", tmp_path / "x.deal")
    assert sorted(f"x-{n}-{game}.deal" for n, game in enumerate(GAMES, start=1)) == sorted(
        file.name for file in tmp_path.iterdir()
    )
    for file in tmp_path.iterdir():
        assert None is play_text(file.read_text(encoding="utf-8"), file.name, GAMES).error


def test_the_same_seed_prints_the_same(seed: int) -> None:
    """All but the time taken."""
    options = ("--in-process", "--rounds", 2, "--speed", "max", "--seed", seed)
    first, again = (done(*options)[1] for _ in range(2))
    assert first.splitlines()[:-3] == again.splitlines()[:-3]


def test_noise_and_skew_change_nothing(seed: int) -> None:
    """On bad lines the reports are equal too."""
    bad = ("--noise", "0.0001", "--skew", 5, "--error", "noisy-line=1", "--error", "unplugged=0.5")
    status, out, _ = done("--game", GAME, "--rounds", 3, "--speed", "max", "--seed", seed, *bad)
    assert 0 == status, out
    assert "reports of the daemon equal to those in process: 1 of 1" in out.splitlines()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("moment", [b"starting five devices", b"table 1: "])
def test_a_signal_ends_it(number: signal.Signals, moment: bytes, seed: int) -> None:
    """At any time it ends, long before its rounds are over, with its summary and without a process left behind."""
    process = command("--seed", seed, "--rounds", 1000, "--speed", "1x")
    assert process.stdout is not None
    out = read_until(process.stdout.fileno(), moment)
    if number is signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does: to everything in the foreground
    else:
        process.send_signal(number)
    rest, err = process.communicate(timeout=PATIENCE)
    assert (0, b"") == (process.returncode, err)
    assert b"refused 0" in out + rest
    assert [] == left_of(process)


def test_a_terminal_is_redrawn_and_left_as_it_was(seed: int) -> None:
    """On a terminal there is a screen of its own until Ctrl-C, and the summary on the old one after it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
    before = termios.tcgetattr(theirs)
    process = command("--seed", seed, "--speed", "max", "--errors", "0.5", terminal=theirs)
    out = read_until(ours, b"10 rounds, ")
    os.killpg(process.pid, signal.SIGINT)
    after = termios.tcgetattr(theirs)
    os.close(theirs)
    out = read_until(ours, b"nothing comes after the end", out)
    os.close(ours)
    assert 0 == process.wait(PATIENCE)
    text = out.decode()
    start, _, rest = text.partition("\x1b[?1049h\x1b[?25l")
    screen, _, end = rest.partition("\x1b[?25h\x1b[?1049l")
    begun, beside, rest = start.split("\r\n")
    assert ("starting five devices and the daemon", "") == (begun, rest)
    assert beside.startswith("beside it: TRUEDEAL_CONTROL=")
    assert "\x1b" not in end
    assert re.match(r"ended: \d+ rounds, \d+ cards, ", end)
    frames = screen.split("\x1b[H")[1:]
    assert len(frames) > 1
    for frame in frames:
        lines = re.sub(r"\x1b\[\d*[mKJ]", "", frame).split("\r\n")
        assert len(lines) < 30
        assert max(map(len, lines)) < 90
    assert "panel  |" in screen
    assert before == after
    assert [] == left_of(process)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--game", "poker"), "'poker' is no game: expected all or one of mbs-blackjack-v6"),
        (("--error", "coffee=1"), "'coffee' is no error: expected one of absent-player"),
        (("--error", "coffee"), "expected such as double-draw=0.1"),
        (("--errors", "2"), "'2' is no rate: expected 0 to 1"),
        (("--errors", "nan"), "'nan' is no rate"),
        (("--speed", "fast"), "'fast' is no speed"),
        (("--rounds", "0"), "'0' is not a number of rounds"),
        (("--seed", "x"), "'x' is not a seed"),
        (("--skew", "-1"), "'-1' is no delay"),
        (("--in-process", "--noise", "0.1"), "--noise and --skew are for wires"),
        (("--in-process", "--state", "kept"), "--in-process has no daemon"),
    ],
)
def test_wrong_usage_is_one_line(args: tuple[str, ...], said: str) -> None:
    """What cannot be meant is refused before anything is started."""
    status, out, err = done(*args)
    assert (2, "", 1) == (status, out, err.count("\n"))
    assert said in err


def run_printed(line: str) -> tuple[int, str]:
    """Run a command that was printed, as a person pastes it: exit status, and what it printed."""
    truedeal = shlex.join([sys.executable, "-m", "firmware_bridge.cli"])
    ran = subprocess.run(
        ["sh", "-c", re.sub(r"\btruedeal ", f"{truedeal} ", line, count=1)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return ran.returncode, ran.stdout


def test_a_kept_journal_is_read_by_the_commands_that_are_printed(seed: int, tmp_path: Path) -> None:
    """Each of them is run as it stands there, and a second run does not write into the same folder."""
    kept = tmp_path / "a table"
    options = ("--game", GAME, "--rounds", 2, "--speed", "max", "--seed", seed, "--state", kept)
    status, out, err = done(*options)
    assert (0, "") == (status, err)
    printed = [line.strip() for line in out.splitlines() if line.startswith("  truedeal ")]
    assert ["verify", "replay", "affected", "export", "export"] == [line.split()[1] for line in printed]
    ran = [run_printed(line) for line in printed]
    assert [3, 0, 0, 0, 0] == [status for status, _ in ran]  # 3: whole, and anchored nowhere
    assert 2 == sum(line.startswith("place-bets") for line in ran[-1][1].splitlines())
    assert (2, f"truedeal sim: {kept}: it holds a journal already, name another folder\n") == done(*options)[::2]


def test_another_terminal_reaches_the_table_as_it_is_printed(seed: int) -> None:
    """The line with the control socket is pasted while the robot plays."""
    process = command("--game", GAME, "--rounds", 1000, "--speed", "1x", "--seed", seed)
    assert process.stdout is not None
    out = read_until(process.stdout.fileno(), b"table 1: ").decode()
    line = next(line for line in out.splitlines() if line.startswith("beside it: "))
    status, said = run_printed(line.removeprefix("beside it: ").partition(";")[0])
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert 0 == status
    assert GAME in said


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The devices that were started by then are ended."""
    status, _, err = done("--game", GAME, "--rounds", 1, "--save", tmp_path / "nowhere" / "x.deal")
    assert 2 == status
    assert "No such file or directory" in err
