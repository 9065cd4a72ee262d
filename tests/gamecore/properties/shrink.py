"""A failing table made short, and written down.

1. Events are left out, many at once and then one by one, as long as the same property breaks in the same words.
2. The events are applied as they are; suppositions are all tried, after the last of them.
3. What is left is written in deal notation, so that anybody can play it again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from gamecore.model.events.events import Event
from gamecore.notation.export import scenario_of
from gamecore.notation.syntax import Header
from gamecore.notation.writer import write
from tests.gamecore.properties.harness import PROPERTIES, Failure, as_failure
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.tables import Play

MOST_REPLAYS = 600
_FACES = re.compile(r"\b(?:[A2-9TJQK][SHDC]|\d+(?:\.\d+)?(?:/\d+)?|dealer|burn|discard|ann|bob|cy)\b")


def shrunk(failure: Failure) -> Failure:
    """The same failure with as few events as can be."""
    best, replays = failure, 0
    size = len(failure.events) // 2
    while size and replays < MOST_REPLAYS:
        start, shorter = 0, False
        while start < len(best.events) and replays < MOST_REPLAYS:
            fewer = best.events[:start] + best.events[start + size :]
            found = replayed(failure.header, fewer, failure.name)
            replays += 1
            if found is not None and kind_of(found) == kind_of(failure):
                best, shorter = found, True
            else:
                start += size
        size = size if shorter and size == 1 else size // 2
    return best


def replayed(header: Header, events: Sequence[Event], name: str) -> Failure | None:
    """The events at such a table, with the property of that name watching, or all if no property is called so."""
    kinds = [kind for kind in PROPERTIES if kind.name == name] or PROPERTIES
    properties: list[Property] = [kind() for kind in kinds]
    play = Play(header, random.Random(0), properties)
    try:
        for event in events:
            play.happen(event)
        for one in properties:
            for probe in one.probes(play):
                probe()
            one.over(play)
    except Exception as error:  # noqa: BLE001  whatever the table raises is what was looked for
        return as_failure(play, error)
    return None


def kind_of(failure: Failure) -> tuple[str, str]:
    """What is wrong, without the cards and places of one table."""
    return failure.name, _FACES.sub("·", failure.what)[:60]


def as_notation(failure: Failure) -> str:
    """The table in deal notation, with what is wrong above it."""
    above = "".join(f"# {line}\n" for line in failure.what[:1000].splitlines())
    header = replace(failure.header, shoe=())
    try:
        return above + write(scenario_of(header, failure.events))
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        told = "".join(f"# {event}\n" for event in failure.events)
        return f"{above}# not in notation: {error}\n{told}"
