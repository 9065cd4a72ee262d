"""The pump: durable, then applied, then answered."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import hub, meter, shoe, shuffler
from drivers.faults import SILENT, Fault
from drivers.messages import Message, Unknown
from drivers.panel import Alarm, KeySwitch, Press, Text
from drivers.shoe import CardOut, Lock, Unlock
from firmware_bridge.inputs.device_messages import NextPlace
from firmware_bridge.pump import pump as pumping
from firmware_bridge.pump.items import NewTable, Note
from firmware_bridge.shown.news_type import News
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.model.states import State
from gamecore.notation.playing.venue import table_config
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.drivers.values import messages_of
from tests.firmware_bridge.pump_rig import BET, DEVICES, HEADER, TOLD, PumpRig, Run, played, press, turn
from tests.patience import PATIENCE

GONE = Fault(SILENT, "nothing for two seconds")


# --- the order of things ---------------------------------------------------------------------------------------------


def test_durable_then_applied_then_acknowledged_then_shown(run: Run) -> None:
    """Each event goes through the four steps in this order."""
    applied: list[State] = []

    def scene(rig: PumpRig) -> None:
        rig.pump.watchers.append(lambda _: applied.append(rig.pump.table.state))
        rig.pump.watchers.append(lambda news: rig.log.append(("applied", news["seen"])))
        rig.says("panel", press("bets"))

    rig = run(scene)
    assert ["committed", "applied", "panel acknowledged", "shoe told"] == [what for what, _ in rig.log][:4]
    assert [State.BETTING] == applied


def test_the_shuffle_is_worked_out_when_all_was_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a card says of the shuffle is worked out after its outputs have gone out, before the next card."""
    logs: list[list[tuple[str, object]]] = []
    settle = Table.settle_watch

    def settle_and_note(table: Table) -> None:
        logs[0].append(("settled", table.events))
        settle(table)

    monkeypatch.setattr(Table, "settle_watch", settle_and_note)

    def scene(rig: PumpRig) -> None:
        logs.append(rig.log)
        rig.says("hub", BET)
        rig.says("panel", press("bets"))
        rig.says("shoe", CardOut("KD", 0, face_up=False))

    rig = run(scene)
    assert ("settled", rig.pump.table.events) == rig.log[-1]
    assert "shoe told" in [what for what, _ in rig.log]


def test_what_arrives_together_is_committed_together(run: Run) -> None:
    """Ten events in one turn of the loop are one commit; the next turn is the next one."""

    async def scene(rig: PumpRig) -> None:
        rig.says("hub", *[BET] * 6)
        rig.says("shoe", *[CardOut("KD", 0, face_up=False)] * 4)
        await turn()
        rig.says("hub", BET)

    assert [10, 1] == run(scene).commits()


def test_a_press_waits_until_all_before_it_is_applied(run: Run) -> None:
    """Its meaning depends on what came before, and what comes after it does not wait for another turn."""

    def scene(rig: PumpRig) -> None:
        rig.says("hub", BET)
        rig.says("panel", press("bets", 1))
        rig.says("hub", BET, BET)
        rig.says("panel", press("bets", 2), press("bets", 3))

    rig = run(scene)
    assert [1, 1, 2, 1, 1] == rig.commits()
    assert [ev.PlaceBets(), ev.NoMoreBets(), ev.PlaceBets()] == [e for e in rig.kept() if not hasattr(e, "kind")]
    assert State.BETS_CLOSED is rig.pump.table.state


def test_a_told_place_is_of_the_card_after_it(run: Run) -> None:
    """Cards that came before it in the same turn do not take the place."""

    def scene(rig: PumpRig) -> None:
        rig.says("shoe", CardOut("KD", 0, face_up=False))
        rig.told(NextPlace(Place(3), exposed=False))
        rig.says("shoe", CardOut("2C", 0, face_up=False))

    rig = run(scene, TOLD)
    assert [ev.CardDrawn(card("KD")), ev.CardDrawn(card("2C"), Place(3))] == rig.kept()
    assert [("event", 1), ("told", None), ("event", 2)] == [(row.kind, row.number) for row in rig.rows()]
    assert "3" == rig.rows()[1].body


def test_a_new_table_counts_for_what_follows(run: Run) -> None:
    """Game, boxes and sensors are the new ones, in the same turn; its header is in the journal."""

    def scene(rig: PumpRig) -> None:
        rig.told(ev.PlaceBets())
        rig.told(NewTable(TOLD, "game: mbs-blackjack-v6\nsensors: shoe panel"))
        rig.told(NextPlace(Place(3), exposed=True))
        rig.says("shoe", CardOut("KD", 0, face_up=False))

    rig = run(scene)
    assert (TOLD, State.IDLE) == (rig.pump.header, rig.pump.table.state)
    assert ev.CardDrawn(card("KD"), Place(3), exposed=True) == rig.kept()[-1]
    assert "game: mbs-blackjack-v6\nsensors: shoe panel" == rig.rows()[1].body
    assert "table" == rig.rows()[1].kind


# --- the journal -----------------------------------------------------------------------------------------------------


def test_a_row_is_what_arrived(run: Run) -> None:
    """Device, number, clock and bytes stand beside the event; a note stands where it means nothing."""

    def scene(rig: PumpRig) -> None:
        rig.says("shoe", CardOut("KD", 0, face_up=False), shoe.Jam(present=True), Unknown(0x7F, b"\x01"))
        rig.says("panel", KeySwitch(on=True))
        rig.reports.fault("hub", GONE)

    rig = run(scene)
    drawn = '{"is":"CardDrawn","card":"KD"}'
    expected = [
        ("shoe", 1, 1001, "event", drawn, b"\x01"),
        ("shoe", 2, 1002, "note", "Jam(present=True)", b"\x02"),
        ("shoe", 3, 1003, "note", "Unknown(ident=127, payload=b'\\x01')", b"\x03"),
        ("panel", 1, 1001, "note", '{"key-switch": "on"}', b"\x01"),
        ("hub", None, None, "note", "fault silent: nothing for two seconds", None),
    ]
    assert expected == [row[2:8] for row in rig.rows()]
    assert ["sensed"] * 5 == [row.how for row in rig.rows()]
    assert [("shoe acknowledged", number) for number in (1, 2, 3)] == [e for e in rig.log if e[0][:6] == "shoe a"]


def test_a_refused_command_is_in_the_journal_and_answered(run: Run) -> None:
    """The console by its answer; the panel on the display, acknowledged like any other."""
    answers: list[str | None] = []

    async def scene(rig: PumpRig) -> None:
        answer = rig.told(ev.Settle())
        answers.append(await answer)
        answers.append(await rig.told(ev.PlaceBets()))
        rig.says("panel", press("settle"))

    rig = run(scene)
    refused = Table(GAMES[HEADER.game], table_config(HEADER)).verify(ev.Settle())
    assert [str(refused), None] == answers
    assert [ev.Settle(), ev.PlaceBets(), ev.Settle()] == rig.kept()
    assert ("panel acknowledged", 1) in rig.log
    shown = [said for what, said in rig.log if isinstance(said, Text)]
    assert "BETS OPEN: NO WAGER YET" != shown[-1].upper
    assert str(rig.pump.table.verify(ev.Settle())).startswith(shown[-1].upper)


def test_a_refusal_leaves_the_display_with_the_next_thing(run: Run) -> None:
    """What the Dealer was told is gone when something else has happened."""

    async def scene(rig: PumpRig) -> None:
        rig.says("panel", press("settle"))
        await turn()
        rig.says("panel", press("bets"))

    shown = [said for _, said in run(scene).log if isinstance(said, Text)]
    assert ["BETS OPEN: NO WAGER YET"] == [text.upper for text in shown[1:]]


@pytest.mark.parametrize("before", [0, 3])
def test_a_full_disk_holds_the_table(run: Run, before: int) -> None:
    """The table is as it was, nothing is acknowledged, what people said is refused, and the panel says why."""
    answers: list[asyncio.Future[str | None]] = []
    news: list[News] = []

    async def scene(rig: PumpRig) -> None:
        rig.says("hub", *[BET] * before)
        await turn()
        rig.log.clear()
        rig.journal.full(True)
        rig.pump.watchers.append(news.append)
        rig.says("hub", BET)
        answers.append(rig.told(ev.PlaceBets()))
        rig.says("panel", press("bets"))
        await turn()
        rig.says("hub", BET)
        answers.append(rig.told(ev.PlaceBets()))
        rig.pump.process_queue()

    rig = run(scene)
    told = [said for what, said in rig.log if what == "panel told"]
    assert [] == [what for what, _ in rig.log if not what.endswith(" told")]
    assert (("STOP: DO NOT DEAL", "JOURNAL: database or disk is full"), [Alarm(on=True)]) == (
        next((said.upper, said.lower) for said in told if isinstance(said, Text)),
        [said for said in told if isinstance(said, Alarm)],
    )
    assert [("shoe told", Lock())] == [said for said in rig.log if said[0] == "shoe told"]
    assert [{"journal": {"stalled": "database or disk is full"}}] == news
    assert (State.IDLE, before, before) == (
        rig.pump.table.state,
        rig.pump.table.events,
        len(rig.rows()),
    )
    assert ["the journal cannot be written: database or disk is full"] * 2 == [answer.result() for answer in answers]
    assert (0, False, "database or disk is full") == (rig.stops, rig.pump.broken, rig.pump.stalled)


def test_with_room_on_the_disk_again_it_goes_on(run: Run) -> None:
    """What devices saw is made durable and applied in its order, what was refused is not; the panel is as before."""
    answers: list[asyncio.Future[str | None]] = []

    async def scene(rig: PumpRig) -> None:
        rig.journal.full(True)
        rig.says("panel", press("bets"))
        answers.append(rig.told(ev.PlaceBets()))
        await turn()
        rig.says("hub", BET, BET)
        rig.pump.process_queue()
        rig.journal.full(False)
        rig.log.clear()
        rig.pump.process_queue()

    rig = run(scene)
    assert [ev.PlaceBets()] == [event for event in rig.kept() if isinstance(event, ev.PlaceBets)]
    assert [1, 2] == rig.commits()
    assert (State.BETTING, "") == (rig.pump.table.state, rig.pump.stalled)
    assert [True] == [answer.done() for answer in answers]
    assert [("panel acknowledged", 1), ("hub acknowledged", 1), ("hub acknowledged", 2)] == [
        said for said in rig.log if said[0].endswith("acknowledged")
    ]
    told = [said for what, said in rig.log if what in {"panel told", "shoe told"}]
    assert [Unlock(), Alarm(on=False)] == [said for said in told if isinstance(said, Alarm | Lock | Unlock)]
    assert ["CALL NO MORE BETS"] == [said.upper for said in told if isinstance(said, Text)][-1:]


def test_it_is_tried_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to ask for it."""
    monkeypatch.setattr(pumping, "RETRY", 0.001)

    async def scene() -> State:
        rig, opened = PumpRig(tmp_path), asyncio.Event()
        rig.pump.watchers.append(lambda news: opened.set() if "seen" in news else None)
        rig.journal.full(True)
        rig.says("panel", press("bets"))
        await turn()
        assert rig.pump.stalled
        rig.journal.full(False)
        await asyncio.wait_for(opened.wait(), PATIENCE)
        rig.journal.close()
        return rig.pump.table.state

    assert State.BETTING is asyncio.run(scene())


def test_what_cannot_be_applied_ends_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is not what the journal says takes nothing more: the service restarts from the journal."""
    errors: list[object] = []

    def fails(*_: object) -> None:
        raise ArithmeticError

    async def scene(rig: PumpRig) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["exception"]))
        monkeypatch.setattr(Table, "apply", fails)
        rig.says("hub", BET, BET)
        await turn()
        rig.says("hub", BET)

    rig = run(scene)
    assert [ArithmeticError] == [type(error) for error in errors]
    assert (1, True, 2) == (rig.stops, rig.pump.broken, len(rig.rows()))


def test_what_can_never_be_written_ends_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is applied, and nothing after it: the daemon is told to stop, and the service restarts it."""
    errors: list[object] = []

    def refuses(*_: object) -> None:
        raise OverflowError

    async def scene(rig: PumpRig) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context["exception"]))
        monkeypatch.setattr(rig.journal, "append", refuses)
        rig.told(ev.PlaceBets())
        await turn()
        rig.told(ev.NoMoreBets())
        rig.pump.process_queue()

    rig = run(scene)
    assert [OverflowError] == [type(error) for error in errors]
    assert (1, True, State.IDLE, []) == (rig.stops, rig.pump.broken, rig.pump.table.state, rig.rows())


def test_half_of_a_character_is_written_by_its_number(run: Run) -> None:
    """No text that somebody sends ends the daemon."""

    async def scene(rig: PumpRig) -> None:
        rig.told(Note("half of a character: \ud800"))
        await turn()
        rig.told(ev.PlaceBets())
        rig.pump.process_queue()

    rig = run(scene)
    assert (0, False, State.BETTING, 2) == (rig.stops, rig.pump.broken, rig.pump.table.state, len(rig.rows()))
    assert rig.rows()[0].body == "half of a character: \\ud800"


def test_nothing_is_applied_before_it_is_durable(run: Run) -> None:
    """Whenever the table has counted an event, a second connection to the file sees at least as many."""
    behind: list[int] = []

    def scene(rig: PumpRig) -> None:
        other = sqlite3.connect(rig.journal._connection.execute("PRAGMA database_list").fetchone()[2])

        def look(_: object) -> None:
            durable = other.execute("SELECT COUNT(*) FROM events WHERE kind = 'event'").fetchone()[0]
            behind.append(rig.pump.table.events - durable)

        rig.pump.watchers.append(look)
        rig.says("panel", press("bets"))
        rig.says("hub", *[BET] * 3)
        rig.says("panel", press("bets"))
        rig.pump.process_queue()
        other.close()

    run(scene)
    assert (5, 0) == (len(behind), max(behind))


steps = st.one_of(
    st.sampled_from([("hub", BET), ("panel", press("bets")), ("panel", press("stand")), ("turn", None)]),
    st.tuples(st.just("shoe"), st.one_of([messages_of(kind) for kind in shoe.CATALOGUE.events])),
    st.tuples(st.just("hub"), st.one_of([messages_of(kind) for kind in hub.CATALOGUE.events])),
    st.tuples(st.just("panel"), messages_of(Press)),
    st.tuples(st.just("meter"), messages_of(meter.Multiplier)),
    st.tuples(st.just("shuffler"), messages_of(shuffler.ShuffleComplete)),
)


@settings(max_examples=60)
@given(said=st.lists(steps, max_size=25))
def test_the_journal_replayed_gives_the_same_table(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, Message | None]]
) -> None:
    """Whatever the devices say: one row a message, each acknowledged in order, and the rows are the whole game."""

    async def scene(rig: PumpRig) -> None:
        rig.pump.watchers.append(lambda _: None)
        for device, message in said:
            if message is None:
                await turn()
            else:
                rig.says(device, message)

    rig = asyncio.run(played(tmp_path_factory.mktemp("pump"), scene))
    table = Table(GAMES[HEADER.game], table_config(HEADER))
    for event in rig.kept():
        table.apply(event)
    assert table.report() == rig.pump.report()
    messages = [device for device, message in said if message is not None]
    assert messages == [row.device for row in rig.rows()]
    for device in DEVICES:
        acknowledged = [number for what, number in rig.log if what == f"{device} acknowledged"]
        assert list(range(1, messages.count(device) + 1)) == acknowledged
    rig.journal.close()
