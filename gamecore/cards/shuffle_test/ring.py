"""Several decks in a known order, riffled and cut: a face lies at several positions, and it is not known at which.

1. The order is a ring of positions. Known are chances: that a position was seen (`_seen`), that it was seen and went on
   with the packet that brought the position before it (`_joined`), and that it is due: the position before it was
   seen, it was not (`_due`). A face is awaited as its positions are due.
2. Each of 2**riffles packets brings the next card with the same chance. What they do not bring goes on as chance has
   it: packets of which nothing was seen, cards that the order lacks, outliers.
3. A card lay at one of its face's positions, in proportion to their chances. Where it went on with a packet, that is
   evidence of where the card before it lay. That again is evidence against the other positions of that card's face, and
   so on back for `BACK` cards. Chances of one position only are kept, not of many together: that is what makes a card
   cost little, and what is foretold remains honest whatever is not kept.
4. A position that was likely seen (`LOCATED`) is taken as seen where the spacing of packets is asked
   (`gamecore.cards.shuffle_test.spacing`): of positions at which a packet may have begun, also of those where one may
   have begun earlier, some are likelier. Where packets are many and small (`MOST_SPACED`), or cards have gone before
   this begins, it is not asked.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from gamecore.cards.shuffle_test.bet import Bet
from gamecore.cards.shuffle_test.spacing import spaced

OUTLIER = 0.01
# What is known of the spacing makes no position less likely than this, measured by the others.
LEAST = 0.05
LOCATED = 0.6
MOST_SPACED = 3
BACK = 2
# Changes below this are not followed up.
LITTLE = 0.02
# Chances below this are none.
NONE = 0.01


class KnownOrder:
    """The faces at the positions of an order, and the positions of each face."""

    __slots__ = ("faces", "places")

    def __init__(self, faces: int, order: list[int]) -> None:
        self.faces = order
        self.places: list[list[int]] = [[] for _ in range(faces)]
        for place, face in enumerate(order):
            self.places[face].append(place)


class Ring(Bet):
    """A known order of several decks, after a number of riffles."""

    __slots__ = ("_came", "_due", "_faces", "_joined", "_left", "_located", "_packets", "_places", "_seen", "_size",
                 "_spaced", "_table", "_told", "_weighed")  # fmt: skip

    def __init__(self, order: KnownOrder, riffles: int, wealth: float, cards: int) -> None:
        """Begin where `cards` cards are left in the shoe."""
        Bet.__init__(self, len(order.places), wealth)
        self._faces = order.faces
        self._places = order.places
        self._packets = 1 << riffles
        size = self._size = len(order.faces)
        self._seen = [0.0] * size
        self._joined = [0.0] * size
        self._due = [0.0] * size
        # How many cards of each face came that lie on the ring, and how many of its cards are left.
        self._came = [0.0] * len(order.places)
        self._left = float(min(cards, size))
        # Positions that are located, upwards; whether one was lately; how each was weighed.
        self._located: list[int] = []
        self._told = False
        self._weighed = [1.0] * size
        self._spaced = riffles <= MOST_SPACED and cards >= size
        self._table = spaced(size / self._packets, size, LEAST) if self._spaced else []

    def foretell_next(self, counts: list[int], cards: int) -> None:
        """Await what goes on with the packets seen so far."""
        awaited = self._awaited(counts)
        on_ring = min(1.0, self._left / cards)
        share = on_ring / self._packets
        if awaited * share > 1 - OUTLIER:
            share = (1 - OUTLIER) / awaited
        self.share = share
        self.evenly = 1.0 - awaited * share

    def learn_card(self, symbol: int, count: int, cards: int) -> None:
        """Work out where a card lay."""
        places = self._places[symbol]
        share, chance = self.share, count / cards
        on_ring = min(1.0, self._left / cards)
        begins = max(0.0, self.evenly - OUTLIER - (1.0 - on_ring)) / max(1.0, self._left)
        if self._located:
            begins /= max(0.05, 1.0 - min(self._live() / self._packets, 1.0 - self.evenly))
        seen, due = self._seen, self._due
        whole = OUTLIER * chance + max(0.0, 1.0 - on_ring) * chance
        found: list[tuple[int, float, float]] = []
        for place in places:
            goes_on = due[place] * share
            free = 1.0 - seen[place] - due[place]
            fresh = 0.0
            if free > 0.0:
                fresh = free * begins * self._weigh(place)
            whole += goes_on + fresh
            found.append((place, goes_on, goes_on + fresh))
        came = 0.0
        for place, goes_on, here in found:
            if here > 0.0:
                self._lay(place, goes_on / whole, here / whole)
                came += here / whole
        self._came[symbol] += came
        self._left -= came
        for place, goes_on, here in found:
            if goes_on > LITTLE * whole:
                before = place - 1 if place else self._size - 1
                self._revise(before, (1.0 - here / whole) * seen[before] + goes_on / whole)
        if self._told:
            self._told = False
            self._weigh_all()

    def _lay(self, place: int, goes_on: float, here: float) -> None:
        """A card came that lay at a position with the chance `here`; with that of `goes_on` a packet went on there."""
        after = place + 1 if place + 1 < self._size else 0
        self._seen[place] = min(1.0, self._seen[place] + here)
        self._joined[place] += goes_on
        self._set_due(place, self._due[place] * (1.0 - here))
        self._set_due(after, self._due[after] + here * (1.0 - self._seen[after]))
        self._locate(place)

    def _set_due(self, place: int, due: float) -> None:
        self.awaits[self._faces[place]] += due - self._due[place]
        self._due[place] = due

    def _revise(self, place: int, seen: float) -> None:
        """Take a position as seen with another chance, with what follows for its face and for the cards before it."""
        for _ in range(BACK):
            was = self._seen[place]
            seen = min(1.0, max(0.0, seen))
            self._seen[place] = seen
            self._locate(place)
            self._doubt_others(place, seen - was)
            if was < NONE:
                return
            joined = min(1.0, self._joined[place] / was)
            self._joined[place] += (seen - was) * joined
            alone = min(1.0, self._due[place] / (1.0 - was)) if was < 1.0 else 0.0
            change = (seen - was) * (joined - alone)
            if change < LITTLE:
                return
            place = place - 1 if place else self._size - 1
            seen = self._seen[place] + change

    def _doubt_others(self, place: int, more: float) -> None:
        """What one position of a face gains in chance the others lose: as many were seen as before."""
        seen = self._seen
        face = self._faces[place]
        several = self._came[face] > 1.5
        whole = 0.0
        for other in self._places[face]:
            if other != place:
                whole += seen[other] * (1.0 - seen[other]) if several else seen[other]
        if whole < NONE:
            return
        part = more / whole
        for other in self._places[face]:
            if other != place and seen[other] > 0.0:
                keeps = 1.0 - part * (1.0 - seen[other] if several else 1.0)
                self._scale(other, min(max(0.0, keeps), 1.0 / seen[other]))

    def _scale(self, place: int, keeps: float) -> None:
        """Multiply the chances that a position was seen and that the next one is due."""
        self._seen[place] *= keeps
        self._joined[place] *= keeps
        after = place + 1 if place + 1 < self._size else 0
        if self._due[after] > 0.0:
            self._set_due(after, min(1.0, self._due[after] * keeps))
        self._locate(place)

    # --- spacing ---

    def _locate(self, place: int) -> None:
        """Note whether a position is located."""
        if not self._spaced:
            return
        located = self._located
        index = bisect_left(located, place)
        was = index < len(located) and located[index] == place
        if was != (self._seen[place] > LOCATED):
            # A packet that goes on tells nothing new of the spacing.
            if was:
                del located[index]
                self._told = True
            else:
                self._told = self._told or not index or located[index - 1] != place - 1
                insort(located, place)

    def _live(self) -> int:
        """How many packets of located positions may go on."""
        located = self._located
        live = 0
        before = located[-1] - self._size
        for place in located:
            if place - before > 1:
                live += 1
            before = place
        return live

    def _weigh(self, place: int) -> float:
        """How many times likelier than elsewhere a packet begins at a position, by the packets that are located."""
        located = self._located
        if not located:
            return 1.0
        index = bisect_left(located, place)
        behind = located[index] if index < len(located) else located[0] + self._size
        ahead = located[index - 1] if index else located[-1] - self._size
        if behind == place:
            return 0.0
        table = self._table
        weight = table[place - ahead - 1] * table[behind - place - 1] / table[behind - ahead - 1]
        if self._seen[place] < NONE:
            self._weighed[place] = weight
        return weight

    def _weigh_all(self) -> None:
        """Weigh again where the cards may lie that began a packet."""
        seen = self._seen
        for face, came in enumerate(self._came):
            if came > 0.5:
                places = [place for place in self._places[face] if NONE < seen[place] <= LOCATED]
                if len(places) > 1:
                    self._weigh_again(places)

    def _weigh_again(self, places: list[int]) -> None:
        was = whole = 0.0
        times: list[float] = []
        for place in places:
            seen = self._seen[place]
            weighed = self._weighed[place]
            weight = self._weigh(place)
            self._weighed[place] = weight
            began = max(0.0, 1.0 - self._joined[place] / seen)
            times.append(1.0 - began + began * weight / max(weighed, NONE))
            was += seen
            whole += seen * times[-1]
        if whole > 0.0:
            for place, more in zip(places, times, strict=True):
                self._scale(place, min(more * was / whole, 1.0 / self._seen[place]))
