"""Tells live news of a table: state, alarms and health, apart from its journal and first.

1. It has a connection of its own, so that no backlog is before it. What cannot be published is not kept: the next
   message is whole (`wire.live`). A connection that is gone is made again, ever less often.
2. A message goes out when what it tells has changed, at most every `APART` seconds, and every `EVERY` seconds if
   nothing has. Alarms go first.
3. The picture is the scene of the reading socket without what only matters to somebody who commands there.
4. The rounds of the last hour are counted from the journal at the start, then as they end.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from firmware_bridge.floor.broker import Broker, BrokerError
from firmware_bridge.floor.shipping.table_watch import TableWatch
from firmware_bridge.floor.wire import subjects
from firmware_bridge.floor.wire.live import (
    APART,
    EVERY,
    Alarms,
    Health,
    Limits,
    Live,
    LiveAlarm,
    LiveError,
    Stamp,
    State,
    pack_live,
)

SOON, SELDOM = 0.25, 15.0
_COMMANDS = frozenset({"can", "corrections", "duties", "disclose", "decisions", "role", "alarms", "links", "program"})
_HOUR = timedelta(hours=1)
_OPEN = "open"

Connect = Callable[[], Any]


class Shipped(NamedTuple):
    """How the journal's shipping is: what the centre said last, what is wrong, and how far it has come there."""

    journal: str = ""
    said: str = ""
    problem: str = ""
    have: int = 0
    sealed: int = 0
    backed: int = 0
    lag_rows: int = 0
    lag_seconds: float = 0.0


class Telling:
    """Makes the messages of one table."""

    def __init__(self, watch: TableWatch, shipped: Callable[[], Shipped], ended: list[datetime]) -> None:
        """Tell what is watched, and how shipping is; `ended` are the rounds of the last hour."""
        self._watch, self._shipped = watch, shipped
        self._boot, self._seq = secrets.token_hex(8), 0
        self._rounds = deque(ended)
        self._last: tuple[object, bool] = (None, False)

    def messages(self) -> dict[str, Live]:
        """What there is to tell now, the most urgent first."""
        scene = self._watch.scene
        self._count(scene)
        stamp = self._stamp(scene)
        found: dict[str, Live] = {
            subjects.ALARM: Alarms(stamp, tuple(map(_alarm, _dicts(scene.get("alarms")))), 0),
            subjects.STATE: self._state(stamp, scene),
            subjects.HEALTH: self._health(stamp),
        }
        return found

    def stamped(self, message: Live) -> Live:
        """The same as the next message."""
        self._seq += 1
        return message._replace(stamp=message.stamp._replace(seq=self._seq, sent=time.time()))

    def _stamp(self, scene: Mapping[str, Any]) -> Stamp:
        return Stamp(self._shipped().journal, self._boot, 0, _whole(scene.get("n")), self._watch.at, 0.0)

    def _count(self, scene: Mapping[str, Any]) -> None:
        """Count a round that has ended since the last look."""
        now = datetime.now(UTC)
        round_, over = scene.get("round"), scene.get("outcome") not in {None, _OPEN}
        if over and self._last[0] is not None and self._last != (round_, over):
            self._rounds.append(now)
        self._last = round_, over
        while self._rounds and now - self._rounds[0] > _HOUR:
            self._rounds.popleft()

    def _state(self, stamp: Stamp, scene: Mapping[str, Any]) -> State:
        limits = scene.get("limits")
        return State(
            stamp=stamp,
            daemon=self._watch.there,
            name=_text(scene.get("table")),
            game=_text(scene.get("game")),
            title=_text(scene.get("title")),
            state=_text(scene.get("state")),
            round=_whole(scene.get("round")),
            outcome=_text(scene.get("outcome")),
            dealer=self._watch.dealer,
            limits=tuple(
                Limits(kind, _text(one.get("min")), _text(one.get("max")))
                for kind, one in (limits.items() if isinstance(limits, dict) else ())
                if isinstance(one, dict)
            ),
            boxes=tuple(_whole(box.get("number")) for box in _dicts(scene.get("boxes")) if box.get("mains")),
            card=self._watch.card,
            rounds=len(self._rounds),
            alarms=len(_dicts(scene.get("alarms"))),
            stalled=_text(scene.get("stalled")),
            picture={key: value for key, value in scene.items() if key not in _COMMANDS} or None,
        )

    def _health(self, stamp: Stamp) -> Health:
        told, shipped = self._watch.health, self._shipped()
        program, disk = told.get("program") or {}, told.get("disk") or {}
        links = self._watch.scene.get("links")
        return Health(
            stamp=stamp,
            version=_text(told.get("version")),
            program=_text(program.get("state")),
            links=tuple((device, bool(up)) for device, up in (links.items() if isinstance(links, dict) else ())),
            uptime=float(told.get("uptime") or 0),
            memory=_whole(told.get("memory")),
            disk_free=_whole(disk.get("free")),
            disk_total=_whole(disk.get("total")),
            **{key: value for key, value in shipped._asdict().items() if key != "journal"},
        )


class LiveNews:
    """Publishes them."""

    def __init__(self, telling: Telling, watch: TableWatch, connect: Connect, subject: Callable[[str], str]) -> None:
        """Publish what is told, over connections that `connect` makes, under the table's subjects."""
        self._telling, self._watch = telling, watch
        self._connect, self._subject = connect, subject
        self._sent: dict[str, tuple[Live, float]] = {}

    async def run(self) -> None:
        """Publish until cancelled."""
        wait = SOON
        while True:
            broker: Broker | None = None
            try:
                broker = await self._connect()
                wait = SOON
                await self._publish(broker)
            except (BrokerError, LiveError):
                self._sent.clear()
            finally:
                if broker is not None:
                    await broker.close()
            await asyncio.sleep(wait)
            wait = min(wait * 2, SELDOM)

    async def _publish(self, broker: Broker) -> None:
        """Publish over one connection until it is gone."""
        while not broker.is_away:
            self._watch.changed.clear()
            now = asyncio.get_running_loop().time()
            for what, message in self._telling.messages().items():
                before, at = self._sent.get(what, (None, 0.0))
                if before is None or now - at >= EVERY or (now - at >= APART and message != before):
                    self._sent[what] = message, now
                    await broker.publish(self._subject(what), pack_live(self._telling.stamped(message)))
            await asyncio.sleep(APART)
            with_news = asyncio.ensure_future(self._watch.changed.wait())
            await asyncio.wait([with_news], timeout=EVERY - APART)
            with_news.cancel()
        raise BrokerError("the broker is away")


def _alarm(said: Mapping[str, Any]) -> LiveAlarm:
    return LiveAlarm(
        n=_whole(said.get("n")),
        at=_text(said.get("at")),
        code=_text(said.get("code")),
        clause=_text(said.get("clause")),
        ruling=_text(said.get("ruling")),
        places=tuple(map(_text, said.get("places") or ())),
        times=_whole(said.get("times")),
        noted=bool(said.get("noted")),
        held=bool(said.get("held")),
        device=_text(said.get("device")),
        roles=tuple(map(_text, said.get("roles") or ())),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _dicts(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
