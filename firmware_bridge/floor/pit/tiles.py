"""The tiles of a pit: what was heard of each table, and how loud it is.

1. A table is known from the archive or from what it says. Of each kind of message the newest counts (`is_newer`).
2. Times are the centre's: the table's clock is off by the smallest of the last `KEPT` differences between the arrival
   of a message and what it says of its sending. Where that is more than `OFF` seconds, the tile says so.
3. A table that was heard and is silent is grey after `GREY` seconds. After `GONE` it is an alarm of the centre, which
   ends when it is heard again. So is a quarantine, which ends when the archive no longer has it.
4. How loud a tile is: an alarm that nobody has taken up; one that somebody has; something wrong with the box or the
   journal; silence; nothing.
5. `changed` gives the tiles that differ from what it gave before, and forgets nothing that it has not given.
6. Nothing here waits or asks: time is given to it, and so are the stages of alarms (`stages`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from firmware_bridge.floor.pit.answers import TakenUp, Tile, TileAlarm, TileLag
from firmware_bridge.floor.wire.live import (
    GONE,
    GREY,
    Alarms,
    CentreAlarm,
    Health,
    Live,
    LiveAlarm,
    Stamp,
    State,
    is_newer,
)

KEPT, OFF = 16, 2.0
LATE = 10
"""Seconds by which the archive may be behind a table without a word on its tile."""
GONE_CODE, QUARANTINE_CODE = "table-gone", "journal-quarantined"
"""The codes of alarms that the centre itself raises."""
RAISED, TAKEN_UP = "raised", "taken-up"
NO_ALARM_NUMBER = 0


class AlarmKey(NamedTuple):
    """What tells an alarm from every other."""

    table: str
    journal: str
    n: int
    code: str


class Stage(NamedTuple):
    """How far the centre is with an alarm."""

    stage: str = RAISED
    by: str = ""
    at_ms: int = 0


@dataclass(slots=True)
class _TableNews:
    """What is known of one table."""

    state: State | None = None
    alarms: Alarms | None = None
    health: Health | None = None
    stamps: dict[type, Stamp] = field(default_factory=dict)  # of the newest message of each kind
    at: float | None = None  # when it was heard last
    offsets: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    pictures: int = 0  # that differed from the one before
    enrolled: bool = False
    game: str = ""
    quarantined: str = ""
    quarantined_at: float = 0.0


class Tiles:
    """Every tile of one casino."""

    def __init__(self) -> None:
        self._tables: dict[str, _TableNews] = {}
        self._shown: dict[str, Tile] = {}
        self._left: set[str] = set()
        self.stages: Mapping[AlarmKey, Stage] = {}
        """How far the centre is with each alarm; those that are not here are raised."""

    # --- what is heard ----------------------------------------------------------------------------------------------

    def hear_table(self, table: str, message: Live, now: float) -> bool:
        """Take a message of a table; returns whether it was news, not an older one that came late."""
        heard = self._tables.setdefault(table, _TableNews())
        if not is_newer(message.stamp, heard.stamps.get(type(message))):
            return False
        heard.stamps[type(message)] = message.stamp
        match message:
            case State():
                heard.pictures += heard.state is None or heard.state.picture != message.picture
                heard.state = message
            case Alarms():
                heard.alarms = message
            case Health():
                heard.health = message
        heard.at = now
        heard.offsets.append(now - message.stamp.sent)
        return True

    def hear_centre(self, alarm: CentreAlarm, now: float) -> None:
        """Take what the centre says of a table."""
        if alarm.code.startswith("quarantine") or alarm.code == QUARANTINE_CODE:
            self._quarantine(self._tables.setdefault(alarm.table, _TableNews()), alarm.detail, now)

    def enrol(self, tables: Mapping[str, str], quarantined: Mapping[str, str], now: float) -> None:
        """Take what the archive knows: the enrolled tables with the games that they played last, and quarantines."""
        for name, game in tables.items():
            heard = self._tables.setdefault(name, _TableNews())
            heard.enrolled, heard.game = True, game
            self._quarantine(heard, quarantined.get(name, ""), now)
        for name in [name for name, heard in self._tables.items() if heard.enrolled and name not in tables]:
            del self._tables[name]
            self._shown.pop(name, None)
            self._left.add(name)

    @staticmethod
    def _quarantine(heard: _TableNews, reason: str, now: float) -> None:
        if reason and not heard.quarantined:
            heard.quarantined_at = now
        heard.quarantined = reason

    # --- what is shown ----------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Every table that is known."""
        return sorted(self._tables)

    def all(self, now: float) -> list[Tile]:
        """Every tile, by name."""
        return [self._tile(name, now) for name in self.names()]

    def changed(self, now: float) -> tuple[list[Tile], list[str]]:
        """The tiles that have changed since the last call, and the tables that have left."""
        found = []
        for tile in self.all(now):
            before = self._shown.get(tile["name"])
            if before is None or _differs(before, tile):
                self._shown[tile["name"]] = tile
                found.append(tile)
        left, self._left = sorted(self._left), set()
        return found, left

    def one(self, name: str, now: float) -> tuple[Tile, dict[str, Any] | None] | None:
        """A tile with the table's own picture; None if there is no such table."""
        heard = self._tables.get(name)
        if heard is None:
            return None
        return self._tile(name, now), None if heard.state is None else heard.state.picture

    def open_alarms(self, now: float) -> dict[AlarmKey, float]:
        """Every alarm that is open now, with when it began by the centre's clock."""
        return {
            AlarmKey(name, alarm["journal"], alarm["n"], alarm["code"]): alarm["since_ms"] / 1000
            for name in self._tables
            for alarm in self._alarms(name, now)
        }

    def with_alarms(self) -> frozenset[str]:
        """The tables whose list of alarms is known."""
        return frozenset(name for name, heard in self._tables.items() if heard.alarms is not None)

    def _tile(self, name: str, now: float) -> Tile:
        heard = self._tables[name]
        state, health, offset = heard.state, heard.health, _offset(heard)
        alarms = self._alarms(name, now)
        return {
            "name": name,
            "called": "" if state is None else state.name,
            "look": _look_of(heard, alarms, now),
            "game": heard.game if state is None else state.game,
            "state": "" if state is None else state.state,
            "round": 0 if state is None else state.round,
            "outcome": "" if state is None else state.outcome,
            "dealer": "" if state is None else state.dealer,
            "limits": [] if state is None else [{"kind": k, "least": a, "most": b} for k, a, b in state.limits],
            "boxes": [] if state is None else list(state.boxes),
            "rounds": 0 if state is None else state.rounds,
            "card_ms": None if state is None else _centre_ms(state.card, offset),
            "heard_ms": None if heard.at is None else int(heard.at * 1000),
            "daemon": state is None or state.daemon,
            "stalled": "" if state is None else state.stalled,
            "alarms": alarms,
            "more": 0 if heard.alarms is None else heard.alarms.more,
            "quarantined": heard.quarantined,
            "clock": round(-offset, 1) if abs(offset) > OFF else None,
            "lag": None if health is None else _lag(health),
            "version": "" if health is None else health.version,
            "pictures": heard.pictures,
        }

    def _alarms(self, name: str, now: float) -> list[TileAlarm]:
        """The alarms of a table, the oldest first; what the centre says of it after them."""
        heard = self._tables[name]
        found = []
        if heard.alarms is not None:
            journal, offset = heard.alarms.stamp.journal, _offset(heard)
            began = [_centre_ms(one.at, offset) or int(now * 1000) for one in heard.alarms.alarms]
            pairs = zip(heard.alarms.alarms, began, strict=True)
            found = [self._alarm(name, journal, one, since) for one, since in pairs]
        if heard.quarantined:
            since = int(heard.quarantined_at * 1000)
            found.append(self._alarm(name, "", _of_centre(QUARANTINE_CODE), since, heard.quarantined))
        if heard.at is not None and now - heard.at >= GONE:
            found.append(self._alarm(name, "", _of_centre(GONE_CODE), int((heard.at + GONE) * 1000)))
        return found

    def _alarm(self, name: str, journal: str, one: LiveAlarm, since: int, detail: str = "") -> TileAlarm:
        stage = self.stages.get(AlarmKey(name, journal, one.n, one.code), Stage())
        taken: TakenUp | None = {"by": stage.by, "at_ms": stage.at_ms} if stage.stage == TAKEN_UP else None
        return {
            "journal": journal,
            "n": one.n,
            "code": one.code,
            "since_ms": since,
            "clause": one.clause,
            "ruling": one.ruling,
            "places": list(one.places),
            "times": one.times,
            "noted": one.noted,
            "held": one.held,
            "device": one.device,
            "detail": detail,
            "stage": stage.stage,
            "taken": taken,
        }


def _of_centre(code: str) -> LiveAlarm:
    return LiveAlarm(NO_ALARM_NUMBER, "", code, "", "", (), 1, noted=False, held=False, device="", roles=())


def _look_of(heard: _TableNews, alarms: Iterable[TileAlarm], now: float) -> str:
    stages = {alarm["stage"] for alarm in alarms}
    state, silent = heard.state, 0.0 if heard.at is None else now - heard.at
    if stages - {TAKEN_UP}:
        return "alarm"
    looks = {
        "taken": bool(stages),
        "wrong": state is not None and (not state.daemon or bool(state.stalled)),
        "unheard": heard.at is None,
        "gone": silent >= GONE,
        "grey": silent >= GREY,
    }
    return next((look for look, so in looks.items() if so), "calm")


def _differs(before: Tile, now: Tile) -> bool:
    """Whether a tile shows something else; that it was heard again is nothing else."""
    return {**before, "heard_ms": 0} != {**now, "heard_ms": 0}


def _lag(health: Health) -> TileLag | None:
    seconds = round(health.lag_seconds)
    return {"rows": health.lag_rows, "seconds": seconds} if seconds >= LATE else None


def _offset(heard: _TableNews) -> float:
    """Seconds by which the centre's clock is ahead of the table's."""
    offset = min(heard.offsets, default=0.0)
    return offset if abs(offset) > OFF else 0.0


def _centre_ms(at: str, offset: float) -> int | None:
    """A time of a table by the centre's clock."""
    try:
        return int((datetime.fromisoformat(at).timestamp() + offset) * 1000)
    except (ValueError, OverflowError):
        return None
