"""The jackpot meter, on our own link."""

from drivers.meter.messages import CATALOGUE, Multiplier

__all__ = [
    "CATALOGUE",
    "Multiplier",
]
