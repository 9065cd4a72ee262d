"""Alarms: which findings are one, how long they stay, and that a restart does not end them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from firmware_bridge.items import Item, Note
from firmware_bridge.journal import schema
from firmware_bridge.people.alarms import FILE, Alarm, Alarms
from gamecore.model import events as ev
from gamecore.model.outputs import FindingView, Found
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.parser import parse
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.audit.journals import HEAD, House
from tests.firmware_bridge.tables import table_after

AT = "2025-01-01T00:00:00.000000+00:00"
CALM = "fresh: no\n\nplace-bets\n"
VOID = ("foreign-card", "extra-card")


def found(table: Table, event: ev.Event) -> list[FindingView]:
    """Let an event happen; what it has shown."""
    return [output.finding for output in table.apply(event) if isinstance(output, Found)]


def codes(alarms: Alarms) -> list[tuple[int, str, int]]:
    """Return the open alarms: number, code, how often."""
    return [(alarm.n, alarm.code, alarm.times) for alarm in alarms.open]


def void_rounds(state: Path, codes: Sequence[str], cleared: Sequence[str] = (), role: str = "dealer") -> list[int]:
    """Make a journal with a void round for each code, and a note for each that is cleared; the events that found it."""
    numbers = []

    async def play() -> None:
        house = House(state, parse(HEAD, GAMES).header)
        start = {"boot": "one", "table": "", "roles": {"ann": role} if role else {}}
        house.pump.submit(Item("daemon", Note(json.dumps(start), schema.START)))
        for code in codes:
            house.plays(f"{HEAD}place-bets\nbet 1 main 50\ncall {code}\n")
            numbers.append(house.books.journal.n)
        for code in cleared:
            one = {"n": numbers[codes.index(code)], "code": code, "clause": "5.1.1", "times": 1}
            house.pump.submit(Item("console", Note(json.dumps({"cleared": [one], "by": "ann"}))))
        house.pump.flush()
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
def test_what_holds_voids_or_is_referred_is_an_alarm(tmp_path: Path, event: ev.Event, expected: list[str]) -> None:
    """What play goes on after is none."""
    table = table_after(CALM + "bet 1 main 50\n")
    alarms = Alarms(tmp_path, table, 0, AT)
    alarms.found(7, AT, found(table, event), table)
    assert expected == [alarm.code for alarm in alarms.open]


def test_the_same_finding_is_counted_while_its_alarm_is_open(tmp_path: Path) -> None:
    """It keeps the number of the first; once cleared, the next is a new one."""
    table = table_after(CALM)
    alarms = Alarms(tmp_path, table, 0, AT)
    for n in (3, 5):
        alarms.found(n, AT, found(table, ev.LinkLost("hub")), table)
    assert [(3, "link-lost", 2)] == codes(alarms)
    alarms.clear(alarms.open)
    assert [] == codes(alarms)
    alarms.found(9, AT, found(table, ev.LinkLost("hub")), table)
    assert [(9, "link-lost", 1)] == codes(alarms)


def test_alarms_are_there_after_a_restart_and_what_was_cleared_is_not(tmp_path: Path) -> None:
    """Also where the finding is still on the table's list."""
    table = table_after(CALM)
    alarms = Alarms(tmp_path, table, 0, AT)
    alarms.found(3, AT, found(table, ev.LinkLost("hub")), table)
    alarms.found(4, AT, found(table, ev.Call("uncovered")), table)
    again = Alarms(tmp_path, table, 9, AT)
    assert alarms.open == again.open
    again.clear([alarm for alarm in again.open if alarm.n == 4])
    assert [(3, "link-lost", 1)] == codes(Alarms(tmp_path, table, 9, AT))


def test_a_finding_that_the_file_does_not_have_yet_is_an_alarm(tmp_path: Path) -> None:
    """The computer died after the journal was written and before the file was."""
    table = table_after(CALM)
    Alarms(tmp_path, table, 0, AT).new_table()
    found(table, ev.Call("uncovered"))
    assert State.HELD is table.state
    assert (Alarm(12, AT, "uncovered", "6.1", "refer", ""),) == Alarms(tmp_path, table, 12, AT).open


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"open": 1, "events": 2}', '{"open": [{"n": 1}], "events": 0}', "\x00"]
)
def test_a_damaged_file_is_no_obstacle(tmp_path: Path, text: str) -> None:
    """What the table still knows is an alarm again."""
    table = table_after(CALM + "call uncovered\n")
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert [(5, "uncovered", 1)] == codes(Alarms(tmp_path, table, 5, AT))


@pytest.mark.parametrize("spoil", [lambda file: file.write_text("{"), Path.unlink])
def test_a_lost_file_ends_no_alarm_of_an_earlier_round(tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    """What the journal says was found, and nobody has cleared, is an alarm again."""
    first, second = void_rounds(tmp_path, VOID)
    Alarms(tmp_path, table_after(CALM), 9, AT)
    spoil(tmp_path / FILE)
    alarms = Alarms(tmp_path, table_after(CALM), 9, AT)
    assert [(first, "foreign-card", 1), (second, "extra-card", 1)] == codes(alarms)
    assert alarms.open == Alarms(tmp_path, table_after(CALM), 9, AT).open


def test_a_damaged_file_is_kept_and_told(tmp_path: Path) -> None:
    """Somebody may want to know what it held."""
    (tmp_path / FILE).write_text("{", encoding="utf-8")
    assert "alarms.json could not be read" in Alarms(tmp_path, table_after(CALM), 9, AT).lost
    assert "{" == (tmp_path / f"{FILE}.damaged").read_text(encoding="utf-8")
    assert "" == Alarms(tmp_path, table_after(CALM), 9, AT).lost


def test_what_was_cleared_stays_cleared_where_the_file_is_lost(tmp_path: Path) -> None:
    """The journal has each clearing."""
    _, second = void_rounds(tmp_path, VOID, cleared=VOID[:1])
    assert [(second, "extra-card", 1)] == codes(Alarms(tmp_path, table_after(CALM), 9, AT))


def test_what_happened_before_there_were_roles_is_no_alarm(tmp_path: Path) -> None:
    """A table that gets roles begins without alarms."""
    void_rounds(tmp_path, VOID, role="")
    assert [] == codes(Alarms(tmp_path, table_after(CALM), 9, AT))


def test_a_file_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    """The alarm is on while the daemon runs, and is written with the next change."""
    table = table_after(CALM)
    alarms = Alarms(tmp_path / "away", table, 0, AT)
    alarms.found(3, AT, found(table, ev.LinkLost("hub")), table)
    (tmp_path / "away").mkdir()
    alarms.found(4, AT, found(table, ev.LinkLost("shoe")), table)
    assert [(3, "link-lost", 2)] == codes(Alarms(tmp_path / "away", table, 9, AT))
