"""A shoe with the Angel Eye style ASCII link. Experimental: see `driver`."""

from drivers.angel_eye.messages import (
    CATALOGUE,
    CardAgain,
    CardDoubtful,
    KeyLock,
    Notice,
    OutsideFlow,
    Started,
    Trouble,
)

EXPERIMENTAL = True

__all__ = [
    "CATALOGUE",
    "EXPERIMENTAL",
    "CardAgain",
    "CardDoubtful",
    "KeyLock",
    "Notice",
    "OutsideFlow",
    "Started",
    "Trouble",
]
