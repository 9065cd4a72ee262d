"""What the parser must know of a game and its table.

1. A `Layout` is the printed cloth: how many boxes, how many wagers a box, which kinds of wager have a place on it.
2. A place that is not on the cloth cannot be written: nothing can happen there.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamecore.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Layout:
    """The cloth of one table. `slots` is None if the rules set no number of wagers a box."""

    game: str
    boxes: int
    slots: int | None
    kinds: tuple[str, ...]


def layout_of(rules: Ruleset, boxes: int) -> Layout:
    """The layout of a game with `boxes` boxes."""
    return Layout(rules.id, boxes, rules.slots.value, rules.wager_kinds())
