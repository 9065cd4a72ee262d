"""A round of two irregularities written down, so that somebody else can play it again."""

from __future__ import annotations

from gamecore.notation.export import scenario_of
from gamecore.notation.writer import write
from tests.gamecore.pairs.cells import PlayedPair
from tests.gamecore.pairs.judge import Fault


def as_notation(pair: PlayedPair, wrong: list[Fault]) -> str:
    """The round in deal notation, with what is wrong as comments."""
    lines = [f"# {pair.cell}, seed {pair.seed}", *(f"# {what} [{clause}]" for what, clause in wrong)]
    return "\n".join([*lines, write(scenario_of(pair.robot.header, pair.robot.events))])


def as_line(pair: PlayedPair, wrong: list[Fault]) -> str:
    """The round in one line: seed, game, fitting, pair, what is wrong, which clause."""
    cell = pair.cell
    said = "; ".join(f"{what} [{clause}]" for what, clause in wrong)
    return "\t".join((str(pair.seed), cell.game, cell.fitting, f"{cell.second} {cell.moment} {cell.first}", said))
