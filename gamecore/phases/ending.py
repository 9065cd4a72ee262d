"""The end of a round; nothing else ends one.

1. A round is settled by the Dealer, concluded when every wager has gone back, or void by a ruling. Each closes what was
   open, and no card that was out counts for anything in it any more.
2. Settled: cards that were set aside to be dealt next stay so for the following round (MBS 5.8, 5.23.4.2), and one that
   lies nowhere was drawn in error. Concluded: next cards and cards of an open pull stay next (MBS 5.23.2.1), and the
   rest is cleared away. Void: whatever was out is cleared away.
3. A round that an earlier edition has judged ends as its record says (`end_as_kept`): what was paid is paid.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.cards.collecting import collect_cards
from gamecore.cards.difference import is_playing_area
from gamecore.model.events.facts import CardFact
from gamecore.model.events.outputs import Row, Settled
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Round
from gamecore.model.state import TableState
from gamecore.phases import limits
from gamecore.settlement import settle as settlement

_SET_ASIDE = frozenset({Role.NEXT, Role.GIVEN, Role.RELAID, Role.WAITING, Role.ARRIVING})


def report_unexplained(t: TableState) -> bool:
    """State every card on a playing area that no shoe has dealt; False if there is none.

    The shoe has had until now to name it. The shift manager decides before money moves.
    """
    if not t.round.out_of_order:
        return False
    lying = [r for r in t.round.records if r.role is Role.ARRIVING and not r.from_shoe and r.felt is not None]
    found = [record for record in lying if record.felt is not None and is_playing_area(t, record.felt)]
    for record in found:
        whereabouts.put_out(t.round, record)
        t.suspect(CardFact("uncovered", record, (record.felt,) if record.felt is not None else ()))
    return bool(found)


def settle(t: TableState) -> None:
    """Settle every wager, and complete the round."""
    game_round = t.round
    for record in game_round.records:
        if record.role is Role.ARRIVING and record.from_shoe:
            t.suspect(CardFact("card-in-error", record))
            whereabouts.make_next(game_round, record)
    for pull in t.hold.pulls:
        for record in game_round.records:
            if record.role is Role.WAITING and record.finding is pull.finding:
                whereabouts.make_next(game_round, record)
    if game_round.squeezed:
        for box in game_round.order:
            for hand in box.hands:
                whereabouts.turn_up(hand)
    rows = settlement.settle(t.rules, game_round)
    game_round.final = True
    _end(t, "settle", "settled", rows)
    limits.remember_paid(t)


def conclude(t: TableState) -> None:
    """End a round in which every wager has gone back. Cards of a pull stay next (MBS 5.23.2.1)."""
    rows = settlement.settle(t.rules, t.round)
    kept = [record for record in t.round.records if record.role is Role.NEXT or _is_pulled(t, record)]
    _clear_away(t)
    for record in kept:
        whereabouts.make_next(t.round, record)
    _end(t, "conclude", "concluded", rows)
    limits.remember_paid(t)


def void(t: TableState, clause: str) -> None:
    """End the round without a result: every wager goes back."""
    rows = [settlement.returned(row, clause) for row in settlement.open_rows(t.round)]
    _clear_away(t)
    _end(t, "declare_void", "void", [*rows, *t.round.refused])


def end_as_kept(t: TableState, outcome: str, rows: list[Row]) -> None:
    """End the round as its record says, however its events would be judged now; nothing of it stays open."""
    if t.round_is_on:
        _clear_away(t)
        _end(t, "declare_void" if outcome == "void" else "conclude", outcome, rows)
    _close(t)
    t.facts.clear()
    t.out.clear()
    t.shoe.set_in_doubt = ""
    t.round.outcome, t.round.rows = outcome, rows


def _is_pulled(t: TableState, record: CardRecord) -> bool:
    """Whether a card waits for the ruling on a pull."""
    pulls = [matter.finding for matter in (*t.hold.matters, *t.hold.pulls) if matter.finding.code == "double-draw"]
    return record.role is Role.WAITING and record.finding in pulls


def _clear_away(t: TableState) -> None:
    for record in t.round.records:
        if record.role in _SET_ASIDE:
            whereabouts.put_out(t.round, record)


def _close(t: TableState) -> None:
    t.hold.matters.clear()
    t.hold.beside.clear()
    t.hold.pulls.clear()
    t.hold.rights.clear()
    t.hold.right_by = None


def _end(t: TableState, trigger: str, outcome: str, rows: list[Row]) -> None:
    t.round.outcome, t.round.rows = outcome, rows
    _close(t)
    t.enter(trigger)
    t.out.append(Settled(tuple(rows)))
    t.turn.last_doubled = None
    t.turn.just_split = False
    t.expect_nothing()


def begin_next(t: TableState) -> None:
    """Begin a round: sweep the layout, except cards that still wait to be dealt."""
    old, new = t.round, Round(t.round.number + 1)
    if t.config.watches and not t.shoe.cards.continuous:
        t.shoe.discarded += collect_cards(old, t.shoe.taken_in)
    whereabouts.sweep(old, new)
    if len(t.rounds) > 1:
        whereabouts.close(t.rounds[-2])
    t.round = new
    t.rounds.append(new)
    new.findings.extend(t.hold.for_later)
    t.hold.for_later.clear()
    t.people.absent.clear()
    t.turn.dealer_owed = False
    t.expect_nothing()
