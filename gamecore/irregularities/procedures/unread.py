"""Cards that nobody can name, and an order that nobody believes: the pit is asked.

1. The pit is asked to name an unreadable card (MBS 6.1, RWS 5.13.1); between rounds only one that will be dealt, else
   the finding is only listed. The round is held only where the value can matter: not for a burn, nor for a card that is
   discarded whatever it is, nor before a next card is dealt. There the question stands beside the play.
2. Named, the card counts as that, before anybody says whether to go on after a power failure that came later (MBS
   5.29.1). If nobody can name it and it matters, MBS refers it (6.1), RWS voids (5.13.2).
3. A card that the table can read where the shoe could not needs no answer any more.
4. Where places only count and several cards are out, the pit says which one lies at the place.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.cards.difference import show_moves
from gamecore.cards.queries import is_stray, strays
from gamecore.irregularities import wager_effects
from gamecore.irregularities.matter import ask, close, go_on, hold
from gamecore.model.cards import Card, CardError, card
from gamecore.model.events.facts import CardFact, CountedCard, cards_of
from gamecore.model.matters import Demand, Matter
from gamecore.model.places import BURN
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.steps import Procedure
from gamecore.phases.cards import shoe
from gamecore.phases.cards.deal import lay_relaid_cards
from gamecore.rules.ruleset import SILENT
from gamecore.standing.asked import has_nothing_left

UNREADABLE = "unreadable-card"
_NO_VALUE = frozenset({Role.BURNT, Role.OUT, Role.BACK})


def pit_value(t: TableState, matter: Matter) -> None:
    """Ask the pit to name the card (MBS 6.1, RWS 5.13.1)."""
    will_be_dealt = isinstance(matter.fact, CardFact) and matter.fact.record.role is Role.NEXT
    if not t.round_is_on and not will_be_dealt:
        return
    matter.joined = any(other.finding.event < matter.finding.event for other in t.hold.matters)
    records = cards_of(matter.fact)
    if records and not isinstance(matter.fact, CountedCard) and not any(_matters(t, record) for record in records):
        t.hold.beside.append(matter)
    else:
        hold(t, matter)
    named = tuple(str(record.card) for record in records) if isinstance(matter.fact, CountedCard) else ("CARD",)
    ask(t, matter, "pit", (*named, "unknown"), matter.finding.clause)


def _matters(t: TableState, record: CardRecord) -> bool:
    """Whether the value of a card can matter: not of a burn, nor of one that is out of play or that nobody was due."""
    if record.role in _NO_VALUE:
        return False
    if record.role is Role.ARRIVING and record.felt is None:
        return t.next_place not in {None, BURN}
    if record.role is Role.WAITING and record.felt is None and record.finding is None:  # one of a pull
        return not shoe.pull_is_discarded(t)
    return not (record.role is Role.NEXT and not t.round_is_on)


def hold_what_matters_now(t: TableState) -> bool:
    """Hold the round for a card whose value was open beside the play and counts for a hand now; False if none."""
    for matter in t.hold.beside:
        dealt = any(record.role is Role.ON_HAND and not record.card.readable for record in cards_of(matter.fact))
        if dealt and matter.asks and not t.hold.matters:
            t.hold.beside.remove(matter)
            hold(t, matter)
            return True
    return False


def close_named(t: TableState) -> bool:
    """Close a question about a card that the table has read since; False if there is none."""
    for matter in (*t.hold.matters, *t.hold.beside):
        records = cards_of(matter.fact)
        if matter.finding.code != UNREADABLE or isinstance(matter.fact, CountedCard) or not records or not matter.asks:
            continue
        if all(record.card.readable for record in records):
            matter.asks.clear()
            _take_up(t, matter, records[0])
            return True
    return False


def pit_value_answered(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Named: the card counts as that. Unknown: MBS refers, RWS voids (5.13.2), unless the value cannot matter."""
    matter.asks.clear()
    if what == ("unknown",) and matter in t.hold.beside:
        t.hold.beside.remove(matter)
        return
    if what == ("unknown",):
        _unknown(t, matter)
        return
    if what == ("void",):
        wager_effects.void(t, matter, t.rules.clauses.general, word=True)
        return
    named = card(what[0]) if what != ("continue",) else None
    if named is None and t.round.dealer.cards:
        t.turn.dealer_owed = False
    record = next((r for r in _unread(t, matter) if not isinstance(matter.fact, CountedCard) or r.card == named), None)
    if isinstance(matter.fact, CountedCard):
        if record is not None:
            whereabouts.lay(record, matter.places[0])
            if record.role is Role.ARRIVING:
                whereabouts.mark_relaid(t.round, record, judged=True)
            whereabouts.bring_home(record)  # one that is next is being dealt, wherever it lay
        close(t, matter)
        return
    if named is not None and record is not None:
        shoe.name_card(t, record, named)
    _take_up(t, matter, record)


def _unread(t: TableState, matter: Matter) -> list[CardRecord]:
    """The cards that the question is about: those of the finding, else, where a person reported it, any unread one."""
    records = cards_of(matter.fact)
    if records:
        return [record for record in records if record.role is not Role.BACK]
    return [record for record in t.round.records if not record.card.readable and record.role is not Role.BACK]


def _unknown(t: TableState, matter: Matter) -> None:
    void = t.rules.clauses.unreadable_void
    if void != SILENT:
        matter.finding.ruling, matter.finding.clause = "void", void
        wager_effects.void(t, matter, void, word=True)
        return
    matter.finding.ruling = "refer"
    ask(t, matter, "house", ("continue", "void"), t.rules.clauses.general)


def _take_up(t: TableState, matter: Matter, record: CardRecord | None) -> None:
    """The card counts where it lies, if no other ruling says where it belongs."""
    if record is not None:
        owed = t.turn.dealer_owed and record.role is Role.ON_HAND and record.hand is t.round.dealer
        others = matter.joined or any(_lays_cards(other) for other in t.hold.matters)
        if owed or (is_stray(record) and not others):
            whereabouts.mark_relaid(t.round, record, judged=True)
        elif others:
            show_moves(t)
    if matter in t.hold.beside:
        t.hold.beside.remove(matter)
        return
    go_on(t, matter)
    if t.hold.matters and all(_came_after(other, matter) for other in t.hold.matters):
        _deal_before_they_answer(t)


def _came_after(other: Matter, matter: Matter) -> bool:
    """Whether Players are asked to go on because of something that came when the card had been dealt."""
    return other.procedure is Procedure.WITHDRAW_OPTION and other.finding.event > matter.finding.event


def _deal_before_they_answer(t: TableState) -> None:
    """The card counts at once: whether to go on is asked of hands that have it, of nobody whose wager it has lost."""
    open_still, t.hold.matters = t.hold.matters, []
    t.enter(f"resume_{t.hold.held_from.name.lower()}")
    lay_relaid_cards(t)
    for other in open_still:
        hold(t, other)
        other.asks = [question for question in other.asks if not has_nothing_left(t, question.who)]
    for other in open_still:
        if not other.asks:
            go_on(t, other)


def _lays_cards(matter: Matter) -> bool:
    """Whether a matter says where cards belong that were laid while it is open."""
    return matter.finding.code != UNREADABLE and (
        matter.demand is not Demand.NOTHING or matter.finding.code in {"double-draw", "hand-skipped", "card-in-error"}
    )


def is_card(text: str) -> bool:
    """Whether an answer names a card."""
    try:
        return _read(text).points > 0
    except CardError:
        return False


def _read(text: str) -> Card:
    return card(text)


# --- the order of the cards ----------------------------------------------------------------------------------------


def pit_shuffled(t: TableState, matter: Matter) -> None:
    """Ask the Pit Manager, in a round, whether the cards were shuffled: their order says that they were not."""
    if not t.round_is_on:
        return
    hold(t, matter)
    ask(t, matter, "pit", ("unshuffled", "shuffled"), matter.finding.clause)


def pit_shuffled_answered(t: TableState, matter: Matter, _who: str, what: tuple[str, ...]) -> None:
    """Unshuffled voids (MBS 5.1.1, RWS 5.5.4); shuffled lets the round go on, and what was laid meanwhile is judged."""
    matter.asks.clear()
    if what == ("unshuffled",):
        clause = t.rules.clauses.unshuffled_void
        matter.finding.ruling, matter.finding.clause = "void", clause
        wager_effects.void(t, matter, clause, word=True)
        return
    for record in strays(t) if t.hold.matters == [matter] else ():
        whereabouts.mark_relaid(t.round, record, judged=True)
    go_on(t, matter)
