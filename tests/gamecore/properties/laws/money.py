"""10. Money: chips in are chips out and the house's, and only cards and one's own choices move a wager.

1. When a round ends, every chip that arrived and was not taken away has its row, and no row loses more than its stake.
   What was returned, refused or stands off is worth nothing; in a void round everything goes back, and a round is
   concluded only when every wager has gone back.
2. A choice of one Player gives back wagers of that Player alone. Where a hand that all have left is no more, what it
   would have decided goes back too: invalidated (RWS 5.7.3), or its one card discarded (MBS 5.16.2).
3. What was decided while nothing was open keeps its result, and never goes back at MBS, unless a matter that names
   its hand comes up later or the round is void. Where places are told, a card that is told elsewhere than where one
   is due may change any hand: it is believed.
"""

from __future__ import annotations

from gamecore.irregularities.matter import WITHDRAW
from gamecore.model.events import events
from gamecore.model.events.events import Event
from gamecore.model.hands import Stake
from gamecore.model.places import Place
from gamecore.model.round import SideWager
from gamecore.model.state import TableState
from gamecore.rules.ruleset import Decider, Ruleset, Withdrawal
from gamecore.settlement.settle import main_verdict
from gamecore.standing.asked import spot_of
from gamecore.standing.decided import decided
from gamecore.standing.who import Wager, wagers
from tests.gamecore.properties.laws.base import Property
from tests.gamecore.properties.tables import Play

ABOUT_CARDS = frozenset({"misdealt-card", "dealer-not-dealt", "box-not-dealt", "box-short", "missing-burn"}) | {
    "unwagered-box-dealt",
    "card-in-error",
    "hand-skipped",
    "unreadable-card",
    "uncovered",
    "dealer-overdraw",
}
"""What may change which cards count for a hand."""


class Money(Property):
    """Chips, choices and results."""

    name = "money"

    def __init__(self) -> None:
        """No chips have arrived."""
        super().__init__()
        self._chips = Chips()
        self._standing: list[Wager] = []
        self._results: dict[int, tuple[Wager, str]] = {}
        self._chooser = ""
        self._over = 0
        self._astray = False  # a place was told where no card was due, and nobody has called it an error

    def before(self, play: Play) -> None:
        """Who chooses, and what stands."""
        t, event = play.state, play.event
        self._standing = [wager for wager in wagers(t.round) if wager.stands] if t.round_is_on else []
        self._chooser = _chooser(t, event)
        self._chips.before(t, event)
        self._astray = self._astray or _told_elsewhere(t, event)

    def after(self, play: Play) -> None:
        """What has gone back, what is decided, what was paid."""
        t, event = play.state, play.event
        if play.refused:
            return
        self._chips.see(t, event)
        if isinstance(event, events.PlaceBets | events.TakeBack | events.Retract | events.CardsDisclosed):
            self._results.clear()
            self._astray = self._astray and not isinstance(event, events.PlaceBets)
            return
        if isinstance(event, events.Absent):
            self._forget_followers(play)
        gone = [wager for wager in self._standing if not wager.stands]
        if self._chooser:
            self._look_at_choice(play, gone)
        self._look_at_decided(play, gone)
        if t.round.outcome != "open" and t.round.number != self._over:
            self._over = t.round.number
            self._look_at_rows(t)

    def _look_at_choice(self, play: Play, gone: list[Wager]) -> None:
        invalidated = play.rules.withdrawal.value is Withdrawal.UNSETTLED
        for wager in gone:
            left = not any(hand.in_play for hand in wager.box.hands)
            discarded = not any(hand.cards for hand in wager.box.hands)
            undecidable = left and (invalidated or discarded) and _hangs_on_hand(play.rules, wager)
            own = wager.owner == self._chooser
            self.hold(own or undecidable, f"{self._chooser} moved {described(wager)}")
            self.exercised += 1

    def _look_at_decided(self, play: Play, gone: list[Wager]) -> None:
        t = play.state
        codes = {finding.code for finding in t.round.findings}
        # A report of chips is believed where nobody senses them, or the sensor is away or said to be wrong.
        unsensed = "bets" not in play.header.sensors or bool(t.fitting.away) or bool(t.fitting.misread)
        said = isinstance(play.event, events.Call) and unsensed
        if codes & ABOUT_CARDS or self._astray or said or t.round.outcome == "void":
            self._results.clear()
            return
        if play.rules.withdrawal.value is Withdrawal.UNDECIDED:
            back = [wager for wager in gone if id(wager.chips) in self._results]
            self.hold(not back, f"decided and gone back: {[*map(described, back)]}")
        if t.hold.matters or not t.round_is_on:
            return
        now = {id(wager.chips): wager for wager in wagers(t.round) if wager.stands and decided(t, wager)}
        lost = [wager for key, (wager, _) in self._results.items() if key not in now and wager.stands]
        self.hold(not lost, f"decided before and open now: {[*map(described, lost)]}")
        for key, wager in now.items():
            result = _result(play, wager)
            before = self._results.setdefault(key, (wager, result))[1]
            if result != before:
                self.hold(False, f"{described(wager)} was {before} and is {result}")
            self.exercised += 1

    def _forget_followers(self, play: Play) -> None:
        """Another Player controls the box: what follows the controlling one (RWS 3.27, Free Bet 3.15.4.1) does so."""
        for key, (wager, _) in list(self._results.items()):
            chips = wager.chips
            if isinstance(chips, SideWager) and play.rules.side(chips.kind).decided_by is Decider.MARKERS:
                del self._results[key]

    def _look_at_rows(self, t: TableState) -> None:
        rows = t.round.rows
        for row in rows:
            back = row.result in {"returned", "refused"}
            self.hold(row.net is not None and row.net >= -row.stake, f"more is lost than lies there: {row}")
            self.hold(row.clause, f"by no clause: {row}")
            self.hold(row.net == 0 or not (back or row.result == "stand-off"), f"{row}")
            self.hold(back or t.round.outcome != "void", f"void and {row}")
        if t.round.outcome == "concluded":
            standing = [row for row in rows if row.result not in {"returned", "refused"}]
            self.hold(not standing, f"concluded without {standing}")
        stakes = sum(row.stake for row in rows)
        self.hold(
            self._chips.lost_count or stakes == self._chips.there,
            f"{self._chips.there} lie there, the rows have {stakes}: {rows}",
        )
        self.exercised += 1


class Chips:
    """How many chips lie on the layout, from the events; amounts that nobody named from the wagers as they lay."""

    def __init__(self) -> None:
        """None."""
        self.there = 0
        self.lost_count = False  # something was rewritten
        self._amount = 0

    def before(self, t: TableState, event: Event) -> None:
        """What an event is about to move."""
        self._amount = _stakes(t) if isinstance(event, _DECISIONS) else 0

    def see(self, t: TableState, event: Event) -> None:
        """Count what it has moved."""
        match event:
            case events.PlaceBets():
                self.there, self.lost_count = _stakes(t), bool(t.people.early_chips)
            case events.WagerPlaced(place, kind, amount) if t.round_is_on and _is_spot(t, place, kind):
                self.there += amount
            case events.WagerRemoved():
                self.lost_count = True
            case events.Insure(_, amount):
                self.there += amount
            case events.TakeBack() | events.Retract() | events.CardsDisclosed():
                self.lost_count = True
            case _ if isinstance(event, _DECISIONS):
                self.there += _stakes(t) - self._amount


_DECISIONS = (events.Double, events.Split, events.FreeDouble, events.FreeSplit, events.Rescue)


def _told_elsewhere(t: TableState, event: Event) -> bool:
    """Whether a person tells a place where no card is due."""
    match event:
        case events.CardDrawn(told=Place() as place) | events.CardLaid(place=place) if not t.fitting.senses_places:
            return t.next_place is None or t.next_place.box != place.box
    return False


def _is_spot(t: TableState, place: Place, kind: str) -> bool:
    """Whether the layout has such a spot; chips elsewhere are no wager, and nobody settles them."""
    return 0 < place.box <= t.config.boxes and kind in t.rules.wager_kinds()


def _stakes(t: TableState) -> int:
    """The chips of the Players on all hands, or on the boxes before there are hands."""
    boxes = t.round.boxes.values()
    mains = sum(
        sum(stake.at_risk for hand in box.hands for stake in hand.stakes.values())
        if box.hands
        else sum(main.amount for main in box.mains.values())
        for box in boxes
    )
    return mains + sum(side.amount for box in boxes for side in box.sides)


def described(wager: Wager) -> str:
    """A wager as one would speak of it."""
    return f"{type(wager.chips).__name__} of {wager.owner} at {wager.box.number}/{wager.slot}, hand {wager.hand}"


def _chooser(t: TableState, event: Event) -> str:
    """The Player whose choice an event is; empty where several choose or nobody does."""
    if not isinstance(event, events.Answer) or event.what != (WITHDRAW,) or event.who == "all":
        return ""
    spot = spot_of(t, event.who)
    return spot.owner if spot is not None else ""


def _result(play: Play, wager: Wager) -> str:
    """Whether a wager has won, lost or stands off by the cards that lie there."""
    game_round, chips = play.state.round, wager.chips
    match chips:
        case Stake() if chips.surrendered:  # at Pontoon half of it, or all if the Dealer has a natural (3.24.2)
            return "lose"
        case Stake():
            hand, most = wager.box.hands[wager.hand - 1], {wager.slot: chips.at_risk}
            return main_verdict(play.rules, game_round, hand, wager.slot, chips, most)[0]
        case SideWager():
            won = play.rules.side(chips.kind).category(game_round, wager.box, chips) is not None
        case _:
            won = game_round.dealer.cards[1].rank in play.rules.insurance_wins_on.value
    return "win" if won else "lose"


def _hangs_on_hand(rules: Ruleset, wager: Wager) -> bool:
    chips = wager.chips
    return isinstance(chips, SideWager) and rules.side(chips.kind).decided_by is not Decider.DEALERS_HAND
