"""What may be said now: the buttons of the console, the choices of the robot. The other half of the view.

1. `Allowed` is worked out once after an event, when somebody asks. Only what the state of the round leaves possible is
   put to the rules, each as a question that changes nothing.
2. `commands` are what the Dealer and the Players may say while play goes on, once for each place it could speak of. A
   stand that would change nothing is left out. Amounts are the usual ones: a double of the original wager, insurance of
   half of it. While a ruling is carried out there are none.
3. `answers` has every pending question with those of its options that can be answered as they stand. Where a card is to
   be named (the option ``CARD``), the person who answers names it.
4. `duties` carry something on when a person says them: an approval that is waited for, that the cards lie as ruled or
   cannot be put back, that all continue, that discards were riffled by hand, that a Player is not there. What would
   change nothing is left out.
5. `discloses`: cards have just come out in one pull, and a person may say which of them show.
6. Where places are told, a decision may end the initial deal. Such commands are judged by a copy of the state in which
   the deal is over, made once for all of them.
7. `Table.verify` says why something else may not be said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gamecore.irregularities.approvals import waiting_for_approval
from gamecore.irregularities.matter import CONTINUE, WITHDRAW
from gamecore.model.events import events as ev
from gamecore.model.events.outputs import Ask
from gamecore.model.events.refusals import Refused
from gamecore.model.matters import Matter
from gamecore.model.places import Place
from gamecore.model.round import Box
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import BEFORE_ANSWERS, Procedure
from gamecore.phases.cards import told_places
from gamecore.phases.closing import jackpots_due
from gamecore.phases.offers import INSURANCE, OPEN, SURRENDER
from gamecore.rules.ruleset import SILENT
from gamecore.standing import claims, played

Refusal = Callable[[TableState, ev.Command], Refused | None]

CARD = "CARD"
_DECIDING = frozenset({State.OFFERS, State.PLAYER_TURN})
_DEALT = frozenset({*_DECIDING, State.DEALER_TURN, State.SETTLEMENT})
_SPOKEN: tuple[ev.Command, ...] = (
    ev.PlaceBets(),
    ev.NoMoreBets(),
    ev.Offer(INSURANCE),
    ev.Close(INSURANCE),
    ev.Offer(SURRENDER),
    ev.Close(SURRENDER),
    ev.Interim(),
    ev.Settle(),
)
_DECISIONS = (ev.Hit, ev.Stand, ev.Double, ev.Split)
_FREE = (ev.FreeDouble, ev.FreeSplit)


class Answers(NamedTuple):
    """A pending question, and which of its options can be answered as they stand."""

    ask: Ask
    options: tuple[str, ...]


class Allowed(NamedTuple):
    """What may be said now."""

    commands: tuple[ev.Command, ...]
    answers: tuple[Answers, ...]
    duties: tuple[ev.Event, ...]
    discloses: bool


def allowed_by(t: TableState, refusal: Refusal, *, discloses: bool) -> Allowed:
    """What may be said now, where `refusal` has nothing against it."""
    commands = [command for supposed, command in _commands(t) if refusal(supposed, command) is None]
    answers = [_answers(t, ask, refusal) for ask in t.asks]
    return Allowed(tuple(commands), tuple(answers), tuple(_duties(t, refusal)), discloses)


# --- commands of play ------------------------------------------------------------------------------------------------


def _commands(t: TableState) -> Iterator[tuple[TableState, ev.Command]]:
    """What may be meant, each with the state in which it would be said."""
    if t.hold.matters:
        return
    if not t.round_is_on:
        yield t, _SPOKEN[0]
        return
    supposed = told_places.if_over(t) if told_places.presumed_over(t) else t
    yield from ((supposed if type(command) in told_places.AFTER_DEAL else t, command) for command in _SPOKEN)
    if t.rules.squeeze.value:
        yield from ((t, ev.Squeeze(box.number)) for box in _boxes(t))
    if supposed.machine.state in _DEALT:
        for box in _boxes(supposed):
            yield from ((supposed, command) for command in _after_deal(supposed, box))
    yield from ((t, command) for command in _late(t))
    yield from ((t, command) for command in _agreements(t))


def _agreements(t: TableState) -> Iterator[ev.Command]:
    """Whom Players with equal claims may agree on."""
    for claimed in claims.preferences(t):
        others = [player for player in claimed.equal if player != claimed.first]
        yield from (ev.Agree(claimed.place, claimed.kind, player) for player in others)


def _boxes(t: TableState) -> list[Box]:
    """The boxes of the layout; a person may have told a place that it does not have."""
    return [box for number, box in sorted(t.round.boxes.items()) if number <= t.config.boxes]


def _after_deal(t: TableState, box: Box) -> Iterator[ev.Command]:
    """What may be meant for a box once the initial deal is over."""
    number = box.number
    knows_free = SILENT not in {t.rules.free_doubles.clause, t.rules.free_splits.clause}
    decisions = (*_DECISIONS, *_FREE) if knows_free else _DECISIONS
    if OPEN in t.round.offers.values():
        for slot, main in sorted(box.mains.items()):
            place = Place(number, 0, slot)
            if main.amount > 1:
                yield ev.Insure(place, main.amount // 2)
            yield ev.EvenMoney(place)
            yield ev.Surrender(place)
    for index, hand in enumerate(box.hands):
        for slot in _deciding(t, box, index):
            yield from (decision(Place(number, index + 1, slot)) for decision in decisions)
        if not hand.settled:
            yield ev.Collect(Place(number, index + 1))
            yield ev.Pay(Place(number, index + 1))


def _deciding(t: TableState, box: Box, index: int) -> list[int]:
    """The slots whose Player may decide on a hand: who controls the box, and who may join in.

    It is the hand whose turn it is; where places are told, a later one can be meant too
    (`gamecore.phases.cards.told_places`).
    """
    turn, hand = t.round.turn, box.hands[index]
    if turn is None or t.machine.state not in _DECIDING or played.takes_no_card(t.rules, hand):
        return []
    if box is turn and index == t.round.turn_hand:
        return list(hand.stakes) if hand.doubled or t.turn.just_split else [box.controller]
    return [box.controller] if not t.fitting.senses_places and box.number > turn.number else []


def _late(t: TableState) -> Iterator[ev.Command]:
    """What follows a card: the doubled portion taken back, the button of the jackpot meter pressed."""
    if t.turn.last_doubled is not None:
        for number, box in t.round.boxes.items():
            for index, hand in enumerate(box.hands):
                if hand is t.turn.last_doubled:
                    yield from (ev.Rescue(Place(number, index + 1, slot)) for slot in hand.stakes)
    multipliers = t.rules.jackpot_multipliers.value
    for number, side in jackpots_due(t) if multipliers else ():
        yield from (ev.Jackpot(Place(number, 0, side.slot), multiplier) for multiplier in multipliers)


# --- answers and duties ----------------------------------------------------------------------------------------------


def _answers(t: TableState, ask: Ask, refusal: Refusal) -> Answers:
    options = [option for option in ask.options if option != CARD and refusal(t, ev.Answer(ask.who, (option,))) is None]
    return Answers(ask, tuple(options))


def _duties(t: TableState, refusal: Refusal) -> list[ev.Event]:
    """What carries things on when a person says it now."""
    wanted: list[ev.Command] = [ev.Approve(role) for role in _approvals(t)]
    if t.hold.matters:
        wanted += _about_cards(t.hold.matters[0])
    if sum(WITHDRAW in ask.options for ask in t.asks) > 1:
        wanted.append(ev.Answer("all", (CONTINUE,)))
    if t.round_is_on:
        wanted += _absences(t)
    said: list[ev.Event] = [command for command in wanted if refusal(t, command) is None]
    if not t.shoe.shuffled and any(matter.procedure is Procedure.RIFFLE for matter in t.hold.matters[:1]):
        said.append(ev.Shuffled("riffle", 1))
    return said


def _approvals(t: TableState) -> list[str]:
    """The roles whose approval is waited for."""
    return list(dict.fromkeys(one.role for one in waiting_for_approval(t)))


def _about_cards(matter: Matter) -> list[ev.Command]:
    """That the cards lie as ruled, or cannot be put back, where that is still to be said."""
    if matter.done or matter.left_as_laid:
        return []
    laid = not matter.asks or matter.procedure in BEFORE_ANSWERS
    return [*([ev.Reconstructed()] if laid else []), ev.CannotReconstruct()]


def _absences(t: TableState) -> list[ev.Command]:
    """Each Player of a main wager who is not known to be away."""
    return [
        ev.Absent(Place(number, 0, slot if len(box.mains) > 1 else 0))
        for number, box in sorted(t.round.boxes.items())
        for slot in sorted(box.mains)
        if (number, slot) not in t.people.absent
    ]
