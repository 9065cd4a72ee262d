"""Beginning again: the same table, to the card, whenever and however the daemon ended."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from drivers import hub, shoe
from drivers.wire import Spot
from firmware_bridge.inputs.device_messages import NextPlace
from firmware_bridge.journal import schema, segments, snapshot, writer
from firmware_bridge.journal.signed import signing
from firmware_bridge.pump.items import NewTable, Note
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import DEALER, Place
from gamecore.model.states import State
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import play_text
from gamecore.notation.playing.venue import table_config
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from gamecore.table import Table
from hal_sim.dealer.robot_sitting import agrees
from tests.firmware_bridge.pump_rig import TOLD
from tests.firmware_bridge.restarted_daemon import Started, all_rows, kept, scene
from tests.places import SCENARIOS

FILES = sorted(SCENARIOS.rglob("*.deal"))
ROUND = next(file for file in FILES if "settle" in file.read_text(encoding="utf-8") and file.stem.startswith("3.2"))
BET = ev.WagerPlaced(Place(1, 0, 1), "main", 50_00)
PLAIN = parse("game: mbs-blackjack-v6\nfresh: no\nburn: no\nsensors: shoe panel\n\n", GAMES).header
SHORT: tuple[ev.Event, ...] = (
    ev.PlaceBets(),
    BET,
    ev.NoMoreBets(),
    *(ev.CardDrawn(card(text), Place(box)) for text, box in (("KD", 1), ("9C", 0), ("QH", 1))),
    ev.Stand(Place(1)),
    ev.CardDrawn(card("8S"), Place(0)),
    ev.Settle(),
)
"""A round of one box, played by rules without a hole card."""


def a_round(table: Started, file: Path) -> tuple[ev.Event, ...]:
    """Set the table up as a scenario says; its events, which are still to happen."""
    scenario = play_text(file.read_text(encoding="utf-8"), file.name, GAMES)
    assert scenario.header is not None
    table.happen(NewTable(scenario.header, write_header(scenario.header)))
    return scenario.events


# --- what happened to the computer -----------------------------------------------------------------------------------


def test_the_first_start_of_all_is_no_news(tmp_path: Path) -> None:
    """What is in force is in the journal: boot id, software, table; no event."""
    table = scene(lambda: Started(tmp_path))
    table.killed()
    (row,) = [row for row in all_rows(table.state) if row.kind == "start"]
    assert '"boot": "boot-1"' in (row.body or "")
    assert [] == kept(table.state)


@pytest.mark.parametrize(
    ("boot", "expected"),
    [("boot-1", [ev.Restarted()]), ("boot-2", [ev.PowerCut(), ev.PowerOn()])],
)
@pytest.mark.parametrize("ends", ["killed", "closed"])
def test_the_boot_id_tells_the_software_from_the_power(
    tmp_path: Path, boot: str, expected: list[ev.Event], ends: str
) -> None:
    """The same one: the round goes on. Another one: in mid-round it is held, and the clause's question asked."""

    def act() -> tuple[State, list[str]]:
        first = Started(tmp_path, header=PLAIN)
        first.happen(*SHORT[:4])
        first.killed() if ends == "killed" else first.pump.close()
        again = Started(tmp_path, boot, PLAIN)
        found = [finding.code for finding in again.pump.table.view().round.findings]
        again.killed()
        return again.pump.table.state, found

    state, found = scene(act)
    assert [*SHORT[:4], *expected] == kept(tmp_path / "state")
    held = len(expected) == 2
    assert (State.HELD if held else State.INITIAL_DEAL, ["power-failure"] * held) == (state, found)


def test_a_power_cut_between_rounds_is_no_finding(tmp_path: Path) -> None:
    """There was no round that it could have spoilt."""

    def act() -> Started:
        Started(tmp_path).killed()
        again = Started(tmp_path, "boot-2")
        again.killed()
        return again

    assert (State.IDLE, ()) == (scene(act).pump.table.state, scene(act).pump.table.view().round.findings)


@pytest.mark.parametrize("ends", ["killed", "closed"])
def test_another_configuration_is_another_table_between_rounds(tmp_path: Path, ends: str) -> None:
    """In mid-round the round goes on as it began; the start after it brings the new table, and no later one again."""

    def act() -> list[tuple[bool, int]]:
        seen = []
        steps = ((PLAIN, SHORT), (TOLD, SHORT[:4]), (PLAIN, SHORT[4:]), (PLAIN, ()), (PLAIN, SHORT), (PLAIN, ()))
        for header, events in steps:
            table = Started(tmp_path, header=header)
            seen.append((table.pump.header.burn, table.pump.table.round_number))
            table.happen(*events)
            table.pump.close() if ends == "closed" else table.killed()
        return seen

    old, new = PLAIN.burn, TOLD.burn
    assert old != new
    assert [(old, 0), (new, 0), (new, 1), (old, 0), (old, 0), (old, 1)] == scene(act)


def test_a_table_of_the_console_outlives_the_configuration(tmp_path: Path) -> None:
    """On an open table what was set up at the console stays, as long as the configuration stays the same."""

    def act() -> str:
        table = Started(tmp_path, is_open=True)
        table.happen(NewTable(PLAIN, write_header(PLAIN)))
        table.killed()
        again = Started(tmp_path, is_open=True)
        again.killed()
        return write_header(again.pump.header)

    assert write_header(PLAIN) == scene(act)


# --- to the card -----------------------------------------------------------------------------------------------------


def test_a_round_goes_on_from_any_moment(tmp_path: Path, seed: int) -> None:
    """Killed after each event of scenarios of chance: the report is the one of a table that was never away."""
    chance = random.Random(seed)

    def act(folder: Path, file: Path) -> tuple[object, object]:
        table = Started(folder, is_open=True)
        events = a_round(table, file)
        whole = Table(GAMES[table.pump.header.game], table_config(table.pump.header))
        for event in events:
            table.killed()
            table = Started(folder, is_open=True)
            table.happen(event)
            whole.apply(event)
        table.killed()
        return whole.report(), table.pump.table.report()

    for number, file in enumerate(chance.sample(FILES, 6)):
        expected, actual = scene(lambda file=file, number=number: act(tmp_path / str(number), file))  # type: ignore[misc]
        assert (file, expected) == (file, actual)


def test_what_the_translator_waits_for_is_kept(tmp_path: Path) -> None:
    """Told places outlive the daemon, with and without a snapshot."""

    def act(ends: str) -> list[ev.Event]:
        folder = tmp_path / ends
        first = Started(folder, header=TOLD)
        first.happen(NextPlace(Place(3), exposed=True), NextPlace(Place(4), exposed=False))
        first.says("shoe", 1, shoe.CardOut("KD", 0, face_up=False))
        first.says("hub", 1, hub.CardLeft(Spot(3), "KD"))
        first.pump.close() if ends == "closed" else first.killed()
        again = Started(folder, header=TOLD)
        again.says("hub", 2, hub.CardArrived(Spot(5), "KD", exposed=True))
        again.says("shoe", 2, shoe.CardOut("2C", 0, face_up=False))
        again.says("shoe", 3, shoe.CardOut("3C", 0, face_up=False))
        again.killed()
        return [event for event in kept(folder / "state") if not isinstance(event, ev.Restarted)]

    expected = [
        ev.CardDrawn(card("KD"), Place(3), exposed=True),
        ev.CardLifted(card("KD"), Place(3)),
        ev.CardLaid(card("KD"), Place(5), exposed=True),
        ev.CardDrawn(card("2C"), Place(4)),
        ev.CardDrawn(card("3C")),
    ]
    assert [expected, expected] == [scene(lambda ends=ends: act(ends)) for ends in ("killed", "closed")]  # type: ignore[misc]


def test_a_journal_of_an_earlier_edition_is_read(tmp_path: Path) -> None:
    """It has a lifted card as a row of its own, then the move that was made of it: both together are the move.

    One that was lifted and never laid is no news, and the next card of its face is laid.
    """
    header = parse("game: mbs-blackjack-v6\nfresh: no\n\n", GAMES).header
    bets = ev.WagerPlaced(Place(1, 0, 1), "main", 50_00), ev.WagerPlaced(Place(3, 0, 1), "main", 50_00)
    dealt: list[ev.Event] = []
    for text, place in (("9H", Place(1)), ("8S", Place(3)), ("9H", DEALER), ("KD", Place(1))):
        dealt += [ev.CardDrawn(card(text)), ev.CardLaid(card(text), place)]
    moved = [Note("9H 1", schema.LIFTED), ev.CardMoved(card("9H"), Place(1), Place(3))]
    swept = [Note("8S 3", schema.LIFTED), ev.CardDrawn(card("8S")), ev.CardLaid(card("8S"), Place(3))]

    def act() -> tuple[object, object]:
        table = Started(tmp_path, header=header)
        table.happen(ev.PlaceBets(), *bets, ev.NoMoreBets(), *dealt, *moved, *swept)
        table.killed()
        again = Started(tmp_path, header=header)
        again.killed()
        return table.pump.table.report(), again.pump.report()

    expected, actual = scene(act)
    assert expected == actual
    assert actual["rounds"][0]["findings"]  # type: ignore[index]  # plain data


# --- the records of rounds -------------------------------------------------------------------------------------------


def test_a_round_has_its_record_its_findings_and_what_was_said(tmp_path: Path) -> None:
    """In tables that a person can query."""

    def act() -> tuple[list[tuple[Any, ...]], ...]:
        table = Started(tmp_path, header=PLAIN)
        table.happen(*SHORT[:4])
        assert [None, None] == table.happen(ev.Call("uncovered"), ev.Answer("house", ("void",)))
        found = (
            table.query("SELECT number, outcome, boxes FROM rounds"),
            table.query("SELECT round, code, ruling FROM findings"),
            table.query("SELECT round, finding, who, what FROM rulings ORDER BY id"),
            table.query("SELECT first, last FROM rounds"),
        )
        table.killed()
        return found

    rounds, findings, rulings, ends = scene(act)
    assert [(1, "void", "1")] == rounds
    assert [(1, "uncovered", "refer")] == findings
    assert [(1, None, "console", "call uncovered"), (1, 1, "house", "answer house void")] == rulings
    rows = {row.n: row for row in all_rows(tmp_path / "state")}
    first, last = ends[0]
    assert ("PlaceBets" in (rows[first].body or ""), "Answer" in (rows[last].body or "")) == (True, True)


def test_a_round_that_lost_its_record_in_a_crash_gets_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, also when the daemon crashes again and again; the head is signed with it."""

    def act() -> list[list[tuple[object, ...]]]:
        table = Started(tmp_path, header=PLAIN)
        table.happen(*SHORT)
        with monkeypatch.context() as context:
            context.setattr(writer.Journal, "end_round", crash)
            with pytest.raises(SystemError):
                table.happen(*SHORT)
            table.killed()
            with pytest.raises(SystemError):
                Started(tmp_path, header=PLAIN)
        counts = []
        for _ in range(2):
            again = Started(tmp_path, header=PLAIN)
            counts.append(again.query("SELECT number, outcome FROM rounds"))
            again.killed()
        return counts

    def crash(*_: object) -> None:
        raise SystemError("killed")

    expected = [(1, "settled"), (2, "settled")]
    assert [expected, expected] == scene(act)
    head = signing.published(tmp_path / "state" / signing.HEAD)
    assert head is not None
    assert signing.verify(head)


def test_a_segment_begins_with_a_shoe_between_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long segment ends when cards are loaded, and not before; the chain goes on and the table too."""
    monkeypatch.setattr(writer, "LONG", 15)

    def act() -> list[int]:
        table = Started(tmp_path, header=PLAIN)
        counts = []
        for number in range(1, 4):
            table.happen(*SHORT)
            counts.append(len(segments.segments(table.state)))
            table.says("shoe", number, shoe.Loaded(416))
            counts.append(len(segments.segments(table.state)))
        table.killed()
        again = Started(tmp_path, header=PLAIN)
        again.killed()
        assert agrees(again.pump.report(), table.pump.report())
        return counts

    assert [1, 1, 1, 2, 2, 2] == scene(act)
    assert list(range(1, len(list(all_rows(tmp_path / "state"))) + 1)) == [r.n for r in all_rows(tmp_path / "state")]


def test_where_no_shoe_ends_a_segment_begins_with_a_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a continuous shuffler a long segment ends between two rounds, so that it can be archived one day."""
    monkeypatch.setattr(writer, "LONG", 15)
    header = parse("game: mbs-blackjack-v6\nfresh: no\nsensors: shoe panel\nshuffling: continuous\n\n", GAMES).header

    def act() -> list[int]:
        table = Started(tmp_path, header=header)
        counts = []
        for _ in range(6):
            table.happen(*SHORT[:-1])
            counts.append(len(segments.segments(table.state)))
            table.happen(*SHORT[-1:])
            counts.append(len(segments.segments(table.state)))
        table.killed()
        again = Started(tmp_path, header=header)
        again.killed()
        assert agrees(again.pump.report(), table.pump.report())
        return counts

    counts = scene(act)
    assert counts == sorted(counts)
    assert counts[-1] > 2
    assert [0] * 6 == [counts[at] - counts[at - 1] if at else 0 for at in range(0, 12, 2)]


@pytest.mark.parametrize("reading", ["snapshots of another format", "snapshots that have decayed"])
def test_without_a_snapshot_the_events_make_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reading: str
) -> None:
    """After an upgrade, over all segments; nothing is set aside, and no round is recorded twice."""
    monkeypatch.setattr(writer, "LONG", 5)

    def act() -> tuple[object, object, int]:
        table = Started(tmp_path, header=PLAIN)
        for number in range(1, 5):
            table.happen(*SHORT)
            table.says("shoe", number, shoe.Loaded(416))
        table.happen(*SHORT, *SHORT[:4])
        before = table.query("SELECT COUNT(*) FROM rounds")
        if reading.endswith("decayed"):
            for path in segments.segments(table.state)[:-1]:
                with writer.connect(path) as connection:
                    connection.execute("UPDATE snapshots SET state = x'00'")
                connection.close()
            table.query("UPDATE snapshots SET state = x'00'")
        else:
            monkeypatch.setattr(snapshot, "FORMAT", 2)
        table.killed()
        again = Started(tmp_path, header=PLAIN)
        assert (before, "") == (again.query("SELECT COUNT(*) FROM rounds"), again.pump.stalled)
        again.killed()
        return table.pump.table.report(), again.pump.report(), len(list(table.state.glob("*quarantined*")))

    expected, actual, aside = scene(act)
    assert (expected, 0) == (actual, aside)
