"""Who bets against the fair shuffle: every alternative, with its part of the wealth.

1. Runs along every order, from any card on; every order that is known card by card, riffled a number of times, namely
   the usual packing and the last order, each read forwards and backwards; riffled decks of an unknown maker; and the
   last order out of a shelf shuffler.
2. Runs are watched from the first card to the last. Riffled cards are looked for from the first card on; those that
   were riffled seldom once more after every `EVERY` cards, for which part of the wealth is kept idle.
3. The shares are fixed before the first card and add up to one. The harder riffles are to tell from a fair shuffle,
   the more of an order's part they get, up to as many as can be found at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamecore.cards.shuffle_test import orders
from gamecore.cards.shuffle_test.bet import Bet
from gamecore.cards.shuffle_test.makers import Makers
from gamecore.cards.shuffle_test.packs import Packs
from gamecore.cards.shuffle_test.ring import KnownOrder, Ring
from gamecore.cards.shuffle_test.runs import Runs
from gamecore.cards.shuffle_test.shelves import Shelves
from gamecore.cards.shuffle_test.single import PACKETS, Single
from gamecore.model.cards import Card
from gamecore.model.events.texts import Text

# The symbols that an alternative knows.
FACE, RANK, SUIT = 0, 1, 2


class Order(Text):
    """The orders that the test knows."""

    FACTORY = "factory order"
    FACES = "sorted, equal cards together"
    RANKS = "sorted by rank"
    SUITS = "sorted by suit"
    REPEATED = "repeats the last order"
    REVERSED = "repeats the last order, reversed"
    SHELVES = "the last order, dealt to shelves and piled up"


# The parts of the wealth. Those of riffles are told for one riffle, two and so on, in each direction.
_RUNS = {Order.FACTORY: 12, Order.FACES: 5, Order.RANKS: 5, Order.SUITS: 3, Order.REPEATED: 8, Order.REVERSED: 8}
_PACKS = (4, 4, 5, 6, 8, 2)
_MAKERS = (2, 2, 3, 4, 5)
_RING = (7, 11, 15, 8)
# By the number of shelves: what lies between is found by the nearest.
_SHELVES = {6: 4, 14: 4}
# Where the last order is known, less is laid on fresh decks: cards that were just dealt are seldom fresh.
_AFTER_LAST = 0.4
# Four riffles of one deck leave so little that they are found only by a bet of a third of the wealth.
_FRESH_DECK = (4, 4, 6, 78)
_LAST_DECK = (9, 9, 12, 185)
_FRESH_AFTER_LAST = (4, 4, 5, 12)
_DECK_OF_A_MAKER = (3, 3, 4)
# After every so many cards, riffled once or twice, and the part of each order.
EVERY = 52
LATER_RIFFLES = 2
_LATER = 0.7
NEVER = -1


@dataclass(frozen=True, slots=True)
class Entry:
    """An alternative, the order it stands for, and the symbols it knows."""

    order: Order
    knows: int
    bet: Bet


class Book:
    """All alternatives for a shoe, those that bet from the first card on and those that begin later."""

    __slots__ = ("_decks", "_known", "_part", "_ranks", "entries", "idle", "next_at")

    def __init__(self, ranks: str, decks: int, previous: Sequence[Card], numbers: dict[str, int]) -> None:
        """Open the book; `numbers` are those of the faces."""
        self._ranks = len(ranks)
        self._decks = decks
        last = orders.last_order(previous, decks, numbers)
        self._known: list[tuple[Order, KnownOrder]] = []
        if last:
            for order, faces in ((Order.REPEATED, last), (Order.REVERSED, last[::-1])):
                self._known.append((order, KnownOrder(len(numbers), faces)))
        self.entries = [
            *_runs(ranks, decks, self._known),
            *_fresh(ranks, decks, orders.packing(ranks, numbers), after_last=bool(last)),
            *(Entry(order, FACE, bet) for order, known in self._known for bet in _again(known, decks)),
            *(Entry(Order.SHELVES, FACE, bet) for _, known in self._known[:1] for bet in _shelved(known)),
        ]
        times = (decks * len(numbers) - 1) // EVERY if decks > 1 else 0
        whole = _LATER * times * (1.0 + len(self._known))
        for entry in self.entries:
            whole += entry.bet.wealth
        for entry in self.entries:
            entry.bet.begin(entry.bet.wealth / whole)
        # What each alternative that begins later gets, what they own together until then, and after how many cards
        # the next of them begin.
        self._part = _LATER / (whole * LATER_RIFFLES)
        self.idle = _LATER * times * (1.0 + len(self._known)) / whole
        self.next_at = EVERY if times else NEVER

    def begin_later(self, cards: int) -> list[Entry]:
        """The alternatives that begin now, where `cards` are left."""
        begun: list[Entry] = []
        for riffles in range(1, LATER_RIFFLES + 1):
            begun.append(Entry(Order.FACTORY, FACE, Makers(self._ranks, riffles, 0.0)))
            begun += [Entry(order, FACE, Ring(known, riffles, 0.0, cards)) for order, known in self._known]
        for entry in begun:
            entry.bet.begin(self._part)
        self.idle = max(0.0, self.idle - self._part * len(begun))
        self.next_at = self.next_at + EVERY if cards > EVERY else NEVER
        self.entries += begun
        return begun


def _runs(ranks: str, decks: int, known: Sequence[tuple[Order, KnownOrder]]) -> list[Entry]:
    """Runs along every order."""
    entries = [
        Entry(Order.FACTORY, FACE, Runs(orders.factory(ranks), _RUNS[Order.FACTORY])),
        Entry(Order.RANKS, RANK, Runs(orders.ranks_together(ranks, decks), _RUNS[Order.RANKS])),
        Entry(Order.SUITS, SUIT, Runs(orders.suits_together(), _RUNS[Order.SUITS])),
    ]
    if decks > 1:
        entries.append(Entry(Order.FACES, FACE, Runs(orders.faces_together(ranks, decks), _RUNS[Order.FACES])))
    for order, ring in known:
        entries.append(Entry(order, FACE, Runs(orders.known_order(ring.faces, ring.places), _RUNS[order])))
    return entries


def _fresh(ranks: str, decks: int, packed: list[int], *, after_last: bool) -> list[Entry]:
    """Riffled fresh decks: of the usual packing, forwards and backwards, and of any maker."""
    bets: list[Bet] = []
    less = _AFTER_LAST if after_last else 1.0
    for riffles, part in enumerate(_DECK_OF_A_MAKER if decks == 1 else _MAKERS, start=1):
        bets.append(Makers(len(ranks), riffles, part * less))
    for order in (packed, packed[::-1]):
        if decks == 1:
            bets += _single(len(packed), order, _FRESH_AFTER_LAST if after_last else _FRESH_DECK)
        else:
            bets += [Packs(order, riffles, part * less) for riffles, part in enumerate(_PACKS, start=1)]
    return [Entry(Order.FACTORY, FACE, bet) for bet in bets]


def _again(known: KnownOrder, decks: int) -> list[Bet]:
    """A riffled last order."""
    if decks == 1:
        return _single(len(known.places), known.faces, _LAST_DECK)
    return [Ring(known, riffles, part, len(known.faces)) for riffles, part in enumerate(_RING, start=1)]


def _shelved(known: KnownOrder) -> list[Bet]:
    """The last order out of a shelf shuffler, which runs up and down: one direction is both."""
    return [Shelves(known, shelves, part) for shelves, part in _SHELVES.items()]


def _single(faces: int, order: list[int], parts: Sequence[int]) -> list[Bet]:
    """One deck, riffled once, twice and so on."""
    return [Single(faces, order, packets, part) for packets, part in zip(PACKETS, parts, strict=True)]
