"""The sensor hub of the table, on our own link."""

from drivers.hub.messages import CATALOGUE, KINDS, CardArrived, CardLeft, CardsTurned, Chips, DiscardCount

__all__ = [
    "CATALOGUE",
    "KINDS",
    "CardArrived",
    "CardLeft",
    "CardsTurned",
    "Chips",
    "DiscardCount",
]
