"""What an answer about cards of a pull may name (MBS 5.23, RWS 5.12).

1. A card is named as it was offered: an undisclosed one by its place in the pull, a disclosed one by its face. The
   face of an undisclosed card is accepted too.
2. One card is taken. A Player to whom several are disclosed may take more, as many as the hand may: one in the initial
   deal, for a doubled hand and for a split Ace, and none after 21.
3. What a Player leaves of disclosed cards is offered to the next Player who is there and can take one (5.23.3.1).
4. The Pit Manager may not take what is plainly better for the Dealer, and judges the rest (MBS 5.23.4.5).
"""

from __future__ import annotations

from gamecore.cards.queries import at_issue
from gamecore.model.cards import Card
from gamecore.model.events.facts import PulledCards
from gamecore.model.events.outputs import Ask
from gamecore.model.hands import LIMIT, Hand
from gamecore.model.matters import Matter
from gamecore.model.places import DEALER, Place, asked_place
from gamecore.model.records import CardRecord
from gamecore.model.state import TableState
from gamecore.model.states import State
from gamecore.model.steps import PullStep
from gamecore.standing import played
from gamecore.standing.asked import name_at

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
DEALT_OUT = frozenset({State.PLAYER_TURN, State.DEALER_TURN})
_AMONG_SHOWN = frozenset({PullStep.CHOOSE, PullStep.OFFERED_ON, PullStep.DISCARD_REST})


def offered(t: TableState, matter: Matter) -> list[CardRecord]:
    """The cards of a pull that are for selection: what nobody has seen is not, where others are disclosed."""
    records = at_issue(t, matter.finding)
    return [record for record in records if record.shown] if matter.step in _AMONG_SHOWN else records


def offer_anew(t: TableState) -> None:
    """Ask those who are to select a card of a pull for the others: one of them is back in the shoe."""
    for matter in t.hold.matters:
        if not isinstance(matter.fact, PulledCards) or len(offered(t, matter)) == len(matter.fact.records):
            continue
        named = {*ORDINALS, *(str(record.card) for record in matter.fact.records)}
        for index, question in enumerate(matter.asks):
            words = [option for option in question.options if option in named]
            if words:
                others = tuple(option for option in question.options if option not in named)
                options = (*_words(offered(t, matter), faces=any(word not in ORDINALS for word in words)), *others)
                matter.asks[index] = Ask(question.who, options, question.clause)


def _words(records: list[CardRecord], *, faces: bool) -> tuple[str, ...]:
    """How cards of a pull are named: disclosed ones by their faces where that was offered, others by their places."""
    shown = [str(record.card) for record in records if record.shown] if faces else []
    return (*shown, *ORDINALS[len(shown) : len(records)])


def pick(t: TableState, matter: Matter, word: str) -> CardRecord | None:
    """The card that an answer means, by its place in the pull or by its face."""
    records = offered(t, matter)
    if word in ORDINALS and ORDINALS.index(word) < len(records):
        return records[ORDINALS.index(word)]
    return next((record for record in records if word in {str(record.card), record.card.face}), None)


def fits(t: TableState, matter: Matter, question: Ask, words: tuple[str, ...]) -> bool:
    """Whether an answer names cards that were asked for, as offered or by the face, and no more than may be taken."""
    counted = any(option in ORDINALS for option in question.options)
    if not words or (not counted and any(word in ORDINALS for word in words)):
        return False
    picked = pick_all(t, matter, words)
    if len(picked) != len(words):
        return False
    if matter.step is PullStep.DISCARD_REST:
        return len(words) == 1 and _may_select(t, matter, words[0])
    place = asked_place(question.who) if matter.step is PullStep.OFFERED_ON else t.next_place
    hand = t.round.hand_at(place) if place is not None else None
    several = matter.step in {PullStep.CHOOSE, PullStep.OFFERED_ON} and t.hold.held_from in DEALT_OUT
    return len(words) == 1 or (several and hand is not None and _takes(t, hand, [record.card for record in picked]))


def pick_all(t: TableState, matter: Matter, words: tuple[str, ...]) -> list[CardRecord]:
    """The cards that an answer means, each once; fewer than words where one of them means none."""
    records, picked = offered(t, matter), list[CardRecord]()
    for word in words:
        left = [record for record in records if record not in picked]
        if word in ORDINALS:
            found = [r for r in records[ORDINALS.index(word) : ORDINALS.index(word) + 1] if r in left]
        else:
            found = [record for record in left if word in {str(record.card), record.card.face}]
        picked.extend(found[:1])
    return picked


def _takes(t: TableState, hand: Hand, cards: list[Card]) -> bool:
    """Whether a hand may take all these cards, one after the other: not after its last one (MBS 3.26.4, 3.29, 3.30)."""
    trial = hand.imagined()
    for index, held in enumerate(cards):
        if index and played.complete(t.rules, trial):
            return False
        trial.add(held)
        trial.awaits_card = False
    return True


def _may_select(t: TableState, matter: Matter, word: str) -> bool:
    """Whether the Pit Manager may take this card: not one that is plainly better for the Dealer (MBS 5.23.4.5)."""
    picked = pick(t, matter, word)
    cards = [record.card for record in offered(t, matter)]
    return picked is not None and picked.card in most_detrimental(t, cards)


def most_detrimental(t: TableState, cards: list[Card]) -> list[Card]:
    """The cards than which no other is plainly worse for the Dealer.

    Plain is a bust against anything else, and of two totals on which the Dealer stands the lower one. What a total that
    draws again is worth is for the Pit Manager to judge, and so is a 22 that stands off: against one hand it is worse
    for the Dealer than a standing total, against another better (Free Bet 4.7.3).
    """
    ranks = [_dealer_rank(t, held) for held in cards]
    worst = min((rank for rank in ranks if rank is not None), default=None)
    return [held for held, rank in zip(cards, ranks, strict=True) if rank == worst or (rank is None and worst != 0)]


def _dealer_rank(t: TableState, held: Card) -> int | None:
    """What the Dealer would have with this card: 0 for a bust, a standing total; None if that is to be judged."""
    hand = t.round.dealer.imagined()
    hand.add(held)
    if hand.total == LIMIT + 1 and t.rules.dealer_22_stands_off.value:
        return None
    if hand.total > t.rules.dealer_bust_above.value:
        return 0
    return None if t.rules.dealer_draws.value(hand.total, hand.soft) else hand.total


def follower(t: TableState, place: Place | None) -> str | None:
    """The next Player who is there and can take a card, after the hand for which one was chosen."""
    for box in t.round.order:
        later = place is not None and box.number > place.box > DEALER.box
        if later and any(not hand.absent and not played.complete(t.rules, hand) for hand in box.hands):
            return name_at(box, box.controller)
    return None
