"""A table that is kept in memory, to be had again as often as something is tried at it.

1. It is written once and read for each trial; what never changes is shared. That is several times as fast as
   `Table.copied`.
2. Only what is applied again (`AGAIN`) looks at what was said before: a trial of anything else does without it.
"""

from __future__ import annotations

import io
import pickle

from gamecore.history import History, Snapshot
from gamecore.model.events import events as ev
from gamecore.model.events.events import Event
from gamecore.table import Table

AGAIN = (ev.TakeBack, ev.Retract, ev.CardsDisclosed)


class _Writer(pickle.Pickler):
    """Keeps a table in memory; what never changes is shared."""

    def __init__(self, file: io.BytesIO, shared: list[object]) -> None:
        super().__init__(file, 5)
        self._places = {id(one): place for place, one in enumerate(shared)}

    def persistent_id(self, obj: object) -> int | None:
        """Return the place of what is shared."""
        return self._places.get(id(obj))


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, shared: list[object]) -> None:
        super().__init__(io.BytesIO(data))
        self._shared = shared

    def persistent_load(self, pid: int) -> object:
        """Return what is shared."""
        return self._shared[pid]


class Kept:
    """A table that stands as another does, as often as one is wanted."""

    def __init__(self, table: Table) -> None:
        t, history = table._state, table._history
        past = [game_round for game_round in t.rounds if game_round is not t.round]
        self._shared: list[object] = [t.rules, t.config, *past, *history.events]
        brief = History(between=history.between, shares=False, over=history.over, ended_by=history.ended_by)
        self._whole, self._brief = self._written(Snapshot(t, history)), self._written(Snapshot(t, brief))

    def _written(self, snapshot: Snapshot) -> bytes:
        file = io.BytesIO()
        _Writer(file, self._shared).dump(snapshot)
        return file.getvalue()

    def again(self, said: Event) -> Table:
        """Return one for something that is said; only what is applied again looks at what was said before."""
        data = self._whole if isinstance(said, AGAIN) else self._brief
        return Table.resumed(_Reader(data, self._shared).load())
