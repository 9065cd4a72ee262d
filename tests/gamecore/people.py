"""The people at a table: they answer what it asks and bring the round to its end.

1. `step` does one thing that takes the round on: an answer to a pending question, the word that the cards lie as they
   should, an approval, a load, a card at the next place, an offer, a decision, the settlement.
2. `finish` takes such steps until no round is on. From any state a table can reach, that must be possible.
3. Cards come from what the set still has, so that nobody adds an irregularity while the first one is carried out.
4. Every choice comes from the `random.Random` that is given; `answers` and `first` narrow it where a test knows better.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gamecore.irregularities.matter import WITHDRAW
from gamecore.model import events
from gamecore.model.cards import Card, deck
from gamecore.model.events import Command, Event
from gamecore.model.outputs import Ask, Output
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.states import State
from gamecore.table import Table
from tests.gamecore.candidates import commands

MOST_STEPS = 1500
WAGER = 25_00

Happen = Callable[[Event], tuple[Output, ...]]


class StuckError(AssertionError):
    """Nothing that the people may do takes the round on."""


def finish(table: Table, chance: random.Random, happen: Happen | None = None) -> None:
    """Bring the round that is on to its end."""
    do = table.apply if happen is None else happen
    for _ in range(MOST_STEPS):
        if not table.round_is_on:
            return
        step(table, chance, do)
    raise StuckError(f"{table.state} after {MOST_STEPS} steps, held by {_matters(table)}")


def step(table: Table, chance: random.Random, do: Happen) -> None:
    """Take the round on by one event."""
    if table.view().matters:
        _carry_out(table, chance, do)
        return
    match table.state:
        case State.BETTING:
            if not table.can(events.NoMoreBets()):
                do(events.WagerPlaced(Place(1, 0, 1), "main", WAGER))
            do(events.NoMoreBets())
        case State.BETS_CLOSED | State.INITIAL_DEAL | State.DEALER_TURN:
            lay(table, chance, do)
        case _:
            _play_on(table, chance, do)


def answer_to(ask: Ask, chance: random.Random, table: Table) -> tuple[str, ...]:
    """One of the options; a card of the game where a card is asked for."""
    option = chance.choice(ask.options)
    return (str(a_card(table, chance)),) if option == "CARD" else (option,)


def _carry_out(table: Table, chance: random.Random, do: Happen) -> None:
    """What the matter that is open first waits for."""
    asks = table.view().matters[0].asks
    if asks:
        ask = chance.choice(asks)
        if "continue" in ask.options and WITHDRAW in ask.options and chance.random() < 0.5:
            do(events.Answer("all", ("continue",)))
        else:
            do(events.Answer(ask.who, answer_to(ask, chance, table)))
        return
    if not table.can(events.Reconstructed()):
        for move in table.view().moves:
            do(events.CardMoved(move.card, move.source, move.target))
    words: list[Command] = [events.Reconstructed(), events.CannotReconstruct(), events.Approve("shift-manager")]
    for word in words:
        if table.can(word):
            do(word)
            return
    if any(matter.procedure == "riffle" for matter in table.view().matters):
        do(events.Shuffled("riffle", 1))
        do(events.Loaded(table.view().cards.size - len(table.view().round.dealt)))
        return
    raise StuckError(f"nothing carries out {_matters(table)}")


def _play_on(table: Table, chance: random.Random, do: Happen) -> None:
    """A decision, an offer, a card or the settlement; what changes nothing is not chosen."""
    options = [command for command in commands(table) if not _idle(table, command)]
    due = table.next_place is not None and "due" not in table.view().round.offers.values()
    if due and (not options or chance.random() < 0.4):
        lay(table, chance, do)
    elif options:
        do(chance.choice(options))
    elif table.next_place is not None:
        lay(table, chance, do)
    else:
        raise StuckError(f"nothing is possible in {table.state}")


def _idle(table: Table, command: events.Command) -> bool:
    game_round = table.view().round
    match command:
        case events.Interim() | events.Squeeze():
            return True
        case events.Stand(place):
            turn = game_round.turn
            return turn is None or (place.box, place.hand) != (turn.number, game_round.turn_hand + 1)
        case events.Collect(place) | events.Pay(place):
            hand = game_round.hand_at(place)
            return hand is None or hand.settled
    return False


# --- cards ---------------------------------------------------------------------------------------------------------


def a_card(table: Table, chance: random.Random) -> Card:
    """A card that the set still has."""
    cards, faces = table.view().cards, deck(table.view().rules.ranks.value)
    left = [card for card in faces if cards.out.get(card.face, 0) < table.view().decks]
    return chance.choice(left or faces)


def lay(table: Table, chance: random.Random, do: Happen) -> None:
    """The next card at its place: one that is out of the shoe already, else a new one."""
    view = table.view()
    place = table.next_place or DEALER
    waiting = [*view.in_transit, *view.next_cards]
    if waiting:
        do(events.CardLaid(waiting[0], place))
        return
    card = a_card(table, chance)
    if not view.senses_places:
        do(events.CardDrawn(card, place))
        return
    do(events.CardDrawn(card))
    do(events.CardLaid(card, place))


def next_place_faults(table: Table) -> list[str]:
    """What is wrong with the place of the next card, in view of the state of the round."""
    view, place, state = table.view(), table.next_place, table.state
    game_round = view.round
    if state is State.HELD:
        return []
    if view.burn_due and state in {State.IDLE, State.VOID, State.COMPLETE, State.BETTING, State.BETS_CLOSED}:
        return [] if place == BURN else [f"a burn is due, next is {place}"]
    turn = game_round.turn
    dealt_to = {where for where, _ in table._state.round.deal}
    match state:
        case State.IDLE | State.VOID | State.COMPLETE | State.SETTLEMENT:
            fits = place is None
        case State.BETTING:
            fits = place == min((Place(n) for n, box in game_round.boxes.items() if box.mains), default=None)
        case State.BETS_CLOSED:
            fits = place in dealt_to
        case State.INITIAL_DEAL:
            fits = place in dealt_to
        case State.PLAYER_TURN:
            owed = view.dealer_owed and place == DEALER
            fits = owed or (turn is not None and place == turn.place_of(game_round.turn_hand))
        case State.OFFERS:
            fits = place in {None, DEALER} or (turn is not None and place == turn.place_of(game_round.turn_hand))
        case _:
            fits = place == DEALER
    found = [] if fits else [f"next is {place} in {state}"]
    if place is not None and place != BURN and state is not State.BETTING and view.next_hand is None:
        found.append(f"no hand is at the next place, {place}")
    return found


def _matters(table: Table) -> list[str]:
    return [f"{m.finding.code} {m.finding.clause} {m.procedure} {m.asks}" for m in table.view().matters]
