"""What is written for other programs: every row, every record, and deal notation that plays again."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from firmware_bridge.audit.export import sessions
from firmware_bridge.journal.chain import GENESIS, Row, link
from gamecore.notation.player import play_text
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.conftest import Command
from tests.firmware_bridge.audit.journals import ROOT, House, made
from tests.firmware_bridge.audit.test_replay import FILES, incidents


def lines(text: str) -> list[dict[str, str]]:
    """The lines of a CSV by the names of their columns."""
    return list(csv.DictReader(io.StringIO(text)))


def test_json_lines_hold_the_chain(journal: Path, truedeal: Command) -> None:
    """Every row is there with all its columns: who has the lines computes the chain again."""
    status, printed, _ = truedeal("export", journal, "--format", "jsonl")
    chain = GENESIS
    rows = [json.loads(line) for line in printed.splitlines()]
    for row in rows:
        raw = None if row["raw"] is None else bytes.fromhex(row["raw"])
        chain = link(chain, Row(**{**{name: row[name] for name in Row._fields}, "raw": raw}))
        assert chain.hex() == row["chain"]
    assert (0, 218) == (status, len(rows))


def test_rounds_are_chosen_by_number(journal: Path, truedeal: Command) -> None:
    """A round's rows, and its line, are found by the number that the table gave it."""
    status, printed, _ = truedeal("export", journal, "--format", "rounds-csv", "--rounds", "3-4")
    chosen = lines(printed)
    assert (0, ["3", "4"], ["150.00", "150.00"]) == (
        status,
        [line["number"] for line in chosen],
        [line["staked"] for line in chosen],
    )
    _, printed, _ = truedeal("export", journal, "--format", "jsonl", "--rounds", "3")
    numbers = [json.loads(line)["n"] for line in printed.splitlines()]
    assert list(range(int(chosen[0]["first"]), int(chosen[0]["last"]) + 1)) == numbers
    for wrong in ("x", "0", "5-3"):
        assert 2 == truedeal("export", journal, "--format", "jsonl", "--rounds", wrong)[0]


def test_findings_have_what_was_said_about_them(tmp_path: Path, truedeal: Command) -> None:
    """One line a finding, with the answers."""
    made(tmp_path / "state", incidents)
    status, printed, _ = truedeal("export", tmp_path / "state", "--format", "findings-csv")
    said = [line["said"] for line in lines(printed) if line["said"]]
    assert (0, True) == (status, "pit: answer pit unshuffled" in said)


def test_deal_notation_plays_again(tmp_path: Path, truedeal: Command) -> None:
    """Each table is a file of its own, whose report equals that of the file that was played."""
    state, out = tmp_path / "state", tmp_path / "out.deal"
    made(state, incidents)
    assert (0, "", "") == truedeal("export", state, "--format", "deal", "--out", out)
    for number, file in enumerate(FILES, start=1):
        first, again = (
            play_text(path.read_text(encoding="utf-8"), "x", GAMES).report
            for path in (file, tmp_path / f"out-{number}.deal")
        )
        assert {**first, "failures": []} == again
    assert 2 == truedeal("export", state, "--format", "deal")[0]


def many_scenarios(house: House) -> None:
    """Scenarios of one game: all in which devices or power fail, and some of the others."""
    files = sorted((ROOT / "tests" / "scenarios" / "mbs-blackjack-v6").glob("*.deal"))
    for number, file in enumerate(files):
        text = file.read_text(encoding="utf-8")
        if number % 8 == 0 or any(word in text for word in ("power-", "unplug", "restart")):
            house.plays(text, new_table=True)


def test_scenarios_are_exported_as_they_were(tmp_path: Path) -> None:
    """Power cuts, lost links and refused commands included, the exported text gives the report of the journal."""
    made(tmp_path / "state", many_scenarios)
    found, passed_over = sessions(tmp_path / "state", None, lambda: None)
    assert [] == [number for number, session in enumerate(found) if not session.plays_again(session.text())]
    assert (True, 0) == (len(found) > 10, passed_over)


def test_a_session_is_exported_up_to_a_round(journal: Path, truedeal: Command) -> None:
    """The file begins with the table and ends with the last chosen round."""
    status, printed, complaint = truedeal("export", journal, "--format", "deal", "--rounds", "2-3")
    rounds = play_text(printed, "x", GAMES).report["rounds"]
    assert isinstance(rounds, list)
    assert (0, "", [1, 2, 3]) == (status, complaint, [one["number"] for one in rounds])


def test_nothing_is_written_into_the_state_folder(journal: Path, truedeal: Command) -> None:
    """A target inside it is refused."""
    status, _, complaint = truedeal("export", journal, "--format", "jsonl", "--out", journal / "x")
    assert (2, True, False) == (status, "lies in the state folder" in complaint, (journal / "x").exists())
