"""Equal cards: no eye can tell them apart, so each is taken for the one that lies right.

1. If a card lies elsewhere than where it counts, and an equal one lies there without counting there, each is taken for
   the other. Where a ruling lets the second one lie there, that holds only if it counts where the first one lies. So
   the difference between where cards lie and what they count for is never larger than an eye can see.
2. Only cards that count for a hand, are given to one, are out of play or are burnt are taken for each other. A card
   that is next or waits for a ruling is not: where it is laid says what becomes of it. Neither is one that was lifted
   and is laid nowhere yet, nor one that nobody can read.
"""

from __future__ import annotations

from gamecore.cards import whereabouts
from gamecore.cards.order import counts_at
from gamecore.model.places import Place
from gamecore.model.records import CardRecord, Role
from gamecore.model.state import TableState

_TAKEN_FOR_EACH_OTHER = frozenset({Role.ON_HAND, Role.GIVEN, Role.OUT, Role.BURNT})


def tell_apart(t: TableState) -> None:
    """Let each card lie where it counts, if an equal one lies there that does not."""
    lying = [(record, _counts_at(t, record)) for record in t.round.records if _is_seen(record)]
    for record, place in lying:
        if place is None or record.felt == place:
            continue
        for other, its_place in lying:
            if other.card == record.card and other.felt == place and _may_go(other, its_place, record):
                whereabouts.exchange(record, other)
                _end_leave(record, place)
                _end_leave(other, its_place)
                break


def _may_go(other: CardRecord, its_place: Place | None, record: CardRecord) -> bool:
    """Whether a card does not count where it lies, and may change places with the first one.

    It may if no ruling lets it lie there, if it counts where the first one lies, or if that one has leave to lie too.
    """
    has_leave = other.felt == other.home and record.felt != record.home
    return its_place != other.felt and (not has_leave or its_place == record.felt)


def _end_leave(record: CardRecord, place: Place | None) -> None:
    """A card that lies where it counts may lie nowhere else any more."""
    if record.felt == place:
        whereabouts.bring_home(record)


def _is_seen(record: CardRecord) -> bool:
    if record.felt is None or record.lifted is not None or not record.card.readable:
        return False
    return record.role in _TAKEN_FOR_EACH_OTHER


def _counts_at(t: TableState, record: CardRecord) -> Place | None:
    """Where a card counts, or where a ruling gives it."""
    return record.goes if record.role is Role.GIVEN else counts_at(t, record)
