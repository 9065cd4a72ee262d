"""How this product stands to one clause of an approved document.

1. `enforced`: code decides it. `detected`: a departure from it is found. `asked`: a person decides, the table asks.
   `recorded`: the table keeps what was done, and decides nothing by it. `outside`: not a matter of the table, with the
   reason. `open`: not yet traced.
2. Whatever is claimed names the code that holds it, as ``module.name`` of `gamecore`, and is held by a scenario or a
   test that says so (`# holds:` and the clause). A test fails on a claim that nothing holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Standing(Enum):
    """How the product stands to a clause."""

    ENFORCED = "enforced"
    DETECTED = "detected"
    ASKED = "asked"
    RECORDED = "recorded"
    OUTSIDE = "outside"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Trace:
    """One clause: how the product stands to it, the code that holds it, and what is meant or why not."""

    clause: str
    standing: Standing
    code: str
    note: str


def enforced(clause: str, code: str, note: str) -> Trace:
    """Code decides it."""
    return Trace(clause, Standing.ENFORCED, code, note)


def detected(clause: str, code: str, note: str) -> Trace:
    """A departure from it is found."""
    return Trace(clause, Standing.DETECTED, code, note)


def asked(clause: str, code: str, note: str) -> Trace:
    """A person decides, the table asks."""
    return Trace(clause, Standing.ASKED, code, note)


def recorded(clause: str, code: str, note: str) -> Trace:
    """The table keeps what was done."""
    return Trace(clause, Standing.RECORDED, code, note)


def outside(clause: str, note: str) -> Trace:
    """Not a matter of the table, for the reason given."""
    return Trace(clause, Standing.OUTSIDE, "", note)


def unresolved(clause: str) -> Trace:
    """Not yet traced."""
    return Trace(clause, Standing.OPEN, "", "irregularities")
