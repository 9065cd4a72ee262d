"""The shoe and the cards in it: what each card, count, shuffle and load proves.

1. Every card that leaves the shoe is counted in the set (`model.cardset`). The order of cards drawn singly or pulled in
   a known order is watched for cards that were not shuffled, beside the order in which they last went into the discard
   holder (`cards.collecting`).
2. A load without a shuffle since the cards were last used is found at once, except in continuous shuffling.
3. The cutting card: the round in which it comes out is played to its end; the first card of a later round is a finding
   if the shoe was not loaded in between (MBS 5.20).
4. Cards pulled together whose order is known are a card in error; whose order is unknown, a double draw.
5. Power failure and lost links are facts about devices, told apart from the Dealer's errors.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gamecore.cards import sensing, whereabouts
from gamecore.cards.collecting import collect_cards
from gamecore.cards.order import early, proper
from gamecore.cards.queries import dealt, in_transit, next_cards
from gamecore.cards.shuffle_test import Verdict, Watch
from gamecore.model.cards import UNREAD, Card
from gamecore.model.events.events import (
    CardsPulled,
    CuttingCardOut,
    DiscardCounted,
    LinkBack,
    LinkLost,
    Loaded,
    PowerCut,
    PowerOn,
    Restarted,
    ShoeCounted,
    ShoeEmpty,
    ShoeOpened,
    Shuffled,
)
from gamecore.model.events.facts import CardFact, CountFact, DeviceFact, OrderedCards, PowerFact, PulledCards
from gamecore.model.events.outputs import Advised, Implied
from gamecore.model.matters import Demand
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import CardRecord
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure
from gamecore.phases import betting, closing, ending, offers
from gamecore.rules.matrices import MATRICES
from gamecore.rules.matrix import look_up
from gamecore.standing.decided import outcome_established
from gamecore.standing.stage import stage_of

_ON_DEALER = "Dealer, "


def count_drawn_card(t: TableState, record: CardRecord, told: Place | None, *, face_up: bool) -> bool:
    """Count a card that left the shoe, told to lie somewhere or not; False if it ends the round and is laid nowhere."""
    shoe, card = t.shoe, record.card
    shoe.shuffled = False
    proof = shoe.cards.draw(card)
    if proof is not None or face_up or shoe.unshuffled or card is UNREAD:
        place = (told,) if told is not None else _due(t)
        if not _state_faults(t, record, proof, place, face_up=face_up):
            return False
    if shoe.watch is not None:
        watch_order(t, record, shoe.watch)
    return True


def _state_faults(
    t: TableState, record: CardRecord, proof: str | None, place: tuple[Place, ...], *, face_up: bool
) -> bool:
    """State what is wrong with a card; False if it ends the round."""
    if proof is not None:
        t.suspect(CardFact(proof, record, place))
        return False
    waits = any(m.pending is not None and m.finding.code == "unshuffled-cards" for m in t.hold.matters)
    if t.shoe.unshuffled and t.round_is_on and not waits:
        if any(f.code == "unshuffled-cards" and f.stands and f.ruling == "void" for f in t.round.findings):
            ending.void(t, t.shoe.unshuffled)
        else:
            t.suspect(CardFact("unshuffled-cards", record, place))
        return False
    if face_up and not t.hold.matters:  # drawn in a hold it joins the open matter
        first = not t.round_is_on or all(other.due == BURN for other in dealt(t))
        t.suspect(CardFact("face-up-card", record, place, "first card" if first else "later card"))
    if not record.card.readable:
        t.suspect(CardFact("unreadable-card", record, place))
    return True


def name_card(t: TableState, record: CardRecord, card: Card) -> None:
    """Name a card that the shoe could not read, and count its face in the set."""
    whereabouts.name(record, card)
    proof = t.shoe.cards.replaced(card)
    if proof is not None:
        t.suspect(CardFact(proof, record))


def watch_order(t: TableState, record: CardRecord, watch: Watch) -> None:
    """Compare the order of the cards with a fair shuffle, until the watch is over."""
    verdict = watch.see(record.card)
    if verdict is Verdict.ALARM:
        t.shoe.advice = ""  # it is a finding now
        t.suspect(CardFact("unshuffled-cards", record, _due(t), "suspected"))
    elif verdict is Verdict.ADVISORY:
        t.shoe.advice = watch.explains
        t.out.append(Advised(t.shoe.advice))
    if watch.over:
        t.shoe.watch = None


def case_by_shuffling(t: TableState) -> str:
    """The case of a finding about the end of the cards: documents rule on cards shuffled by hand or by a machine."""
    return "manual" if t.config.shuffling == "manual" else "machine"


def first_card(t: TableState) -> None:
    """State it if the cutting card came out in an earlier round: this is the first card of a round."""
    told = any(finding.code == "cut-card-passed" and finding.stands for finding in t.round.findings)
    if t.shoe.cut_card_round and t.shoe.cut_card_round < t.round.number and t.config.watches and not told:
        t.suspect(CountFact("cut-card-passed", case_by_shuffling(t)))


def end_rights_if_dealt(t: TableState) -> None:
    """End the rights if the card that has left the shoe is the next to be dealt and somebody is due it."""
    if t.hold.rights and not t.hold.matters and t.next_place is not None and not next_cards(t) and not t.hold.pulls:
        t.end_rights()


def cards_pulled(t: TableState, event: CardsPulled) -> None:
    """Count cards that left the shoe in one pull, and state what they are: in error, or a double draw."""
    end_rights_if_dealt(t)
    t.shoe.shuffled = False
    records = _pull(t, event)
    if not _sound_pull(t, event, records):
        for record in records:
            whereabouts.put_out(t.round, record)
        return
    if t.machine.state is State.BETTING and any(box.mains for box in t.round.boxes.values()):
        t.out.append(Implied("close bets"))
        betting.close_bets(t)
    if t.machine.state is State.BETS_CLOSED:
        first_card(t)
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    if t.machine.state in {State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT}:
        closing.further_card(t)
    if not event.ordered:
        _order_unknown(t, records)
    else:
        for record in records[1:] if _first_is_due(t) else records:
            whereabouts.make_next(t.round, record)
        t.suspect(OrderedCards(tuple(records), _due(t)))


def _first_is_due(t: TableState) -> bool:
    """Whether the first card of a pull is due somewhere: in a round or to the burn, and no other before it."""
    return bool(t.hold.matters) or ((t.round_is_on or t.next_place is not None) and not next_cards(t))


def _pull(t: TableState, event: CardsPulled) -> list[CardRecord]:
    """A record for each card of a pull; where the order is unknown, those that are disclosed come first."""
    records = [whereabouts.leave(t, card) for card in event.cards]
    if not event.ordered:
        whereabouts.pull_together(records)
        whereabouts.disclose(records, event.shown)
    return records


def _sound_pull(t: TableState, event: CardsPulled, records: list[CardRecord]) -> bool:
    """Count every card of a pull; False if one of them ends the round."""
    proofs = [(t.shoe.cards.draw(record.card), record) for record in records]
    for proof, record in proofs:
        if proof is not None:
            t.suspect(CardFact(proof, record))
    if any(proof for proof, _ in proofs):
        return False
    for record in records:
        if not record.card.readable:
            t.suspect(CardFact("unreadable-card", record, _due(t)))
        if event.ordered and t.shoe.watch is not None:
            watch_order(t, record, t.shoe.watch)
    return True


def _order_unknown(t: TableState, records: list[CardRecord]) -> None:
    """State a double draw: how many cards are disclosed, and on whose hand (MBS 5.23, RWS 5.12)."""
    for record in records:
        if t.round_is_on:
            whereabouts.await_ruling(t.round, record)
        else:
            whereabouts.make_next(t.round, record)
    shown = sum(record.shown for record in records)
    case = "none disclosed" if shown == 0 else "one disclosed" if shown == 1 else "more disclosed"
    t.suspect(aim(t, tuple(records), case))


def aim(t: TableState, records: tuple[CardRecord, ...], case: str) -> PulledCards:
    """A pull on the hand at which the next card is due, a Player's or the Dealer's."""
    due = next_due(t)
    if t.machine.state is State.SETTLEMENT:  # no other hand is left to be dealt to
        due = DEALER
    places = (due,) if due is not None else ()
    return PulledCards(records, aimed_at(due, case), places)


def aimed_at(place: Place | None, case: str) -> str:
    """The case of a pull on the hand at a place."""
    case = case.removeprefix(_ON_DEALER)
    return _ON_DEALER + case if place == DEALER else case


def pull_is_discarded(t: TableState) -> bool:
    """Whether cards pulled together now are discarded whatever they are (RWS 5.12.1)."""
    fact = aim(t, (), "none disclosed")
    return look_up(MATRICES[t.rules.id], fact.code, fact.case, stage_of(t)).ruling == "discard"


def next_due(t: TableState) -> Place | None:
    """Where the next card belongs; while the initial deal is to be laid again, where it will."""
    laid_anew = any(matter.demand is Demand.RECONSTRUCT for matter in t.hold.matters)
    order = proper(t) if laid_anew and early(t) else []
    count = len(dealt(t)) + len(in_transit(t)) if order else 0
    return order[count] if count < len(order) else t.next_place


def _due(t: TableState) -> tuple[Place, ...]:
    return (t.next_place,) if t.next_place is not None else ()


def shoe_opened(t: TableState, _event: ShoeOpened) -> None:
    """State that the shoe was opened, unless it is to be loaded: between rounds, or where cards have run out."""
    if t.round_is_on and not any(matter.procedure is Procedure.RIFFLE for matter in t.hold.matters):
        t.suspect(CountFact("uncovered", places=_due(t)))


def shoe_empty(t: TableState, _event: ShoeEmpty) -> None:
    """State that a card was asked of an empty shoe."""
    if not any(matter.procedure is Procedure.RIFFLE for matter in t.hold.matters):
        t.suspect(CountFact("insufficient-cards", case_by_shuffling(t), _due(t)))


def shoe_counted(t: TableState, event: ShoeCounted) -> None:
    """Compare the shoe's count with the cards that must be left in it."""
    proof = t.shoe.cards.shoe_counted(event.count)
    if proof is not None:
        t.suspect(CountFact(proof))


def discard_counted(t: TableState, event: DiscardCounted) -> None:
    """Compare the discard holder's count with the cards that are out, between rounds only."""
    proof = None if t.round_is_on else t.shoe.cards.discard_counted(event.count)
    if proof is not None:
        t.suspect(CountFact(proof))


def cutting_card_out(t: TableState, _event: CuttingCardOut) -> None:
    """Note the round in which the cutting card came out; between rounds, the last one."""
    t.shoe.cut_card_round = max(t.round.number, 1)


def shuffled(t: TableState, _event: Shuffled) -> None:
    """Note that the cards were shuffled."""
    t.shoe.shuffled = True


def loaded(t: TableState, event: Loaded) -> None:
    """Count a load: a new shoe, or in mid-round the riffled discards (MBS 5.19)."""
    riffled = any(matter.procedure is Procedure.RIFFLE for matter in t.hold.matters)
    on_table = Counter(record.card.face for record in dealt(t)) if t.round_is_on else Counter[str]()
    proof = t.shoe.cards.loaded(event.count, on_table)
    if proof is not None and not t.shoe.cards.continuous:
        t.suspect(CountFact(proof))
    elif proof is None:
        t.shoe.set_in_doubt = ""
        if not t.round_is_on and not t.shoe.cards.continuous:
            _take_in(t)
    t.shoe.unshuffled = ""
    if not t.shoe.shuffled and not t.shoe.cards.continuous:
        t.suspect(CountFact("unshuffled-cards"))
    elif t.rounds:
        _leave_behind(t)
    t.shoe.cut_card_round = 0
    previous = _take_holder(t)
    t.shoe.watch, t.shoe.advice = None, ""
    if riffled:
        t.shoe.cut_card_round = t.round.number  # the cards are shuffled again after this round (5.19.1)
        return
    if t.config.watches and not t.shoe.cards.continuous:
        t.shoe.watch = Watch(t.rules.ranks.value, t.config.decks, previous)
    if not t.round_is_on or t.machine.state in {State.BETTING, State.BETS_CLOSED}:
        t.shoe.burn_due = t.config.burn and not t.shoe.cards.continuous
        if t.machine.state is State.BETS_CLOSED:
            t.expect(*t.round.deal[0])
        else:
            t.expect_nothing()


def _take_holder(t: TableState) -> list[Card]:
    """The discard holder is empty: the order in which the cards went into it, between rounds with those of the last."""
    previous, t.shoe.discarded = t.shoe.discarded, []
    if not t.round_is_on:
        previous = [*previous, *collect_cards(t.round, t.shoe.taken_in)]
        t.shoe.taken_in = t.shoe.numbers
    return previous


def _take_in(t: TableState) -> None:
    """The whole set is in the new shoe, whose first card is the burn (MBS 5.21): what was left next is among it."""
    for record in t.round.records:
        if record.role in whereabouts.CARRIED:
            whereabouts.put_out(t.round, record)


def _leave_behind(t: TableState) -> None:
    """Shuffled after all: no coming round is void, so the finding stays with the round before."""
    mended = [finding for finding in t.hold.for_later if finding.code == "unshuffled-cards"]
    t.rounds[-1].findings.extend(mended)
    t.hold.for_later = [finding for finding in t.hold.for_later if finding not in mended]


# --- power and links -----------------------------------------------------------------------------------------------


def power_cut(_t: TableState, _event: PowerCut) -> None:
    """Do nothing: what a power cut means is judged when the power is back."""


def power_on(t: TableState, _event: PowerOn) -> None:
    """State the power failure of the rules, if the power comes back in mid-round."""
    if t.round_is_on:
        t.suspect(PowerFact("outcome" if outcome_established(t) else "no outcome"))


def restarted(t: TableState, event: Restarted) -> None:
    """Let the round go on after a restart of the software, with confirmation from now on if that is said."""
    if event.confirm:
        t.config = replace(t.config, confirm=True)


def link_lost(t: TableState, event: LinkLost) -> None:
    """Note and state that a device does not answer."""
    t.fitting.away.add(event.device)
    t.suspect(DeviceFact("link-lost", event.device))


def link_back(t: TableState, event: LinkBack) -> None:
    """Note that a device answers again; with the hub, no sensor counts as wrong any more."""
    t.fitting.away.discard(event.device)
    if event.device == sensing.HUB:
        t.fitting.misread.clear()
