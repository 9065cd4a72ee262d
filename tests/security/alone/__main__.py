"""Writes `pairs.txt`: the cells that together reach every group of states which all cells reach."""

from __future__ import annotations

import random

from tests.gamecore.pairs.cells import Cell, why_not
from tests.gamecore.pairs.test_pairs import every_cell
from tests.security.alone.states import LIST, Group, group, of_pairs


def reaching() -> list[Cell]:
    """The cells that reach a group which no cell before them has reached."""
    seen: set[Group] = set()
    found: list[Cell] = []
    chosen = [cell for cell in every_cell() if not why_not(cell)]
    random.Random(1).shuffle(chosen)
    for cell in chosen:
        before = len(seen)
        of_pairs([cell], lambda header, table: seen.add(group(header, table)))
        if len(seen) > before:
            found.append(cell)
    return found


if __name__ == "__main__":
    lines = sorted(f"{one.game} {one.fitting} {one.first} {one.second} {one.moment}" for one in reaching())
    LIST.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
