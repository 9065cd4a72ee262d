"""What is due at a table: the next thing that people who keep to the rules would do.

1. `due` gives one event that takes the table on, whatever state it is in: a bet, a card at its place, an offer, a
   decision, an answer, a listed move, the word that the cards lie right, the settlement, the next round.
2. A card that is out of the shoe is laid before another is drawn. Where places are read the hub names it, where they
   are counted it does not, where they are told the place comes with the card.
3. `finish` takes such steps until no round is on. Where one way of choosing leads nowhere, another is tried.
"""

from __future__ import annotations

from gamecore.cards.queries import in_transit, next_cards
from gamecore.irregularities.confirming import LADDER
from gamecore.irregularities.matter import CONTINUE, WITHDRAW
from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import events
from gamecore.model.events.events import Command, Event
from gamecore.model.events.outputs import Ask
from gamecore.model.matters import APPROVE
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.states import State
from gamecore.model.steps import Procedure
from tests.gamecore.properties.tables import Play

MOST_STEPS = 600
WAGER = 25_00
WEIGHTS: dict[type, float] = {
    events.Interim: 0.1,
    events.Squeeze: 0.05,
    events.Offer: 6.0,
    events.Close: 1.5,
    events.Insure: 0.5,
    events.EvenMoney: 0.8,
    events.Surrender: 0.4,
    events.Stand: 2.0,
    events.Split: 5.0,
    events.FreeSplit: 5.0,
    events.FreeDouble: 2.0,
    events.Rescue: 2.0,
    events.Jackpot: 2.0,
    events.Settle: 4.0,
    events.Collect: 0.4,
    events.Pay: 0.4,
}
CARD = 3.0
"""How often a card is drawn rather than something said."""


class StuckError(AssertionError):
    """Nothing that the people may do takes the round on."""


def due(play: Play) -> Event:
    """One event that takes the table on."""
    t = play.state
    if t.hold.matters:
        return _carried_out(play)
    match play.table.state:
        case State.IDLE | State.COMPLETE | State.VOID:
            return _between(play)
        case State.BETTING:
            return _a_bet(play)
        case State.BETS_CLOSED | State.INITIAL_DEAL | State.DEALER_TURN:
            return card(play)
    return _said_or_dealt(play)


# --- between rounds, and bets ---------------------------------------------------------------------------------------


def _between(play: Play) -> Event:
    t = play.state
    if t.shoe.set_in_doubt or any(matter.pending is not None for matter in t.hold.beside):
        return events.Approve("shift-manager")
    if t.next_place == BURN and play.chance.random() < 0.5:
        return card(play)
    if not play.table.can(events.PlaceBets()) or play.chance.random() < 0.1:
        return events.Loaded(t.shoe.cards.size) if t.shoe.shuffled else events.Shuffled("machine")
    return events.PlaceBets()


def _a_bet(play: Play) -> Event:
    """Chips on some boxes, main wagers before the others; then bets are closed."""
    t = play.state
    lie = sum(bool(box.mains) for box in t.round.boxes.values())
    if play.table.can(events.NoMoreBets()) and play.chance.random() < 0.25 + 0.15 * lie:
        return events.NoMoreBets()
    box = min(play.chance.choice((1, 1, 2, 2, 3, play.header.boxes)), play.header.boxes)
    slot = play.chance.choice((1, 1, 1, 2, 3))
    kind = "main"
    if lie and play.chance.random() < 0.4:
        kind = play.chance.choice(play.rules.wager_kinds())
        box = play.chance.choice([number for number, one in t.round.boxes.items() if one.mains])
    amount = play.chance.choice((25_00, 25_00, 30_00, 50_00, 33_33))
    return events.WagerPlaced(
        Place(box, 0, slot), kind, amount, play.chance.choice((None, None, None, "ann", "bob", "cy"))
    )


# --- cards ----------------------------------------------------------------------------------------------------------


def card(play: Play, place: Place | None = None) -> Event:
    """The next card: one that is out already is laid, else one leaves the shoe."""
    t = play.state
    at = place or play.aim or play.table.next_place or DEALER
    waiting = in_transit(t) or next_cards(t)
    if waiting:
        play.aim = None
        return laid(play, waiting[0].card, at)
    drawn = play.a_card()
    if t.fitting.senses_places:
        return events.CardDrawn(drawn)
    return events.CardDrawn(drawn, None if place is None and play.chance.random() < 0.3 else at)


def laid(play: Play, face: Card, place: Place) -> Event:
    """A card lies at a place, as the sensors of the table report it."""
    return events.CardLaid(UNREAD if play.state.fitting.counts_only else face, place)


def _said_or_dealt(play: Play) -> Event:
    t = play.state
    if in_transit(t) and t.next_place is not None and play.chance.random() < 0.9:
        return card(play)
    options: list[Command | None] = [
        command for command in play.table.allowed().commands if not _changes_nothing(play, command)
    ]
    weights = [WEIGHTS.get(type(option), 1.0) for option in options]
    if play.table.next_place is not None and ("due" not in t.round.offers.values() or not options):
        options.append(None)
        weights.append(CARD)
    if not options:
        raise StuckError(f"nothing is possible in {play.table.state}, next {play.table.next_place}")
    choice = play.chance.choices(options, weights)[0]
    return card(play) if choice is None else choice


def _changes_nothing(play: Play, command: Command) -> bool:
    game_round = play.state.round
    match command:
        case events.Stand(place):
            turn = game_round.turn
            return turn is None or (place.box, place.hand) != (turn.number, game_round.turn_hand + 1)
        case events.Interim():
            return game_round.interim
        case events.Squeeze(box):
            return game_round.boxes[box].squeeze
    return False


# --- what a ruling waits for -----------------------------------------------------------------------------------------


def _carried_out(play: Play) -> Event:
    """What the matter that is open first waits for."""
    t, table = play.state, play.table
    matter = t.hold.matters[0]
    asks = [*matter.open_asks, *(ask for one in t.hold.matters if (ask := one.approval) is not None)]
    if asks and play.chance.random() < 0.85:
        return answer(play, play.chance.choice(asks))
    moves = table.view().moves
    if moves and (not table.can(events.Reconstructed()) or play.chance.random() < 0.3):
        move = play.chance.choice(moves)
        return events.CardMoved(move.card, move.source, move.target)
    words: list[Command] = [events.Reconstructed(), events.CannotReconstruct(), events.Approve("shift-manager")]
    if play.chance.random() < 0.1:
        play.chance.shuffle(words)
    for word in words:
        if table.can(word) and not (isinstance(word, events.Reconstructed) and matter.done):
            return word
    if asks:
        return answer(play, play.chance.choice(asks))
    if matter.procedure is Procedure.RIFFLE:
        if not t.shoe.shuffled:
            return events.Shuffled("riffle", 1)
        return events.Loaded(t.shoe.cards.size - sum(record.felt is not None for record in t.round.records))
    raise StuckError(f"nothing carries out {matter.finding.code} {matter.procedure}, moves {moves}")


def answer(play: Play, ask: Ask) -> Event:
    """One of the options; a card that the set has where a card is asked for."""
    if APPROVE in ask.options:
        return approval(play, ask)
    option = play.chance.choice(ask.options)
    if option == "CARD":
        return events.Answer(ask.who, (str(play.a_card()),))
    if WITHDRAW in ask.options and play.chance.random() < 0.5:
        option = CONTINUE
    return events.Answer("all" if option == CONTINUE and play.chance.random() < 0.3 else ask.who, (option,))


def approval(play: Play, ask: Ask) -> Event:
    """What is pending is approved, by the role or a higher one, by its code or not; or it is denied."""
    codes = [one.code for one in play.table.view().pending if one.role == ask.who]
    if play.chance.random() < 0.25:
        return events.Retract(play.chance.choice(codes))
    roles = LADDER[LADDER.index(ask.who) :]
    return events.Approve(play.chance.choice(roles), play.chance.choice(("", *codes)))


# --- to the end -------------------------------------------------------------------------------------------------------


def finish(play: Play) -> int:
    """Bring the round that is on to its end; how many events that took. What leads nowhere is left to the house."""
    for number in range(MOST_STEPS):
        if not play.table.round_is_on:
            return number
        lost = number > MOST_STEPS // 2 and not play.state.hold.matters
        play.happen(events.Call("uncovered") if lost else due(play))
    matters = [f"{m.finding.code} {m.procedure} {m.asks}" for m in play.state.hold.matters]
    raise StuckError(f"{play.table.state} after {MOST_STEPS} steps, next {play.table.next_place}, held by {matters}")
