"""The table: the one way in, and the one way out.

1. `apply` takes an event and gives what comes of it. The same events give the same state and outputs to the byte.
   `settle_watch` works out ahead what a card says of the shuffle: called or not, what comes of events is the same.
2. A command goes through verify and do; one that is refused changes nothing. A physical event is never refused.
3. What a person takes back, retracts or discloses late changes what was: the events since the last round ended are
   applied again (`gamecore.history`), also while the round is held. No sensor sees which cards of a pull are disclosed:
   the pull counts at once, and when a person has said which, it counts as it was.
4. `view` shows how the table stands, `allowed` what may be said now: both are frozen, made when somebody asks, and once
   for each event. What is asked at every event (`state`, `round_is_on`, `on_its_way`) is answered without a view.
   `verify` says why one command would be refused. The state itself is private.
5. The journal stores the state and does not look into it (`snapshot`, `resumed`). It alone may also drop past rounds,
   and end a round as an earlier edition has recorded it.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any, cast, get_args

from gamecore.cards.queries import next_cards
from gamecore.history import Denied, History, Retracted, Snapshot
from gamecore.irregularities import approvals, deferred_matters, door, player_options, reports
from gamecore.irregularities.procedures import registry, unread
from gamecore.model.cards import Card
from gamecore.model.config import TableConfig
from gamecore.model.events import events
from gamecore.model.events.commands import Command
from gamecore.model.events.outputs import IrregularityFound, Output, Row, TakenBack
from gamecore.model.events.refusals import Reason, Refused, refuse
from gamecore.model.places import Place
from gamecore.model.round import Finding
from gamecore.model.state import TableState
from gamecore.model.states import BETWEEN_ROUNDS, State
from gamecore.phases import agreements, betting, closing, decisions, ending, offers
from gamecore.phases.cards import deal, felt, given_cards, lifting, shoe, taken_cards, told_places
from gamecore.phases.opening import new_state
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
    events.Agree: (agreements.verify_agree, agreements.do_agree),
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
    events.Answer: (door.verify_answer, door.do_answer),
    events.Absent: (door.verify_absent, door.do_absent),
    events.Reconstructed: (door.verify_reconstructed, door.do_reconstructed),
    events.CannotReconstruct: (door.verify_cannot, door.do_cannot),
    events.Call: (door.verify_call, door.do_call),
    events.Approve: (approvals.verify_approve, approvals.do_approve),
    events.SensorWrong: (reports.verify_sensor_wrong, felt.sensor_wrong),
}

PHYSICAL: dict[type, _Do] = {
    events.CardDrawn: felt.card_drawn,
    events.CardLaid: felt.card_laid,
    events.CardLifted: lifting.card_lifted,
    events.CardsTurned: felt.cards_turned,
    events.CardsPulled: felt.cards_pulled,
    events.CardMoved: felt.card_moved,
    events.CardPushedBack: felt.card_pushed_back,
    events.ShoeOpened: shoe.shoe_opened,
    events.CuttingCardOut: shoe.cutting_card_out,
    events.ShoeCounted: shoe.shoe_counted,
    events.ShoeEmpty: shoe.shoe_empty,
    events.DiscardCounted: shoe.discard_counted,
    events.Shuffled: shoe.shuffled,
    events.Loaded: registry.loaded,
    events.PowerCut: shoe.power_cut,
    events.PowerOn: shoe.power_on,
    events.Restarted: shoe.restarted,
    events.LinkLost: shoe.link_lost,
    events.LinkBack: shoe.link_back,
    events.WagerPlaced: betting.wager_placed,
    events.WagerRemoved: betting.wager_removed,
}

#: What a person may command while the round is held, apart from taking back, retracting and disclosing.
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
        events.SensorWrong,
    }
)

#: More cards and questions than one event can bring.
_MOST_PASSES = 500


class Table:
    """One table and one game, from the first event to the last."""

    __slots__ = ("_allowed", "_history", "_state", "_view")

    def __init__(self, rules: Ruleset, config: TableConfig, kept: Snapshot | None = None) -> None:
        """Make a table before its first round, or one that goes on from a snapshot."""
        self._state = new_state(rules, config) if kept is None else kept.state
        self._history = History() if kept is None else kept.history
        self._view: tuple[TableState, TableView] | None = None
        self._allowed: tuple[TableState, int, Allowed] | None = None

    def apply(self, event: events.Event) -> tuple[Output, ...]:
        """Let an event happen, and say what came of it."""
        t, history = self._state, self._history
        kind = type(event)
        do = PHYSICAL.get(kind)
        tells = do is None and not t.fitting.senses_places
        if do is None:
            if kind not in COMMANDS:
                return self._rewrite(cast("events.Command", event))
            refusal = _refusal(t, event)
            if refusal is not None:
                return (refusal,)
            do = COMMANDS[kind][1]
        if history.between:
            history.keep_checkpoint(t, event)
        history.events.append(event)
        t.events += 1
        if tells:
            told_places.prepare(t, event)
        do(t, event)
        hold = t.hold
        if t.facts or t.round.out_of_order or hold.beside:
            _follow_up(t, event)
        while (hold.matters or hold.rights) and deferred_matters.answered_by_leaving(t):
            _follow_up(t, event)
        if not t.out:
            return ()
        if t.round.number != history.over and t.machine.state in BETWEEN_ROUNDS:
            history.end(t, event)
        out = tuple([IrregularityFound(one.view()) if type(one) is Finding else one for one in t.out])
        t.out.clear()
        return out

    def settle_watch(self) -> None:
        """Work out what the last card says of the shuffle, while there is time; later it is done with the next card."""
        watch = self._state.shoe.watch
        if watch is not None:
            watch.settle()

    @property
    def last_order(self) -> tuple[Card, ...]:
        """The order in which the cards of this shoe last went into the discard holder, while it is watched."""
        watch = self._state.shoe.watch
        return watch.made_of[2] if watch is not None else ()

    def _rewrite(self, event: events.Command) -> tuple[Output, ...]:
        """The events since the last round ended are applied again as they are known to have been."""
        refusal = self.verify(event)
        if refusal is not None:
            return (refusal,)
        before, history = self._state, self._history
        if history.last is None:  # the round has ended with the pull, whatever is disclosed
            return ()
        meant = history.note(before, event)
        again = Table(before.rules, before.config)
        again._state = t = history.restored(before)
        again._history.over = t.round.number
        out = tuple[Output, ...]()
        for number, step in history.steps():
            t.events = number - 1
            if isinstance(step, Retracted):
                door.list_retracted(t, step.report)
            elif isinstance(step, Denied):
                out = again.apply(step.event)
                approvals.deny(t, step.codes)
                _follow_up(t, step.event)
                t.out.clear()
            elif isinstance(step, events.Restarted):
                shoe.restarted(t, step)
            else:
                out = again.apply(step)
        t.events = before.events + 1
        self._state = t
        history.between = not t.round_is_on
        if not isinstance(event, events.CardsDisclosed):
            return (TakenBack(meant, tuple(finding.view() for finding in history.lost(before, t))),)
        if t.round.number != history.over and t.machine.state in BETWEEN_ROUNDS:
            history.end(t, event)
        return out

    def verify(self, command: events.Command) -> Refused | None:
        """Why the command would be refused now, or None."""
        if type(command) in COMMANDS:
            return _refusal(self._state, command)
        match command:
            case events.TakeBack():
                return self._history.keeps_command(self._state)
            case events.Retract(code):
                return self._history.keeps_report(self._state, code)
            case events.CardsDisclosed():
                return self._history.undisclosed(self._state, command)
        message = f"{command} is no command"
        raise TypeError(message)

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
        place = self._state.next_place
        return place if place is not None else deal.next_place(self._state)

    @property
    def has_next_cards(self) -> bool:
        """Whether a card that was set aside is to be dealt before any card from the shoe."""
        t = self._state
        return t.round.out_of_order and bool(next_cards(t))

    def on_its_way(self, card: Card) -> int:
        """How many cards of a face have left the shoe and lie nowhere yet: one that is laid can be one of them."""
        return lifting.on_its_way(self._state, card)

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
            self._allowed = made = t, t.events, allowed_by(t, _refusal, discloses=self.can(events.CardsDisclosed(())))
        return made[2]

    def corrections(self) -> list[Command]:
        """What mends a mistake of a person now: the last command taken back, a report retracted."""
        t = self._state
        codes = dict.fromkeys(finding.code for finding in (*t.round.findings, *t.hold.for_later))
        found: list[Command] = [events.TakeBack(), *map(events.Retract, codes)]
        return [command for command in found if self.can(command)]

    @property
    def last_said(self) -> Command | None:
        """The last command since the round ended, if nothing has happened since."""
        last = self._history.last
        return last if isinstance(last, get_args(Command)) else None

    @property
    def last_said_at(self) -> int | None:
        """The number of the event that `last_said` was."""
        last = self._history.last_with_number
        return last[0] if last is not None and isinstance(last[1], get_args(Command)) else None

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
        t, history = self._state, self._history
        shared = [t.rules, t.config, *(past for past in t.rounds if past is not t.round), *history.events]
        return Table.resumed(deepcopy(Snapshot(t, history), {id(kept): kept for kept in shared}))

    # --- for the journal -------------------------------------------------------------------------------------------

    def snapshot(self) -> object:
        """All that the table knows, without the rounds before the last: to be written down, never to be looked at."""
        kept = copy(self._state)
        kept.rounds = kept.rounds[-1:]
        return Snapshot(kept, self._history)

    @classmethod
    def resumed(cls, kept: object) -> Table:
        """A table that goes on from a snapshot.

        Raises:
            TypeError: that is no snapshot.
        """
        if not isinstance(kept, Snapshot):
            raise TypeError("a table goes on from what `snapshot` gave")
        return cls(kept.state.rules, kept.state.config, kept)

    def end_as_kept(self, outcome: str = "", rows: list[Row] | None = None) -> None:
        """End the round as the journal has it, by the judgement of an earlier edition; or just as it stands."""
        current = self._state.round
        ending.end_as_kept(self._state, outcome or current.outcome, current.rows if rows is None else rows)
        self._history.end(self._state, events.Restarted())
        self._view = self._allowed = None

    def forget_rounds(self, keep: int) -> None:
        """Forget all but the last `keep` rounds."""
        rounds = self._state.rounds
        del rounds[: max(0, len(rounds) - keep)]
        self._view = None


def _refusal(t: TableState, command: events.Event) -> Refused | None:
    """Why a command is not allowed; where places are told, what is said after the initial deal ends it."""
    kind = type(command)
    if t.hold.matters and kind not in WHILE_HELD:
        finding = t.hold.matters[0].finding
        return refuse(Reason.ROUND_HELD, finding.clause, code=finding.code, ruling=finding.ruling)
    if not t.fitting.senses_places and kind in told_places.AFTER_DEAL and told_places.presumed_over(t):
        t = told_places.if_over(t)
    refusal: Refused | None = COMMANDS[kind][0](t, command)
    return refusal


def _follow_up(t: TableState, event: events.Event) -> None:
    """What follows from an event, first things first, until nothing changes.

    Facts are judged, then what a ruling gives back is dealt, then cards are laid as they lie, then what waited for
    that: next cards that were laid during a hold, a pull, a value that matters now. Each pass settles one card or one
    question, so that there are no more passes than cards and questions.
    """
    passes = 0
    while True:
        passes += 1
        if passes > _MOST_PASSES:
            message = f"no end after {passes} passes: {t.facts}"
            raise AssertionError(message)
        if t.facts:
            door.judge(t, event)
        given_cards.deal_given(t)
        deal.lay_relaid_cards(t)
        if t.facts:
            continue
        if t.hold.matters and player_options.end_if_put_back(t):
            continue
        if deal.lay_what_was_laid(t) or unread.close_named(t) or unread.hold_what_matters_now(t):
            continue
        if deferred_matters.pull_is_due(t):
            deferred_matters.take_up_pull(t)
        elif not felt.match_appeared(t) and not taken_cards.report_moved_off(t):
            break
