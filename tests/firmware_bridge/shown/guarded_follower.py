"""A Dealer who follows the loud line where the table has roles: words are confirmed, and alarms stay until cleared.

1. The header asks for confirmation, and the alarms of the daemon follow every event, as at a table with roles.
2. What the line asks of a role is done by that role: it approves, or clears the alarm that bars the next round.
"""

from __future__ import annotations

import random
from dataclasses import replace

from firmware_bridge.journal.rounds.round_records import Happened
from firmware_bridge.people.alarms import Alarms
from firmware_bridge.people.permissions import to_clear
from firmware_bridge.shown.advice import Advice, Around, advise, worded
from gamecore.model.events import events as ev
from gamecore.notation.syntax import Load, What
from gamecore.rules.games import GAMES
from hal_sim.dealer.robot_dealer import a_header
from hal_sim.dealer.robot_table import Shadow
from tests.firmware_bridge.shown.advice_follower import Follower

AT = "2025-01-01T00:00:00.000000+00:00"


class GuardedFollower(Follower):
    """One table with roles, and a Dealer who follows the line."""

    def __init__(self, game: str, seed: int) -> None:
        super().__init__(game, seed)
        header = replace(a_header(GAMES, game, seed), confirm=True)
        self.shadow = Shadow(GAMES[game], header, random.Random(f"{seed}/{game}/guarded"))
        self.alarms = Alarms(roles=True)
        self._n = 0

    def look(self) -> Advice:
        """Read the line, with who clears what bars a round."""
        around = Around(clears=self.alarms.clears(self.shadow.view), uncounted=self.alarms.uncounted)
        return advise(self.shadow.view, around)

    def step(self, advice: Advice) -> None:
        """Do what the line says; clear the alarm where it says so."""
        if advice.key != "clear":
            super().step(advice)
            return
        self.lines.append(worded(advice))
        view = self.shadow.view
        barring = next(alarm for alarm in self.alarms.open if alarm.bars(view))
        assert advice.args["who"] == to_clear(barring.code, barring.ruling)[0]
        self.alarms.noted(self._n, AT, {"cleared": [{"n": barring.n, "code": barring.code}]})

    def _say(self, what: What) -> bool:
        before = len(self.shadow.found)
        said = super()._say(what)
        self._n += 1
        row = Happened(self._n, AT, "console", person="Ann")
        event = self._event(what)
        self.alarms.follow_event(row, event, self.shadow.found[before:], self.shadow.table, refused=not said)
        return said

    def _event(self, what: What) -> ev.Event:
        """What happened, if an alarm takes it for an act: a card is none."""
        if isinstance(what, Load):
            return ev.Loaded(self.shadow.view.cards.size)
        return what if isinstance(what, ev.Event) else ev.CuttingCardOut()
