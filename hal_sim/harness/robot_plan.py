"""What the robot of the harness is to play: which tables, how fast, and with which errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from hal_sim.dealer.error_plan import Errors


class Planned(NamedTuple):
    """A table of the plan: its game, its seed, and how many rounds are played there; None: no end."""

    game: str
    seed: int
    rounds: int | None


@dataclass(slots=True)
class Dials:
    """How the robot plays: its pace, the chance of each kind of error in a round, the chance of any at all."""

    speed: float | None
    rates: dict[str, float] = field(default_factory=dict)
    any_rate: float = 0.0

    @property
    def errors(self) -> Errors:
        """The dials as the robot reads them."""
        return Errors(dict(self.rates), self.any_rate)
