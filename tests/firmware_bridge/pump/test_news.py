"""The pump: links lost and back, and who wants to know."""

from __future__ import annotations

import pytest

from drivers import panel, shoe
from drivers.faults import SILENT, Fault
from drivers.happenings import Identity
from drivers.shoe import CardOut, Lock, Unlock
from firmware_bridge.inputs.device_messages import NextPlace
from firmware_bridge.pump import event_results
from firmware_bridge.pump.items import CONSOLE, DAEMON, Item, NewTable, Note
from firmware_bridge.shown.news_type import News
from firmware_bridge.texts.denials import Why
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import FindingView
from gamecore.model.events.refusals import Refused
from gamecore.model.places import Place
from gamecore.notation.playing.venue import table_config
from gamecore.notation.writer import write_event
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.firmware_bridge.pump_rig import HEADER, TOLD, PumpRig, Run, press, turn

GONE = Fault(SILENT, "nothing for two seconds")
IDENTITY = Identity("shoe", "S-1", "1.2", (1, 0), 0, authenticated=True, boot=1)


# --- links -----------------------------------------------------------------------------------------------------------


def test_the_first_contact_is_no_news_but_a_loss_and_a_return_are(run: Run) -> None:
    """The game hears of a device that was lost and is back, and of each once."""

    async def scene(rig: PumpRig) -> None:
        rig.reports.up("shoe", IDENTITY)
        await turn()
        rig.reports.down("shoe", GONE)
        rig.reports.up("shoe", IDENTITY)
        rig.reports.up("shoe", IDENTITY)

    rig = run(scene)
    assert [ev.LinkLost("shoe"), ev.LinkBack("shoe")] == rig.kept()
    assert [DAEMON] * 5 == [row.device for row in rig.rows()]
    assert '{"device": "shoe", "serial": "S-1", "firmware": "1.2", "numbering": 0, "held": 0}' == rig.rows()[0].body
    assert {"shoe": IDENTITY} == rig.reports.identities


def test_a_device_that_is_back_is_told_everything_again(run: Run) -> None:
    """What it shows or locks may have changed while it was away."""

    async def scene(rig: PumpRig) -> None:
        rig.says("panel", press("bets"))
        await turn()
        rig.log.clear()
        rig.stations["shoe"].up = False
        rig.reports.down("shoe", GONE)
        await turn()
        rig.stations["shoe"].up = True
        rig.reports.up("shoe", IDENTITY)

    told = [said for what, said in run(scene).log if what == "shoe told"]
    assert [Unlock()] == told


def test_the_shoe_is_locked_while_the_round_is_held(run: Run) -> None:
    """The lock follows from the table alone."""

    def scene(rig: PumpRig) -> None:
        rig.says("panel", press("bets"), press("call"))

    told = [said for what, said in run(scene).log if what == "shoe told"]
    assert [Lock()] == told


# --- who wants to know -----------------------------------------------------------------------------------------------


def test_watchers_hear_of_events_links_and_faults(run: Run) -> None:
    """In the words of deal notation, with the reason of a refusal; notes of the journal are no news."""
    news: list[News] = []

    async def scene(rig: PumpRig) -> None:
        rig.pump.watchers.append(news.append)
        rig.reports.down("hub", GONE)
        rig.reports.fault("hub", GONE)
        rig.reports.up("hub", IDENTITY)
        rig.says("shoe", CardOut("KD", 0, face_up=False), shoe.Jam(present=True), shoe.Empty())
        rig.says("panel", press("pay"))
        rig.told(NextPlace(Place(3), exposed=True))
        rig.told(NewTable(TOLD, "game: mbs-blackjack-v6"))

    rig = run(scene)
    refused = Table(GAMES[HEADER.game], table_config(HEADER))
    reasons = [output for output in refused.apply(ev.Pay(Place(-1))) if isinstance(output, Refused)]
    assert [
        {"link": {"device": "hub", "up": False, "fault": "silent", "remedy": GONE.remedy}},
        {"fault": {"device": "hub", "code": "silent", "detail": GONE.detail, "remedy": GONE.remedy}},
        {"link": {"device": "hub", "up": True, "fault": None}},
    ] == news[:3]
    seen = [item["seen"] for item in news[3:]]
    assert [
        ("daemon", None, "unplug hub"),
        ("daemon", None, "plug hub"),
        ("shoe", 1, "draw = KD"),
        ("shoe", 3, "draw"),
        ("panel", 1, f"pay {rig.kept()[-1].place}"),  # type: ignore[union-attr]  # the press is PAY
        (CONSOLE, None, "3 exposed"),
        (CONSOLE, None, "table"),
    ] == [(item["device"], item["number"], item["event"]) for item in seen]
    assert [None] * 4 == [item["refused"] for item in seen[:4]]
    assert reasons[0].clause in str(seen[4]["refused"])


def test_parts_of_the_daemon_hear_of_links_and_not_of_rows(run: Run) -> None:
    """A card passes them by; those who watch hear first."""
    news: list[tuple[str, str]] = []

    async def scene(rig: PumpRig) -> None:
        rig.pump.listeners.append(lambda told: news.extend(("listener", what) for what in told))
        rig.pump.watchers.append(lambda told: news.extend(("watcher", what) for what in told))
        rig.says("shoe", CardOut("KD", 0, face_up=False))
        await turn()
        rig.reports.fault("hub", GONE)

    run(scene)
    assert [("watcher", "seen"), ("watcher", "fault"), ("listener", "fault")] == news


def test_who_asks_of_an_event_is_answered_once_it_is_applied(run: Run) -> None:
    """Before, with and after it: each is told of their own event whether it was refused."""
    answers: list[tuple[str, Why | None]] = []

    async def scene(rig: PumpRig) -> None:
        ask = rig.pump.applied.when
        ask("panel", 2, lambda refused: answers.append(("early", refused)))
        ask("panel", 9, lambda refused: answers.append(("never", refused)))
        ask("hub", 1, lambda refused: answers.append(("another", refused)))
        rig.says("panel", press("bets"))
        await turn()
        assert [] == answers
        rig.says("panel", press("settle"), press("bets"))
        await turn()
        ask("panel", 2, lambda refused: answers.append(("late", refused)))
        ask("panel", 1, lambda refused: answers.append(("earlier", refused)))

    rig = run(scene)
    refused = rig.pump.table.verify(ev.Settle())
    assert [("early", refused), ("late", refused), ("earlier", None)] == answers


def test_so_many_refusals_are_remembered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest are forgotten, so that the memory stays bounded."""
    monkeypatch.setattr(event_results, "REMEMBERED", 3)
    answers: list[bool] = []

    async def scene(rig: PumpRig) -> None:
        rig.says("panel", *[press("settle")] * 5)
        await turn()
        for number in range(1, 6):
            rig.pump.applied.when("panel", number, lambda refused: answers.append(refused is not None))

    run(scene)
    assert [False, False, True, True, True] == answers


def test_a_note_of_the_console_is_kept_and_answered(run: Run) -> None:
    """What means nothing to the game is durable too."""
    answers: list[str | None] = []

    async def scene(rig: PumpRig) -> None:
        answers.append(await rig.told(Note("the key was handed over")))

    assert ["the key was handed over"] == [row.body for row in run(scene).rows()]
    assert [None] == answers


def test_every_button_goes_through(run: Run) -> None:
    """Each of the panel's buttons is one row and one acknowledgement."""

    def scene(rig: PumpRig) -> None:
        rig.says("panel", *(press(button) for button in panel.messages.BUTTONS))

    rig = run(scene)
    assert len(panel.messages.BUTTONS) == len(rig.kept())
    assert [1] * len(panel.messages.BUTTONS) == rig.commits()


# --- cables ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faults", "held"),
    [
        ([Fault("late", "event 7 came 2 s after it had happened")], True),
        ([Fault("flooded", "noise")], True),
        ([Fault("bad-frame", "crc", times=500)], False),
        ([Fault("withheld", "command 1")] * 2, False),
        ([Fault("withheld", "command 1")] * 3, True),
    ],
)
def test_somebody_at_the_cable_is_put_before_the_house(run: Run, faults: list[Fault], held: bool) -> None:
    """Events held back, a flood, and the third time that something is withheld; one loss explains itself."""

    async def scene(rig: PumpRig) -> None:
        for fault in faults:
            rig.reports.fault("shoe", fault)
            await turn()

    rig = run(scene)
    assert ([ev.Call("uncovered", device="shoe")] if held else []) == rig.kept()
    often = " (500 in a minute)" if faults[0].times > 1 else ""
    assert f"fault {faults[0].code}{often}: {faults[0].detail}" == rig.rows()[0].body


@pytest.mark.parametrize("about", ["computer", "panel"])
def test_what_the_daemon_puts_before_the_house_is_nobodys_error_at_the_table(run: Run, about: str) -> None:
    """Damage, a changed program or a device: the finding is a device's, and the round's words can be read again."""

    async def scene(rig: PumpRig) -> None:
        shown: list[FindingView] = []
        rig.pump.log = lambda _n, _item, _meant, _refused, found: shown.extend(found)
        if about == "computer":
            rig.pump.report_damage("a page of it cannot be read")
        else:
            rig.pump.enqueue(Item.to_the_house(about))
        await turn()
        (call,) = rig.kept()
        assert f"call uncovered device {about}" == write_event(call)
        assert [("uncovered", "device")] == [(finding.code, finding.whose) for finding in shown]

    run(scene)
