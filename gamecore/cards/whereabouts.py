"""Where a card lies and what it counts for: nothing else writes a record, or puts one on a list.

1. `leave`, `appear`, `lay`, `lift` and `push_back` follow what happens physically. They say where a card is, and leave
   its role alone; only `push_back` takes the card off its hand and out of the deal.
2. `assign` puts a card on a hand, `release` takes it off, and the other functions give a card another role. A card has
   one role at a time: whatever it counted for before, it does no more.
3. Presumptions are functions of their own: `sweep` between rounds, `part`, `rename` and `name_first_hand` at a split,
   `presume` for a place that is told, or that nobody reads.
4. `due` is written when a card is dealt or goes astray, and by a ruling that says where it should have gone. Moving the
   card does not change it. A hand that gets another number at a split keeps its cards, and `due` follows the number.
5. Marks of a card have functions too: face down and turned, disclosed, let lie where it lies, named by a finding.
6. A card that leaves the regular way from the shoe to its place sets `Round.out_of_order`: it appears, is lifted,
   waits, is next, is given away or is laid again. The short ways of the phases and of `Table.apply` rely on that.
"""

from __future__ import annotations

from gamecore.model.cards import Card
from gamecore.model.hands import Hand
from gamecore.model.places import Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Box, Finding, Round
from gamecore.model.state import TableState

_INITIAL_CARDS = 2
#: Cards that a new round takes over.
CARRIED = frozenset({Role.NEXT, Role.ARRIVING, Role.WAITING})
_ON_HAND = Role.ON_HAND  # set at every card: Python finds a member of an Enum slowly

# --- physical ------------------------------------------------------------------------------------------------------


def leave(t: TableState, card: Card) -> CardRecord:
    """Make the record of a card that left the shoe and is in transit."""
    shoe = t.shoe
    shoe.numbers = number = shoe.numbers + 1
    record = CardRecord(number, card, number)
    t.round.records.append(record)
    return record


def appear(t: TableState, card: Card, place: Place) -> CardRecord:
    """Make the record of a card that lies at a place though no shoe is known to have dealt it."""
    record = leave(t, card)
    record.felt, record.from_shoe = place, False
    t.round.out_of_order = True
    return record


def dealt_after_all(t: TableState, record: CardRecord) -> None:
    """Count a card that was seen on the layout first as leaving the shoe now: the shoe has named it."""
    t.shoe.numbers += 1
    record.number = record.order = t.shoe.numbers
    record.from_shoe = True
    t.round.records.remove(record)
    t.round.records.append(record)


def lay(record: CardRecord, place: Place) -> None:
    """Note that a card was seen to lie at a place."""
    record.felt, record.lifted, record.presumed = place, None, False


def is_another(game_round: Round, seen: CardRecord, record: CardRecord, place: Place) -> None:
    """Join two records: a card that was seen on the layout first is one that has left the shoe."""
    game_round.records.remove(seen)
    lay(record, place)


def lay_face_down(record: CardRecord) -> None:
    """Mark a card as dealt face down (RWS 3.12)."""
    record.face_down = True


def turn_up(hand: Hand) -> None:
    """Turn every card of a hand face up."""
    for record in hand.records:
        record.face_down = False


def go_to_holder(game_round: Round, record: CardRecord) -> None:
    """Note that a card was seen to go into the discard holder, upon those that went there before."""
    game_round.discards.append(record)


def exchange(one: CardRecord, other: CardRecord) -> None:
    """Take two equal cards for each other: each lies where the other was thought to lie, lifted or not.

    Leave to lie at a place stays with the place.
    """
    for_one, for_other = one.home == one.felt, other.home == other.felt
    one.felt, other.felt = other.felt, one.felt
    if for_one or for_other:
        one.home, other.home = one.felt if for_other else None, other.felt if for_one else None
    one.lifted, other.lifted = other.lifted, one.lifted
    one.presumed, other.presumed = other.presumed, one.presumed


def lift(game_round: Round, record: CardRecord) -> None:
    """Note that a card was lifted off its place; until it is laid, it keeps that place."""
    game_round.out_of_order = True
    record.lifted = record.felt


def push_back(record: CardRecord) -> None:
    """Put a card back in the shoe; when it comes out again it is another record."""
    release(record)
    record.role, record.felt = Role.BACK, None


def name(record: CardRecord, card: Card) -> None:
    """Give a card the face that has become known."""
    hand = record.hand if record.role is Role.ON_HAND else None
    if hand is not None:
        index = hand.records.index(record)
        hand.remove(index)
        hand.add(card, index)
    record.card = card


# --- what a card counts for ----------------------------------------------------------------------------------------


def assign(record: CardRecord, hand: Hand, box: Box | None, due: Place | None, *, subsequent: bool) -> None:
    """Let a card count for a hand from now on; the initial cards of a box come before its others.

    `due` is where the order of the deal put it, `subsequent` whether the initial deal was over.
    """
    record.due, record.subsequent = due, subsequent
    if record.hand is not None:
        release(record)
    if box is not None and not (hand.split and subsequent) and len(box.initial) < _INITIAL_CARDS:
        initial = box.initial
        if record.initial or (initial and initial[0].number > record.number):
            _make_initial(record, initial)
        else:
            record.initial = True
            initial.append(record)
    record.role, record.hand, record.finding = _ON_HAND, hand, None
    records = hand.records
    if not records or records[-1].number < record.number or not record.initial:
        records.append(record)
        hand.add(record.card)
        return
    index = sum(other.initial and other.number < record.number for other in records)
    records.insert(index, record)
    hand.add(record.card, index)


def _make_initial(record: CardRecord, initial: list[CardRecord]) -> None:
    """A card that was dealt before, or out of its turn, is one of the initial cards of a box."""
    if record not in initial:
        record.initial = True
        initial.append(record)
        initial.sort(key=_number)


def _number(record: CardRecord) -> int:
    return record.number


def set_due(record: CardRecord, due: Place | None, *, subsequent: bool) -> None:
    """Note where the order of the deal put a card, and whether that was after the initial deal."""
    record.due, record.subsequent = due, subsequent


def release(record: CardRecord) -> None:
    """Take a card off the hand that it counts for, if any."""
    hand = record.hand
    if record.role is Role.ON_HAND and hand is not None:
        index = hand.records.index(record)
        del hand.records[index]
        hand.remove(index)
    record.hand = None


def withdraw_initial(game_round: Round, record: CardRecord) -> None:
    """Strike a card from the initial cards of every box: it is dealt again, or to nobody."""
    record.initial = False
    for box in game_round.boxes.values():
        if record in box.initial:
            box.initial.remove(record)


def make_next(game_round: Round, record: CardRecord, *, laid: bool = False) -> None:
    """Let a card be dealt before any card from the shoe; it may lie where it lies until then.

    With `laid`, one that somebody has laid since it waits is being dealt where it lies.
    """
    game_round.out_of_order = True
    release(record)
    withdraw_initial(game_round, record)
    record.role, record.home, record.finding = Role.NEXT, record.home if laid else record.felt, None


def give(game_round: Round, record: CardRecord, place: Place | None) -> None:
    """Give a card, by a ruling, to the hand at a place, or with None to the one that is due a card."""
    game_round.out_of_order = True
    release(record)
    withdraw_initial(game_round, record)
    record.role, record.goes, record.finding = Role.GIVEN, place, None


def pull_together(pulled: list[CardRecord]) -> None:
    """Mark cards that left the shoe together, in an order that nobody knows."""
    for record in pulled:
        record.pull = pulled[0].number


def comes_first(record: CardRecord, first: CardRecord) -> None:
    """Let two cards that wait change places in the order."""
    record.order, first.order = first.order, record.order


def disclose(pulled: list[CardRecord], shown: tuple[Card, ...]) -> None:
    """Mark the disclosed cards of a pull, and let them come first."""
    left = list(shown)
    for record in pulled:
        if record.card in left:
            left.remove(record.card)
            record.shown = True
    orders = [record.order for record in pulled]
    pulled.sort(key=lambda record: not record.shown)
    for record, order in zip(pulled, orders, strict=True):
        record.order = order


def choose(chosen: CardRecord, out: list[CardRecord]) -> None:
    """Let a card that somebody chose come first of those that are out and still to be dealt."""
    orders = sorted(record.order for record in out)
    first = [chosen, *(record for record in sorted(out, key=lambda r: r.order) if record is not chosen)]
    for record, order in zip(first, orders, strict=True):
        record.order = order
    chosen.chosen = True


def mark_relaid(game_round: Round, record: CardRecord, *, judged: bool) -> None:
    """Let a card count as it lies as soon as play goes on."""
    game_round.out_of_order = True
    release(record)
    withdraw_initial(game_round, record)
    record.role, record.judged, record.finding = Role.RELAID, judged, None


def await_ruling(game_round: Round, record: CardRecord, finding: Finding | None = None) -> None:
    """Let a card count nowhere until a ruling says where."""
    game_round.out_of_order = True
    release(record)
    withdraw_initial(game_round, record)
    record.role, record.finding, record.home = Role.WAITING, finding, record.felt


def await_ruling_again(record: CardRecord) -> None:
    """Let a card wait for a further ruling and not be laid again: it was dealt where it first lay."""
    record.role = Role.WAITING


def burn(record: CardRecord, finding: Finding | None = None) -> None:
    """Burn a card."""
    release(record)
    record.role, record.finding = Role.BURNT, finding


def put_out(game_round: Round, record: CardRecord, finding: Finding | None = None) -> None:
    """Put a card out of play for the rest of the round; it may lie where it lies."""
    release(record)
    withdraw_initial(game_round, record)
    record.role, record.finding, record.home = Role.OUT, finding, record.felt


def discard(game_round: Round, record: CardRecord, finding: Finding) -> None:
    """Put a card out of play by a ruling; it must leave the place where it lies."""
    put_out(game_round, record, finding)
    record.home = None


def take_off(record: CardRecord) -> None:
    """Put a card out of play that was taken off its hand too late; it stays an initial card of its box."""
    hand = record.hand
    release(record)
    record.role, record.hand, record.home = Role.OUT, hand, record.felt


def let_lie(record: CardRecord) -> None:
    """Let a card lie where it lies until somebody lays it where it counts."""
    record.home = record.felt


def bring_home(record: CardRecord) -> None:
    """End the leave of a card to lie elsewhere: it lies where it counts."""
    record.home = None


def name_in(record: CardRecord, finding: Finding | None) -> None:
    """Note the finding that names a card; with None, no finding does any more."""
    record.finding = finding


def note_stood(record: CardRecord, hand: Hand) -> None:
    """Where places are told: note whether the hand had stood when a card was said to lie there."""
    record.stood = hand.stood


# --- presumptions --------------------------------------------------------------------------------------------------


def presume(record: CardRecord, place: Place) -> None:
    """Presume that a card lies at a place: by a person's word, a ruling or the order of the deal."""
    record.felt, record.presumed = place, True


def leave_lying(record: CardRecord) -> None:
    """Take a person's word that a card is where it belongs: until it is seen again it may lie where it lies."""
    record.home = record.felt


def part(hand: Hand, new: Hand, places: tuple[Place, Place]) -> None:
    """Split a hand: its second card is the first card of a new hand, and both lie where their hands do now."""
    second = hand.records[1]
    release(second)
    second.role, second.hand = Role.ON_HAND, new
    new.records.append(second)
    new.add(second.card)
    if second.due == places[0]:  # it came to a hand that was split before: it is as due on the new one
        second.due = places[1]
    if second.goes == places[0]:  # it is still to be brought there
        second.goes = places[1]
    for record, place in ((hand.records[0], places[0]), (second, places[1])):
        _lies_at(record, place)


def _lies_at(record: CardRecord, place: Place) -> None:
    """A hand is called by another place: so is where its card lies, or where it was lifted, if that was at this box."""
    if record.lifted is not None and record.lifted.box == place.box:
        record.lifted = place
    if record.felt is not None and record.felt.box == place.box:
        record.felt = place


def name_first_hand(game_round: Round, number: int) -> None:
    """Let whatever else lies at a box that was split lie at its first hand."""
    box, first = Place(number), Place(number, 1)
    for record in game_round.records:
        if record.felt == box:
            record.felt = first
            if record.home == box:
                record.home = first


def rename(hand: Hand, place: Place) -> None:
    """Give the cards of a hand its new number, since a hand before it was split; they lie where they lay."""
    for record in hand.records:
        if record.due is not None and record.due == record.felt:
            record.due = place
        _lies_at(record, place)


def sweep(old: Round, new: Round) -> None:
    """Begin a round: cards that still wait go over to it, the others of the last round are taken to be discarded."""
    waiting = [record for record in old.records if record.role in CARRIED]
    if not waiting:
        return
    for record in waiting:
        if record.role is Role.ARRIVING and record.felt is None:
            put_out(old, record)
    kept = [record for record in waiting if record.role in CARRIED]
    for record in kept:  # no box is split any more
        record.felt, record.home = _of_box(record.felt), _of_box(record.home)
    if kept:
        old.records = [record for record in old.records if record not in kept]
        new.records.extend(kept)
        new.out_of_order = True


def _of_box(place: Place | None) -> Place | None:
    return None if place is None else Place(place.box)


def close(past: Round) -> None:
    """Forget where the cards of a past round lay, if it was settled and went by the rules."""
    if past.out_of_order or past.outcome != "settled":
        return
    past.records.clear()
    past.discards.clear()
    past.dealer.records.clear()
    for box in past.order:
        box.initial.clear()
        for hand in box.hands:
            hand.records.clear()
