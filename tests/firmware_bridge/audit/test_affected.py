"""Which rounds a bad card concerns, by what was found and what was proved before."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser
from pathlib import Path

import pytest

from firmware_bridge.audit.affected import Case, affected
from firmware_bridge.pump.items import Item
from gamecore.model.events import events as ev
from tests.firmware_bridge.audit.conftest import Command
from tests.firmware_bridge.audit.journals import CARDS, HEAD, LOAD, ROUND, House, made

ON = "place-bets\nbet 1 main 100\nno-more-bets\n"
ALL = 416
OUT = len(CARDS.split())


def cases(folder: Path, text: str, head: str = HEAD) -> list[Case]:
    """The cases of a journal in which this happened."""
    made(folder / "state", lambda house: house.plays(head + text), head)
    return affected(folder / "state").cases


def told(found: list[Case]) -> list[tuple[list[str], list[int], bool]]:
    """Of each case what was found, the numbers of its rounds, and whether it is over."""
    return [
        ([seen.finding.code for seen in case.found], [one.number for one in case.rounds], case.until is not None)
        for case in found
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LOAD + ROUND * 1, []),
        # A count that does not match: everything since the load.
        (LOAD + ROUND + "discard-count 3\n", [(["missing-card"], [1], False)]),
        (LOAD + ROUND + LOAD + ROUND + f"shoe-count {ALL - OUT + 1}\n", [(["extra-card"], [2], False)]),
        # A count that matched is a proof against a missing card.
        (LOAD + ROUND + f"discard-count {OUT}\n" + "discard-count 3\n", [(["missing-card"], [], False)]),
        (LOAD + ROUND + f"shoe-count {ALL - OUT}\n" + ON + "shoe-count 7\n", [(["missing-card"], [2], False)]),
        # A load that is too small concerns the shoe before it, and ends with one that is whole.
        (LOAD + ROUND + "shuffle machine\nload 414\n" + LOAD + ROUND, [(["missing-card"], [1], True)]),
        # A foreign card: no count says which cards they are.
        (
            LOAD + ROUND + f"discard-count {OUT}\n" + ON + "draw 1 = JOKER\n" + LOAD + ROUND,
            [(["foreign-card"], [1, 2], True)],
        ),
        # A card that there is once too often is known by its code.
        (
            "shuffle machine\nload 9H#1 8D#2\n" + ON + "draw 1\ndraw dealer = 9H#1\n",
            [(["extra-card"], [1], False)],
        ),
        # Cards that were not shuffled concern the rounds dealt from them.
        (
            LOAD + ROUND + "load 9H\n" + ON + "draw 1\n" + LOAD + ROUND,
            [(["unshuffled-cards"], [2], True)],
        ),
        (LOAD + ROUND + ON + "draw 1 = 2C\ncall unshuffled-cards\n", [(["unshuffled-cards"], [1, 2], False)]),
        # A person who reports an earlier round is believed.
        (
            LOAD + ROUND + LOAD + ROUND + "place-bets\ncall missing-card round 1\n",
            [(["missing-card"], [1], True)],
        ),
    ],
)
def test_the_rounds_since_the_last_proof(
    tmp_path: Path, text: str, expected: list[tuple[list[str], list[int], bool]]
) -> None:
    """From the last proof to the next one, and only for what that proof speaks of."""
    assert expected == told(cases(tmp_path, text))


def test_cards_in_order_are_found_by_the_order(tmp_path: Path) -> None:
    """The pit's answer is the ruling in the end, and every round since the load is concerned."""
    head = "game: mbs-blackjack-v6\ndecks: 1\nburn: no\nshoe: AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS\n\n"
    bets = "place-bets\nbet 1 main 100\nbet 2 main 100\nbet 3 main 100\nno-more-bets\n"
    text = bets + "draw 1; draw 2; draw 3; draw dealer; draw 1; draw 2; draw 3\nstop"
    found = cases(tmp_path, text.removesuffix("stop") + "draw\nanswer pit unshuffled\n", head)
    assert [(["unshuffled-cards"], [1], False)] == told(found)
    assert ("void", "the table begins") == (found[0].found[0].finding.ruling, found[0].since.what)


SCENE = "seat 1 Ann\nseat 2 =HYPERLINK(1)\n" + LOAD + ROUND + "discard-count 3\n"


def test_the_report_says_who_staked_what(tmp_path: Path, truedeal: Command) -> None:
    """The text has finding, proof, Players, wagers and results."""
    made(tmp_path / "state", lambda house: house.plays(HEAD + SCENE))
    status, printed, complaint = truedeal("affected", tmp_path / "state")
    assert (0, "") == (status, complaint)
    for line in (
        "missing-card",
        "416 cards were loaded of the whole set, after a shuffle",
        "Ann: 1 wagers, staked 100.00",
    ):
        assert line in printed


def test_the_csv_has_a_line_for_each_wager(tmp_path: Path, truedeal: Command) -> None:
    """What a spreadsheet would take for a formula is text."""
    made(tmp_path / "state", lambda house: house.plays(HEAD + SCENE))
    _, printed, _ = truedeal("affected", tmp_path / "state", "--format", "csv")
    found = list(csv.DictReader(io.StringIO(printed)))
    assert [("1", "Ann", "100.00"), ("2", "'=HYPERLINK(1)", "50.00")] == [
        (line["box"], line["player"], line["stake"]) for line in found
    ]


class _Page(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag, and what it fetches."""
        self.tags.add(tag)
        self.fetched += [name for name, _ in attrs if name in {"src", "href"}]


def test_the_page_holds_all_it_needs(tmp_path: Path, truedeal: Command) -> None:
    """It fetches nothing, runs nothing, and takes a name for text."""
    scene = SCENE.replace("=HYPERLINK(1)", "<script>")
    made(tmp_path / "state", lambda house: house.plays(HEAD + scene))
    out = tmp_path / "page.html"
    assert (0, "", "") == truedeal("affected", tmp_path / "state", "--format", "html", "--out", out)
    page = _Page()
    page.feed(out.read_text(encoding="utf-8"))
    assert ([], set()) == (page.fetched, page.tags & {"script", "img", "link"})
    assert "&lt;script&gt;" in out.read_text(encoding="utf-8")


def test_nothing_found_is_said(journal: Path, truedeal: Command) -> None:
    """A journal without bad cards has no case."""
    assert (0, "Table T7\n\nNo missing, extra, foreign or unshuffled card was found.\n", "") == truedeal(
        "affected", journal
    )


def test_a_count_that_a_person_told_is_told_as_such(tmp_path: Path) -> None:
    """Whose word a proof is can be seen in the report."""

    def play(house: House) -> None:
        house.plays(HEAD + LOAD + ROUND)
        house.pump.enqueue(Item("console", ev.ShoeCounted(ALL - OUT)))
        house.pump.process_queue()
        house.plays(HEAD + "discard-count 3\n")

    made(tmp_path / "state", play, HEAD)
    (case,) = affected(tmp_path / "state").cases
    assert f"the shoe counted {ALL - OUT} cards, as many as were left, as was said at the console" == case.since.what


def test_a_round_whose_record_is_amended_counts_once(tmp_path: Path, truedeal: Command) -> None:
    """What is found out between rounds is written into the record of the round before: the same round."""
    unshuffled = f"load {CARDS}\n"
    found = cases(tmp_path, LOAD + ROUND + unshuffled + ON + "draw 1\n" + unshuffled + LOAD + ROUND)
    assert [[2], []] == [[one.number for one in case.rounds] for case in found]
    assert "round 2; 1 wagers, staked 100.00" in truedeal("affected", tmp_path / "state")[1]


def test_a_round_that_was_on_when_the_table_was_changed_is_in_no_later_case(tmp_path: Path, truedeal: Command) -> None:
    """It belongs to the cases of its own table, and ended there."""

    def play(house: House) -> None:
        house.plays(HEAD + LOAD + ROUND + LOAD + ROUND + "discard-count 3\napprove shift-manager\n" + ON)
        house.plays(HEAD + LOAD + ROUND + "discard-count 3\n", new_table=True)

    made(tmp_path / "state", play)
    printed = truedeal("affected", tmp_path / "state")[1]
    first, second = affected(tmp_path / "state").cases
    assert ([2, 3], [1]) == ([one.number for one in first.rounds], [one.number for one in second.rounds])
    assert ([False, True], [False]) == ([one.left for one in first.rounds], [one.left for one in second.rounds])
    assert (1, 0) == (printed.count("when another table was set up"), printed.count("still on"))


def test_a_round_that_is_on_still_is_in_the_case(tmp_path: Path, truedeal: Command) -> None:
    """Its wagers are at stake."""
    (case,) = cases(tmp_path, LOAD + ROUND + "discard-count 3\napprove shift-manager\n" + ON)
    assert [1, 2] == [one.number for one in case.rounds]
    assert "still on" in truedeal("affected", tmp_path / "state")[1]


def test_cases_are_chosen_by_what_was_found_and_by_their_rounds(tmp_path: Path, truedeal: Command) -> None:
    """A case is told whole: finding, clause and time are of what was found; number, box, outcome, person of a round."""

    def play(house: House) -> None:
        house.plays(HEAD + LOAD + ROUND + "discard-count 3\napprove shift-manager\n")
        house.plays(HEAD + LOAD + ROUND.replace("settle\n", ""))
        house.pump.enqueue(Item("console", ev.Settle(), person="Ann Lee (1017)", role="dealer"))
        house.plays(HEAD + ON.replace("bet 1", "bet 3") + "draw 1 = JOKER\n")

    made(tmp_path / "state", play)

    def found(*words: str) -> list[str]:
        status, printed, _ = truedeal("affected", tmp_path / "state", "--format", "csv", *words)
        assert 0 == status
        return sorted({line["finding"] for line in csv.DictReader(io.StringIO(printed))})

    both = ["foreign-card", "missing-card"]
    assert (both, [both[0]], [both[1]]) == (found(), found("--finding", both[0]), found("--finding", both[1]))
    assert ([both[0]], [both[1]], []) == (found("--clause", "5.1"), found("--rounds", "1"), found("--rounds", "9"))
    assert ([both[0]], [both[0]]) == (found("--outcome", "void"), found("--box", "3"))
    assert ([both[0]], [both[0]], []) == (
        found("--person", "1017"),
        found("--person", "ann lee"),
        found("--person", "x"),
    )
    assert (both, [], both, []) == (
        found("--from", "2001-01-01"),
        found("--to", "2001-01-01"),
        found("--to", "2999-01-01"),
        found("--from", "2999-01-01"),
    )
    assert "No missing" in truedeal("affected", tmp_path / "state", "--finding", "extra-card")[1]
    assert 2 == truedeal("affected", tmp_path / "state", "--finding", "x")[0]
