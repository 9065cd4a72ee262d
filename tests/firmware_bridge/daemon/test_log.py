"""The log: a line for each row of the journal, and nothing in it that must stay at the table."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from drivers.faults import BAD_MESSAGE, REMEDIES, SILENT, Fault
from drivers.hub import CardArrived
from drivers.panel import Press
from drivers.shoe import CardOut, Jam
from drivers.wire import Spot
from firmware_bridge.daemon.log import ERROR, FEW, INFO, Log
from firmware_bridge.pump.items import CONSOLE, Item, Note
from gamecore.model.events import events as ev
from gamecore.notation.syntax import Header
from tests.firmware_bridge.pump_rig import HEADER, PumpRig, Run, turn
from tests.patience import PATIENCE

GONE = Fault(SILENT, "nothing for two seconds")
KEY = "00112233445566778899aabbccddeeff" * 2


def lines(text: str) -> list[dict[str, Any]]:
    """Return the lines without their times."""
    read = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in line.items() if key != "timestamp"} for line in read]


def logged(run: Run, *happen: Any, header: Header = HEADER) -> tuple[PumpRig, str]:
    """Let things happen at a table; the rig and its log."""
    stream = io.StringIO()
    log = Log(stream)

    async def scene(rig: PumpRig) -> None:
        rig.pump.log = log.row
        rig.pump.listeners.append(log.news)
        log.start(asyncio.get_running_loop())
        for one in happen:
            one(rig)
            await turn()
        await turn()

    rig = run(scene, header)
    log.close()
    return rig, stream.getvalue()


def test_each_row_of_the_journal_is_a_line_with_its_number(run: Run) -> None:
    """In the order of the journal, with device and number."""
    rig, text = logged(
        run,
        lambda rig: rig.says("panel", Press(1, "bets", 0, Spot(0), 0), Press(2, "settle", 0, Spot(0), 0)),
        lambda rig: rig.says("shoe", CardOut("KD", 0, face_up=False), Jam(present=True)),
        lambda rig: rig.reports.fault("hub", GONE),
    )
    rows, told = rig.rows(), lines(text)
    assert [row.n for row in rows] == [line["n"] for line in told if line["event"] != "finding"]
    assert [row.device for row in rows] == [line["device"] for line in told if line["event"] != "finding"]
    assert {"n": rows[0].n, "device": "panel", "number": 1, "kind": "PlaceBets", "said": "place-bets"} | {
        "event": "event",
        "level": "info",
    } == told[0]
    assert ("warning", True) == (told[1]["level"], "settle" in told[1]["said"])
    assert told[1]["refused"]


def test_a_fault_has_its_remedy_and_a_finding_its_clause_and_ruling(run: Run) -> None:
    """Under the number of the row that tells of it."""
    rig, text = logged(
        run,
        lambda rig: rig.reports.fault("hub", GONE),
        lambda rig: rig.reports.down("hub", GONE),
    )
    fault, link, lost, finding = lines(text)
    rows = rig.rows()
    expected = {"n": rows[0].n, "device": "hub", "code": SILENT, "detail": GONE.detail, "remedy": REMEDIES[SILENT]}
    assert expected | {"event": "fault", "level": "warning"} == fault
    assert (False, SILENT, REMEDIES[SILENT]) == (link["up"], link["fault"], link["remedy"])
    assert (rows[1].n, "link-lost", "hub") == (lost["n"], lost["event"], lost["lost"])
    assert {"n": rows[1].n, "code": "link-lost", "clause": "6.1", "ruling": "refer", "at": []} | {
        "event": "finding",
        "level": "warning",
    } == finding


def test_no_line_has_the_bytes_of_a_message_that_was_not_understood(run: Run) -> None:
    """A card can be read in them; the journal has them."""
    rig, text = logged(run, lambda rig: rig.reports.fault("shoe", Fault(BAD_MESSAGE, "payload 4b 44 00")))
    assert ("payload (bytes left out)", "fault bad-message: payload 4b 44 00") == (
        lines(text)[0]["detail"],
        rig.rows()[0].body,
    )


def test_no_line_names_a_card(run: Run) -> None:
    """Neither one that was drawn nor one that lies, read or misread, moved or pulled."""
    cards = ("KD", "5C", "9H#A1", "JS")
    _, text = logged(
        run,
        lambda rig: rig.says("panel", Press(1, "bets", 0, Spot(0), 0)),
        lambda rig: rig.says("hub", *world_chips()),
        lambda rig: rig.says("panel", Press(2, "bets", 0, Spot(0), 0)),
        lambda rig: rig.says("shoe", *(CardOut(card, 0, face_up=False) for card in cards)),
        lambda rig: rig.says("hub", *(CardArrived(Spot(1, 0, 0), card, exposed=False) for card in cards)),
        lambda rig: rig.pump.enqueue(Item(CONSOLE, Note("the card was KD, not 5C"))),
    )
    assert len(lines(text)) > 10
    assert [] == [card for card in cards if card[:2] in text]
    assert "??" in text


def world_chips() -> list[object]:
    """Return a wager on box 1."""
    from drivers.hub import Chips  # noqa: PLC0415

    return [Chips(Spot(1, 0, 1), "main", 50_00, emptied=False)]


def test_no_line_holds_a_secret() -> None:
    """Whatever somebody logs, by name or by shape."""
    stream = io.StringIO()
    log = Log(stream)
    log.say(INFO, f"key {KEY}", pin="4711", key="abc", more={"key": "abc", "text": f"is {KEY}"})
    log.close()
    assert [] == [secret for secret in ("4711", "abc", KEY) if secret in stream.getvalue()]


def test_every_line_names_the_table() -> None:
    """The lines of many tables come together elsewhere; a table without a name has none in its log."""
    for name, expected in (("T12", "T12"), ("", None)):
        stream = io.StringIO()
        log = Log(stream, name)
        log.say(INFO, "ready")
        log.close()
        assert expected == json.loads(stream.getvalue()).get("table")


def test_lines_wait_until_the_daemon_serves() -> None:
    """Then all of them are written, in their order."""
    stream = io.StringIO()
    log = Log(stream)

    async def scene() -> str:
        log.say(INFO, "one")
        log.say(ERROR, "two")
        await asyncio.sleep(0)
        before = stream.getvalue()
        log.start(asyncio.get_running_loop())
        while len(stream.getvalue().splitlines()) < 2:  # noqa: ASYNC110  nobody is told of a line
            await asyncio.sleep(0)
        return before

    assert "" == asyncio.run(scene())
    assert [("one", "info"), ("two", "error")] == [(line["event"], line["level"]) for line in lines(stream.getvalue())]


def test_lines_are_written_a_few_at_a_time() -> None:
    """What else happens meanwhile has its turn between them; none is lost, and none comes twice."""
    stream = io.StringIO()
    log = Log(stream)
    seen: list[int] = []

    async def scene() -> None:
        log.start(asyncio.get_running_loop())
        for number in range(3 * FEW):
            log.say(INFO, "line", number=number)
        while len(stream.getvalue().splitlines()) < 3 * FEW:
            seen.append(len(stream.getvalue().splitlines()))
            await asyncio.sleep(0)

    asyncio.run(scene())
    assert {0, FEW, 2 * FEW} == set(seen)
    assert list(range(3 * FEW)) == [line["number"] for line in lines(stream.getvalue())]


def test_what_fails_behind_everybodys_back_is_logged_with_where() -> None:
    """As one line."""
    stream = io.StringIO()
    log = Log(stream)

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(log.failed)
        log.start(loop)
        loop.call_soon([].pop)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    asyncio.run(scene())
    log.close()
    (line,) = lines(stream.getvalue())
    assert ("fault-of-the-program", "error") == (line["event"], line["level"])
    assert "IndexError" in line["exception"]


class Full(io.StringIO):
    """A stream to a disk that is full."""

    def write(self, _: str) -> int:
        """Take nothing."""
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_nobody_takes_stops_nothing() -> None:
    """A stream that is closed, or a disk that is full."""
    closed = io.StringIO()
    closed.close()
    for stream in (Full(), closed):
        log = Log(stream)
        log.say(INFO, "one")
        log.close()
        assert not log._waiting


@pytest.mark.parametrize(("wanted", "shape"), [("json", True), ("plain", False), ("", True)])
def test_the_shape_of_the_log_can_be_chosen(monkeypatch: pytest.MonkeyPatch, wanted: str, shape: bool) -> None:
    """JSON unless a person reads along; what goes to no terminal has no colour."""
    monkeypatch.setenv("TRUEDEAL_LOG", wanted)
    stream = io.StringIO()
    log = Log(stream)
    log.say(INFO, "event", n=17, said="draw KD")
    log.close()
    text = stream.getvalue()
    assert (shape, True, False, False) == (text.startswith("{"), "17" in text, "KD" in text, "\x1b" in text)


def test_structlog_is_loaded_by_what_logs_alone(tmp_path: Path) -> None:
    """The command line and the pump do without it."""
    code = (
        "import sys, firmware_bridge.pump.pump, firmware_bridge.daemon.log, firmware_bridge.daemon.run;"
        "import firmware_bridge.commands.table.observe;"
        "from firmware_bridge.cli import build_parser; build_parser(); print('structlog' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert "False\n" == ran.stdout
    assert [] == list(tmp_path.iterdir())


def test_a_restart_is_a_line() -> None:
    """Events that no device sends are told like others."""
    stream = io.StringIO()
    log = Log(stream)
    log.row(3, Item("daemon", ev.Restarted()), ev.Restarted(), None, [])
    log.close()
    assert [(3, "Restarted")] == [(line["n"], line["kind"]) for line in lines(stream.getvalue())]
