"""The search in History: each round is found by what it was, over every segment, and nothing is changed by looking."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.audit.journal_reader import Part, Reader, opened
from firmware_bridge.console.history import search
from firmware_bridge.console.history.search import Search
from firmware_bridge.console.history.steps import Rounds
from firmware_bridge.console.history.wanted import MOST, WantedError, wanted
from firmware_bridge.journal import segments
from firmware_bridge.journal.archive import compressed_segments
from firmware_bridge.pump.items import CONSOLE, Item, Note
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from tests.firmware_bridge.audit.journals import HEAD, LOAD, ROUND, House, copied, long_journal, made
from tests.firmware_bridge.console.journals import INCIDENTS, contents, play_files, records

DAMAGE = 200
"""Bytes in front of an archive that are spoiled."""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder with ten rounds in five segments, the oldest archived."""
    state = tmp_path_factory.mktemp("search") / "state"
    long_journal(state)
    return state


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal of rounds with findings of many kinds."""
    state = tmp_path_factory.mktemp("troubled") / "state"
    made(state, lambda house: play_files(house, INCIDENTS))
    return state


def numbers(state: Path, **asked: str) -> list[int]:
    """The numbers of the rounds that a search finds."""
    return [found["number"] for found in Search(state).page(wanted(asked)).rounds]


def pages(looking: Search, **asked: str) -> Iterator[search.Page]:
    """Every page of a search."""
    follows: str | None = ""
    while follows is not None:
        page = looking.page(wanted({**asked, "next": follows}))
        yield page
        follows = page.next


def test_the_newest_rounds_come_first_each_once(journal: Path) -> None:
    """Page by page, over all segments, the archived one included."""
    found = [one for page in pages(Search(journal), count="3") for one in page.rounds]
    assert list(range(10, 0, -1)) == [one["number"] for one in found]
    assert {"journal-000001.db.gz"} < {one["segment"] for one in found}
    assert ("150.00", "50.00", []) == (found[0]["staked"], found[0]["net"], found[0]["findings"])


def test_looking_changes_nothing(journal: Path) -> None:
    """Not a byte in the state folder, nor a file beside it."""
    before = contents(journal)
    assert 10 == len(numbers(journal, count="100"))
    assert before == contents(journal)


def test_a_round_is_found_by_its_number(journal: Path) -> None:
    """Wherever it lies; one that there never was is not found."""
    assert [[1], [7], []] == [numbers(journal, number=number) for number in ("1", "7", "11")]


def test_rounds_are_found_by_time(journal: Path) -> None:
    """Those that were on at some moment of it; any zone is understood."""
    rounds = records(journal)
    middle = rounds[len(rounds) // 2]
    assert [middle["number"]] == numbers(journal, **{"from": middle["ended"], "to": middle["ended"]})
    later = [one["number"] for one in rounds if one["ended"] >= middle["began"]]
    assert later[::-1] == numbers(journal, **{"from": middle["began"], "count": "100"})
    shifted = middle["began"].replace("+00:00", "Z")
    assert later[::-1] == numbers(journal, **{"from": shifted, "count": "100"})
    assert [] == numbers(journal, to="2001-01-01T00:00")


def test_rounds_are_found_by_a_box_with_a_wager(journal: Path) -> None:
    """Box 1 has one in every round, box 3 in none."""
    assert (10, 0) == (len(numbers(journal, box="1")), len(numbers(journal, box="3")))


def test_rounds_are_found_by_their_findings(troubled: Path) -> None:
    """By one kind, or by any at all."""
    kept = records(troubled)
    for code in ("missing-card", "unshuffled-cards", "misdealt-card", "late-wager"):
        having = [one for one in kept if code in {finding["code"] for finding in one["report"]["findings"]}]
        found = Search(troubled).page(wanted({"finding": code, "count": "100"})).rounds
        assert [one["first"] for one in reversed(having)] == [one["first"] for one in found]
        assert all(code in one["findings"] for one in found)
    irregular = [one["first"] for one in kept if one["report"]["findings"]]
    found = Search(troubled).page(wanted({"finding": "any", "count": "100"})).rounds
    assert irregular[::-1] == [one["first"] for one in found]


def test_rounds_are_found_by_clause_outcome_and_amount(troubled: Path) -> None:
    """A clause means those under it too, and together with a finding one finding has both."""
    kept = records(troubled)[::-1]

    def firsts(**asked: str) -> list[int]:
        return [one["first"] for one in Search(troubled).page(wanted({"count": "100", **asked})).rounds]

    def ruled(one: dict[str, Any], code: str = "") -> bool:
        findings = one["report"]["findings"]
        return any(f"{found['clause']}.".startswith("5.1.") and code in found["code"] for found in findings)

    assert firsts(clause="5.1") == [one["first"] for one in kept if ruled(one)] != []
    both = firsts(clause="5.1", finding="missing-card")
    assert both == [one["first"] for one in kept if ruled(one, "missing-card")] != []
    assert firsts(outcome="void") == [one["first"] for one in kept if one["report"]["outcome"] == "void"] != []
    stakes = {one["first"]: [float(wager["stake"]) for wager in one["report"]["wagers"]] for one in kept}
    most = max(max(each, default=0.0) for each in stakes.values())
    assert firsts(amount=f"{most:.2f}") == [first for first, each in stakes.items() if most in each] != []
    assert [] == firsts(amount=f"{most + 1:.2f}")


def test_a_round_is_found_by_its_notes(tmp_path: Path) -> None:
    """A bookmark counts until it is taken off; notes are told with the round, whole or without cards."""

    def noted(house: House) -> None:
        house.plays(HEAD + "\n".join([LOAD + ROUND] * 2))
        first, second = (one["first"] for one in records(tmp_path))
        for body in (
            {"noted": first, "by": "Ann (7)", "role": "surveillance", "text": "9H was marked", "bookmark": None},
            {"noted": second, "by": "Ann (7)", "role": "surveillance", "text": "", "bookmark": True},
            {"noted": first, "by": "Bob", "role": "pit-supervisor", "text": "", "bookmark": True},
            {"noted": first, "by": "Bob", "role": "pit-supervisor", "text": "", "bookmark": False},
            {"disputed": first, "by": "Ann (7)", "role": "surveillance", "reason": "box 1"},
        ):
            house.pump.enqueue(Item(CONSOLE, Note(json.dumps(body))))
        house.pump.process_queue()

    made(tmp_path, noted)
    assert ([2, 1], [2]) == (numbers(tmp_path, notes="any"), numbers(tmp_path, notes="bookmarked"))
    told = Rounds(tmp_path).one(records(tmp_path)[0]["first"])
    assert told is not None
    whole, veiled = (json.loads(told.sent(sees_cards=sees))["notes"] for sees in (True, False))
    assert ["9H was marked", "", "", "box 1"] == [note["text"] for note in whole]
    assert "?? was marked" == veiled[0]["text"]
    assert [None, True, False, None] == [note["bookmark"] for note in whole]
    assert [False, False, False, True] == [note["disputed"] for note in whole]


@pytest.mark.parametrize(("text", "many"), [("9H", 10), ("9h", 10), ("ts", 10), ("10S", 10), ("2C", 0)])
def test_rounds_are_found_by_a_card(journal: Path, text: str, many: int) -> None:
    """However it is written."""
    assert many == len(numbers(journal, card=text))


def test_a_card_that_nobody_saw_is_not_found(tmp_path: Path) -> None:
    """A squeezed card is found once it was turned, and never if the round ended before."""
    state = tmp_path / "state"

    def scene(house: House) -> None:
        for turned in (True, False):
            for event in _squeezed(turned=turned):
                assert house.happens(event) is None

    made(state, scene, "game: rws-free-bet-2025\nfresh: no\n\n")
    assert ([1], [1], [2, 1]) == (numbers(state, card="5C"), numbers(state, card="6D"), numbers(state, card="7S"))


def _squeezed(*, turned: bool) -> Iterator[ev.Event]:
    yield ev.PlaceBets()
    yield ev.WagerPlaced(Place(1, 0, 1), "main", 50_00)
    yield ev.WagerPlaced(Place(2, 0, 1), "main", 50_00)
    yield ev.NoMoreBets()
    yield ev.Squeeze(1)
    for face, place in (("5C", Place(1)), ("7S", Place(2)), ("8H", Place(0)), ("6D", Place(1)), ("TS", Place(2))):
        yield ev.CardDrawn(card(face))
        yield ev.CardLaid(card(face), place)
    if turned:
        yield ev.CardsTurned(1)
    yield ev.Call("foreign-card")


def test_a_card_that_was_laid_wrongly_and_taken_away_is_found(tmp_path: Path) -> None:
    """It lay open, whatever became of it; not at a box that was squeezed."""
    state = tmp_path / "state"

    def scene(house: House) -> None:
        for event in _squeezed(turned=False):
            if isinstance(event, ev.Call):
                house.happens(ev.CardDrawn(card("3D")))
                house.happens(ev.CardLaid(card("3D"), Place(3)))
                house.happens(ev.CardDrawn(card("4D")))
                house.happens(ev.CardLaid(card("4D"), Place(1)))
            house.happens(event)

    made(state, scene, "game: rws-free-bet-2025\nfresh: no\n\n")
    assert ([1], []) == (numbers(state, card="3D"), numbers(state, card="4D"))


def test_a_damaged_archive_is_named_and_the_rest_is_found(journal: Path, tmp_path: Path) -> None:
    """What cannot be read is not passed over in silence."""
    state = copied(journal, tmp_path / "state")
    packed = state / "archive" / "journal-000001.db.gz"
    packed.write_bytes(bytes(DAMAGE) + packed.read_bytes()[DAMAGE:])
    page = Search(state).page(wanted({"count": "100"}))
    assert ["journal-000001.db.gz"] == page.unread
    assert list(range(10, 10 - len(page.rounds), -1)) == [one["number"] for one in page.rounds]
    assert 5 < len(page.rounds) < 10


def test_a_search_that_takes_long_goes_on_where_it_ended(journal: Path) -> None:
    """Each page says back to when it has looked; together they have looked at everything."""
    ticks = count(0, search.PATIENCE + 1)
    looking = Search(journal, clock=lambda: float(next(ticks)))
    found = list(pages(looking, number="1"))
    assert [[], [], [], [], [1]] == [[one["number"] for one in page.rounds] for page in found]
    looked = [str(page.back_to) for page in found]
    assert sorted(looked, reverse=True) == looked


def test_a_page_goes_on_though_its_segment_was_archived(journal: Path, tmp_path: Path) -> None:
    """What lies behind the page is found in the archive."""
    state = copied(journal, tmp_path / "state")
    looking = Search(state)
    first = looking.page(wanted({"count": "3"}))
    for path in segments.segments(state)[:-1]:
        compressed_segments.pack(state, path)
    second = looking.page(wanted({"count": "100", "next": str(first.next)}))
    assert list(range(10, 0, -1)) == [one["number"] for one in (*first.rounds, *second.rounds)]


def test_an_archived_segment_is_unpacked_once_for_a_search_by_time(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When its rounds were is remembered."""
    read: list[str] = []

    def watched(part: Part) -> AbstractContextManager[Reader]:
        read.append(part.name)
        return opened(part)

    monkeypatch.setattr(search, "opened", watched)
    looking = Search(journal)
    asked = wanted({"from": "2200-01-01T00:00Z"})
    assert ([], []) == (looking.page(asked).rounds, looking.page(asked).rounds)
    assert 1 == read.count("journal-000001.db.gz")
    assert 2 == read.count("journal-000005.db")


def test_rounds_are_found_while_the_daemon_writes(tmp_path: Path) -> None:
    """What is in the log of the newest segment counts, and the daemon goes on writing."""
    state, found = tmp_path / "state", []

    def scene(house: House) -> None:
        for number in range(1, 4):
            house.plays(HEAD + LOAD + ROUND)
            found.append(numbers(state))
            assert number == house.pump.table.round_number

    made(state, scene)
    assert [[1], [2, 1], [3, 2, 1]] == found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"number": "x"}, "number: expected a whole number"),
        ({"number": "0"}, "number: expected a whole number"),
        ({"box": "-1"}, "box: expected a whole number"),
        ({"from": "yesterday"}, "from: expected a time"),
        ({"finding": "bad-luck"}, "finding: there is no 'bad-luck'"),
        ({"card": "1Z"}, "card: '1Z' is no card"),
        ({"card": "??"}, "card: a card that could not be read"),
        ({"next": "x"}, "next: 'x' continues nothing"),
        ({"next": "journal-000001.db:x"}, "continues nothing"),
    ],
)
def test_what_is_asked_wrongly_is_said(asked: dict[str, str], said: str) -> None:
    """In words that name what was expected."""
    with pytest.raises(WantedError, match=re.escape(said)):
        wanted(asked)


def test_no_more_is_given_than_a_page_holds() -> None:
    """However many are asked for; nothing that is empty is asked for."""
    asked: Any = {"count": "100000", "number": "", "card": "  "}
    assert (MOST, None, None) == ((found := wanted(asked)).count, found.number, found.card)
