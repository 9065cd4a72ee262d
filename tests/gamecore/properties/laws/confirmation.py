"""12. Confirmation: at a table that asks for it, no word alone gives a wager back or ends a round without a result.

1. Once bets are closed a wager goes back, and a round is void or concluded, with the approval of the role behind it, or
   at an event of a fitted device. Chips that were refused never lay there. A Player who takes even money, or whose
   claim to an insurance comes second, has that insurance back: the rules say so, and nobody's word.
2. That cards were not shuffled is a word too, if no device has shown it. Approved, the next card voids its round.
3. What is pending holds the round. Between rounds none begins.
4. What is applied again (taken back, retracted, disclosed) ends no round that had no approval and no such event.
"""

from __future__ import annotations

from typing import get_args

from gamecore.irregularities.confirming import LADDER
from gamecore.model.events import events
from gamecore.model.events.physical import Physical
from gamecore.model.hands import Stake
from gamecore.model.round import InsuranceWager
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.standing.who import Wager, wagers
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.laws.money import described
from tests.gamecore.properties.tables import Play

EFFECTS = frozenset({"void", "return-wager", "withdraw"})
WITHOUT_RESULT = frozenset({"void", "concluded"})
AGAIN = (events.TakeBack, events.Retract, events.CardsDisclosed)
OF_THE_HUB = (events.CardLaid, events.CardMoved, events.CardLifted, events.CardsTurned)
OF_CHIPS = (events.WagerPlaced, events.WagerRemoved)
OF_THE_COMPUTER = (events.PowerOn, events.LinkLost, events.LinkBack)


class Confirmation(Property):
    """Whatever goes back."""

    name = "confirmation"

    def __init__(self) -> None:
        """No wager yet."""
        super().__init__()
        self._standing: list[Wager] = []
        self._open = False

    def before(self, play: Play) -> None:
        """What stands, once bets are closed."""
        if play.header.confirm:
            t = play.state
            closed = t.round_is_on and not t.bets_open
            self._standing = [wager for wager in wagers(t.round) if _stands(wager)] if closed else []
            self._open = t.round.outcome == "open"

    def after(self, play: Play) -> None:
        """What has gone back, and what waits."""
        if not play.header.confirm or play.refused:
            return
        t = play.state
        self._look_at_pending(play)
        ended = self._open and t.round.outcome in WITHOUT_RESULT
        if isinstance(play.event, AGAIN):
            self.hold(not ended or _may_have_ended(play), f"{play.event} ends the round: {t.round.outcome}")
            return
        gone = [wager for wager in self._standing if not _stands(wager) and not _by_rule(play, wager)]
        if not gone and not ended:
            return
        self.exercised += 1
        what = f"{play.event}: {t.round.outcome}, {[*map(described, gone)]}"
        if isinstance(play.event, events.Approve):
            least = "pit-manager" if t.round.outcome == "void" and ended else "pit-supervisor"
            self.hold(LADDER.index(play.event.role) >= LADDER.index(least), what)
            return
        if ended and t.round.outcome == "void" and _unshuffled(t):
            self.hold(_by_device(play, play.event) or _approved(play), what)
            self.hold(not _said_and_not_approved(play), what)
        else:
            self.hold(_by_device(play, play.event), what)

    def _look_at_pending(self, play: Play) -> None:
        effects = [one for one in play.table.view().pending if one.effect in EFFECTS]
        if not effects:
            return
        self.exercised += 1
        self.hold(all(one.began_with_a_word and one.words for one in effects), f"{effects}")
        if play.table.round_is_on:
            self.hold(play.table.state is State.HELD, f"{play.table.state} while {effects[0].code} is pending")
        self.hold(not play.table.can(events.PlaceBets()), f"a round may begin while {effects[0].code} is pending")


def _stands(wager: Wager) -> bool:
    """Whether a wager has not gone back; one under the minimum goes back whatever its hand makes."""
    main = wager.box.mains.get(wager.slot) if isinstance(wager.chips, Stake) else None
    return wager.stands and not (main is not None and main.returned_by)


def _by_rule(play: Play, wager: Wager) -> bool:
    """Whether the rules give it back whatever anybody says: even money was taken, or another claim comes first."""
    word = isinstance(play.event, events.Answer | events.Call | events.CannotReconstruct | events.Absent)
    return isinstance(wager.chips, InsuranceWager) and not word


def _by_device(play: Play, event: events.Event) -> bool:
    """Whether a fitted device tells of an event."""
    sensors = play.header.sensors
    match event:
        case events.NoMoreBets():
            return "bets" in sensors
        case events.DiscardCounted():
            return "discard" in sensors
    if isinstance(event, OF_THE_COMPUTER):
        return True
    if isinstance(event, OF_THE_HUB):
        return play.header.places_sensed
    if isinstance(event, OF_CHIPS):
        return "bets" in sensors
    return isinstance(event, get_args(Physical)) and "shoe" in sensors


def _may_have_ended(play: Play) -> bool:
    return any(isinstance(event, events.Approve) or _by_device(play, event) for event in play.events)


def _unshuffled(t: TableState) -> bool:
    """Whether nothing else voids the round: neither a power failure nor a card that a device has read."""
    return {finding.code for finding in t.round.findings if finding.ruling == "void"} == {"unshuffled-cards"}


def _approved(play: Play) -> bool:
    return any(isinstance(event, events.Approve) and event.role != LADDER[0] for event in play.events)


def _said_and_not_approved(play: Play) -> bool:
    """Whether somebody has said that cards were not shuffled, nobody has approved it, and no load shows it."""
    said = any(isinstance(event, events.Call) and event.code == "unshuffled-cards" for event in play.events)
    loaded = any(isinstance(event, events.Loaded) for event in play.events)
    return said and not loaded and not _approved(play)
