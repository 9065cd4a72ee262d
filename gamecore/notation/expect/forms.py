"""The forms of ``expect``: word, usage, meaning.

1. What a claim does not say is not checked: ``expect total 1 17`` holds for a soft 17 too.
2. A wager without ``/SLOT`` is the one at slot 1, without ``.HAND`` the one of hand 1.
3. ``expect refused`` takes a command. What happens physically is never refused, so it cannot be claimed either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from gamecore.notation import words as vocabulary
from gamecore.notation.arguments import Words, Wrong
from gamecore.notation.syntax import (
    AskIs,
    Claim,
    FindingIs,
    MoveIs,
    NextIs,
    NoFindings,
    StateIs,
    TotalIs,
    VoidIs,
    WagerIs,
)

_CLAUSE = re.compile(r"[0-9]+(?:\.[0-9]+)*")


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """One form of ``expect``."""

    word: str
    usage: str
    parse: Callable[[Words], Claim]


def _state(words: Words) -> StateIs:
    return StateIs(words.known(vocabulary.STATES, "state"))


def _next(words: Words) -> NextIs:
    return NextIs(None if words.accept("none") else words.hand())


def _total(words: Words) -> TotalIs:
    place = words.hand()
    soft = True if words.accept("soft") else False if words.accept("hard") else None
    return TotalIs(place, words.number("a total"), soft)


def _finding(words: Words) -> FindingIs:
    code = words.known(vocabulary.CODES, "finding")
    clause = _clause(words.word("a clause")) if words.accept("clause") else None
    ruling = words.known(vocabulary.RULINGS, "ruling") if words.accept("ruling") else None
    return FindingIs(code, clause, ruling, words.place() if words.accept("at") else None)


def _clause(word: str) -> str:
    if _CLAUSE.fullmatch(word) is None:
        raise Wrong(f"'{word}' is no clause: expected a number such as 5.23.2")
    return word


def _findings(words: Words) -> NoFindings:
    if not words.accept("none"):
        raise Wrong("'none' is missing")
    return NoFindings()


def _ask(words: Words) -> AskIs:
    who = words.asked()
    options: list[str] = []
    while words.more or not options:
        options.extend(option for option in words.word("what is asked").split("|") if option)
    return AskIs(who, tuple(options))


def _move(words: Words) -> MoveIs:
    return MoveIs(words.card(), words.hand(), words.hand())


def _wager(words: Words) -> WagerIs:
    spot = words.spot(1)
    kind = words.word("a kind of wager") if words.peek() in vocabulary.ROW_KINDS else words.kind()
    result = words.known(vocabulary.RESULTS, "result")
    net = words.net()
    player = words.name() if words.accept("by") else None
    clause = _clause(words.word("a clause")) if words.accept("clause") else None
    return WagerIs(spot._replace(hand=spot.hand or 1), kind, result, net, player, clause)


_TABLE = (
    ClaimRule("state", "STATE", _state),
    ClaimRule("next", "PLACE|none", _next),
    ClaimRule("total", "PLACE [soft|hard] N", _total),
    ClaimRule("finding", "CODE [clause X] [ruling R] [at PLACE]", _finding),
    ClaimRule("findings", "none", _findings),
    ClaimRule("ask", "WHO OPTION|OPTION", _ask),
    ClaimRule("move", "CARD PLACE PLACE", _move),
    ClaimRule("wager", "BOX[.HAND][/SLOT] KIND RESULT NET [by PLAYER] [clause X]", _wager),
    ClaimRule("void", "", lambda _: VoidIs()),
)
CLAIMS = {rule.word: rule for rule in _TABLE}
