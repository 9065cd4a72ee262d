"""What raises each kind of alarm: a scenario of the project for every code, and the statement of it that does.

1. `CAUSES` names one scenario for each code that holds a round, voids it or is referred. Between them they are of all
   five games.
2. `NOTED` are the codes that hold nothing up: the round goes on, and the Table tells of them.
3. `cause` plays the scenario in process up to the statement after which the finding is an alarm.
"""

from __future__ import annotations

from typing import NamedTuple

from gamecore.model.states import State
from gamecore.notation.parser import parse
from gamecore.notation.playing.player import Player
from gamecore.notation.playing.venue import InProcess
from gamecore.notation.syntax import Scenario
from gamecore.rules.games import GAMES
from tests.places import TESTS

_ACE, _BLACKJACK, _FREE, _PONTOON, _RWS = (
    f"scenarios/{game}"
    for game in ("mbs-ace-race-v4", "mbs-blackjack-v6", "mbs-free-bet-v3", "mbs-pontoon-v5", "rws-free-bet-2025")
)

#: code → the scenario that raises its alarm
CAUSES: dict[str, str] = {
    "foreign-card": f"{_FREE}/5.1.1-joker-as-the-first-card",
    "extra-card": f"{_RWS}/5.5.2-shoe-counts-one-over",
    "missing-card": "incidents/evolution-five-cards-missing-in-the-shoe",
    "unshuffled-cards": f"{_PONTOON}/5.1.1-cards-loaded-without-a-shuffle",
    "insufficient-cards": f"{_BLACKJACK}/5.19-in-a-players-turn",
    "cut-card-passed": f"{_PONTOON}/5.20-not-with-a-machine",
    "missing-burn": f"{_ACE}/5.21.1-burn-forgotten-and-seen-at-once",
    "double-draw": f"{_BLACKJACK}/5.23.1-in-the-initial-deal",
    "face-up-card": f"{_ACE}/5.5-face-up-as-the-first-card",
    "unreadable-card": f"{_BLACKJACK}/6.1-card-that-could-not-be-read",
    "misdealt-card": f"{_PONTOON}/5.6.1-first-card-at-the-wrong-box",
    "dealer-not-dealt": "incidents/evolution-dealer-skipped-himself-rws",
    "box-not-dealt": f"{_FREE}/5.13-the-only-card-of-a-box-taken",
    "box-short": f"{_RWS}/5.9-a-card-taken-off-a-hand",
    "unwagered-box-dealt": f"{_ACE}/5.15-not-in-the-initial-deal",
    "card-in-error": f"{_FREE}/5.8-card-to-a-hand-that-has-stood",
    "dealer-overdraw": f"{_BLACKJACK}/5.7-card-on-a-dealers-20",
    "hand-skipped": f"{_PONTOON}/5.17-the-last-hand-was-skipped",
    "insurance-not-offered": f"{_ACE}/6.1-insurance-not-offered",
    "power-failure": f"{_FREE}/5.30.1-before-the-first-card",
    "unsettled-side-wager": f"{_RWS}/5.7.3-withdrawn-in-the-subsequent-deal",
    "link-lost": f"{_BLACKJACK}/6.1-a-device-does-not-answer",
    "uncovered": f"{_PONTOON}/6.1-uncovered-and-continued",
}

#: code → a scenario in which it is found and nothing is held up
NOTED: dict[str, str] = {
    "late-wager": f"{_BLACKJACK}/5.3-wager-placed-too-late",
    "wager-withdrawn": f"{_FREE}/5.4-withdrawn-wager-wins",
    "under-minimum": f"{_ACE}/5.26-a-new-player-at-the-same-spot",
    "over-maximum": f"{_ACE}/5.27-over-the-maximum-loses",
    "side-wager-without-main": f"{_BLACKJACK}/3.15.2-nothing-but-a-pair-wager",
    "absent-player": f"{_FREE}/5.22-known-before-the-deal",
}


class Cause(NamedTuple):
    """A scenario, the numbers of its statements up to the one that does it, and what is found."""

    scenario: Scenario
    statements: range
    clause: str
    ruling: str


def cause(code: str) -> Cause:
    """What raises a code."""
    path = TESTS / f"{(CAUSES | NOTED)[code]}.deal"
    scenario = parse(path.read_text(encoding="utf-8"), GAMES)
    rules = GAMES[scenario.header.game]
    venue = InProcess(scenario.header, rules)
    player = Player(scenario.header, rules, venue)
    for number, statement in enumerate(scenario.statements):
        player.play(statement)
        view = venue.table.view()
        for finding in (*view.round.findings, *view.for_later):
            alarm = venue.table.state is State.HELD or finding.ruling in {"void", "refer"}
            if finding.code == code and (alarm or code in NOTED):
                return Cause(scenario, range(number + 1), finding.clause, finding.ruling)
    raise LookupError(f"{path} raises no {code}")
