"""The command line and bad input: one clear line, the right exit status, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from firmware_bridge.cli import main
from gamecore.rules.games import GAMES
from tests.places import ROOT

REPORT = ["file", "game", "state", "rounds", "asks", "failures"]
ROUND = ["number", "outcome", "dealer", "hands", "wagers", "findings"]
DEALER = ["cards", "total", "soft", "blackjack", "bust"]
HAND = ["box", "hand", "cards", "total", "soft", "result"]
WAGER = ["box", "slot", "hand", "kind", "player", "stake", "result", "net", "clause"]
FINDING = ["code", "clause", "ruling", "places"]
ASK = ["who", "options", "clause"]

GOOD = """\
game: mbs-blackjack-v6
shoe: 5C | 9H 6S KC TD 2C

place-bets; bet 1 main 100; no-more-bets
draw burn; draw 1; draw dealer; draw 1
offer surrender; close surrender
stand 1
draw dealer; draw dealer
settle
expect wager 1 main win +100
"""
FAILS = GOOD.replace("win +100", "lose -100")
MALFORMED = "this is no deal notation\n"

# text, the line that is wrong, what the message says
WRONG: dict[str, tuple[str, int, str]] = {
    "malformed file": (MALFORMED, 1, "is no header line"),
    "empty file": ("", 1, "the header names no game"),
    "no such game": ("game: mbs-baccarat-v1\n", 1, "'mbs-baccarat-v1' is no game"),
    "no such header key": ("game: mbs-blackjack-v6\ncolour: red\n", 2, "'colour' is no header key"),
    "too many decks": ("game: mbs-blackjack-v6\ndecks: 9\n", 2, "9 is not possible"),
    "impossible card in the header": (GOOD.replace("9H", "1H"), 2, "'1H' is no card"),
    "impossible card in a draw": (GOOD.replace("draw burn", "draw burn = 9X"), 5, "'9X' is no card"),
    "card in lower case": (GOOD.replace("draw burn", "draw burn = 9h"), 5, "'9h' is no card"),
    "amount below zero": (GOOD.replace("main 100", "main -5"), 4, "'-5' is no amount"),
    "amount of zero": (GOOD.replace("main 100", "main 0"), 4, "'0' is no amount"),
    "amount with a part of a cent": (GOOD.replace("main 100", "main 0.005"), 4, "'0.005' is no amount"),
    "no such box": (GOOD.replace("bet 1 main", "bet 8 main"), 4, "there is no box 8"),
    "no such slot": (GOOD.replace("bet 1 main", "bet 1/4 main"), 4, "box 1 has no place for wager 4"),
    "no such wager": (GOOD.replace("bet 1 main", "bet 1 busted"), 4, "'busted' has no place on the layout"),
    "no such statement": (GOOD.replace("stand 1", "stnd 1"), 7, "did you mean 'stand'"),
    "decision out of turn": (GOOD.replace("stand 1", "stand 2"), 7, "it is the turn of 1, not of 2"),
    "split of no pair": (GOOD.replace("stand 1", "split 1"), 7, "9H and KC have no split"),
    "settlement before the dealer's card": (
        GOOD.replace("draw dealer; draw dealer\n", ""),
        8,
        "Dealer must still draw",
    ),
    "insurance against a six": (GOOD.replace("offer surrender", "offer insurance"), 6, "gives no insurance"),
    "bets closed twice": (GOOD.replace("draw burn", "no-more-bets; draw burn"), 5, "bets are not open"),
    "answer that nobody asked for": (GOOD.replace("stand 1", "answer pit unknown"), 7, "nothing is asked of pit"),
}


class Ran(NamedTuple):
    """What a call of the command gave."""

    status: int
    out: str
    err: str


class Call:
    """Calls ``truedeal play`` in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Nothing lies in the folder yet."""
        self.folder = folder
        self._capsys = capsys

    def write(self, name: str, text: str) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def play(self, *args: str | Path) -> Ran:
        """Run the command."""
        status = main(["play", *map(str, args)])
        return Ran(status, *self._capsys.readouterr())


@pytest.fixture
def call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Return the command with an empty folder."""
    return Call(tmp_path, capsys)


def reports(out: str) -> list[dict[str, Any]]:
    """Return the reports of ``--json``, one a line."""
    return [json.loads(line) for line in out.splitlines()]


# --- one wrong file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "line", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_one_clear_line_and_status_2(call: Call, text: str, line: int, says: str) -> None:
    """The line names file and line and what is wrong; nothing else goes to the standard error output."""
    path = call.write("wrong.deal", text)
    ran = call.play(path)
    assert 2 == ran.status
    assert 1 == ran.err.count("\n")
    assert ran.err.startswith(f"{path}:{line}: ")
    assert says in ran.err
    assert "Traceback" not in ran.out + ran.err


@pytest.mark.parametrize(("text", "line", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_has_its_message_in_its_report(call: Call, text: str, line: int, says: str) -> None:
    """The report keeps what had happened up to that line, with the message of the error under `error`."""
    path = call.write("wrong.deal", text)
    ran = call.play("--json", path)
    (report,) = reports(ran.out)
    assert [*REPORT, "error"] == list(report)
    assert ran.err == report["error"] + "\n"
    assert report["error"].startswith(f"{path}:{line}: ")
    assert says in report["error"]


def test_a_refused_command_names_its_clause(call: Call) -> None:
    """An illegal decision says by which clause it is refused."""
    assert call.play(call.write("a.deal", GOOD.replace("stand 1", "split 1"))).err.endswith("(3.21)\n")


def test_what_had_happened_before_the_error_is_reported(call: Call) -> None:
    """A decision that is refused leaves the round where it was."""
    (report,) = reports(call.play("--json", call.write("a.deal", GOOD.replace("stand 1", "split 1"))).out)
    assert "player-turn" == report["state"]
    assert ["9H", "KC"] == report["rounds"][0]["hands"][0]["cards"]
    assert None is report["rounds"][0]["wagers"][0]["result"]


@pytest.mark.parametrize("data", [b"\xff\xfe\x00g", b"game: mbs-blackjack-v6\n\n\x80\x81\n", b"\x00" * 64])
def test_bytes_that_are_no_text_are_one_line_and_status_2(call: Call, data: bytes) -> None:
    """A file that is not UTF-8, or not readable text at all, is told in one line."""
    path = call.folder / "bytes.deal"
    path.write_bytes(data)
    ran = call.play(path)
    assert (2, 1) == (ran.status, ran.err.count("\n"))
    assert ran.err.startswith(f"{path}:")
    assert ran.err.isascii()


def test_what_is_not_there_is_one_line_and_status_2(call: Call) -> None:
    """A missing file and a folder without notation are told in a line each."""
    (call.folder / "empty").mkdir()
    ran = call.play(call.folder / "none.deal", call.folder / "empty")
    assert 2 == ran.status
    assert [f"{call.folder}/none.deal: cannot be read: No such file or directory", f"{call.folder}/empty: "] == [
        ran.err.splitlines()[0],
        ran.err.splitlines()[1][: len(str(call.folder)) + 8],
    ]


@pytest.mark.parametrize("args", [[], ["play"], ["play", "--nonsense", "x"], ["paly", "x"]])
def test_a_wrong_call_is_status_2_without_a_traceback(args: Sequence[str]) -> None:
    """The program as a person starts it answers a wrong call with its usage."""
    ran = start(*args)
    assert 2 == ran.status
    assert "" == ran.out
    assert "usage" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "name", ["malformed file", "impossible card in a draw", "amount below zero", "split of no pair"]
)
def test_the_program_itself_ends_with_one_line_and_status_2(call: Call, name: str) -> None:
    """As a process of its own too, bad input is one line and no traceback."""
    path = call.write("wrong.deal", WRONG[name][0])
    ran = start("play", "--json", str(path))
    assert (2, 1, 1) == (ran.status, ran.err.count("\n"), ran.out.count("\n"))
    assert "Traceback" not in ran.out + ran.err


def start(*args: str) -> Ran:
    """Run the program as a process."""
    command = [sys.executable, "-m", "firmware_bridge.cli", *args]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


# --- exit status of several files ----------------------------------------------------------------------------------


def test_all_held_is_status_0(call: Call) -> None:
    """Nothing goes to the standard error output."""
    ran = call.play(call.write("good.deal", GOOD))
    assert (0, "") == (ran.status, ran.err)


def test_a_failed_expectation_is_status_1(call: Call) -> None:
    """The file is played to its end and the failure is in its report, not on the standard error output."""
    ran = call.play("--json", call.write("fails.deal", FAILS))
    (report,) = reports(ran.out)
    assert (1, "", "complete") == (ran.status, ran.err, report["state"])
    assert ["line 10: expected wager 1.1/1 main lose -100, but it is win +100 (4.2.2)"] == report["failures"]


def test_a_mixture_is_status_2_and_every_file_is_played(call: Call) -> None:
    """Wrong files, failing ones and good ones: each gets its report, in the order of the call."""
    texts = {"a": WRONG["split of no pair"][0], "b": GOOD, "c": FAILS, "d": MALFORMED, "e": GOOD}
    paths = [call.write(f"{name}.deal", text) for name, text in texts.items()]
    ran = call.play("--json", *reversed(paths))
    found = reports(ran.out)
    assert 2 == ran.status
    assert [str(path) for path in reversed(paths)] == [report["file"] for report in found]
    assert ["complete", None, "complete", "complete", "player-turn"] == [report["state"] for report in found]
    assert [False, True, False, False, True] == ["error" in report for report in found]
    assert [0, 0, 1, 0, 0] == [len(report["failures"]) for report in found]
    assert 2 == ran.err.count("\n")


# --- reports -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_report_has_its_keys_in_the_order_of_the_notation(call: Call, game: str) -> None:
    """One object on one line; every object of it has the documented keys in the documented order."""
    rules = GAMES[game]
    text = GOOD.replace("mbs-blackjack-v6", game).replace("TD 2C", "KD 2C").split("\n")
    if game == "mbs-pontoon-v5":
        text.remove("offer surrender; close surrender")
    if not rules.burn.value:
        text = [line.replace("5C | ", "").replace("draw burn; ", "") for line in text]
    ran = call.play("--json", call.write("a.deal", "\n".join(text)))
    assert (0, 1) == (ran.status, ran.out.count("\n"))
    (report,) = reports(ran.out)
    assert REPORT == list(report)
    (played,) = report["rounds"]
    assert ROUND == list(played)
    assert DEALER == list(played["dealer"])
    assert [HAND] == [list(hand) for hand in played["hands"]]
    assert [WAGER] == [list(wager) for wager in played["wagers"]]
    assert ("complete", "settled", [], []) == (report["state"], played["outcome"], played["findings"], report["asks"])


def test_findings_and_asks_have_their_keys_in_the_order_of_the_notation(call: Call) -> None:
    """An irregularity of which the house is asked."""
    text = GOOD[: GOOD.index("stand 1")] + "call uncovered\n"
    (report,) = reports(call.play("--json", call.write("a.deal", text)).out)
    found = report["rounds"][0]["findings"]
    assert "held" == report["state"]
    assert found
    assert {tuple(FINDING)} == {tuple(key for key in finding if key != "moves") for finding in found}
    assert {tuple(ASK)} == {tuple(ask) for ask in report["asks"]}


def test_a_folder_is_searched_to_its_depth_in_sorted_order(call: Call) -> None:
    """Every ``.deal`` file below the folder, sorted by path; other files are left alone."""
    names = ["b/2.deal", "a.deal", "b/10.deal", "c/d/e.deal", "B.deal"]
    for name in [*names, "notes.txt", "b/a.deal.bak"]:
        call.write(name, GOOD)
    ran = call.play("--json", call.folder)
    assert 0 == ran.status
    expected = sorted(call.folder / name for name in names)
    assert [str(path) for path in expected] == [report["file"] for report in reports(ran.out)]


def test_hundreds_of_files_are_played_in_one_call(call: Call) -> None:
    """Four hundred files, every tenth of them wrong and every seventh failing: each has its report, in order."""
    kinds = [MALFORMED if number % 10 == 0 else FAILS if number % 7 == 0 else GOOD for number in range(400)]
    paths = [call.write(f"{number:03}.deal", text) for number, text in enumerate(kinds)]
    ran = call.play("--json", *paths)
    found = reports(ran.out)
    assert 2 == ran.status
    assert [str(path) for path in paths] == [report["file"] for report in found]
    assert [text is MALFORMED for text in kinds] == ["error" in report for report in found]
    assert [text is FAILS for text in kinds] == [bool(report["failures"]) for report in found]
    assert kinds.count(MALFORMED) == ran.err.count("\n")


def test_with_many_files_a_person_reads_only_what_went_wrong(call: Call) -> None:
    """A summary ends the output; files that held are counted, not shown."""
    for number in range(30):
        call.write(f"{number:03}.deal", FAILS if number == 17 else GOOD)
    ran = call.play(call.folder)
    assert 1 == ran.status
    assert ["017.deal"] == [f"{number:03}.deal" for number in range(30) if f"{number:03}.deal" in ran.out]
    assert ran.out.endswith("30 files, 29 ok, 1 failed\n")
