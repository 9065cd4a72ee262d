"""The figures of a floor console for Prometheus: tables, alarms, escalations, browsers, and how soon news go out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from firmware_bridge.floor.metrics import COUNTER, GAUGE, HISTOGRAM, Figure
from firmware_bridge.floor.pit.answers import Tile
from firmware_bridge.floor.pit.tiles import TAKEN_UP, AlarmKey, Stage, Tiles

_ESCALATED = "escalated"
_NAME = "truedeal_floor"


class PitFigures:
    """What a console counts."""

    def __init__(self, tiles: Tiles) -> None:
        """Begin with nothing."""
        self._tiles = tiles
        self.tables = Figure(f"{_NAME}_tables", GAUGE, "tables by how their tile looks")
        self.alarms = Figure(f"{_NAME}_alarms_open", GAUGE, "open alarms that nobody has taken up")
        self.escalations = Figure(f"{_NAME}_escalations_total", COUNTER, "alarms that this console saw escalate")
        self.delay = Figure(f"{_NAME}_stream_delay_seconds", HISTOGRAM, "from hearing a table to sending its tile")
        self.browsers = Figure(f"{_NAME}_browsers", GAUGE, "browsers that watch")
        self.escalations.add(0)

    @property
    def all(self) -> list[Figure]:
        """Every figure."""
        return [self.tables, self.alarms, self.escalations, self.delay, self.browsers]

    def put_present(self, browsers: int) -> None:
        """Put the figures that say how it is now."""
        tiles = self._tiles.all(time.time())
        self.tables.clear()
        for shown, many in Counter(tile["look"] for tile in tiles).items():
            self.tables.put(many, state=shown)
        self.alarms.put(sum(alarm["stage"] != TAKEN_UP for tile in tiles for alarm in tile["alarms"]))
        self.browsers.put(browsers)

    def sent(self, tiles: Sequence[Tile], since: float, now: float) -> None:
        """Count tiles that went out: those that were heard after the last time that tiles did."""
        for tile in tiles:
            heard = tile["heard_ms"]
            if heard is not None and heard / 1000 >= since:
                self.delay.observe(max(0.0, now - heard / 1000))

    def moved(self, before: Mapping[AlarmKey, Stage], after: Mapping[AlarmKey, Stage]) -> None:
        """Count alarms that have come to a higher rung."""
        for key, stage in after.items():
            if stage.stage.startswith(_ESCALATED) and before.get(key, Stage()).stage != stage.stage:
                self.escalations.add()
