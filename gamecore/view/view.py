"""How a table stands: the one way out of the core.

1. `TableView` is a frozen picture. It holds no live object: neither what happens later nor anybody who reads it can
   change it. `Table.view` makes it when it is asked for, once for each event.
2. What lies and what counts: the hands of the round have what counts for them, `RoundView.cards` says of each card of
   the round where it lies and where it was due. `in_transit` left the shoe and lies nowhere yet, `next_cards` are dealt
   before any other, `burnt` were burned, the cards of `matters` and `pulls` wait for a ruling.
3. It names every card, also one that lies face down. `veil` says what may be shown of them.
4. `asks` is every pending question: of the matter that is open first, the approvals, of what stands beside the round,
   then `rights`, which hold nothing.
5. `pending` is what waits for the approval of a role, the oldest first: what `approve` without a code speaks of.
6. What a person must also know: `settle_first` are the kinds of wagers that are still to be settled before any further
   card; `meters_due` the wagers for which the meter is to be pressed; `to_burn` and `to_lay` the cards of a pull that
   were declined or chosen and lie nowhere yet; `unshuffled` that the next round would be void.
7. `settlement_preview` is what `settle` would pay and take now, or has just done; empty while that is not known.
   `on_the_way` is what was paid and taken while the round went on.
8. What may be said now is the other half: `allowed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from gamecore.cards.difference import remaining
from gamecore.cards.queries import at_issue, in_transit, next_cards, place_of, put_out_by, to_burn, to_lay, with_role
from gamecore.irregularities.approvals import Approvable, waiting_for_approval
from gamecore.model.cards import Card
from gamecore.model.events.events import WagerPlaced
from gamecore.model.events.facts import CardFact, PulledCards
from gamecore.model.events.outputs import Ask, FindingView, Move, Preference, Row
from gamecore.model.hands import Hand
from gamecore.model.matters import Matter
from gamecore.model.places import Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import BEFORE_ANSWERS, Procedure
from gamecore.phases.cards import deal
from gamecore.phases.closing import jackpots_due, unsettled
from gamecore.rules.ruleset import Ruleset
from gamecore.standing import claims
from gamecore.view.pictures import HandView, RoundView, of_hand, of_round
from gamecore.view.preview import preview, settled_on_the_way

PULL = "double-draw"

_NOT_WHOLE = frozenset({"foreign-card", "extra-card", "missing-card"})


class MatterView(NamedTuple):
    """An open irregularity: its finding, how it is carried out, who is asked, the cards concerned, the moves left."""

    finding: FindingView
    procedure: str
    asks: tuple[Ask, ...]
    cards: tuple[Card, ...]
    hidden: tuple[Card, ...]  # of a pull in which others are disclosed
    disclosed: tuple[Card, ...]  # seen before they lay anywhere, or where they were laid in error
    remaining: tuple[Move, ...]
    left_as_laid: bool  # nothing is to be moved any more
    cards_first: bool  # the cards may be put right while somebody is still asked


class PendingView(NamedTuple):
    """What waits for an approval: about which finding, what it would do, whose approval it needs.

    The effect is `void`, `return-wager` or `withdraw`; `continue` for a referral, `insurance` for one not offered in
    time, `place-bets` for a set of cards in doubt.
    """

    finding: FindingView
    effect: str
    role: str
    began_with_a_word: bool
    words: tuple[int, ...]  # the numbers of the events by which it was said
    players: tuple[str, ...]  # who withdraw

    @property
    def code(self) -> str:
        """The code under which it is approved or retracted."""
        return self.finding.code


class SetView(NamedTuple):
    """The set of cards in use: how many there are, how many are in the shoe, how often each face is out."""

    size: int
    in_shoe: int
    out: Mapping[str, int]
    continuous: bool


class TableView(NamedTuple):
    """How a table stands after a number of events."""

    events: int
    rules: Ruleset
    decks: int
    box_count: int
    limits: Mapping[str, tuple[int, int]]
    state: State
    held_from: State  # the state that was left when the round was held
    round_is_on: bool
    round: RoundView
    played: int  # rounds that are known, this one among them
    next_place: Place | None
    next_hand: HandView | None
    senses_places: bool
    in_transit: tuple[Card, ...]
    lifted: bool  # whether a card that was lifted has not been laid yet
    next_cards: tuple[Card, ...]
    burnt: tuple[Card, ...]
    burn_due: bool
    dealer_owed: bool
    just_split: bool
    last_doubled: HandView | None
    matters: tuple[MatterView, ...]
    pulls: tuple[MatterView, ...]  # that wait until something else is carried out
    pending: tuple[PendingView, ...]
    claims: tuple[Preference, ...]  # whose claim comes first wherever several Players claim one wager now
    asks: tuple[Ask, ...]
    rights: tuple[Ask, ...]
    for_later: tuple[FindingView, ...]  # made between rounds, until the next round lists them
    watch: tuple[str, ...]
    cards: SetView
    cut_card_out: bool
    shuffled: bool
    unshuffled: bool
    set_in_doubt: str
    set_to_count: (
        bool  # the last round is void because of cards that are not those of the set, and none was loaded since
    )
    settle_first: tuple[str, ...]
    meters_due: tuple[Place, ...]
    to_burn: tuple[Card, ...]
    to_lay: tuple[tuple[Card, Place], ...]
    settlement_preview: tuple[Row, ...]
    on_the_way: tuple[Row, ...]
    early_chips: tuple[WagerPlaced, ...]
    names: Mapping[tuple[int, int], str]
    seats: Mapping[int, int]
    absent: frozenset[tuple[int, int]]
    away: frozenset[str]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves still to be made for the matter that is open first."""
        return self.matters[0].remaining if self.matters else ()


def view_of(t: TableState) -> TableView:
    """The table as it stands."""
    game_round = of_round(t.round, t.rules)
    cards = t.shoe.cards
    return TableView(
        t.events,
        t.rules,
        t.config.decks,
        t.config.boxes,
        MappingProxyType(dict(t.config.limits)),
        t.machine.state,
        t.hold.held_from,
        t.round_is_on,
        game_round,
        len(t.rounds),
        deal.next_place(t),
        _same_hand(t, t.next_hand, game_round),
        t.fitting.senses_places,
        _faces(in_transit(t)),
        any(record.lifted is not None for record in t.round.records),
        _faces(next_cards(t)),
        _faces(with_role(t, Role.BURNT)),
        t.shoe.burn_due,
        t.turn.dealer_owed,
        t.turn.just_split,
        _same_hand(t, t.turn.last_doubled, game_round),
        tuple([_matter(t, matter) for matter in t.hold.matters]),
        tuple([_matter(t, matter) for matter in t.hold.pulls]),
        tuple([_pending(one) for one in waiting_for_approval(t)]),
        tuple(claims.preferences(t)) if t.round_is_on else (),
        tuple(t.asks),
        tuple(t.hold.rights),
        tuple([finding.view() for finding in t.hold.for_later]),
        (t.shoe.advice,) if t.shoe.advice else (),
        SetView(cards.size, cards.in_shoe, MappingProxyType(dict(cards.out)), cards.continuous),
        bool(t.shoe.cut_card_round),
        t.shoe.shuffled,
        bool(t.shoe.unshuffled),
        t.shoe.set_in_doubt,
        _set_to_count(t),
        _settle_first(t),
        tuple([Place(number, 0, side.slot) for number, side in jackpots_due(t)]) if t.round_is_on else (),
        _faces(to_burn(t)),
        tuple([(record.card, place_of(t.round, record.hand)) for record in to_lay(t) if record.hand is not None]),
        preview(t),
        settled_on_the_way(t),
        tuple(t.people.early_chips),
        MappingProxyType(dict(t.people.names)),
        MappingProxyType(dict(t.people.seats)),
        frozenset(t.people.absent),
        frozenset(t.fitting.away),
    )


def _same_hand(t: TableState, hand: Hand | None, game_round: RoundView) -> HandView | None:
    """The picture of a hand: the one that stands in the round, where it does."""
    if hand is None:
        return None
    if hand is t.round.dealer:
        return game_round.dealer
    for number, box in t.round.boxes.items():
        for seen, live in zip(game_round.boxes[number].hands, box.hands, strict=True):
            if live is hand:
                return seen
    return of_hand(hand, t.rules)


def _matter(t: TableState, matter: Matter) -> MatterView:
    waiting = at_issue(t, matter.finding)
    shown = [record for record in waiting if record.shown]
    among = shown or waiting
    return MatterView(
        matter.finding.view(),
        matter.procedure.value,
        tuple(matter.open_asks),
        _faces(among or put_out_by(t, matter.finding)),
        _faces([record for record in waiting if record not in among]),
        _disclosed(t, matter),
        remaining(t, matter),
        left_as_laid=matter.left_as_laid or matter.procedure is Procedure.VOID,
        cards_first=matter.procedure in BEFORE_ANSWERS,
    )


def _set_to_count(t: TableState) -> bool:
    """Whether a set that is not whole, as the void round showed, is still in the shoe (MBS 5.1, RWS 5.5.1, 5.5.2)."""
    used = t.shoe.numbers > t.shoe.taken_in  # since the last load between rounds
    if t.machine.state is not State.VOID or not used:
        return False
    return any(found.code in _NOT_WHOLE and found.ruling == "void" and found.stands for found in t.round.findings)


def _settle_first(t: TableState) -> tuple[str, ...]:
    """The kinds of wagers that are still to be settled before the subsequent deal (RWS 3.13)."""
    kinds = t.rules.settled_first.value
    return () if not kinds or t.round.subsequent or not t.round_is_on or not unsettled(t) else kinds


def _pending(one: Approvable) -> PendingView:
    pending = None if one.matter is None else one.matter.pending
    words, said = ((), ()) if pending is None else (tuple(pending.words), tuple(pending.said))
    return PendingView(one.finding.view(), one.effect, one.role, one.began_with_a_word, words, said)


def _faces(records: Iterable[CardRecord]) -> tuple[Card, ...]:
    return tuple([record.card for record in records])


def _disclosed(t: TableState, matter: Matter) -> tuple[Card, ...]:
    """The cards of a matter that were seen before they lay anywhere, or where they were laid in error."""
    match matter.fact:
        case PulledCards(records=records):
            return _faces(record for record in records if record.shown)
        case CardFact(code="face-up-card", record=record):
            return (record.card,)
        case CardFact(code="card-in-error", record=record, places=(place, *_)):
            box = t.round.boxes.get(place.box)
            return (record.card,) if place.box >= 0 and (box is None or not box.squeeze) else ()
    return ()
