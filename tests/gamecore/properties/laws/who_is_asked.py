"""8. Who is asked: those whom the clause names, with something undecided, who are there; nobody twice for one thing.

1. Anyone who is asked whether to go on has something that goes back, and is not absent.
2. Nobody is asked twice at once for the same thing.
3. Every question has a clause, and says what it is about: the finding behind it names a card, a place or a code that
   speaks of the whole table.
4. Every question can be answered by one of its options; where a card is asked for, by a card. A role that is to approve
   may.
"""

from __future__ import annotations

from gamecore.irregularities.matter import CONTINUE, WITHDRAW
from gamecore.model.events import events
from gamecore.model.events.outputs import Ask
from gamecore.model.matters import APPROVE
from gamecore.standing.asked import going_back_to, is_absent, spot_of
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.tables import Play

OF_THE_TABLE = frozenset(
    {"power-failure", "missing-card", "unshuffled-cards", "insufficient-cards", "link-lost", "cut-card-passed"}
    | {"insurance-not-offered"}
)
"""Codes that speak of the whole table."""


class WhoIsAsked(Property):
    """Every pending question."""

    name = "who is asked"

    def after(self, play: Play) -> None:
        """Look at every question."""
        t = play.state
        asks = t.asks
        if not asks:
            return
        self.exercised += 1
        self.hold(all(ask.who and ask.options and ask.clause for ask in asks), f"{asks}")
        players = [ask for ask in asks if set(ask.options) == {CONTINUE, WITHDRAW}]
        asked = [(ask.who, ask.clause) for ask in players]
        self.hold(len(set(asked)) == len(asked), f"asked twice: {asked}")
        for ask in players:
            self._look_at_player(play, ask)
        for matter in (*t.hold.matters[:1], *t.hold.beside):
            finding = matter.finding
            named = finding.cards or finding.places or finding.code in OF_THE_TABLE or _reported(play, finding.code)
            if matter.asks and not named:
                self.hold(False, f"{finding.code} asks and says not about what: {matter.asks}")
        for ask in asks:
            if APPROVE in ask.options:
                self.hold(play.table.can(events.Approve(ask.who)), f"{ask.who} is to approve, and is refused")
                continue
            words = ["KD" if option == "CARD" else option for option in ask.options]
            if not any(play.table.can(events.Answer(ask.who, (word,))) for word in words):
                self.hold(False, f"{ask.who} is asked for {ask.options}, and every answer is refused")

    def _look_at_player(self, play: Play, ask: Ask) -> None:
        t = play.state
        spot = spot_of(t, ask.who)
        self.hold(spot is not None, f"{ask.who} is asked and has no wager")
        if spot is not None:
            self.hold(going_back_to(t, ask.who), f"{ask.who} is asked and has nothing left")
            self.hold(not is_absent(t, spot), f"{ask.who} is asked and is not there")


def _reported(play: Play, code: str) -> bool:
    """Whether a person has reported it and may have named no place, or a device spoke of the whole table."""
    if code == "uncovered" and any(isinstance(event, _DEVICES) for event in play.events):
        return True
    return any(isinstance(event, events.Call) and event.code == code for event in play.events)


_DEVICES = (
    events.ShoeOpened,
    events.CardPushedBack,
    events.PowerCut,
    events.PowerOn,
    events.CuttingCardOut,
    events.Shuffled,
    events.Loaded,
)
