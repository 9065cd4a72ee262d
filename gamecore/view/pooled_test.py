"""A shuffler judged over many shoes: what no single shoe shows adds up.

1. The frame is that of `gamecore.cards.shuffle_test`: alternatives bet against the fair shuffle, with one unit of
   wealth between them, and what each foretells adds up to one. Here wealth is carried from shoe to shoe. Each shoe is
   fair whatever came before it, so the wealth is a martingale over all of them. At most one proper shuffler in a
   million ever brings it to a million, however many shoes it has shuffled and whenever one looks. With the alarm the
   betting is over.
2. The alternatives are slight: a card follows the last one as it did in the last order, or within a few cards of it,
   before or behind it; or it comes from the same part of the last order as it comes now. Each says so with a small
   `STRENGTHS` and speaks as chance otherwise.
3. A face that lies at several places of the last order is at each of them with the same chance.
4. Beside it stand what technicians ask for: how often neighbours came again, with what chance lets expect, and
   chi-squared over ranks and over suits by tenths of the shoe. Its limit is what chance exceeds once in twenty, as
   Maryland's COMAR 36.05.02.17 asks of shufflers. One in twenty proper shufflers exceeds each: they explain a verdict
   and give none.
5. Only shoes whose last order is known bet; all count for rule 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamecore.cards.shuffle_test.orders import last_order
from gamecore.cards.shuffle_test.sequential import ADVISORY_AT, ALARM_AT, Verdict
from gamecore.model.cards import SUITS, Card, deck
from gamecore.model.events.texts import Text

STRENGTHS = (1 / 4, 1 / 16, 1 / 64)
PARTS = 10


class Trace(Text):
    """What a poor shuffle leaves of the last order."""

    NEXT = "the next card of the last order"
    BEFORE = "the card before in the last order"
    AHEAD = "a few cards ahead in the last order"
    BACK = "a few cards back in the last order"
    PART = "the same part of the last order"


# Distances in the last order, from the last card to the next.
_DISTANCES = {
    Trace.NEXT: (1,),
    Trace.BEFORE: (-1,),
    Trace.AHEAD: tuple(range(2, 9)),
    Trace.BACK: tuple(range(-8, -1)),
}
# Chance exceeds these once in twenty: 108 degrees of freedom for thirteen ranks, 99 for twelve, 27 for suits.
_LIMITS = {108: 133.26, 99: 123.23, 27: 40.11}


@dataclass(slots=True)
class Habit:
    """One alternative: what it says, how strongly, and what it owns."""

    says: Trace
    strength: float
    wealth: float


@dataclass(frozen=True, slots=True)
class ChiSquared:
    """A sum of squares over a table of counts, and the limit that chance exceeds once in twenty."""

    over: str
    value: float
    limit: float


class PooledTest:
    """The test of one shuffler, over all its shoes of `decks` decks of `ranks`."""

    __slots__ = ("_before", "_cards", "_counts", "_decks", "_followers", "_numbers", "_parts", "_ranks", "_seen",
                 "_table", "habits", "neighbours", "shoes", "verdict", "wealth")  # fmt: skip

    def __init__(self, ranks: str, decks: int) -> None:
        self._ranks, self._decks = ranks, decks
        self._numbers = {member.face: number for number, member in enumerate(deck(ranks))}
        says = [*_DISTANCES, Trace.PART]
        share = 1 / (len(says) * len(STRENGTHS))
        self.habits = [Habit(one, strength, share) for one in says for strength in STRENGTHS]
        self.wealth = 1.0
        self.verdict = Verdict.NONE
        self.shoes = 0
        # Neighbours of the last order that came again, and how many chance lets expect.
        self.neighbours = [0, 0.0]
        # How often each face came in each tenth of the shoe.
        self._table = [[0] * PARTS for _ in self._numbers]
        self.begin_shoe(())
        self.shoes = 0

    def begin_shoe(self, previous: Sequence[Card]) -> None:
        """Begin a shoe; `previous` is the order in which its cards went into the shuffler, if it is known."""
        self.shoes += 1
        faces = len(self._numbers)
        self._counts = [self._decks] * faces
        self._cards = self._decks * faces
        self._seen, self._before = 0, -1
        order = last_order(previous, self._decks, self._numbers)
        # For each habit and face: the chances of the faces that come with it.
        self._followers = [_followers(order, faces, distances) for distances in _DISTANCES.values()] if order else []
        self._parts = _parts(order, faces) if order else []

    def see(self, card: Card) -> None:
        """Take the next card out of the shoe."""
        face = self._numbers.get(card.face)
        if face is None or not self._counts[face]:
            return
        part = self._seen * PARTS // (self._decks * len(self._numbers))
        self._table[face][part] += 1
        if self._followers and self.verdict is not Verdict.ALARM:
            self._lay_bets(face, part)
        self._counts[face] -= 1
        self._cards -= 1
        self._seen += 1
        self._before = face

    def _lay_bets(self, face: int, part: int) -> None:
        awaited = [self._parts[part]]
        if self._before >= 0:
            awaited = [*(followers[self._before] for followers in self._followers), *awaited]
            self._count_neighbours(face)
        lifts = [self._lift(one, face) for one in awaited]
        if len(lifts) == 1:  # before the first card nothing can follow
            lifts = [1.0] * len(_DISTANCES) + lifts
        wealth = 0.0
        for number, habit in enumerate(self.habits):
            lift = lifts[number // len(STRENGTHS)]
            habit.wealth *= 1.0 - habit.strength + habit.strength * lift
            wealth += habit.wealth
        self.wealth = wealth
        if wealth >= ALARM_AT:
            self.verdict = Verdict.ALARM
        elif wealth >= ADVISORY_AT and self.verdict is Verdict.NONE:
            self.verdict = Verdict.ADVISORY

    def _lift(self, awaited: dict[int, float], face: int) -> float:
        """How many times likelier than by chance a face is, where some faces are awaited that may not remain."""
        remains = 0.0
        for one, chance in awaited.items():
            if self._counts[one]:
                remains += chance
        return 1.0 - remains + awaited.get(face, 0.0) * self._cards / self._counts[face]

    def _count_neighbours(self, face: int) -> None:
        following = self._followers[0][self._before]
        self.neighbours[0] += face in following
        for one in following:
            self.neighbours[1] += self._counts[one] / self._cards

    @property
    def explains(self) -> Trace:
        """What the habit says that carries most of the evidence."""
        return max(self.habits, key=lambda habit: habit.wealth).says

    def chi_squared(self) -> list[ChiSquared]:
        """The counts of ranks and of suits by tenths of the shoe, compared with even ones."""
        ranks = len(self._ranks)
        by_rank = [_added(self._table[rank::ranks]) for rank in range(ranks)]
        by_suit = [_added(self._table[suit * ranks : (suit + 1) * ranks]) for suit in range(len(SUITS))]
        return [_chi_squared("ranks", by_rank), _chi_squared("suits", by_suit)]


def _followers(order: list[int], faces: int, distances: tuple[int, ...]) -> list[dict[int, float]]:
    """For each face, the faces at some distances from it in an order, with their chances."""
    found: list[dict[int, float]] = [{} for _ in range(faces)]
    times = [0] * faces
    for face in order:
        times[face] += 1
    for place, face in enumerate(order):
        share = 1 / (times[face] * len(distances))
        for distance in distances:
            other = order[(place + distance) % len(order)]
            found[face][other] = found[face].get(other, 0.0) + share
    return found


def _parts(order: list[int], faces: int) -> list[dict[int, float]]:
    """For each tenth of an order, its faces with their chances."""
    found: list[dict[int, float]] = []
    for part in range(PARTS):
        cards = order[part * len(order) // PARTS : (part + 1) * len(order) // PARTS]
        held: dict[int, float] = {}
        for face in cards:
            held[face] = held.get(face, 0.0) + 1 / len(cards)
        found.append(held or dict.fromkeys(range(faces), 1 / faces))
    return found


def _added(rows: list[list[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _chi_squared(over: str, rows: list[list[int]]) -> ChiSquared:
    """The sum of squares of a table of counts against what its rows and columns let expect."""
    whole = sum(map(sum, rows))
    columns = _added(rows)
    value = 0.0
    for row in rows:
        for count, column in zip(row, columns, strict=True):
            expected = sum(row) * column / whole if whole else 0.0
            if expected:
                value += (count - expected) * (count - expected) / expected
    return ChiSquared(over, value, _LIMITS[(len(rows) - 1) * (PARTS - 1)])
