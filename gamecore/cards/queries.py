"""Questions to the card records of a round: what is on its way, next, astray, at issue, on a hand.

1. Nothing is stored here and nothing changes: each list is made from the roles when it is asked for.
2. Cards with a role, strays and dealt cards are sorted by `CardRecord.order`, the order in which they come. The other
   lists follow the records, which stand in the order of leaving the shoe.
"""

from __future__ import annotations

from gamecore.model.hands import Hand
from gamecore.model.places import BURN, DEALER, Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.round import Box, Finding, Round
from gamecore.model.state import TableState
from gamecore.model.states import State


def with_role(t: TableState, role: Role) -> list[CardRecord]:
    """The records with a role, in the order in which the cards come."""
    found = [record for record in t.round.records if record.role is role]
    if len(found) > 1:
        found.sort(key=_order)
    return found


def _order(record: CardRecord) -> int:
    return record.order


def next_cards(t: TableState) -> list[CardRecord]:
    """The cards that are dealt before any card from the shoe."""
    return with_role(t, Role.NEXT)


def in_transit(t: TableState) -> list[CardRecord]:
    """Cards that left the shoe and lie nowhere yet."""
    return [record for record in t.round.records if record.role is Role.ARRIVING and record.felt is None]


def strays(t: TableState) -> list[CardRecord]:
    """Cards that lie where they do not count, in the order in which they come."""
    return sorted((record for record in t.round.records if is_stray(record)), key=_order)


def strays_at(t: TableState, place: Place) -> list[CardRecord]:
    """Those of them that lie at a place."""
    return [record for record in strays(t) if record.felt == place]


def is_stray(record: CardRecord) -> bool:
    """Whether a card lies where it does not count and waits for no finding of its own."""
    return record.role is Role.WAITING and record.finding is None and record.felt is not None


def dealt(t: TableState) -> list[CardRecord]:
    """The cards that were dealt in the round, astray or not, in the order in which they come."""
    return sorted((record for record in t.round.records if was_dealt(record)), key=_order)


def was_dealt(record: CardRecord) -> bool:
    """Whether a card was dealt in the round, astray or not."""
    if record.role is Role.ON_HAND or is_stray(record):
        return True
    return record.role is Role.BURNT and record.due == BURN


def after_next(t: TableState) -> list[CardRecord]:
    """Strays that left the shoe after cards which wait to be dealt, and follow them."""
    queue = next_cards(t)
    return [record for record in strays(t) if queue and record.order > queue[0].order]


def at_issue(t: TableState, finding: Finding) -> list[CardRecord]:
    """The cards that wait for a finding, in the order in which they come."""
    return [record for record in with_role(t, Role.WAITING) if record.finding is finding]


def put_out_by(t: TableState, finding: Finding) -> list[CardRecord]:
    """The cards that a finding has put out of play."""
    return [record for record in t.round.records if record.role is Role.OUT and record.finding is finding]


def to_burn(t: TableState) -> list[CardRecord]:
    """The cards of a pull that nobody took (MBS 5.23.3.1): to be burned before another card leaves the shoe."""
    return [record for record in _left_of_pull(t) if record.role is Role.BURNT and record.finding is not None]


def to_lay(t: TableState) -> list[CardRecord]:
    """The cards of a pull that somebody chose: to be laid at their hand before another card leaves the shoe."""
    return [record for record in _left_of_pull(t) if record.role is Role.ON_HAND and record.chosen]


def _left_of_pull(t: TableState) -> list[CardRecord]:
    """The cards that lie nowhere while no card has left the shoe after the last pull; where places are told, none."""
    if not t.round.out_of_order or not t.fitting.senses_places:
        return []
    pulls = [finding.cards for finding in t.round.findings if finding.code == "double-draw"]
    since = t.round.records[-1].number - len(pulls[-1]) if pulls and t.round.records else t.events
    return [record for record in t.round.records if record.felt is None and record.number > since]


def replaces_chosen(t: TableState, hand: Hand) -> bool:
    """Whether a card would take the place of one that was chosen for the hand, though none was asked for since."""
    if not t.round.out_of_order or hand.awaits_card or not t.fitting.senses_places:
        return False
    if t.machine.state is not State.PLAYER_TURN:
        return False
    return any(record.felt is None and record.chosen for record in hand.records)


def box_of(game_round: Round, hand: Hand) -> Box | None:
    """The box of a hand; None for the Dealer's."""
    return next((box for box in game_round.boxes.values() if any(other is hand for other in box.hands)), None)


def place_of(game_round: Round, hand: Hand) -> Place:
    """The place of a hand."""
    box = box_of(game_round, hand)
    if box is None:
        return DEALER
    index = next(number for number, other in enumerate(box.hands) if other is hand)
    return box.place_of(index)


def settled_place(game_round: Round, place: Place) -> Place:
    """A place as it is written for cards: no slot, the hand by its number where the box is split."""
    box = game_round.boxes.get(place.box)
    hands = len(box.hands) if box is not None else 0
    if hands < 2:
        return place if not place.hand and not place.slot else Place(place.box)
    hand = place.hand or (game_round.turn_hand + 1 if game_round.turn is box else 1)
    return Place(place.box, min(hand, hands))
