"""The table: the one way in.

1. `apply` takes an event and gives what comes of it. The same events give the same state and outputs to the byte.
2. A command goes through verify and do; one that is refused changes nothing. A physical event is never refused.
3. Which cards of a pull are disclosed no sensor sees. The pull counts at once; when a person has said which, it counts
   as it was, if nothing else has happened since.
4. There is one way out. `view` shows how the table stands, `allowed` what may be said now: both are frozen, made when
   somebody asks, and once for each event. `verify` says why one command would be refused. The state itself is private;
   `snapshot` and `resumed` are for the journal, which keeps it and looks at nothing in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from copy import copy, deepcopy
from typing import Any

from gamecore.irregularities import desk, waiting
from gamecore.model import events
from gamecore.model.config import TableConfig
from gamecore.model.outputs import Found, Output, Refused
from gamecore.model.places import Place
from gamecore.model.round import Finding, Round
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.phases import betting, closing, dealing, decisions, offers, shoe, told
from gamecore.rules.ruleset import Ruleset
from gamecore.view import report
from gamecore.view.allowed import Allowed, allowed_by
from gamecore.view.view import TableView, view_of

# The event's class is the key of its row, so each row's functions take exactly that class.
_Verify = Callable[[TableState, Any], Refused | None]
_Do = Callable[[TableState, Any], None]

COMMANDS: dict[type, tuple[_Verify, _Do]] = {
    events.PlaceBets: (betting.verify_place_bets, betting.do_place_bets),
    events.NoMoreBets: (betting.verify_no_more_bets, betting.do_no_more_bets),
    events.Seat: (betting.verify_seat, betting.do_seat),
    events.StandUp: (betting.verify_stand_up, betting.do_stand_up),
    events.Squeeze: (betting.verify_squeeze, betting.do_squeeze),
    events.Offer: (offers.verify_offer, offers.do_offer),
    events.Close: (offers.verify_close, offers.do_close),
    events.Insure: (offers.verify_insure, offers.do_insure),
    events.EvenMoney: (offers.verify_even_money, offers.do_even_money),
    events.Surrender: (offers.verify_surrender, offers.do_surrender),
    events.Hit: (decisions.verify_hit, decisions.do_hit),
    events.Stand: (decisions.verify_stand, decisions.do_stand),
    events.Double: (decisions.verify_double, decisions.do_double),
    events.FreeDouble: (decisions.verify_free_double, decisions.do_free_double),
    events.Split: (decisions.verify_split, decisions.do_split),
    events.FreeSplit: (decisions.verify_free_split, decisions.do_free_split),
    events.Rescue: (decisions.verify_rescue, decisions.do_rescue),
    events.Jackpot: (closing.verify_jackpot, closing.do_jackpot),
    events.Interim: (closing.verify_interim, closing.do_interim),
    events.Collect: (closing.verify_collect, closing.do_collect),
    events.Pay: (closing.verify_pay, closing.do_pay),
    events.Settle: (closing.verify_settle, closing.do_settle),
    events.Answer: (desk.verify_answer, desk.do_answer),
    events.Absent: (desk.verify_absent, desk.do_absent),
    events.Reconstructed: (desk.verify_reconstructed, desk.do_reconstructed),
    events.CannotReconstruct: (desk.verify_cannot, desk.do_cannot),
    events.Call: (desk.verify_call, desk.do_call),
    events.Approve: (desk.verify_approve, desk.do_approve),
}

PHYSICAL: dict[type, _Do] = {
    events.CardDrawn: dealing.card_drawn,
    events.CardLaid: dealing.card_laid,
    events.CardsTurned: dealing.cards_turned,
    events.CardsPulled: shoe.cards_pulled,
    events.CardMoved: desk.card_moved,
    events.CardPushedBack: shoe.card_pushed_back,
    events.ShoeOpened: shoe.shoe_opened,
    events.CuttingCardOut: shoe.cutting_card_out,
    events.ShoeCounted: shoe.shoe_counted,
    events.ShoeEmpty: shoe.shoe_empty,
    events.DiscardCounted: shoe.discard_counted,
    events.Shuffled: shoe.shuffled,
    events.Loaded: shoe.loaded,
    events.PowerCut: shoe.power_cut,
    events.PowerOn: shoe.power_on,
    events.Restarted: shoe.restarted,
    events.LinkLost: shoe.link_lost,
    events.LinkBack: shoe.link_back,
    events.WagerPlaced: betting.wager_placed,
    events.WagerRemoved: betting.wager_removed,
}

#: What a person may command while the round is held.
WHILE_HELD = frozenset(
    {
        events.Answer,
        events.Absent,
        events.Reconstructed,
        events.CannotReconstruct,
        events.Call,
        events.Approve,
        events.Seat,
        events.StandUp,
    }
)


class Table:
    """One table and one game, from the first event to the last."""

    __slots__ = ("_allowed", "_before_pull", "_state", "_view")

    def __init__(self, rules: Ruleset, config: TableConfig) -> None:
        """A table before its first round."""
        self._state = TableState(rules, config)
        self._before_pull: tuple[TableState, events.CardsPulled] | None = None
        self._view: tuple[TableState, TableView] | None = None
        self._allowed: tuple[TableState, int, Allowed] | None = None

    def apply(self, event: events.Event) -> tuple[Output, ...]:
        """Let an event happen, and say what came of it."""
        t = self._state
        kind = type(event)
        physical = PHYSICAL.get(kind)
        if physical is not None:
            self._before_pull = (_copy(t), event) if isinstance(event, events.CardsPulled) else None
            t.events += 1
            physical(t, event)
        elif isinstance(event, events.CardsDisclosed):
            return self._disclose(event)
        else:
            refusal = _refusal(t, event)
            if refusal is not None:
                return (refusal,)
            self._before_pull = None
            t.events += 1
            if t.ruled and kind not in WHILE_HELD:
                t.ruled.clear()  # play goes on: what a ruling put on a hand lies there by now
            if not t.senses_places:
                told.prepare(t, event)
            COMMANDS[kind][1](t, event)
        if t.suspicions or t.returning or t.relaid or t.laid_first or t.pulls:
            _follow_up(t)
        while (t.matters or t.rights) and waiting.answered_by_leaving(t):
            _follow_up(t)
        if not t.out:
            return ()
        out = tuple([Found(one.view()) if type(one) is Finding else one for one in t.out])
        t.out.clear()
        return out

    def _disclose(self, event: events.CardsDisclosed) -> tuple[Output, ...]:
        """The pull happens again as it is known to have been: the shoe said which cards, a person says which showed."""
        refusal = self._not_disclosed(event)
        if refusal is not None or self._before_pull is None:
            return () if refusal is None else (refusal,)
        self._state, pull = self._before_pull
        return self.apply(events.CardsPulled(pull.cards, event.cards, pull.ordered))

    def _not_disclosed(self, event: events.CardsDisclosed) -> Refused | None:
        """Why cards cannot be disclosed now: nothing else may have happened since they came out."""
        general = self._state.rules.clauses.general
        if self._before_pull is None:
            return Refused("no cards have just come out in one pull", general)
        if Counter(event.cards) - Counter(self._before_pull[1].cards):
            return Refused("these are not the cards that came out", general)
        return None

    def verify(self, command: events.Command) -> Refused | None:
        """Why the command would be refused now, or None."""
        if isinstance(command, events.CardsDisclosed):
            return self._not_disclosed(command)
        return _refusal(self._state, command)

    def can(self, command: events.Command) -> bool:
        """Whether the command is allowed now."""
        return self.verify(command) is None

    @property
    def state(self) -> State:
        """How the round stands."""
        return self._state.machine.state

    @property
    def next_place(self) -> Place | None:
        """Where the next card belongs."""
        return dealing.next_place(self._state)

    @property
    def events(self) -> int:
        """How many events have happened."""
        return self._state.events

    @property
    def round_number(self) -> int:
        """The number of the round that is on or was last; 0 before the first."""
        return self._state.round.number

    @property
    def round_is_on(self) -> bool:
        """Whether a round of play has commenced and not ended."""
        return self._state.round_is_on

    def view(self) -> TableView:
        """How the table stands."""
        t, made = self._state, self._view
        if made is None or made[0] is not t or made[1].events != t.events:
            self._view = made = t, view_of(t)
        return made[1]

    def allowed(self) -> Allowed:
        """What may be said now."""
        t, made = self._state, self._allowed
        if made is None or made[0] is not t or made[1] != t.events:
            disclosed = self._not_disclosed(events.CardsDisclosed(())) is None
            self._allowed = made = t, t.events, allowed_by(t, _refusal, discloses=disclosed)
        return made[2]

    def report(self) -> dict[str, object]:
        """The rounds, what is pending and the state, as the notation's report has them."""
        return report.table_report(self._state)

    def round_report(self) -> dict[str, object]:
        """The round that is on or was last, as the notation's report has it."""
        return report.round_report(self._state, self._state.round)

    def total(self, place: Place) -> tuple[int, bool] | None:
        """The total at a place and whether it is soft; None where no cards lie."""
        hand = self._state.round.hand_at(place)
        return (hand.total, hand.soft) if hand is not None and hand.cards else None

    def copied(self) -> Table:
        """Another table that stands as this one does; what happens at one of them does not happen at the other."""
        table = Table(self._state.rules, self._state.config)
        table._state = _copy(self._state)
        if self._before_pull is not None:
            before, pull = self._before_pull
            table._before_pull = _copy(before), pull
        return table

    # --- for the journal -------------------------------------------------------------------------------------------

    def snapshot(self) -> object:
        """All that the table knows, without the rounds before the last: to be written down, never to be looked at."""
        kept = copy(self._state)
        kept.rounds = kept.rounds[-1:]
        return kept

    def round_snapshot(self) -> object:
        """The round that is on or was last, to be written down with its record."""
        return self._state.round

    @classmethod
    def resumed(cls, kept: object) -> Table:
        """A table that goes on from a snapshot.

        Raises:
            TypeError: that is no snapshot.
        """
        if not isinstance(kept, TableState):
            raise TypeError("a table goes on from what `snapshot` gave")
        table = cls(kept.rules, kept.config)
        table._state = kept
        return table

    def recall_rounds(self, past: Iterable[object]) -> None:
        """Know again, as they were written down, the rounds before those that are known."""
        self._state.rounds[:0] = [one for one in past if isinstance(one, Round)]
        self._view = None

    def forget_rounds(self, keep: int) -> None:
        """Keep no more than the last so many rounds."""
        rounds = self._state.rounds
        del rounds[: max(0, len(rounds) - keep)]
        self._view = None


def _refusal(t: TableState, command: events.Event) -> Refused | None:
    """Why a command is not allowed; where places are told, what is said after the initial deal ends it."""
    kind = type(command)
    if t.matters and kind not in WHILE_HELD:
        finding = t.matters[0].finding
        return Refused(f"the round is held: {finding.code}, {finding.ruling}", finding.clause)
    if kind in told.AFTER_DEAL and told.presumed_over(t):
        t = told.if_over(t)
    refusal: Refused | None = COMMANDS[kind][0](t, command)
    return refusal


def _follow_up(t: TableState) -> None:
    """What follows from an event: findings, cards laid anew, and what waited for that."""
    while t.suspicions or (_cards_wait(t) and not t.matters and t.round_is_on) or t.laid_first:
        if t.suspicions:
            desk.judge(t)
        if t.returning:
            dealing.lay_returning(t)
        dealing.lay_again(t)
        if t.suspicions:
            continue
        if t.pulls and not t.returning and waiting.pull_is_due(t):
            waiting.take_up_pull(t)
        elif t.laid_first and not dealing.match_waiting(t):
            break


def _cards_wait(t: TableState) -> bool:
    return bool(t.returning or t.relaid) or (bool(t.pulls) and waiting.pull_is_due(t))


def _copy(t: TableState) -> TableState:
    """The state as it is now; what does not change any more is shared."""
    shared = [t.rules, t.config, *(past for past in t.rounds if past is not t.round)]
    return deepcopy(t, {id(kept): kept for kept in shared})
