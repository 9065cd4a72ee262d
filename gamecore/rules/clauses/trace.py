"""How this product stands to one clause of an approved document.

1. `enforced`: code decides it. `detected`: a departure from it is found. `asked`: a person decides, the table asks.
   `recorded`: the table keeps what was done, and decides nothing by it. `outside`: not a matter of the table, with the
   reason.
2. Every claim names the code that carries it out, separated by spaces, each as ``module.name`` of `gamecore`: a
   function, a method or property of a class (``model.hands.Hand.natural``), a field of a ruleset
   (``rules.games.mbs_blackjack_v6.RULES.decks``) or a rulings matrix (``rules.mbs.BLACKJACK``).
3. Every claim is tested by scenarios that say so (`# tests:` and the clause), and measured: a test plays them and fails
   where the named code was not entered through `Table.apply` by one of them
   (tests/gamecore/clauses/test_clause_claims.py).
4. A note is one plain sentence: what the code does about the clause, or why it is outside.
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


@dataclass(frozen=True, slots=True)
class Trace:
    """One clause: how the product stands to it, the code that carries it out, and what is meant or why not."""

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
    """A person decides; the table asks."""
    return Trace(clause, Standing.ASKED, code, note)


def recorded(clause: str, code: str, note: str) -> Trace:
    """The table keeps what was done."""
    return Trace(clause, Standing.RECORDED, code, note)


def outside(clause: str, note: str) -> Trace:
    """Not a matter of the table, for the reason given."""
    return Trace(clause, Standing.OUTSIDE, "", note)
