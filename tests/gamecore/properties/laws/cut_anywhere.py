"""7. Cut anywhere: a restart, or a recovery, after any event changes nothing.

1. The software may die after every event: the same events with a restart after each give the same outputs and the same
   table.
2. The daemon keeps a snapshot and applies the events since: a table that goes on from one, written down as the journal
   does and read again, goes on as the first.
3. The state as the last round ended and the events since make the state: what is taken back relies on it.
"""

from __future__ import annotations

import json

from gamecore.history import History, Retraction, Snapshot
from gamecore.model.events import events
from gamecore.model.events.outputs import FindingView, IrregularityFound, Output, TakenBack
from gamecore.table import Table
from gamecore.view import keeping
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.laws.there_and_back import standing
from tests.gamecore.properties.tables import Play


class CutAnywhere(Property):
    """The same table, interrupted."""

    name = "cut anywhere"
    share = 0.15

    def __init__(self) -> None:
        """No other table yet."""
        super().__init__()
        self._restarted: Table | None = None
        self._resumed: Table | None = None

    def after(self, play: Play) -> None:
        """The others hear the same, one of them with a restart after it; one goes on from a snapshot."""
        event, outputs = play.event, play.outputs
        if self._restarted is None:
            self._restarted = Table(play.rules, play.state.config)
            for earlier in play.heard[:-1]:
                self._restarted.apply(earlier)
        for what, table in (("restarted", self._restarted), ("resumed", self._resumed)):
            if table is not None:
                heard = table.apply(event)
                if _words(outputs) != _words(heard):
                    self.hold(False, f"{what}, {event} gives {heard}, not {outputs}")
        self._restarted.apply(events.Restarted())
        if len(play.heard) % 16 == 8:
            self._compare(play)
            self._fold(play)
            self._resumed = Table.resumed(keeping.read(json.loads(json.dumps(keeping.written(play.table.snapshot())))))
        self.exercised += 1

    def over(self, play: Play) -> None:
        """All of them stand alike."""
        self._compare(play)

    def _fold(self, play: Play) -> None:
        """The checkpoint and the events since, applied to it, give what is there."""
        history, table = play.table._history, play.table
        if history.checkpoint is None or not history.events:
            return
        if any(isinstance(event, Retraction) for event in history.events):  # what was retracted only the table knows
            return
        ended = History(over=history.over, ended_by=history.ended_by)
        again = Table.resumed(Snapshot(history.restored(table._state), ended))
        for number, step in history.steps():
            again._state.events = number - 1
            assert isinstance(step, events.Event)
            again.apply(step)
        self._differ("folded", _seen(table), _seen(again))

    def _compare(self, play: Play) -> None:
        now = _seen(play.table)
        for what, table in (("restarted", self._restarted), ("resumed", self._resumed)):
            if table is not None:
                self._differ(what, now, _seen(table))

    def _differ(self, what: str, now: dict[str, object], other: dict[str, object]) -> None:
        differ = [f"{key}: {now[key]} and {other[key]}" for key in now if now[key] != other[key]]
        self.hold(not differ, f"{what}: {'; '.join(differ)}")


def _words(outputs: tuple[Output, ...]) -> list[object]:
    """What was said; a finding without the number of its event, which a restart moves on."""
    said: list[object] = []
    for output in outputs:
        match output:
            case IrregularityFound(finding):
                said.append(_finding(finding))
            case TakenBack(command, findings):
                said.append((command, *map(_finding, findings)))
            case _:
                said.append(output)
    return said


def _finding(finding: FindingView) -> tuple[object, ...]:
    return (finding.code, finding.clause, finding.ruling, finding.places, finding.cards, finding.moves)


def _seen(table: Table) -> dict[str, object]:
    """All that anybody sees of the round; those before it the daemon recalls from their records."""
    seen = {"round": table.round_report(), "asks": table._state.asks, "allowed": table.allowed()}
    return standing(table._state) | seen
