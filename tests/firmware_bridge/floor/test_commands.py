"""The commands of the floor on real archives: made, filled from folders, audited by address."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_bridge import VERSION
from firmware_bridge.cli import build_parser, main
from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.intake.known import Wrong
from firmware_bridge.journal.signed.signing import HEAD
from tests.firmware_bridge.audit.journals import made, rounds
from tests.patience import PATIENCE
from tests.places import ROOT


@pytest.fixture
def filled(url: str, tmp_path: Path) -> str:
    """Return the address of an archive with the journals of two tables."""
    for table, count in (("mbs/bj-1", 1), ("mbs/bj-2", 2)):
        state = tmp_path / table.replace("/", "-")
        made(state, rounds(count))
        assert 0 == main(["floor", "add-table", "--archive", url, table])
        assert 0 == main(["ingest", "--archive", url, "--from", str(state), "--table", table])
    return url


def test_an_archive_is_audited_by_its_address(filled: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each journal in turn, or those of one table; a head that was kept elsewhere anchors it."""
    capsys.readouterr()
    assert 3 == main(["verify", filled])
    printed = capsys.readouterr().out
    assert ["== mbs/bj-1", "== mbs/bj-2"] == [line[:11] for line in printed.splitlines() if line.startswith("==")]
    assert 2 == printed.count("whole but not anchored: ")
    head = tmp_path / "mbs-bj-2" / HEAD
    assert 0 == main(["verify", filled, "--table", "mbs/bj-2", "--head", head.read_text(encoding="ascii")])
    assert 0 == main(["replay", filled])
    assert 0 == main(["affected", filled])
    out = tmp_path / "out.csv"
    assert 0 == main(["export", filled, "--format", "rounds-csv", "--out", str(out)])
    each = sorted(tmp_path.glob("out-*.csv"))
    assert ["out-mbs-bj-1", "out-mbs-bj-2"] == [path.name[:12] for path in each]
    assert [2, 3] == [len(path.read_text(encoding="utf-8").splitlines()) for path in each]
    assert 0 == main(["export", filled, "--format", "rounds-csv", "--table", "mbs/bj-2", "--out", str(out)])
    assert each[1].read_bytes() == out.read_bytes()


def test_the_worst_journal_decides_and_each_is_named(filled: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A journal that was changed in the archive is found among others that are whole; notes go apart."""
    with Archive.open(filled) as archive:
        journal = archive.places()[0].journal
        chosen = "UPDATE events SET chain = ? WHERE journal = ? AND n = 5"
        archive.dialect.execute(chosen, (bytes(32), journal))
    assert 1 == main(["verify", filled])
    said = capfd.readouterr()
    first, second = said.out.split("== ")[1:]
    assert first.startswith("mbs/bj-1 ")
    assert "NOT WHOLE: event 5" in first
    assert "whole but not anchored" in second
    assert "note: " in said.err


def test_the_last_rounds_of_all_tables(filled: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Newest first, of all or of one table, chosen as at a table, for people and as JSON."""
    capsys.readouterr()
    assert 0 == main(["rounds", filled])
    title, *lines = capsys.readouterr().out.splitlines()
    assert title.split()[:2] == ["Table", "Round"]
    assert [["mbs/bj-2", "2"], ["mbs/bj-2", "1"], ["mbs/bj-1", "1"]] == [line.split()[:2] for line in lines]
    assert 0 == main(["rounds", filled, "--table", "mbs/bj-1", "--json"])
    (told,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ("mbs/bj-1", 1, "settled", "1 2", "") == tuple(
        told[key] for key in ("table", "number", "outcome", "boxes", "findings")
    )
    assert 0 == main(["rounds", filled, "--box", "2", "--count", "1"])
    assert 2 == len(capsys.readouterr().out.splitlines())
    for nothing in (["--outcome", "void"], ["--person", "Ann"], ["--finding", "extra-card"]):
        assert 0 == main(["rounds", filled, *nothing])
        assert 1 == len(capsys.readouterr().out.splitlines())
    assert 2 == main(["rounds", "sqlite:/nowhere/at/all"])
    assert 2 == main(["rounds", filled, "--count", "0"])


def test_quarantine_is_shown(filled: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The list of journals names what is quarantined, and its status says so."""
    assert 0 == main(["floor", "journals", "--archive", filled])
    archive = Archive.open(filled)
    archive.quarantine(archive.places()[0].journal, Wrong("fork", 7, "another past"), b"")
    archive.close()
    capsys.readouterr()
    assert 1 == main(["floor", "journals", "--archive", filled])
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith(f"version {VERSION}, NOT confirmed by itself, QUARANTINED fork: another past")
    assert "QUARANTINED" not in second


def test_the_daemon_and_the_command_line_load_nothing_of_the_floor() -> None:
    """A table without the extra dependencies starts: broker and database are imported when a command needs them."""
    program = "import sys, firmware_bridge.daemon.run\nfrom firmware_bridge import cli\ncli.build_parser()\n"
    program += "print([name for name in ('nats', 'psycopg', 'firmware_bridge.floor.archive') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=PATIENCE)
    assert "[]\n" == done.stdout


@pytest.mark.parametrize(
    "words", [["ship", "--state", ".", "--table", "a/b"], ["ingest", "--archive", "x", "--casino", "a"]]
)
def test_a_box_without_the_extra_says_so(words: list[str], tmp_path: Path) -> None:
    """What the floor needs besides is named in one line."""
    words = [*words, "--nats", "tls://x", "--key", str(tmp_path / "key")]
    program = f"import sys\nsys.modules['nats'] = None\nfrom firmware_bridge import cli\nsys.exit(cli.main({words}))"
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=PATIENCE
    )
    assert 2 == done.returncode
    assert done.stderr.startswith(f"truedeal {words[0]}: nats")
    assert done.stderr.endswith("is not installed: it comes with truedeal[floor]\n")


@pytest.mark.parametrize("words", [["ship"], ["ingest", "--archive", "x"]])
def test_the_key_for_the_broker_is_made_once_and_printed(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its public half alone; a file that holds no key is named."""
    printed = []
    for _ in range(2):
        assert 0 == main([*words, "--key", str(tmp_path / "key"), "--print-key"])
        printed.append(capsys.readouterr().out)
    assert (printed[0], 57) == (printed[1], len(printed[0]))
    (tmp_path / "key").write_text("00", encoding="ascii")
    assert 2 == main([*words, "--key", str(tmp_path / "key"), "--print-key", "--nats", "x"])
    assert f"truedeal {words[0]}: " in capsys.readouterr().err


def typed() -> list[str]:
    """Return every command of ours that the handbook of the floor and its units have typed."""
    text = (ROOT / "deploy" / "floor" / "HANDBOOK.md").read_text(encoding="utf-8")
    found = re.findall(r"`truedeal ([a-z][^`\n]* [^`\n]*)`", text) + re.findall(r"^truedeal (.*)$", text, re.MULTILINE)
    for unit in (ROOT / "deploy" / "floor").glob("*.service"):
        started = unit.read_text(encoding="utf-8").replace("\\\n", " ").replace("${TABLE}", "mbs/bj-7")
        started = started.replace("${FLOOR_PUBLIC}", "00" * 32).replace(" $OPTIONS", "")
        found += re.findall(r"^ExecStart=/opt/truedeal-floor/bin/truedeal (.*)$", started, re.MULTILINE)
    return found


@pytest.mark.parametrize("words", typed())
def test_what_the_handbook_and_the_units_type_is_understood(words: str) -> None:
    """Command, options and their values are those that the command line takes."""
    arguments = shlex.split(words)
    assert arguments[0] == build_parser().parse_args(arguments).command


def test_the_handbook_names_every_command_of_the_floor() -> None:
    """Nobody has to find out by themselves what there is."""
    said = {tuple(words.split()[: 2 if words.startswith("floor ") else 1]) for words in typed()}
    parts = (
        "migrate",
        "add-table",
        "release",
        "nats-config",
        "token",
        "door",
        "keys",
        "backup-begin",
        "backup-done",
        "restored",
    )
    assert {("ingest",), ("ship",), ("enrol",), *(("floor", part) for part in (*parts, "journals"))} <= said


def test_what_cannot_be_done_is_one_line(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An archive without its schema, a table that nobody enrolled, a name that is none, an address that is none."""
    assert 2 == main(["floor", "journals", "--archive", f"sqlite:{tmp_path / 'empty.db'}"])
    assert 2 == main(["ingest", "--archive", url, "--from", str(tmp_path), "--table", "mbs/none"])
    assert 2 == main(["floor", "add-table", "--archive", url, "MBS"])
    assert 2 == main(["floor", "journals", "--archive", "mysql://x"])
    assert 2 == main(["verify", url])
    assert 5 == len(capsys.readouterr().err.splitlines())
