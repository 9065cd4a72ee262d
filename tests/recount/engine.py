"""The one bridge to the table: events in, steps out. Nothing is taken from it but reports and where a card is due."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gamecore.model.events.events import Event, ShoeEmpty, TakeBack
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write_event
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.recount.tape import Step


def record(header: Header, events: Iterable[Event]) -> tuple[list[Step], dict[str, Any]]:
    """The steps that these events make at such a table, and the report at the end."""
    table = Table(GAMES[header.game], table_config(header))
    steps: list[Step] = []
    for event in events:
        state, due = table.state.value, table.next_place
        table.apply(event)
        if isinstance(event, TakeBack):  # as if the last command had never been said
            said = [index for index, step in enumerate(steps) if step.text != "restart"]
            del steps[said[-1]]
            continue
        rounds: Any = table.report()["rounds"]
        text = "draw none" if isinstance(event, ShoeEmpty) else write_event(event)
        steps.append(Step(text, "" if due is None else str(due), state, rounds[-1] if rounds else {}))
    return steps, table.report()
