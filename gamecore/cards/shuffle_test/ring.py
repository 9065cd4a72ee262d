"""One way in which cards of a known order can be unshuffled: riffled so many times, and cut.

1. k riffles of n cards are one cut into 2**k packets that are dealt into one another (Bayer and Diaconis 1992). With a
   cut before and after, the packets lie on a ring of n positions. A *thread* is a packet of which a card was seen.
2. A *state* is one way in which the cards seen may lie on the ring. It is a row of arcs, one for each thread: the
   position that comes next in it (`end`), the free positions from there to the next thread (`room`), and how many
   packets in that room have not been seen yet (`unseen`). Of `free` positions in all the next card is

   - at `end` of an arc, with the chance room / (free x (unseen + 1)): the thread goes on;
   - `far` positions behind it, where one of the unseen packets begins, with that chance times `openings`.

   Which of the unseen packets began there is one more thing that states differ in.
3. Equal faces lie at several positions, so there are several states, each with its weight. The heaviest `WIDTHS` are
   kept, equal ones are one, and among equal weights the earlier stays: no chance is involved.
4. A card may be an outlier, which says nothing (`OUTLIER`): without that no state would outlive a card that was pruned.
   A run of unshuffled cards that begins in mid-shoe is not looked for here: the walks find it.
5. What a state foretells of cards that do not remain, or that the known order lacks, is spoken as chance does. So what
   is foretold adds up to one over the faces that remain, whatever was pruned.
6. The work is put off: a card is multiplied in by what was foretold of it, and where it may lie on the ring is worked
   out later, by `settle` between cards or when the next one comes. Foretold before or just in time, the same doubles
   come of it: they are added in the same order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

# The states that are kept, by the number of riffles.
WIDTHS = (8, 16, 24, 32, 48, 48)
OUTLIER = 0.004
# Up to this many unseen packets, or in a room up to this size, it is known where they begin; more begin anywhere.
FEW_PACKETS, SMALL_ROOM = 7, 64
# Which of the packets has begun is followed up for all that are this likely, measured by all together.
LIKELY = 0.01
# Rows of `openings` that are kept at once; what is made again is the same.
MOST_ROWS = 512
_END, _ROOM, _UNSEEN, _BEHIND = 20, 8, 255, (1 << 20) - 1

State = tuple[int, ...]

_NOTHING_LEFT: State = (0,)

_rows: dict[int, list[list[float]]] = {}


def openings(room: int, unseen: int) -> list[list[float]]:
    """The chances that the unseen packets of a room begin at each distance from its beginning: all together, then each.

    The j-th of u packets begins at a distance that is binomial: room - 1 trials, each with the chance j / (u + 1).
    """
    key = room << _ROOM | unseen
    rows = _rows.get(key)
    if rows is None:
        if len(_rows) >= MOST_ROWS:
            _rows.clear()
        rows = [[0.0] * room]
        for packet in range(1, unseen + 1):
            rows.append(_binomial(room, packet / (unseen + 1 - packet), room * packet // (unseen + 1)))
            for far, chance in enumerate(rows[packet]):
                rows[0][far] += chance
        _rows[key] = rows
    return rows


def _binomial(room: int, odds: float, middle: int) -> list[float]:
    """A binomial distribution, made from about its middle outwards: from its ends it would be lost."""
    trials = room - 1
    middle = min(middle, trials)
    part = [0.0] * room
    part[middle] = whole = now = 1.0
    for place in range(middle, trials):
        now = now * odds * (trials - place) / (place + 1)
        part[place + 1] = now
        whole += now
    now = 1.0
    for place in range(middle, 0, -1):
        now = now * place / (odds * (trials - place + 1))
        part[place - 1] = now
        whole += now
    return [now / whole for now in part]


def _placed(room: int, unseen: int) -> bool:
    """Whether it is known where unseen packets begin: of many in a large room any may begin anywhere."""
    return unseen <= FEW_PACKETS or room <= SMALL_ROOM


class KnownOrder:
    """The positions of each face in an order that is known card by card."""

    __slots__ = ("positions", "size")

    def __init__(self, faces: int, order: Sequence[int]) -> None:
        self.size = len(order)
        self.positions: list[list[int]] = [[] for _ in range(faces)]
        for position, face in enumerate(order):
            self.positions[face].append(position)


class Ring:
    """One known order, riffled so many times."""

    __slots__ = ("_frees", "_foretold", "_losses", "_order", "_packets", "_states", "_weights", "_width")

    def __init__(self, order: KnownOrder, riffles: int) -> None:
        self._order = order
        self._packets = 1 << riffles
        self._width = WIDTHS[riffles]
        self._states: list[State] = [()]
        # For each state: how many positions are free, its weight, what of its foretelling is lost to chance.
        self._frees = [order.size]
        self._weights = [1.0]
        self._losses: list[float] = []
        # What is foretold of each face, if it was settled.
        self._foretold: list[float] = []

    def lift(self, face: int, counts: list[int], cards: int) -> float:
        """How many times likelier than by chance the next card is of a face; `counts` and `cards` remain before it."""
        if self._foretold:
            return self._foretold[face]
        if not self._losses:
            self._find_losses(counts, cards)
        return self._lift_of(face, counts[face], cards)

    def settle(self, counts: list[int], cards: int) -> None:
        """Foretell every face."""
        if not self._losses:
            self._find_losses(counts, cards)
        self._foretold = [self._lift_of(face, count, cards) if count else 0.0 for face, count in enumerate(counts)]

    def take(self, face: int, count: int, cards: int) -> None:
        """Work out where a card may lie, of whose face `count` among `cards` were left before it came."""
        chance = count / cards
        found: list[tuple[float, int, int, int]] = []
        for number in range(len(self._states)):
            weight = self._weights[number]
            free = max(self._frees[number], cards)
            for position in self._order.positions[face]:
                self._follow(found, number, free, position)
            outlier = OUTLIER + (1 - OUTLIER) * self._losses[number]
            found.append((-weight * chance * outlier, number, -1, 0))
        found.sort()
        self._keep(found[: self._width])
        self._losses = []
        self._foretold = []

    def _follow(self, found: list[tuple[float, int, int, int]], number: int, free: int, position: int) -> None:
        """Add the ways in which the next card of a state can be the one at a position: the thread goes on, or begins."""
        state, weight = self._states[number], self._weights[number] * (1 - OUTLIER)
        if not state:
            found.append((-weight / free, number, position, 0))
            return
        arc = state[bisect_right(state, position << _END | _BEHIND) - 1]
        far = position - (arc >> _END)
        if far < 0:
            far += self._order.size
        room, unseen = arc >> _ROOM & 4095, arc & _UNSEEN
        if far >= room:
            return
        weight *= room / (free * (unseen + 1))
        if far == 0:
            found.append((-weight, number, position, 0))
        if unseen == 0:
            return
        if not _placed(room, unseen):
            packet = max(1, min(unseen, (2 * (unseen + 1) * far + room - 1) // (2 * max(1, room - 1))))
            found.append((-weight * unseen / room, number, position, packet))
            return
        rows = openings(room, unseen)
        least = rows[0][far] * LIKELY
        for packet in range(1, unseen + 1):
            begins = rows[packet][far]
            if begins >= least:
                found.append((-weight * begins, number, position, packet))

    def _keep(self, found: list[tuple[float, int, int, int]]) -> None:
        """The states that follow, equal ones together."""
        merged: dict[State, float] = {}
        free: dict[State, int] = {}
        whole = 0.0
        for weight, number, position, packet in found:
            state, left = self._states[number], self._frees[number]
            if position >= 0:
                state, left = self._after(state, position, packet), left - 1
            merged[state] = merged.get(state, 0.0) - weight
            free[state] = left
            whole -= weight
        self._states = list(merged)
        self._frees = list(free.values())
        self._weights = [weight / whole for weight in merged.values()]

    def _lift_of(self, face: int, count: int, cards: int) -> float:
        total = lost = 0.0
        positions = self._order.positions[face]
        for number in range(len(self._states)):
            state, free = self._states[number], max(self._frees[number], cards)
            likely = 0.0
            for position in positions:
                likely += self._chance_at(state, free, position)
            total += self._weights[number] * likely
            lost += self._weights[number] * self._losses[number]
        return (1 - OUTLIER) * (total * cards / count + lost) + OUTLIER

    def _find_losses(self, counts: list[int], cards: int) -> None:
        """What each state foretells of cards that the order lacks, or that do not remain."""
        gone = [self._order.positions[face] for face, count in enumerate(counts) if not count]
        losses: list[float] = []
        for number in range(len(self._states)):
            state, left = self._states[number], self._frees[number]
            free = max(left, cards)
            lost = 1.0 - left / free
            if left > cards:
                for positions in gone:
                    for position in positions:
                        lost += self._chance_at(state, free, position)
            losses.append(lost)
        self._losses = losses

    def _chance_at(self, state: State, free: int, position: int) -> float:
        """The chance that the next card is the one at a position."""
        if not state:
            return 1 / free
        arc = state[bisect_right(state, position << _END | _BEHIND) - 1]
        far = position - (arc >> _END)
        if far < 0:
            far += self._order.size
        room, unseen = arc >> _ROOM & 4095, arc & _UNSEEN
        if far >= room:
            return 0.0
        share = room / (free * (unseen + 1))
        if unseen == 0:
            return share if far == 0 else 0.0
        begins = openings(room, unseen)[0][far] if _placed(room, unseen) else unseen / room
        return share * (1 + begins) if far == 0 else share * begins

    def _after(self, state: State, position: int, packet: int) -> State:
        """The state after the card at a position has come."""
        size = self._order.size
        following = (position + 1) % size
        if not state:
            return (following << _END | size - 1 << _ROOM | self._packets - 1,)
        index = bisect_right(state, position << _END | _BEHIND) - 1
        if index < 0:
            index = len(state) - 1
        arc = state[index]
        end, room, unseen = arc >> _END, arc >> _ROOM & 4095, arc & _UNSEEN
        far = position - end
        if far < 0:
            far += size
        arcs = list(state)
        del arcs[index]
        if far:
            arcs.append(end << _END | far << _ROOM | packet - 1)
        if room - far > 1:
            arcs.append(following << _END | room - far - 1 << _ROOM | unseen - packet)
        arcs.sort()
        return tuple(arcs) or _NOTHING_LEFT
