"""How a table is set up: a frozen value, stated once. Only `confirm` may be switched on later; then it stays on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SENSORS = ("shoe", "positions", "positions-count", "bets", "discard", "panel")


@dataclass(frozen=True, slots=True)
class TableConfig:
    """How a table is set up: cards, layout, limits in cents by kind of wager, shuffling, fitted sensors."""

    decks: int
    boxes: int
    limits: Mapping[str, tuple[int, int]]
    fresh: bool
    burn: bool
    shuffling: str
    sensors: frozenset[str]
    left: int | None = None
    confirm: bool = False  # what began with a word and gives wagers back waits for an approval
    watches: bool = True  # False switches the detectors off, for measuring what they cost
