"""Alarms: which findings are one, how long they stay, and that they follow from the journal alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_bridge.journal import schema
from firmware_bridge.journal.recovery import recover
from firmware_bridge.journal.rounds.round_records import Happened
from firmware_bridge.journal.writer import Journal
from firmware_bridge.people.alarms import Alarm, Alarms
from firmware_bridge.people.alarms_from_records import uncleared
from firmware_bridge.people.permissions import RECOVERED
from firmware_bridge.pump.items import Item, Note
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import FindingView, IrregularityFound
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.audit.journals import HEAD, House
from tests.firmware_bridge.positions import table_after

AT = "2025-01-01T00:00:00.000000+00:00"
CALM = "fresh: no\n\nplace-bets\n"
VOID = ("foreign-card", "extra-card")


def found(table: Table, event: ev.Event) -> list[FindingView]:
    """Let an event happen; what it has shown."""
    return [output.finding for output in table.apply(event) if isinstance(output, IrregularityFound)]


def show(alarms: Alarms, n: int, table: Table, event: ev.Event) -> None:
    """Let an event happen, and the alarms hear of it."""
    alarms.open_for_findings(n, AT, found(table, event), table)


def folded(state: Path) -> Alarms:
    """The alarms as a daemon that starts finds them."""
    journal = Journal(state, AT)
    try:
        return recover(journal, parse(HEAD, GAMES).header).alarms
    finally:
        journal.close()


def codes(alarms: Alarms) -> list[tuple[int, str, int]]:
    """Return the open alarms: number, code, how often."""
    return [(alarm.n, alarm.code, alarm.times) for alarm in alarms.open]


def void_rounds(
    state: Path, codes: Sequence[str], cleared: Sequence[str] = (), role: str = "dealer", *, signed: bool = False
) -> list[int]:
    """Make a journal with a void round for each code, and a note for each that is cleared; the events that found it."""
    numbers = []

    async def play() -> None:
        house = House(state, parse(HEAD, GAMES).header)
        start = {"boot": "one", "table": "", "roles": {"ann": role} if role else {}}
        house.pump.enqueue(Item("daemon", Note(json.dumps(start), schema.START)))
        house.books.alarms.roles = bool(role)
        for code in codes:
            house.plays(f"{HEAD}place-bets\nbet 1 main 50\ncall {code}\n")
            numbers.append(house.books.journal.n)
        for code in cleared:
            one = {"n": numbers[codes.index(code)], "code": code, "clause": "5.1.1", "times": 1}
            house.pump.enqueue(Item("console", Note(json.dumps({"cleared": [one], "by": "ann"}))))
        house.pump.process_queue()
        if signed:
            house.pump.close()
        else:
            house.leaves()

    asyncio.run(play())
    return numbers


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (ev.Call("uncovered"), ["uncovered"]),  # referred, and the round is held
        (ev.Call("foreign-card"), ["foreign-card"]),  # the round is void
        (ev.LinkLost("hub"), ["link-lost"]),  # referred, nothing is held
        (ev.Absent(Place(1)), []),  # the house draws: play goes on
    ],
)
def test_what_holds_voids_or_is_referred_is_an_alarm(event: ev.Event, expected: list[str]) -> None:
    """What play goes on after is none."""
    alarms = Alarms(roles=True)
    show(alarms, 7, table_after(CALM + "bet 1 main 50\n"), event)
    assert expected == [alarm.code for alarm in alarms.open]


def test_the_same_finding_is_counted_while_its_alarm_is_open() -> None:
    """It keeps the number of the first; once cleared, the next is a new one."""
    table, alarms = table_after(CALM), Alarms(roles=True)
    for n in (3, 5):
        show(alarms, n, table, ev.LinkLost("hub"))
    assert [(3, "link-lost", 2)] == codes(alarms)
    alarms.noted(6, AT, {"cleared": [{"n": 3, "code": "link-lost"}]})
    assert [] == codes(alarms)
    show(alarms, 9, table, ev.LinkLost("hub"))
    assert [(9, "link-lost", 1)] == codes(alarms)


def test_what_is_kept_is_what_was_open() -> None:
    """In a snapshot, as plain data."""
    alarms = Alarms([Alarm(3, AT, "link-lost", "6.1", "refer", "1", 2)], roles=True)
    again = Alarms.resumed(json.loads(json.dumps(alarms.kept())))
    assert (alarms.open, True) == (again.open, again.roles)


@pytest.mark.parametrize("signed", [False, True])
def test_the_open_alarms_follow_from_the_rows(tmp_path: Path, *, signed: bool) -> None:
    """From a snapshot and the rows after it, or from all rows; what was cleared is not open."""
    _, second = void_rounds(tmp_path, VOID, cleared=VOID[:1], signed=signed)
    assert [(second, "extra-card", 1)] == codes(folded(tmp_path))


def test_what_happened_before_there_were_roles_is_no_alarm(tmp_path: Path) -> None:
    """A table that gets roles begins without alarms."""
    void_rounds(tmp_path, VOID, role="")
    assert [] == codes(folded(tmp_path))
    assert [] == uncleared(tmp_path)


def test_the_records_tell_the_same(tmp_path: Path) -> None:
    """For a reader who has no table; of a segment that was set aside too."""
    _, second = void_rounds(tmp_path, VOID, cleared=VOID[:1])
    assert [(second, "extra-card")] == [(one.n, one.code) for one in uncleared(tmp_path)]
    path = tmp_path / "journal-000001.db"
    for beside in tmp_path.glob("journal-000001.db*"):
        beside.rename(beside.with_name(beside.name.replace(path.name, f"{path.name}.quarantined")))
    assert [(second, "extra-card")] == [(one.n, one.code) for one in uncleared(tmp_path)]


def test_what_only_the_daemon_sees_is_an_alarm() -> None:
    """Some of these let no round begin until they are cleared."""
    alarms, view = Alarms(roles=True), table_after(CALM).view()
    alarms.noted(4, AT, {"alarm": "clock-jump"})
    assert None is alarms.bars(view)
    alarms.noted(5, AT, {"alarm": RECOVERED})
    assert "the alarm recovered (event 5) is not cleared: needs shift-manager" == str(alarms.bars(view))
    alarms.noted(6, AT, {"cleared": [{"n": 5, "code": RECOVERED}]})
    assert ([(4, "clock-jump", 1)], None) == (codes(alarms), alarms.bars(view))


def heard(alarms: Alarms, n: int, table: Table, event: ev.Event) -> None:
    """Let an event of Ann's happen, and the alarms follow it."""
    row = Happened(n, AT, "console", person="Ann")
    alarms.follow_event(row, event, found(table, event), table, refused=False)


def ruled(alarms: Alarms) -> list[tuple[int, str, str, tuple[tuple[str, str], ...]]]:
    """Return the open alarms: number, ruling, clause, what was ruled before."""
    return [(alarm.n, alarm.ruling, alarm.clause, alarm.was) for alarm in alarms.open]


BETS = "fresh: no\nshoe: KH 8D 5S 9C 2C\n\nplace-bets\nbet 1 main 100; bet 3 main 50\nno-more-bets\n"


def test_an_alarm_has_the_ruling_in_force() -> None:
    """Cards that cannot be put back void the round: the alarm says so, and what was ruled before."""
    table, alarms = table_after(BETS), Alarms(roles=True)
    first = ("reconstruct", "5.6.1")
    heard(alarms, 4, table, ev.CardDrawn(card("KH")))
    heard(alarms, 5, table, ev.CardLaid(card("KH"), Place(3)))
    assert [(5, *first, ())] == ruled(alarms)
    heard(alarms, 6, table, ev.CannotReconstruct())
    assert [(5, "void", "5.2", (first,))] == ruled(alarms)
    assert [((AT, "Ann", "cannot-reconstruct"), (AT, "Ann", "ruled"))] == [alarm.acts for alarm in alarms.open]
    assert [("Ann",)] == [alarm.changed_by for alarm in alarms.open]
    assert [False] == [alarm.held for alarm in alarms.open]


def test_one_pull_is_one_alarm_whatever_is_disclosed() -> None:
    """The alarm of the pull stays the one, with the ruling for what could be seen; also when that is taken back."""
    table, alarms = table_after(BETS), Alarms(roles=True)
    heard(alarms, 5, table, ev.CardsPulled((card("KH"), card("8D"))))
    assert [(5, "option", "5.23.1", ())] == ruled(alarms)
    heard(alarms, 6, table, ev.CardsDisclosed((card("8D"),)))
    assert [(5, "as-next-card", "5.23.2", (("option", "5.23.1"),))] == ruled(alarms)
    assert [((AT, "Ann", "disclose"), (AT, "Ann", "ruled"))] == [alarm.acts for alarm in alarms.open]
    assert [True] == [alarm.held for alarm in alarms.open]
    heard(alarms, 7, table, ev.TakeBack())
    assert [(5, "option", "5.23.1")] == [one[:3] for one in ruled(alarms)]


def test_what_was_done_names_no_card_and_who_is_back() -> None:
    """An answer is kept without its card; the device that was lost is named, and that it is back."""
    table, alarms = table_after(BETS), Alarms(roles=True)
    heard(alarms, 5, table, ev.CardDrawn(card("??")))
    heard(alarms, 6, table, ev.Answer("pit", ("9H",)))
    assert [[(AT, "Ann", "answer pit card")]] == [list(alarm.acts) for alarm in alarms.open]
    heard(alarms, 7, table, ev.LinkLost("shoe"))
    heard(alarms, 8, table, ev.LinkBack("shoe"))
    lost = alarms.open[-1]
    assert ("shoe", ((AT, "Ann", "back shoe"),)) == (lost.device, lost.acts)
    kept = Alarms.resumed(json.loads(json.dumps(alarms.kept())))
    assert alarms.open == kept.open
    alarms.another_table()
    assert {(0, 0)} == {alarm.key for alarm in alarms.open}
