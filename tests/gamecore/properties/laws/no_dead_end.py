"""9. No dead end: from any state that was reached, some sequence of allowed events ends the round.

1. At the end of every table the people bring the round to its end, and a new round can begin.
2. Now and then they do so from the middle, at a copy.
3. Where one way of choosing leads nowhere, others are tried: it is a dead end if none of them ends the round.
"""

from __future__ import annotations

import random
from functools import partial

from gamecore.model.events import events
from tests.gamecore.properties import regular
from tests.gamecore.properties.laws.base import Probe, Property
from tests.gamecore.properties.tables import Play

WAYS = 6


class NoDeadEnd(Property):
    """The round is brought to its end."""

    name = "no dead end"
    share = 0.4
    often = 0.01

    def probes(self, play: Play) -> list[Probe]:
        """One way to the end."""
        return [partial(self._finish, play)] if play.table.round_is_on else []

    def over(self, play: Play) -> None:
        """From the last state."""
        self._finish(play)

    def _finish(self, play: Play) -> None:
        stuck = ""
        for way in range(WAYS):
            other = play.beside(random.Random(f"{len(play.events)}/{way}"))
            try:
                regular.finish(other)
            except regular.StuckError as error:
                stuck = stuck or str(error)
                continue
            self.exercised += 1
            self._begin_again(other)
            return
        self.hold(False, stuck)

    def _begin_again(self, play: Play) -> None:
        while not play.table.can(events.PlaceBets()) and play.table.can(events.Approve("shift-manager")):
            play.happen(events.Approve("shift-manager"))
        refusal = play.table.verify(events.PlaceBets())
        self.hold(refusal is None, f"no round can begin: {refusal}")
