"""The table: the one way in.

1. `apply` takes an event and gives what comes of it. The same events give the same state and outputs to the byte.
2. A command goes through verify and do; one that is refused changes nothing. A physical event is never refused.
3. Which cards of a pull are disclosed no sensor sees. The pull counts at once; when a person has said which, it counts
   as it was, if nothing else has happened since.
4. `can`, `verify` and `gamecore.view.allowed.commands` answer what is allowed now, and why something is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from gamecore.cards import lifting
from gamecore.irregularities import desk, repair, waiting
from gamecore.model import events
from gamecore.model.cards import Card
from gamecore.model.machine import State
from gamecore.model.outputs import Output, Refused
from gamecore.model.places import Place
from gamecore.model.round import Move
from gamecore.model.state import TableConfig, TableState
from gamecore.phases import betting, closing, dealing, decisions, offers, shoe, told
from gamecore.rules.ruleset import Ruleset
from gamecore.view import report

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
    events.CardLaid: lifting.card_laid,
    events.CardLifted: lifting.card_lifted,
    events.CardsTurned: dealing.cards_turned,
    events.CardsPulled: shoe.cards_pulled,
    events.CardMoved: lifting.card_moved,
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

    __slots__ = ("_before_pull", "_state")

    def __init__(self, rules: Ruleset, config: TableConfig) -> None:
        """A table before its first round."""
        self._state = TableState(rules, config)
        self._before_pull: tuple[TableState, events.CardsPulled] | None = None

    @classmethod
    def resumed(cls, state: TableState) -> Table:
        """A table that goes on in this state."""
        table = cls(state.rules, state.config)
        table._state = state
        return table

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
            verify, do = COMMANDS[kind]
            refusal = self._held(kind) or self._refused(verify, event)
            if refusal is not None:
                return (refusal,)
            self._before_pull = None
            t.events += 1
            if t.ruled and kind not in WHILE_HELD:
                t.ruled.clear()  # play goes on: what a ruling put on a hand lies there by now
            if not t.senses_places:
                told.prepare(t, event)
            do(t, event)
        if t.suspicions or t.returning or t.relaid or t.laid_first or t.pulls:
            _follow_up(t)
        while (t.matters or t.rights) and waiting.answered_by_leaving(t):
            _follow_up(t)
        if not t.out:
            return ()
        out = tuple(t.out)
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

    def _held(self, kind: type) -> Refused | None:
        """Why a command of play must wait while a ruling is carried out."""
        t = self._state
        if not t.matters or kind in WHILE_HELD:
            return None
        finding = t.matters[0].finding
        return Refused(f"the round is held: {finding.code}, {finding.ruling}", finding.clause)

    def verify(self, command: events.Command) -> Refused | None:
        """Why the command would be refused now, or None."""
        if isinstance(command, events.CardsDisclosed):
            return self._not_disclosed(command)
        return self._held(type(command)) or self._refused(COMMANDS[type(command)][0], command)

    def _refused(self, verify: _Verify, command: events.Event) -> Refused | None:
        """Why a command is not allowed; where places are told, what is said after the initial deal ends it."""
        t = self._state
        if type(command) in told.AFTER_DEAL and told.presumed_over(t):
            with told.as_if_over(t):
                return verify(t, command)
        refusal: Refused | None = verify(t, command)
        return refusal

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

    def on_its_way(self, card: Card) -> int:
        """How many cards of a face have left the shoe and lie nowhere yet: one that is laid can be one of them."""
        return lifting.on_its_way(self._state, card)

    @property
    def knows(self) -> TableState:
        """All that the table knows, to be read and not to be changed."""
        return self._state

    def moves(self) -> tuple[Move, ...]:
        """The moves still to be made for the matter that is open first."""
        t = self._state
        return repair.remaining(t, t.matters[0]) if t.matters else ()

    def report(self) -> dict[str, object]:
        """The rounds, what is pending and the state, as the notation's report has them."""
        return report.table_report(self._state)

    def total(self, place: Place) -> tuple[int, bool] | None:
        """The total at a place and whether it is soft; None where no cards lie."""
        hand = self._state.round.hand_at(place)
        return (hand.total, hand.soft) if hand is not None and hand.cards else None


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
