"""Cards leave the shoe and are laid.

1. Cards are never refused. A card at its proper place moves the round on; any other is stated for judgement and counts
   nowhere until that is carried out.
2. The first card of a round closes bets that are still open; a card dealt while an offer is open closes that. Neither
   is an irregularity; both are recorded as implied. A burn closes nothing.
3. A card drawn between rounds is the burn if one is due, else a card in error, which is the next card dealt.
4. In a Player's turn a card laid at the hand whose turn it is means hit.
5. Shoe and table report a card separately. Whichever comes first waits for the other.
6. Where places are not sensed, the place that a person tells is believed (`gamecore.phases.told`). Where the sensor of
   a place is wrong, a card that is due there is presumed to lie there, unless another place reports it.
7. A card drawn while the round is held joins the open matter.
"""

from __future__ import annotations

from gamecore.cards import sensing
from gamecore.irregularities import cards_at_issue, desk, detectors, order, player_options, repair, reports
from gamecore.irregularities.matter import end_rights
from gamecore.model.cards import UNREAD, Card
from gamecore.model.events import CardDrawn, CardLaid, CardMoved, CardsTurned, SensorWrong
from gamecore.model.hands import Hand
from gamecore.model.machine import State
from gamecore.model.outputs import Implied
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.round import Drawn
from gamecore.model.state import Matter, Suspicion, TableState
from gamecore.phases import betting, closing, dealer, offers, shoe, told, turns


def card_drawn(t: TableState, event: CardDrawn) -> None:
    """A card left the shoe; where places are not sensed, it is credited at once."""
    card = event.card
    if t.rights:
        end_rights(t)
    if t.config.watches and not shoe.sound(t, card, event.told, face_up=event.face_up):
        return
    if not t.round_is_on and t.next_place is None:
        t.next_cards.append(card)
        t.suspect("card-in-error", places=(event.told,) if event.told is not None else (), cards=(card,))
        return
    if (t.next_cards or t.pulls) and t.round_is_on and not t.matters:  # others were to be dealt before it
        t.next_cards.append(card)
        if t.senses_places:
            t.loose.append(card)  # where it lies changes nothing
        t.suspicions.append(Suspicion("card-in-error", cards=(card,), kind="ordered"))
        return
    if t.senses_places and not (t.misread and sensing.misread(t, next_place(t))):
        t.in_hand.append(card)
        return
    place = event.told or next_place(t)
    if place is not None:
        lay(t, card, place, exposed=event.exposed)
    else:  # nobody was due a card, and nobody says where it lies
        t.next_cards.append(card)
        t.suspect("card-in-error", cards=(card,))


def next_place(t: TableState) -> Place | None:
    """Where the next card belongs; while bets are open, the first box with a wager."""
    if t.next_place is None and t.machine.state is State.BETTING:
        return min((Place(number) for number, box in t.round.boxes.items() if box.mains), default=None)
    return t.next_place


def card_laid(t: TableState, event: CardLaid) -> None:
    """A card lies at a place; where places only count, it is the one that can be meant."""
    card = event.card
    if t.misread and _overruled(t, event):
        return
    if t.counts_only and card is UNREAD and card not in t.in_hand:
        meant = _meant(t, event)
        if meant is None:
            return
        card = meant
    if card in t.in_hand:
        t.in_hand.remove(card)
        lay(t, card, event.place, exposed=event.exposed)
    elif (card, event.place.box) in t.ruled:
        t.ruled.remove((card, event.place.box))
    elif card in t.next_cards:
        _lay_next(t, card, event)
    elif t.matters and card in t.matters[0].cards:
        _lay_pulled(t, card)
    elif card in t.loose:
        t.loose.remove(card)
    elif any(card in pull.cards for pull in t.pulls):  # it lies somewhere, and still waits to be judged
        return
    else:
        t.laid_first.append(event)


def _overruled(t: TableState, event: CardLaid) -> bool:
    """Whether a report is disregarded, its sensor being wrong, or says that a card lies elsewhere than was presumed.

    That a card which waits lies where it is due needs no sensor.
    """
    if sensing.misread(t, event.place):
        out = [*t.in_hand, *t.next_cards, *(t.matters[0].cards if t.matters else ())]
        waits = event.card in out or (t.counts_only and event.card is UNREAD and bool(out))
        return not (waits and _proper(next_place(t), event.place))
    if event.card in t.in_hand:
        return False
    presumed = next((d.place for d in reversed(t.round.draws) if d.card == event.card), None)
    if presumed is None or not sensing.misread(t, presumed):
        return False
    desk.card_moved(t, CardMoved(event.card, presumed, event.place))
    return True


def sensor_wrong(t: TableState, command: SensorWrong) -> None:
    """What lies at a place is told from now on, and a card that was on its way there has arrived; a device's fault."""
    t.misread.add(command.place.box)
    t.suspicions.append(Suspicion("uncovered", reports.SENSOR, (command.place,)))
    while t.in_hand and (due := next_place(t)) is not None and sensing.misread(t, due):
        lay(t, t.in_hand.pop(0), due)


def _lay_next(t: TableState, card: Card, event: CardLaid) -> None:
    """One of the cards that wait to be dealt is laid; before its turn it is a card that nobody was due."""
    index = t.next_cards.index(card)
    if not t.round_is_on or (index and (t.matters or card in t.loose)):  # it lies somewhere, and still waits
        if card in t.loose:
            t.loose.remove(card)
        return
    t.next_cards.remove(card)
    if not index:
        end_rights(t)
        lay(t, card, event.place, exposed=event.exposed)
        return
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    if t.machine.state in {State.PLAYER_TURN, State.DEALER_TURN, State.SETTLEMENT}:
        closing.further_card(t)
    repair.lay_stray(t, card, event.place, index)
    t.suspect("card-in-error", places=(event.place,), cards=(card,))


def _meant(t: TableState, event: CardLaid) -> Card | None:
    """Which card a place has counted: the only one that is out, or the one that the pit names.

    With several different cards out, each assignment is a possible history. They differ in which card lies here, so
    that is the one question that tells them apart.
    """
    out = t.in_hand or t.next_cards or (t.matters[0].cards if t.matters else [])
    faces = list(dict.fromkeys(out))
    if len(faces) == 1:
        return faces[0]
    if len(faces) > 1 and not t.matters:
        t.suspicions.append(Suspicion("unreadable-card", "", (event.place,), tuple(faces), kind="which"))
    else:
        t.laid_first.append(event)
    return None


def match_waiting(t: TableState) -> bool:
    """Lay a card whose place was heard before the shoe, now that the shoe has named it; False if there is none."""
    for laid in t.laid_first:
        if laid.card is UNREAD and t.counts_only:
            known = not t.matters and len(set(t.in_hand)) == 1
        else:
            known = any(laid.card in out for out in (t.in_hand, t.loose, t.next_cards))
        if known:
            t.laid_first.remove(laid)
            card_laid(t, laid)
            return True
    return False


def _lay_pulled(t: TableState, card: Card) -> None:
    """A card of a pull is laid: where nobody must choose, the first of them goes where a card is due (MBS 5.23.2)."""
    matter = t.matters[0]
    if matter.step == "lay" and matter.cards[0] == card:
        t.returning.append((matter.cards.pop(0), t.next_place))
        t.next_cards.extend(matter.cards)
        matter.cards = []
        t.matters.remove(matter)
        if not t.matters:
            t.enter(f"resume_{t.held_from.name.lower()}")
        lay_returning(t)
        t.ruled.clear()


def lay_returning(t: TableState) -> None:
    """Lay what a ruling has given back, each card where it is due or where the ruling says.

    One whose Player has left is the next card, before those that left the shoe after it.
    """
    left = []
    while t.returning and not t.matters and t.round_is_on:
        turns.pass_on(t)
        card, place = t.returning.pop(0)
        due = t.next_place
        target = place if place is not None else due
        hand = t.round.hand_at(place) if place is not None else None
        if target is None or (hand is not None and hand.stakes and not hand.in_play):
            left.append(card)
            if t.machine.state is State.PLAYER_TURN and not turns.point_to_first(t):
                turns.finish(t)
            continue
        if due is not None and _proper(due, target):
            t.ruled.append((card, target.box))
            lay(t, card, target)
        else:
            repair.credit(t, card, target)
            cards_at_issue.look_anew(t)
    t.next_cards[:0] = left


def lay_again(t: TableState) -> None:
    """Lay cards as they lie, now that play goes on: judged like any other, or as the next cards where none was due.

    One that joined a matter comes after the next cards, which left the shoe before it (RWS 5.12).
    """
    while t.relaid and not t.matters and t.round_is_on and not t.suspicions:
        card, place, judged = t.relaid.pop(0)
        if judged or (not t.next_cards and _proper(t.next_place, place)):
            lay(t, card, place)
        else:
            t.next_cards.append(card)


def _join_matter(t: TableState, card: Card, place: Place) -> None:
    """A card is laid while the round is held: it counts nowhere until that is decided."""
    if t.held_from is State.BETS_CLOSED and place != BURN:
        shoe.first_card(t)
    matter = t.matters[0]
    if not card.readable and matter.finding.code == "unreadable-card":
        matter.finding.places = (place,)
    if not repair.lay_first(t, matter, card, place):
        repair.lay_stray(t, card, place)
    if matter.finding.ruling == "discard" and _goes_with_it(t, matter, place):
        matter.cards.append(card)
        matter.places = (*matter.places, place)
    for matter in t.matters:
        matter.finding.moves = repair.remaining(t, matter) or matter.finding.moves


def lay(t: TableState, card: Card, place: Place, *, exposed: bool = False) -> None:
    """Credit a card to its place and move the round on."""
    if t.matters:
        _join_matter(t, card, place)
        return
    if not t.senses_places and told.belated(t, place):
        told.complete_deal(t, card, place)
        return
    if not _proper(t.next_place, place):
        _imply(t, place)
        if not _proper(t.next_place, place):
            if not t.senses_places:
                told.believe(t, card, place, exposed=exposed)
            elif _completes_first(t, place):
                _advance(t, card, t.round.hand_at(place), exposed=exposed)
            else:
                _astray(t, card, place)
            return
    if t.next_place == BURN:
        _burn(t, card)
        return
    _advance(t, card, t.next_hand, exposed=exposed)


def _goes_with_it(t: TableState, matter: Matter, place: Place) -> bool:
    """Whether a card is discarded with others: at the same place, or at an area without a wager (MBS 5.7, 5.15)."""
    unwagered = place.box > 0 and not detectors.wagered(t.round, place.box)
    return unwagered or place.box in {there.box for there in matter.places}


def _proper(due: Place | None, place: Place) -> bool:
    """Whether a card may lie there now; a place without a hand number is the hand whose turn it is."""
    if due is place:
        return True
    return due is not None and place.box == due.box and place.hand in (0, due.hand or 1)


def _completes_first(t: TableState, place: Place) -> bool:
    """Whether the Player who acts completes the hand before the Dealer's late first card (MBS 5.12.1)."""
    turn = t.round.turn
    return t.dealer_owed and turn is not None and _proper(turn.place_of(t.round.turn_hand), place)


def _imply(t: TableState, place: Place) -> None:
    """Close what a card closes: bets, for any card but a burn; offers, wherever the card lies."""
    if t.machine.state is State.OFFERS:
        offers.leave(t)
    if t.machine.state is State.BETTING and place.box >= 0 and any(box.mains for box in t.round.boxes.values()):
        t.out.append(Implied("close bets"))
        betting.close_bets(t)


def _astray(t: TableState, card: Card, place: Place) -> None:
    """A card lies where none was due: kept apart, and stated for judgement."""
    state, due, game_round = t.machine.state, t.next_place, t.round
    pending = True  # whether a card was due at all: in a Player's turn only when one was asked for
    if not t.round_is_on:
        t.next_cards.append(card)
        t.suspect("card-in-error", places=(place,), cards=(card,))
        return
    if state is State.BETS_CLOSED:
        shoe.first_card(t)
    if state in {State.BETTING, State.BETS_CLOSED, State.INITIAL_DEAL}:
        fact = detectors.in_initial_deal(game_round, due, place) if due is not None else ("card-in-error", "")
        game_round.burn_was_due = game_round.burn_was_due or due == BURN
    else:
        closing.further_card(t)
        if game_round.turn is not None:
            pending = game_round.turn.hands[game_round.turn_hand].awaits_card
            fact = detectors.in_players_turn(t.rules, game_round, place, pending=pending)
        elif due is not None:
            fact = detectors.in_dealers_turn(game_round, place)
        else:
            fact = detectors.nobody_due(t.rules, game_round, place)
    was_due = due if pending else None
    game_round.draws.append(Drawn(card, place, was_due, credited=False, subsequent=game_round.subsequent))
    bites = (due,) if fact[0] in {"dealer-not-dealt", "hand-skipped"} and due is not None else (place,)
    t.suspect(fact[0], fact[1], bites, (card,))


def _burn(t: TableState, card: Card) -> None:
    """The burn: the first card of a fresh shoe (MBS 5.21)."""
    t.burned.append(card)
    t.burn_due = False
    if t.round_is_on:
        t.round.draws.append(Drawn(card, BURN, BURN))
        t.round.burn_was_due = True
    if t.machine.state is State.BETS_CLOSED:
        t.expect(*t.round.deal[t.round.dealt])
    else:
        t.expect_nothing()


def _advance(t: TableState, card: Card, hand: Hand | None, *, exposed: bool) -> None:
    """Lay a card at the hand that it is due to."""
    state = t.machine.state
    if hand is None:
        _astray(t, card, t.next_place or DEALER)
        return
    if state is State.BETS_CLOSED:
        t.enter("deal_first_card")
        shoe.first_card(t)
        state = State.INITIAL_DEAL
    elif state is State.OFFERS:
        offers.leave(t)
        state = t.machine.state
    hand.add(card)
    game_round = t.round
    if state is State.INITIAL_DEAL:
        _deal_on(t, card, hand, exposed=exposed)
        return
    due = t.next_place
    game_round.draws.append(Drawn(card, due or DEALER, due, subsequent=True))
    if t.dealer_owed and hand is game_round.dealer:
        if card.readable:  # else it has come when the pit has named it
            player_options.dealer_received(t)
        return
    closing.further_card(t)
    t.last_doubled = None
    t.just_split = False
    if state is State.DEALER_TURN:
        dealer.after_card(t)
    else:
        if not exposed and game_round.turn is not None and game_round.turn.squeeze:
            hand.face_down.append(card)
        turns.after_card(t, hand)


def _deal_on(t: TableState, card: Card, hand: Hand, *, exposed: bool) -> None:
    """One card of the initial deal is where it belongs."""
    game_round = t.round
    place = t.next_place or game_round.deal[game_round.dealt][0]
    game_round.draws.append(Drawn(card, place, place if t.senses_places else order.intended(t)))
    if game_round.squeezed and not exposed:
        box = game_round.boxes.get(place.box)
        if box is not None and box.squeeze:
            hand.face_down.append(card)
    game_round.dealt += 1
    if not t.senses_places:
        told.next_of_deal(t, place)
        return
    if game_round.findings and not t.returning:
        repair.skip_invalidated(t)
    if game_round.dealt < len(game_round.deal):
        t.next_place, t.next_hand = game_round.deal[game_round.dealt]
    else:
        offers.begin(t)


def cards_turned(t: TableState, event: CardsTurned) -> None:
    """The face-down cards of a box were turned (RWS 3.12)."""
    box = t.round.boxes.get(event.box)
    for hand in box.hands if box is not None else []:
        hand.face_down.clear()
