"""What a floor console tells Prometheus: its tables, alarms, escalations, browsers and delays, asked over HTTP."""

from __future__ import annotations

import asyncio
import time

from firmware_bridge.floor.metrics import serve_metrics
from firmware_bridge.floor.pit.feed import PitFeed
from firmware_bridge.floor.pit.figures import PitFigures
from firmware_bridge.floor.pit.tiles import TAKEN_UP, AlarmKey, Stage, Tiles
from firmware_bridge.floor.wire.live import Alarms
from tests.firmware_bridge.floor.pit.test_tiles import alarm, stamp, state


def test_a_console_counts_tables_alarms_escalations_and_delays() -> None:
    """As they are when somebody asks; an alarm counts as escalated once for each rung."""
    tiles = Tiles()
    figures = PitFigures(tiles)
    feed = PitFeed("mbs", tiles, figures)
    now = time.time()
    tiles.hear_table("bj-7", state(1, sent=now), now)
    tiles.hear_table("bj-8", state(1, sent=now), now)
    tiles.hear_table("bj-8", Alarms(stamp(1, sent=now), (alarm(3, "E21"), alarm(4, "E22")), 0), now)
    feed.send_changes()
    keys = [AlarmKey("bj-8", "J", n, code) for n, code in ((3, "E21"), (4, "E22"))]
    raised = dict.fromkeys(keys, Stage())
    once, twice = raised | {keys[0]: Stage("escalated 1")}, raised | {keys[0]: Stage("escalated 2")}
    for before, after in ((raised, once), (once, once), (once, twice)):
        figures.moved(before, after)
    tiles.stages = {keys[1]: Stage(TAKEN_UP)}

    async def ask() -> list[str]:
        server = await serve_metrics(figures.all, "127.0.0.1", 0, lambda: figures.put_present(len(feed)))
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /metrics HTTP/1.1\r\n\r\n")
        told = await reader.read()
        writer.close()
        server.close()
        return told.decode().splitlines()

    told = asyncio.run(ask())
    assert {
        'truedeal_floor_tables{state="calm"} 1',
        'truedeal_floor_tables{state="alarm"} 1',
        "truedeal_floor_alarms_open 1",
        "truedeal_floor_escalations_total 2",
        "truedeal_floor_browsers 0",
        "truedeal_floor_stream_delay_seconds_count 2",
    } <= set(told)
