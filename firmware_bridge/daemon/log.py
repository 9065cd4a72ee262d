"""The daemon's log: one line for each row of the journal, with its number, and a few about the daemon itself.

1. ``n`` is the number of the row. What a line leaves out stands in the journal under that number.
2. No line names a card, a key or a PIN: events are told with ``??`` for each card, a fault without the bytes that were
   seen, and whatever a line holds goes through `masking` once more before it is written. So nothing is told of a card
   in the shoe or face down.
3. A fault comes with its remedy, a finding with its clause and ruling, a refused command with the reason.
4. Every line has the name of the table, where it has one: the lines of many tables come together elsewhere.
5. One JSON object a line on the standard error output; on a terminal, lines for a person. TRUEDEAL_LOG=json or plain
   decides otherwise.
6. Lines wait for `LATER` seconds, so that no card waits for the line of the one before it, and are then written a few
   at a time. At most `WAITING` wait: beyond that the oldest are lost. structlog is imported when the first line is
   written, which is after `start`. At the end `close` writes what waits.
7. A log that cannot be written, because the disk is full or the pipe is gone, does not stop the table: the line is
   lost.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from drivers.faults import Fault
from firmware_bridge.journal import schema
from firmware_bridge.people.masking import scrubbed, without_bytes
from firmware_bridge.pump.items import Item, NewTable, Note, What, words
from firmware_bridge.shown.news_type import News
from firmware_bridge.texts.denials import Why
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import FindingView
from gamecore.view.veil import veiled

if TYPE_CHECKING:
    from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger

INFO, WARNING, ERROR = "info", "warning", "error"
VARIABLE = "TRUEDEAL_LOG"
LATER = 0.02
FEW = 5
"""Lines that are written before others have their turn."""
WAITING = 10_000
"""How many lines may wait; the oldest go first."""
_LEAST = 20  # the number of INFO


class _Line(NamedTuple):
    """One line: its level, what it is about, and its fields."""

    level: str
    event: str
    more: dict[str, object]


class _Row(NamedTuple):
    """One row of the journal, of which a line is made when it is written."""

    n: int
    item: Item
    meant: What
    refused: Why | None


class Log:
    """Writes the log of one daemon."""

    def __init__(self, stream: TextIO | None = None, table: str = "") -> None:
        """Write to a stream, the standard error output unless told otherwise; from `start` on. `table` is its name."""
        self._stream = stream or sys.stderr
        self._always = {"table": table} if table else {}
        self._waiting: deque[_Line | _Row] = deque(maxlen=WAITING)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._scheduled = False
        self._logger: FilteringBoundLogger | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """The daemon serves: write what waits, and from now on whenever the loop has time."""
        self._loop = loop
        self._schedule()

    def close(self) -> None:
        """Write what waits."""
        self._drain()
        self._loop = None

    def row(self, n: int, item: Item, meant: What, refused: Why | None, found: list[FindingView]) -> None:
        """Queue the lines of a row that is durable and applied: one for the row, one for each finding."""
        self._waiting.append(_Row(n, item, meant, refused))
        self._schedule()
        for finding in found:
            places = [str(place) for place in finding.places]
            self.say(
                WARNING, "finding", n=n, code=finding.code, clause=finding.clause, ruling=finding.ruling, at=places
            )

    def news(self, news: News) -> None:
        """Queue the line of news that people must see: a stalled journal, a barred program, a link."""
        match news:
            case {"journal": {"stalled": str(reason)}}:
                remedy = "Free space on the disk, or replace it. The table holds until the journal can be written."
                self.say(ERROR, "journal-stalled", reason=reason, remedy=remedy)
            case {"program": {"bars": str(reason)}}:
                self.say(ERROR, "program", reason=reason, remedy="'truedeal doctor' says what to do.")
            case {"link": {"device": str(device), "up": bool(up), "fault": fault, **more}}:
                self.say(INFO if up else WARNING, "link", device=device, up=up, fault=fault, remedy=more.get("remedy"))
            case _:
                pass

    def failed(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Queue the line of a failure that nobody waits for."""
        error = context.get("exception")
        self.say(ERROR, "fault-of-the-program", what=str(context.get("message", "")), exc_info=error)

    def say(self, level: str, event: str, **more: object) -> None:
        """Queue one line."""
        self._waiting.append(_Line(level, event, more))
        self._schedule()

    def _schedule(self) -> None:
        if self._loop is not None and not self._scheduled and not self._loop.is_closed():
            self._scheduled = True
            self._loop.call_later(LATER, self._write_some)

    def _write_some(self) -> None:
        self._scheduled = False
        self._drain(FEW)
        if self._waiting and self._loop is not None:
            self._scheduled = True
            self._loop.call_soon(self._write_some)

    def _drain(self, most: int = WAITING) -> None:
        for _ in range(min(most, len(self._waiting))):
            waiting = self._waiting.popleft()
            line = waiting if isinstance(waiting, _Line) else _line(waiting)
            try:
                self._logger = self._logger or logger(self._stream)
                getattr(self._logger, line.level)(line.event, **self._always, **line.more)
            except (OSError, ValueError):  # nobody takes it; a stream that is closed is a ValueError
                continue


def logger(stream: TextIO) -> FilteringBoundLogger:
    """A logger that writes to a stream: JSON, or for a person at a terminal."""
    import structlog  # noqa: PLC0415  the daemon alone needs it

    wanted = os.environ.get(VARIABLE, "")
    plain = wanted == "plain" or (wanted != "json" and stream.isatty())
    shown: Any = (
        structlog.dev.ConsoleRenderer(colors=stream.isatty() and not os.environ.get("NO_COLOR"))
        if plain
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    made: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            scrub,
            shown,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEAST),
    )
    return made


def scrub(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Hide every card and leave out every secret of a line."""
    return {key: veiled(scrubbed(value, key)) for key, value in line.items()}


def _line(row: _Row) -> _Line:
    """The line of a row."""
    level, event, more = _level_and_fields(row.meant)
    said: dict[str, object] = {"n": row.n, "device": row.item.device}
    if row.item.number is not None:
        said["number"] = row.item.number
    if row.refused is not None:
        level, said["refused"] = WARNING, str(row.refused)
    return _Line(level, event, said | more)


def _level_and_fields(meant: What) -> tuple[str, str, dict[str, object]]:
    """The level of a row, what it is about, and what more there is to it."""
    match meant:
        case Note(text, schema.START):
            return INFO, "start", _json(text)
        case Note(text) if text.startswith("fault "):
            code, _, detail = text.removeprefix("fault ").partition(": ")
            remedy = Fault(code, detail).remedy
            return WARNING, "fault", {"code": code, "detail": without_bytes(detail), "remedy": remedy}
        case Note(text):
            return INFO, "note", _json(text)
        case NewTable(header):
            return INFO, "table", {"game": header.game}
        case ev.LinkLost(device):
            return WARNING, "link-lost", {"lost": device}
        case _:
            return INFO, "event", {"kind": type(meant).__name__, "said": words(meant)}


def _json(text: str) -> dict[str, object]:
    """What a note says: its fields, or its text."""
    try:
        said = json.loads(text)
    except ValueError:
        said = text
    return {"said": said}
