"""The command ``truedeal play``: files, folders, exit status, reports for people and machines."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge.cli import main
from firmware_bridge.commands import play
from firmware_bridge.commands.table.report_text import Cell, _Paint, columns, render
from gamecore.rules.games import GAMES
from tests.patience import PATIENCE
from tests.places import ROOT

GOOD = """game: mbs-blackjack-v6
shoe: 5C | 9H 6S KC 8H 3S

place-bets; bet 1 main 100; no-more-bets
draw burn; draw 1; draw dealer; draw 1
stand 1; draw dealer; draw dealer; settle
"""
FAILS = GOOD + "expect wager 1 main lose -100\n"
WRONG = GOOD + "stnd 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a good, a failing and a wrong file, the wrong one below."""
    (tmp_path / "below").mkdir()
    (tmp_path / "good.deal").write_text(GOOD, encoding="utf-8")
    (tmp_path / "fails.deal").write_text(FAILS, encoding="utf-8")
    (tmp_path / "below" / "wrong.deal").write_text(WRONG, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no notation", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["good.deal"], 0),
        (["fails.deal", "good.deal"], 1),
        (["fails.deal", "below"], 2),
        (["below", "fails.deal"], 2),
        (["none.deal"], 2),
        (["notes.txt"], 2),
    ],
)
def test_the_exit_status_is_the_worst_of_all_files(folder: Path, names: list[str], expected: int) -> None:
    """0 all held, 1 an expectation failed, 2 a file is wrong, whatever the order."""
    assert expected == main(["play", *(str(folder / name) for name in names)])


def test_a_folder_is_searched_in_sorted_order_and_each_report_is_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One JSON object a line, in the order of the files; a wrong file does not stop the others."""
    assert 2 == main(["play", "--json", str(folder)])
    out, err = capsys.readouterr()
    reports = [json.loads(line) for line in out.splitlines()]
    names = [str(folder / name) for name in ("below/wrong.deal", "fails.deal", "good.deal")]
    assert names == [report["file"] for report in reports]
    assert [True, False, False] == ["error" in report for report in reports]
    assert [0, 1, 0] == [len(report["failures"]) for report in reports]
    assert f"{names[0]}:7: 'stnd' is no statement" == err[: err.index(":", len(names[0]) + 3)]
    assert [err.strip()] == [report["error"] for report in reports if "error" in report]


def test_a_report_keeps_letters_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name with an umlaut is printed as it is, without blanks between keys."""
    file = tmp_path / "zürich.deal"
    file.write_text(GOOD.replace("main 100", "main 100 by Jürg"), encoding="utf-8")
    assert 0 == main(["play", "--json", str(file)])
    out = capsys.readouterr().out
    assert '"player":"Jürg"' in out
    assert "zürich.deal" in out


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"game: mbs-blackjack-v6\n\n\xff", ":3: this is no UTF-8 text\n"), (None, ": cannot be read: Is a directory\n")],
)
def test_a_file_that_cannot_be_read_is_one_clear_line(
    data: bytes | None,
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bytes that are no text, or a file that cannot be opened, are told in one line."""
    file = tmp_path / "a.deal"
    if data is None:
        file.mkdir()
        monkeypatch.setattr(play, "find", lambda _: [play.DealFile(str(file), file)])
    else:
        file.write_bytes(data)
    assert 2 == main(["play", "--json", str(file)])
    assert f"{file}{expected}" == capsys.readouterr().err


def test_a_folder_without_files_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to play is not success."""
    assert 2 == main(["play", str(tmp_path)])
    assert f"{tmp_path}: this folder holds no .deal file\n" == capsys.readouterr().err


def test_many_files_are_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With many files only those that failed are printed, and a summary."""
    for number in range(60):
        (tmp_path / f"{number:02d}.deal").write_text(FAILS if number == 7 else GOOD, encoding="utf-8")
    assert 1 == main(["play", str(tmp_path)])
    out = capsys.readouterr().out
    assert 1 == out.count("Round 1")
    assert "60 files, 59 ok, 1 failed" == out.splitlines()[-1]
    assert 1 == main(["play", "--verbose", str(tmp_path)])
    assert 60 == capsys.readouterr().out.count("Round 1")


def test_an_export_plays_to_the_same_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What reached the table can be written to a file, or printed, and played again."""
    target = folder / "again.txt"
    assert 0 == main(["play", "--json", "--export", str(target), str(folder / "good.deal")])
    assert 0 == main(["play", "--json", str(target)])
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert {**first, "file": ""} == {**second, "file": ""}
    assert 0 == main(["play", "--export", "-", str(folder / "good.deal")])
    assert target.read_text(encoding="utf-8") == capsys.readouterr().out
    assert 2 == main(["play", "--export", "-", str(folder)])


def test_a_fault_of_the_program_does_not_stop_the_other_files(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault is told in one line, as an error of that file."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("gamecore.notation.playing.player.play_text", broken)
    assert 2 == main(["play", "--json", str(folder)])
    out, err = capsys.readouterr()
    assert (3, 3) == (len(out.splitlines()), err.count("fault of the program: ZeroDivisionError: oops"))


@pytest.mark.parametrize("argv", [[], ["plya"], ["play"], ["play", "--nonsense", "x"]])
def test_a_wrong_command_line_is_status_2_without_a_traceback(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What the command line does not know is said on the standard error output."""
    assert 2 == main(argv)
    out, err = capsys.readouterr()
    assert ("", True, False) == (out, "truedeal" in err, "Traceback" in err)


def test_the_version_and_the_help_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is one line, the help names the commands."""
    assert (0, 0) == (main(["--version"]), main(["--help"]))
    out = capsys.readouterr().out
    assert out.startswith("truedeal ")
    assert "play deal notation and check its expectations" in out


def test_a_reader_who_goes_away_is_no_error_message(tmp_path: Path) -> None:
    """Closing the pipe ends the program without a word."""
    for number in range(40):
        (tmp_path / f"{number}.deal").write_text(GOOD, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "firmware_bridge.cli", "play", "--json", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
    os.close(writing)
    assert (141, b"") == (ended.returncode, ended.stderr)


REPORT: dict[str, object] = {
    "file": "a.deal",
    "game": "mbs-blackjack-v6",
    "state": "held",
    "rounds": [
        {
            "number": 1,
            "outcome": "open",
            "dealer": {"cards": ["6S", "TD"], "total": 16, "soft": False, "blackjack": False, "bust": False},
            "hands": [
                {"box": 1, "hand": 1, "cards": ["AC", "8C"], "total": 19, "soft": True, "result": "win"},
                {"box": 1, "hand": 2, "cards": ["??"], "total": None, "soft": None, "result": None},
            ],
            "wagers": [
                {
                    "box": 1,
                    "slot": 1,
                    "hand": 1,
                    "kind": "main",
                    "player": "Ann",
                    "stake": "100.00",
                    "result": "win",
                    "net": "100.00",
                    "clause": "4.2.2",
                },
                {
                    "box": 1,
                    "slot": 1,
                    "hand": 2,
                    "kind": "main",
                    "player": None,
                    "stake": "5.00",
                    "result": None,
                    "net": None,
                    "clause": None,
                },
            ],
            "findings": [
                {
                    "code": "missing-burn",
                    "clause": "5.21.1",
                    "ruling": "reconstruct",
                    "places": ["1"],
                    "moves": [{"card": "9H", "from": "1", "to": "burn"}],
                }
            ],
        }
    ],
    "asks": [{"who": "3", "options": ["accept", "refuse"], "clause": "5.8"}],
    "failures": ["line 9: expected void, but the round is open"],
}
SHOWN = """\
FAILED  a.deal  Blackjack (mbs-blackjack-v6)
  Round 1, open
    Dealer   6S TD  hard  16
    Box 1.1  AC 8C  soft  19  win
    Box 1.2  ??               -
    Wager  Kind  Player   Stake  Result      Net  Clause
    1/1    main  Ann     100.00  win     +100.00  4.2.2
    1.2/1  main  -         5.00  -             -  -
    ! missing-burn at 1: reconstruct (5.21.1)
      1. move 9H from 1 to burn
  ? 3: accept or refuse (5.8)
  Players won 100.00, lost 0.00, net +100.00
  The table is at: held
  line 9: expected void, but the round is open
"""


def test_a_person_reads_hands_settlement_findings_and_questions() -> None:
    """A report is shown as aligned plain text, with nothing a terminal would obey."""
    assert SHOWN == render(REPORT, GAMES["mbs-blackjack-v6"].title)


def test_colour_does_not_move_the_columns() -> None:
    """With colour the same characters stand at the same places."""
    painted = render(REPORT, GAMES["mbs-blackjack-v6"].title, colour=True)
    assert "\x1b[32mwin\x1b[0m" in painted
    plain = "".join(part.partition("m")[2] if at else part for at, part in enumerate(painted.split("\x1b[")))
    assert SHOWN == plain


def test_numbers_stand_at_the_right_of_their_column() -> None:
    """Text is aligned left, numbers right."""
    rows = [(Cell("a"), Cell("1", right=True)), (Cell("bb"), Cell("22", right=True))]
    assert ["a    1", "bb  22"] == list(columns(rows, _Paint(wanted=False)))
