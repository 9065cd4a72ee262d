"""What is written for other programs: every row, every record, and deal notation that plays again."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from firmware_bridge.audit.exports.csv_cells import text
from firmware_bridge.audit.exports.export import sessions
from firmware_bridge.audit.round_filter import Chosen
from firmware_bridge.journal.chain import GENESIS, Row, link
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.playing.player import play_text
from gamecore.rules.games import GAMES
from tests.firmware_bridge.audit.conftest import Command
from tests.firmware_bridge.audit.journals import HEAD, LOAD, NAME, ROUND, House, made
from tests.firmware_bridge.audit.test_replay import FILES, incidents
from tests.firmware_bridge.console.journals import says
from tests.places import ROOT


def lines(told: str) -> list[dict[str, str]]:
    """The lines of a CSV by the names of their columns."""
    return list(csv.DictReader(io.StringIO(told)))


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


def test_every_line_names_the_table(tmp_path: Path, truedeal: Command) -> None:
    """The files of many tables can be put together and told apart, even in a round that has no end."""

    def play(house: House) -> None:
        house.plays(HEAD + "load 9H 8D TS KC 9C 8H\n" + LOAD + ROUND)
        house.plays(HEAD + LOAD + "place-bets\nbet 1 main 100\n", new_table=True)

    made(tmp_path / "state", play)
    for format_ in ("rounds-csv", "wagers-csv"):
        _, printed, _ = truedeal("export", tmp_path / "state", "--format", format_)
        assert [NAME] * 2 == [line["table"] for line in lines(printed) if line.get("box", "1") == "1"]


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
    found, passed_over = sessions(tmp_path / "state", Chosen(), lambda: None)
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


def test_a_file_that_cannot_be_written_is_called_by_the_name_that_was_given(
    journal: Path, tmp_path: Path, truedeal: Command
) -> None:
    """No other file is named, touched or left behind, whatever it is called."""
    (tmp_path / "x.csv.new").write_text("mine", encoding="ascii")
    (tmp_path / "x.csv").mkdir()
    status, _, complaint = truedeal("export", journal, "--format", "rounds-csv", "--out", tmp_path / "x.csv")
    assert (2, f"truedeal export: {tmp_path}/x.csv: Is a directory\n") == (status, complaint)
    missing = tmp_path / "none" / "x.csv"
    status, _, complaint = truedeal("export", journal, "--format", "rounds-csv", "--out", missing)
    assert (2, f"truedeal export: {missing}: No such file or directory\n") == (status, complaint)
    assert "mine" == (tmp_path / "x.csv.new").read_text(encoding="ascii")
    assert [] == list(tmp_path.glob(".x*"))


def troubled(house: House) -> None:
    """A matter that people speak of, a round that is on when the table is changed, and one that is on at the end."""
    house.plays(HEAD + LOAD + ROUND + LOAD + ROUND.replace("settle", ""))
    says(house, ev.Call("uncovered"), "ann", "pit-manager")
    says(house, ev.Answer("house", ("continue",)), "bea", "shift-manager")
    house.happens(ev.Settle())
    house.plays(HEAD + LOAD + "place-bets\nbet 1 main 100 by Ann\nno-more-bets\n")
    house.plays(HEAD + LOAD + ROUND, new_table=True)
    house.plays(HEAD + "place-bets\nbet 3 main 200\n")
    says(house, ev.Seat(Place(4), "Zoe"), "bea", "shift-manager")
    says(house, ev.Seat(Place(5), "Yan"), "cid (104)", "dealer")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of `troubled`."""
    state = tmp_path_factory.mktemp("people") / "state"
    made(state, troubled)
    return state


def test_a_round_has_a_key_of_its_own_and_times(people: Path, truedeal: Command) -> None:
    """Numbers start again with every table; keys do not. A round without an end is listed too."""
    found = lines(truedeal("export", people, "--format", "rounds-csv")[1])
    assert ["1", "2", "1", "3", "2"] == [one["number"] for one in found]
    assert 5 == len({one["key"] for one in found})
    assert [False, False, False, True, True] == [one["ended_utc"] == "" for one in found]
    assert all(re.fullmatch(r"[0-9-]{10} [0-9:]{8}", one["began_utc"]) for one in found)
    assert ["", "uncovered", "", "", ""] == [one["codes"] for one in found]


def test_a_finding_has_its_round_its_time_and_who_said_so(people: Path, truedeal: Command) -> None:
    """By name, where the journal knows it."""
    (found,) = lines(truedeal("export", people, "--format", "findings-csv")[1])
    rounds = lines(truedeal("export", people, "--format", "rounds-csv")[1])
    assert ("uncovered", rounds[1]["key"], "ann (pit-manager)") == (found["code"], found["key"], found["by"])
    assert "told" == found["how"]
    assert rounds[1]["began_utc"] <= found["at_utc"] <= rounds[1]["ended_utc"]
    assert "house, bea (shift-manager): answer house continue" in found["said"]


def test_wagers_have_a_line_each(people: Path, truedeal: Command) -> None:
    """Box, hand and slot apart, and no cell that a spreadsheet takes for a date or a number that it is not."""
    found = lines(truedeal("export", people, "--format", "wagers-csv")[1])
    assert [("1", "1", "1", "main", "100.00"), ("2", "1", "1", "main", "50.00")] == [
        tuple(one[name] for name in ("box", "hand", "slot", "kind", "stake")) for one in found[:2]
    ]
    assert (8, "200.00", "") == (len(found), found[-1]["stake"], found[-1]["result"])
    assert all(one["clause"][:1] in {"", "'"} for one in found)
    assert ["Ann"] == [one["player"] for one in found if one["player"]]


def test_rounds_are_chosen_by_finding_time_and_box(people: Path, truedeal: Command) -> None:
    """In every format; what is no time and no finding is an error of the caller."""

    def keys(*words: str) -> list[str]:
        return [one["key"] for one in lines(truedeal("export", people, "--format", "rounds-csv", *words)[1])]

    every = keys()
    assert [every[1]] == keys("--finding", "uncovered")
    assert ([every[4]], []) == (keys("--box", "3"), keys("--box", "7"))
    assert (every, []) == (keys("--from", "2001-01-01"), keys("--to", "2001-01-01"))
    deal = truedeal("export", people, "--format", "deal", "--finding", "uncovered")
    assert (0, 2) == (deal[0], deal[1].count("place-bets"))
    for wrong in (("--finding", "x"), ("--from", "yesterday"), ("--to", "x"), ("--rounds", "x")):
        assert 2 == truedeal("export", people, "--format", "jsonl", *wrong)[0]


def test_rounds_are_chosen_by_clause_outcome_and_person(people: Path, truedeal: Command) -> None:
    """A clause with all under it; a person by name or number, who said something while the round was on."""

    def keys(*words: str) -> list[str]:
        return [one["key"] for one in lines(truedeal("export", people, "--format", "rounds-csv", *words)[1])]

    every = keys()
    assert ([every[1]], [every[1]], []) == (keys("--clause", "6"), keys("--clause", "6.1"), keys("--clause", "6.11"))
    assert ([every[1]], []) == (
        keys("--finding", "uncovered", "--clause", "6.1"),
        keys("--finding", "late-wager", "--clause", "6.1"),
    )
    assert (every[:3], every[3:4], every[4:], []) == (
        keys("--outcome", "settled"),
        keys("--outcome", "abandoned"),
        keys("--outcome", "open"),
        keys("--outcome", "void"),
    )
    assert ([every[1]], [every[1], every[4]], [every[4]], []) == (
        keys("--person", "ANN"),
        keys("--person", "bea"),
        keys("--person", "104"),
        keys("--person", "be"),
    )
    for outcome in ("abandoned", "open"):
        deal = truedeal("export", people, "--format", "deal", "--outcome", outcome)
        assert (0, True) == (deal[0], "place-bets" in deal[1])
        assert "PlaceBets" in truedeal("export", people, "--format", "jsonl", "--outcome", outcome)[1]
    found = lines(truedeal("export", people, "--format", "findings-csv", "--clause", "6.1")[1])
    assert ["uncovered"] == [one["code"] for one in found]
    said = [one["people"] for one in lines(truedeal("export", people, "--format", "rounds-csv")[1])]
    assert ["", "ann; bea", "", "", "bea; cid (104)"] == said


def test_no_name_is_a_formula(tmp_path: Path, truedeal: Command) -> None:
    """Whatever a Player or a person is called, a spreadsheet has text before it; the other cells are as they were."""
    names = ["=1+1", "+1", "-1", "@SUM(1)", "=cmd|'/C'!A0", '"=1,2']

    def play(house: House) -> None:
        house.plays(HEAD + LOAD + "place-bets\n")
        for box, name in enumerate(names, start=1):
            assert house.happens(ev.WagerPlaced(Place(box, slot=1), "main", 10000, name)) is None
        says(house, ev.Call("uncovered"), "=2+2", "pit-manager")

    made(tmp_path / "state", play)
    found = lines(truedeal("export", tmp_path / "state", "--format", "wagers-csv")[1])
    assert [f"'{name}" for name in names] == [one["player"] for one in found]
    assert ["100.00"] * len(names) == [one["stake"] for one in found]
    (one,) = lines(truedeal("export", tmp_path / "state", "--format", "rounds-csv")[1])
    assert "'=2+2" == one["people"]


@pytest.mark.parametrize(
    ("plain", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("-1", "'-1"),
        (" =1", "' =1"),
        ("\t=1", "'\t=1"),
        ("1/1", "'1/1"),
        ("5.10", "'5.10"),
        ("007", "'007"),
        ("Mar 1", "'Mar 1"),
        ("SEPT-2", "'SEPT-2"),
        ("true", "'true"),
        ("@x", "'@x"),
        ("Ann", "Ann"),
        ("Marion", "Marion"),
        ("", ""),
    ],
)
def test_no_text_is_taken_for_something_else(plain: str, cell: str) -> None:
    """Formula, date, fraction, number, month, truth."""
    assert cell == text(plain)
