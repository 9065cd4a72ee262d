"""A stream of rounds that only devices carry, and a table that is killed while they flow.

1. A scenario without a word at the console is played by the simulated devices alone. The next thing happens when the
   device of the last one was told that it is durable: a device outlives the daemon, keeps what is not, and sends it
   again. So the stream needs no connection to the daemon and goes on whatever becomes of it.
2. `Killer` kills the daemon at moments of chance, most of them while it works, some while it starts, and starts it
   again. It says how long the daemon was away.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.notation.playing.links import carrier
from gamecore.notation.playing.player import play_text
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write_header
from gamecore.rules.games import GAMES
from hal_sim.table.hardware_venue import CONSOLE, acts
from hal_sim.table.sim_table import SimTable
from tests.patience import PATIENCE
from tests.places import TESTS

_OF_THE_MACHINE = (ev.PowerCut, ev.PowerOn, ev.Restarted, ev.LinkLost, ev.LinkBack)


class Play(NamedTuple):
    """A scenario: its table, what the devices do, and the report of a table that nobody disturbs."""

    name: str
    header: Header
    events: tuple[Event, ...]
    report: dict[str, object]


@cache
def plays() -> tuple[Play, ...]:
    """All scenarios that devices alone can play."""
    found = []
    for file in sorted((TESTS / "scenarios").rglob("*.deal")):
        played = play_text(file.read_text(encoding="utf-8"), file.name, GAMES)
        header = played.header
        if header is None or not header.places_sensed or header.places_counted or not played.events:
            continue
        shown = any(isinstance(event, ev.CardsPulled) and event.shown for event in played.events)
        machine = any(isinstance(event, _OF_THE_MACHINE) for event in played.events)
        said = any(carrier(event, header.sensors) == CONSOLE for event in played.events if not machine)
        if not (shown or machine or said):
            report = {key: played.report[key] for key in ("state", "rounds", "asks")}
            found.append(Play(f"{file.parent.name}/{file.name}", header, played.events, report))
    return tuple(found)


class Stream:
    """The devices of a simulated table, which play scenarios."""

    def __init__(self, table: SimTable) -> None:
        self._table = table
        self.sent: dict[str, int] = {}

    def set_up(self, play: Play) -> None:
        """Put a new table; the daemon must be there."""
        set_up = write_header(replace(play.header, shoe=(), seed=0))
        answer = self._table.control.ask(do="table", header=set_up, abandon=True)
        assert answer.get("ok"), answer

    def play(self, play: Play) -> None:
        """Let everything happen, each thing when the one before it is durable."""
        for event in play.events:
            name = carrier(event, play.header.sensors)
            device = self._table.device(name)
            for act in acts(event):
                self.sent[name] = device.event(act.name, **act.fields)
            device.wait_acknowledged(self.sent[name], PATIENCE)

    def report(self, play: Play) -> dict[str, object]:
        """What the daemon reports once everything is applied; it must be there."""
        for name, number in self.sent.items():
            self._table.control.ask(do="seen", device=name, number=number)
        report = self._table.control.ask(do="report")["report"]
        assert isinstance(report, dict)
        return {key: report[key] for key in play.report}


class Killer:
    """Kills a table's daemon at moments of chance, in a thread of its own."""

    def __init__(self, table: SimTable, chance: random.Random, kills: int) -> None:
        self._table = table
        self._chance = chance
        self._left = kills
        self._daemon = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="killer")
        self.problem: BaseException | None = None
        self.away: list[float] = []
        """Seconds from each kill to the word `ready`."""

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @contextmanager
    def peace(self) -> Iterator[None]:
        """While this lasts the daemon is there and is left alone."""
        with self._daemon:
            if self.problem is not None:
                raise self.problem
            yield

    @property
    def done(self) -> bool:
        """Whether all kills were made."""
        return self._left <= 0 or self.problem is not None

    def _run(self) -> None:
        try:
            while not self.done and not self._over.wait(self._chance.random() ** 2 * 0.25):
                with self._daemon:
                    self._kill()
        except BaseException as problem:  # noqa: BLE001  it is raised where the stream waits
            self.problem = problem

    def _kill(self) -> None:
        self._left -= 1
        self._table.kill()
        killed = time.monotonic()
        if self._chance.random() < 0.15 and self._left > 0:
            self._table._spawn_daemon()
            self._over.wait(self._chance.random())
            self._left -= 1
            self._table.kill()
            killed = time.monotonic()
        self._table.start_daemon()
        self.away.append(time.monotonic() - killed)
