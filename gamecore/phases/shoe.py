"""The shoe and the cards in it: what each card, count, shuffle and load proves.

1. Every card that leaves the shoe is counted against the set (`irregularities.cardset`), and its order is watched for
   cards that were not shuffled.
2. A load without a shuffle since the cards were last used is found at once.
3. The cutting card: the round in which it comes out is played to its end; the first card of a later round without a
   shuffle is a finding (MBS 5.20).
4. Cards pulled together whose order is known are a card in error; whose order is unknown, a double draw.
5. Power failure and lost links are facts about devices, told apart from a dealer's errors.
"""

from __future__ import annotations

from collections import Counter

from gamecore.cards import sensing
from gamecore.cards.shuffle_test import Verdict, Watch
from gamecore.irregularities import cards_at_issue, desk, pulled
from gamecore.irregularities import wagers as touch
from gamecore.irregularities.matter import end_rights
from gamecore.model.cards import Card
from gamecore.model.events import (
    CardPushedBack,
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
from gamecore.model.machine import State
from gamecore.model.outputs import Advised, Implied
from gamecore.model.places import BURN, Place
from gamecore.model.state import Suspicion, TableState
from gamecore.phases import betting, closing, offers


def sound(t: TableState, card: Card, told: Place | None, *, face_up: bool) -> bool:
    """Count a card that left the shoe, told to lie somewhere or not; False if it ends the round and is laid nowhere."""
    t.shuffled = False
    proof = t.cards.draw(card)
    if (proof is not None or face_up or t.unshuffled or card.face == "??") and not _judged(
        t, card, proof, (told,) if told is not None else _due(t), face_up=face_up
    ):
        return False
    t.dealt_order.append(card)
    if t.watch is not None:
        watch_order(t, card, t.watch)
    return True


def _judged(t: TableState, card: Card, proof: str | None, place: tuple[Place, ...], *, face_up: bool) -> bool:
    """State what is wrong with a card; False if it ends the round."""
    if proof is not None:
        t.suspect(proof, places=place, cards=(card,))
        t.loose.append(card)
        return False
    if t.unshuffled and t.round_is_on:
        if any(finding.code == "unshuffled-cards" and finding.stands for finding in t.round.findings):
            touch.void(t, t.unshuffled)
        else:
            t.suspect("unshuffled-cards", places=place, cards=(card,))
        t.loose.append(card)
        return False
    if face_up:
        first = not t.round_is_on or all(drawn.place == BURN for drawn in t.round.draws)
        t.suspect("face-up-card", "first card" if first else "later card", place, (card,))
    if not card.readable:
        t.suspect("unreadable-card", places=place, cards=(card,))
    return True


def watch_order(t: TableState, card: Card, watch: Watch) -> None:
    """Hold the order of the cards against a fair shuffle, for as many cards as it takes to find what can be found."""
    verdict = watch.see(card)
    if verdict is Verdict.ALARM:
        t.suspect("unshuffled-cards", "suspected", _due(t), (card,))
    elif verdict is Verdict.ADVISORY:
        t.out.append(Advised(f"the cards may not be shuffled: {watch.explains}"))
    if watch.over:
        t.watch = None


def first_card(t: TableState) -> None:
    """The first card of a round, laid anew or not: the cutting card must not have come out in an earlier one."""
    told = any(finding.code == "cut-card-passed" and finding.stands for finding in t.round.findings)
    if t.cut_card_round and t.cut_card_round < t.round.number and t.config.watches and not told:
        case = "manual" if t.config.shuffling == "manual" else "machine"
        t.suspect("cut-card-passed", case)


def cards_pulled(t: TableState, event: CardsPulled) -> None:
    """Several cards left the shoe in one pull."""
    end_rights(t)
    t.shuffled = False
    if not _sound_pull(t, event):
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
    if len(event.cards) == 1 or event.ordered:
        t.in_hand.append(event.cards[0])
        if len(event.cards) > 1:
            t.next_cards.extend(event.cards[1:])
            fact = Suspicion("card-in-error", "", _due(t), event.cards, kind="ordered")
            t.suspicions.append(fact)
        return
    _order_unknown(t, event)


def _sound_pull(t: TableState, event: CardsPulled) -> bool:
    """Count every card of a pull; False if one of them ends the round."""
    proofs = [(t.cards.draw(card), card) for card in event.cards]
    for proof, card in proofs:
        if proof is not None:
            t.suspect(proof, cards=(card,))
    if any(proof for proof, _ in proofs):
        return False
    for card in event.cards:
        if not card.readable:
            t.suspicions.append(Suspicion("unreadable-card", "", _due(t), (card,), kind="pulled"))
        if event.ordered:
            t.dealt_order.append(card)
            if t.watch is not None:
                watch_order(t, card, t.watch)
    return True


def _order_unknown(t: TableState, event: CardsPulled) -> None:
    """State a double draw: how many cards are disclosed, and on whose hand (MBS 5.23, RWS 5.12)."""
    hidden = list(event.cards)
    for card in event.shown:
        hidden.remove(card)
    if not t.round_is_on:
        t.next_cards.extend(event.cards)
    ordered = (*event.shown, *hidden)
    shown = len(event.shown)
    case = "none disclosed" if shown == 0 else "one disclosed" if shown == 1 else "more disclosed"
    fact = Suspicion("double-draw", case, cards=ordered, kind="shown" if shown else "", amount=shown)
    t.suspicions.append(pulled.aim(t, fact))


def _due(t: TableState) -> tuple[Place, ...]:
    return (t.next_place,) if t.next_place is not None else ()


def card_pushed_back(t: TableState, event: CardPushedBack) -> None:
    """A card is in the shoe again, which no clause provides for: it will come out once more."""
    t.cards.pushed_back(event.card)
    for held in (t.in_hand, t.next_cards):
        if event.card in held:
            held.remove(event.card)
            break
    t.suspect("uncovered", places=_due(t), cards=(event.card,))


def shoe_opened(t: TableState, _event: ShoeOpened) -> None:
    """The shoe is opened to be loaded, between rounds or where cards run out; else no clause provides for it."""
    if t.round_is_on and not any(matter.procedure == "riffle" for matter in t.matters):
        t.suspect("uncovered", places=_due(t))


def shoe_empty(t: TableState, _event: ShoeEmpty) -> None:
    """A card was asked of an empty shoe."""
    if not any(matter.procedure == "riffle" for matter in t.matters):
        case = "manual" if t.config.shuffling == "manual" else "machine"
        t.suspect("insufficient-cards", case, _due(t))


def shoe_counted(t: TableState, event: ShoeCounted) -> None:
    """The shoe's count is held against the remainder."""
    proof = t.cards.shoe_counted(event.count)
    if proof is not None:
        t.suspect(proof)


def discard_counted(t: TableState, event: DiscardCounted) -> None:
    """The discard holder's count is held against the cards that are out, between rounds."""
    proof = None if t.round_is_on else t.cards.discard_counted(event.count)
    if proof is not None:
        t.suspect(proof)


def cutting_card_out(t: TableState, _event: CuttingCardOut) -> None:
    """The cutting card came out: in this round, or before the first card of the next."""
    t.cut_card_round = max(t.round.number, 1)


def shuffled(t: TableState, _event: Shuffled) -> None:
    """The cards were shuffled."""
    t.shuffled = True


def loaded(t: TableState, event: Loaded) -> None:
    """Cards were loaded: a new shoe, or in mid-round the riffled discards (MBS 5.19)."""
    riffle = next((matter for matter in t.matters if matter.procedure == "riffle"), None)
    on_table = Counter(drawn.card.face for drawn in t.round.draws) if t.round_is_on else Counter[str]()
    proof = t.cards.loaded(event.count, on_table)
    if proof is not None and not t.cards.continuous:
        t.suspect(proof)
    elif proof is None:
        t.set_in_doubt = ""
    t.unshuffled = ""
    if not t.shuffled and not t.cards.continuous:
        t.suspect("unshuffled-cards")
    elif t.rounds:
        _leave_behind(t)
    t.cut_card_round = 0
    previous, t.dealt_order = t.dealt_order, []
    t.watch = None
    if riffle is not None:
        t.cut_card_round = t.round.number  # the cards are shuffled again after this round (5.19.1)
        cards_at_issue.go_on(t, riffle)
        return
    if t.config.watches and not t.cards.continuous:
        t.watch = Watch(t.rules.ranks.value, t.config.decks, previous)
    if not t.round_is_on or t.machine.state in {State.BETTING, State.BETS_CLOSED}:
        t.burn_due = t.config.burn and not t.cards.continuous
        if t.machine.state is State.BETS_CLOSED:
            t.expect(*t.round.deal[0])
        else:
            t.expect_nothing()


def _leave_behind(t: TableState) -> None:
    """Shuffled after all: no coming round is void, so the finding stays with the round before."""
    mended = [finding for finding in t.waiting if finding.code == "unshuffled-cards"]
    t.rounds[-1].findings.extend(mended)
    t.waiting = [finding for finding in t.waiting if finding not in mended]


# --- power and links -----------------------------------------------------------------------------------------------


def power_cut(_t: TableState, _event: PowerCut) -> None:
    """The power is gone; what it means is judged when it is back."""


def power_on(t: TableState, _event: PowerOn) -> None:
    """The power is back: in mid-round this is the power failure of the rules."""
    if t.round_is_on:
        t.suspect("power-failure", desk.power_case(t))


def restarted(_t: TableState, _event: Restarted) -> None:
    """The software came back and the round goes on."""


def link_lost(t: TableState, event: LinkLost) -> None:
    """A device does not answer."""
    t.away.add(event.device)
    t.suspicions.append(Suspicion("link-lost", kind=event.device))


def link_back(t: TableState, event: LinkBack) -> None:
    """A device answers again; what it has kept arrives in order."""
    t.away.discard(event.device)
    if event.device == sensing.HUB:
        t.misread.clear()
