"""Procedures about several cards drawn in one pull, their order unknown (MBS 5.23).

1. The card is for the hand at which the next card was due. A Player selects; at MBS a single disclosed
   card is theirs. On the Dealer's hand at MBS the Pit Manager selects, of several disclosed cards the one that is most
   detrimental to the Dealer, and a single disclosed card is the Dealer's; at RWS all are discarded (5.12.1).
2. What remains is dealt as if it were the next card (`next_cards`), except that disclosed cards which nobody chooses
   are burned (5.23.3.1) and the Dealer's other disclosed cards are discarded (5.23.4.6).
3. The cards were read by the shoe but are not shown: an undisclosed card is asked for as first, second and so on.
4. Players may withdraw until the next card is dealt (MBS 5.25).
5. Which step comes when is in `pull_steps`, what RWS does otherwise in `pulled_options`.
"""

from __future__ import annotations

from collections.abc import Callable

from gamecore.cards import whereabouts
from gamecore.cards.queries import at_issue, next_cards, settled_place, with_role
from gamecore.irregularities.matter import ask, close, give_right, go_on, hold
from gamecore.irregularities.procedures.choices import DEALT_OUT, ORDINALS, follower, offered, pick, pick_all
from gamecore.model.events.facts import cards_of
from gamecore.model.matters import Matter
from gamecore.model.places import DEALER, Place, asked_place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import Procedure, PullStep
from gamecore.phases import dealer, resume, turns
from gamecore.phases.cards.counting import point_to_next
from gamecore.phases.cards.deal import deal
from gamecore.standing import played
from gamecore.standing.asked import name_at

ACCEPT, REFUSE = "accept", "refuse"


def whose(t: TableState) -> str:
    """Who is asked: the Player at whose hand the next card is due; the pit for one who is not there."""
    place = t.next_place
    box = t.round.boxes.get(place.box) if place is not None else None
    return name_at(box, box.controller) if box is not None and not _is_absent(t, place) else "pit"


def _is_absent(t: TableState, place: Place | None) -> bool:
    """Whether the House draws for a hand (MBS 5.22, RWS 5.3): a card is due there, and nobody may refuse it."""
    hand = t.round.hand_at(place) if place is not None else None
    return hand is not None and hand.absent


def _deal(t: TableState, matter: Matter, chosen: CardRecord) -> None:
    """The chosen card goes where a card is due; the rest are the next cards."""
    _give(t, matter, chosen, t.next_place)
    leave_rest_next(t, matter)
    matter.asks.clear()
    close(t, matter)


def _give(t: TableState, matter: Matter, chosen: CardRecord, place: Place | None) -> None:
    choose_first(t, matter, chosen)
    whereabouts.give(t.round, chosen, place)


def choose_first(t: TableState, matter: Matter, chosen: CardRecord) -> None:
    """The chosen card comes before the others, and before those that left the shoe earlier and wait to be dealt."""
    out = [record for record in with_role(t, Role.ARRIVING) if record.felt is None]
    whereabouts.choose(chosen, [*out, *next_cards(t), *at_issue(t, matter.finding)])


def leave_rest_next(t: TableState, matter: Matter) -> None:
    """What is left of a pull is dealt as if it were the next card."""
    for record in at_issue(t, matter.finding):
        whereabouts.make_next(t.round, record, laid=True)


def end_selection(t: TableState, matter: Matter) -> None:
    """End a pull of which nothing can be selected any more: what is left is next."""
    matter.asks.clear()
    leave_rest_next(t, matter)
    go_on(t, matter)


# --- a Player's hand -----------------------------------------------------------------------------------------------


def select(t: TableState, matter: Matter) -> None:
    """None disclosed: the Player selects (MBS 5.23.1)."""
    matter.step = PullStep.SELECT
    _let_select(t, matter, _ask_player)


def _let_select(t: TableState, matter: Matter, ask_whom: Callable[[TableState, Matter], None]) -> None:
    """Hold the round until somebody has selected a card; every Player may withdraw meanwhile."""
    if cards_of(matter.fact):  # else a person says so, and the cards lie somewhere already
        hold(t, matter)
        ask_whom(t, matter)
    give_right(t, matter, t.rules.withdrawal.clause)


def _ask_player(t: TableState, matter: Matter) -> None:
    """Ask the Player at whose hand the next card is due for what their clause lets them choose.

    A pull in their own turn means hit. Later, one who has asked for no card may refuse it (MBS 3.28, 5.24).
    """
    hand = t.round.hand_at(t.next_place) if t.next_place is not None else None
    asked_for_none = t.hold.held_from is State.PLAYER_TURN and hand is not None and hand.stakes and not hand.awaits_card
    if matter.step is PullStep.SELECT:
        refusable = (REFUSE,) if asked_for_none and matter.finding.event != t.events else ()
        ask(t, matter, whose(t), (*ORDINALS[: len(offered(t, matter))], *refusable), matter.finding.clause)
    elif matter.step is PullStep.CHOOSE:
        refusable = () if _is_absent(t, t.next_place) else (REFUSE,)
        ask(t, matter, whose(t), (*_faces(t, matter), *refusable), matter.finding.clause)
    elif matter.step is PullStep.LAY and asked_for_none:
        ask(t, matter, whose(t), (ACCEPT, REFUSE), t.rules.clauses.refuse_card)


def _faces(t: TableState, matter: Matter) -> tuple[str, ...]:
    """The disclosed cards by their faces."""
    return tuple(str(record.card) for record in offered(t, matter))


def look_whose_card(t: TableState, matter: Matter) -> None:
    """See whether the cards of a pull are still for the hand at which one is due, and who speaks for it."""
    hand = t.round.hand_at(t.next_place) if t.next_place is not None else None
    on_dealer = hand is t.round.dealer
    if hand is None or (on_dealer and (t.hold.held_from is not State.DEALER_TURN or _dealer_draws(t))):
        return
    if on_dealer or not hand.in_play or (hand.absent and played.complete(t.rules, hand)):  # MBS 5.22
        _pass_on(t, matter)
    elif matter.asks and matter.asks[0].who != whose(t):  # another Player on the box has the control, or the House
        matter.asks.clear()
        hand.awaits_card |= hand.absent and t.hold.held_from is State.PLAYER_TURN
        _ask_player(t, matter)


def look_who_is_offered(t: TableState, matter: Matter) -> None:
    """Offer what is left to the next Player if the one who was asked has left or gone away."""
    place = asked_place(matter.asks[0].who)
    hand = t.round.hand_at(place) if place is not None else None
    if hand is not None and (hand.absent or not hand.in_play):
        matter.asks.clear()
        _offer_rest(t, matter, place)


def _pass_on(t: TableState, matter: Matter) -> None:
    """The cards are for the next hand to which one is due; one that was laid at the hand before may lie there still."""
    matter.asks.clear()
    for record in at_issue(t, matter.finding):
        whereabouts.let_lie(record)
    if not _next_hand(t):
        leave_rest_next(t, matter)
        go_on(t, matter)
        return
    if t.next_place != DEALER:
        _ask_player(t, matter)
    elif matter.step is PullStep.SELECT:
        matter.procedure, matter.step = Procedure.PIT_SELECTS, PullStep.PIT_SELECTS
        _ask_pit(t, matter)
    elif matter.step is PullStep.CHOOSE:
        matter.procedure, matter.step = Procedure.PIT_WORST, PullStep.DISCARD_REST
        _ask_pit(t, matter)


def _dealer_draws(t: TableState) -> bool:
    """Whether the Dealer needs a card, now that wagers have left the round."""
    t.round.dealer_need = dealer.need(t.rules, t.round)
    return dealer.must_draw(t.rules, t.round, t.round.dealer_need)


def _next_hand(t: TableState) -> bool:
    """Point to the hand to which a card is due, in the deal or in turn, at last the Dealer's; False if none is."""
    if t.hold.held_from not in DEALT_OUT:
        resume.skip_invalidated(t)
        if not t.fitting.senses_places:
            return resume.point_to_short(t)
        return point_to_next(t)
    if t.hold.held_from is State.PLAYER_TURN and turns.point_to_first(t):
        return True
    t.round.turn = None
    if not _dealer_draws(t):
        return False
    t.hold.held_from = State.DEALER_TURN
    t.expect(DEALER, t.round.dealer)
    return True


def selected(t: TableState, matter: Matter, what: tuple[str, ...]) -> None:
    """The selected card is theirs, the others are next. Refused: they stand (5.24), and the cards are for the next."""
    if what == (REFUSE,):
        if t.next_place is not None:
            _stand(t, t.next_place)
        _pass_on(t, matter)
        return
    picked = pick(t, matter, what[0])
    if picked is not None:
        _deal(t, matter, picked)


def disclosed(t: TableState, matter: Matter) -> None:
    """One disclosed: it is the next card, others follow (5.23.2, 5.23.4.3). Anyone who asked for none may refuse."""
    hold(t, matter)
    matter.step = PullStep.LAY
    _ask_player(t, matter)
    give_right(t, matter, t.rules.withdrawal.clause)


def disclosed_answered(t: TableState, matter: Matter, what: tuple[str, ...]) -> None:
    """Refused: the Player stands (5.24), and the cards are the next cards. Else the first is dealt."""
    matter.asks.clear()
    if what != (REFUSE,):
        _deal(t, matter, at_issue(t, matter.finding)[0])
        return
    if t.next_place is not None:
        _stand(t, t.next_place)
    leave_rest_next(t, matter)
    go_on(t, matter)


def laid(t: TableState, matter: Matter) -> None:
    """Deal the first card of the pull where one is due: the cards lie as the ruling says."""
    waiting = at_issue(t, matter.finding)
    if waiting and not matter.asks:
        if t.next_place is not None:
            whereabouts.presume(waiting[0], settled_place(t.round, t.next_place))
        _deal(t, matter, waiting[0])


def choose(t: TableState, matter: Matter) -> None:
    """More than one disclosed: the Player selects the card or cards they wish (MBS 5.23.3)."""
    hold(t, matter)
    matter.step = PullStep.CHOOSE
    _ask_player(t, matter)
    give_right(t, matter, t.rules.withdrawal.clause)


def chosen(t: TableState, matter: Matter, place: Place | None, what: tuple[str, ...]) -> None:
    """What the Player at a place takes is theirs; the rest is offered on, and burned if that one declines (5.23.3.1).

    Anyone who refuses every card stands on the hand they have (5.24). A card that nobody has seen is then the next one.
    """
    matter.asks.clear()
    takes = pick_all(t, matter, tuple(word for word in what if word != REFUSE))
    first = matter.step is PullStep.CHOOSE
    dealing = t.hold.held_from not in DEALT_OUT
    for picked in takes:
        _give(t, matter, picked, place)
        if not dealing and place is not None:
            deal(t, picked, t.round.hand_at(place), place)
    if not takes and not dealing and place is not None and not _is_absent(t, place):
        _stand(t, place)
    _offer_rest(t, matter, place if first else None)


def _offer_rest(t: TableState, matter: Matter, place: Place | None) -> None:
    """Offer what is left to the next Player after a place; without one it is burned (5.23.3.1)."""
    name = follower(t, place) if offered(t, matter) else None
    if name is not None:
        matter.step = PullStep.OFFERED_ON
        ask(t, matter, name, (*_faces(t, matter), REFUSE), t.rules.clauses.offered_on)
        return
    for record in offered(t, matter):
        whereabouts.burn(record, matter.finding)
    leave_rest_next(t, matter)
    go_on(t, matter)


def _stand(t: TableState, place: Place) -> None:
    """Let a hand stand whose Player refuses a card (MBS 5.24)."""
    hand = t.round.hand_at(place)
    if hand is not None:
        hand.stood, hand.awaits_card = True, False


# --- the Dealer's hand ---------------------------------------------------------------------------------------------


def pit_selects(t: TableState, matter: Matter) -> None:
    """None disclosed on the Dealer's hand: the Pit Manager selects (MBS 5.23.4.1)."""
    matter.step = PullStep.PIT_SELECTS
    _let_select(t, matter, _ask_pit)


def pit_worst(t: TableState, matter: Matter) -> None:
    """Both disclosed: the Pit Manager selects the card most detrimental to the Dealer (MBS 5.23.4.5)."""
    hold(t, matter)
    matter.step = PullStep.DISCARD_REST
    matter.places = (DEALER,)
    _ask_pit(t, matter)
    give_right(t, matter, t.rules.withdrawal.clause)


def _ask_pit(t: TableState, matter: Matter) -> None:
    """The Pit Manager is shown what is disclosed, and else counts the cards."""
    seen = matter.step is PullStep.DISCARD_REST
    options = _faces(t, matter) if seen else ORDINALS[: len(offered(t, matter))]
    ask(t, matter, "pit", options, matter.finding.clause)


def pit_selected(t: TableState, matter: Matter, what: tuple[str, ...]) -> None:
    """The selected card is the Dealer's; of two disclosed ones the other is discarded (5.23.4.6)."""
    picked = pick(t, matter, what[0])
    if picked is None:
        return
    if matter.step is PullStep.DISCARD_REST:
        for record in offered(t, matter):
            if record is not picked:
                whereabouts.discard(t.round, record, matter.finding)
    _deal(t, matter, picked)
