"""Where packets begin that lie side by side on a ring: how likely, at each distance from a known one.

1. k riffles of n cards are one cut into 2**k packets dealt into one another (Bayer and Diaconis 1992): each card of the
   shoe comes from any packet with equal chances. So the packets' sizes are multinomial, about Poisson with the mean
   `size`, and where they begin is a renewal process.
2. `spaced(size, room)[far]` is the chance that a packet begins `far` positions behind one that began, as a multiple of
   1 / size, which it is far away. Near by it is small, and it has a hill at each multiple of the size.
3. Between two known packets with `room` positions between them, a packet begins `far` behind the first with
   spaced[far] x spaced[room - far - 1] / spaced[room], as a multiple of any position's chance. The first packet itself
   goes on with size x spaced[room - 1] / spaced[room]. Over the room these add up to `room`.
4. On average packets / room is (room + 1) / size x spaced[room + 1] / spaced[room].
5. Tables are made by sums and products from the middle of each hill outwards: no logarithm, power or root.
"""

from __future__ import annotations

from functools import lru_cache

_NEGLIGIBLE = 1e-10


def _add_hill(table: list[float], mean: float, height: float) -> None:
    """Add a Poisson distribution, `height` in all."""
    middle = int(mean)
    part = {middle: 1.0}
    whole = now = 1.0
    place = middle
    while now > _NEGLIGIBLE:
        place += 1
        now *= mean / place
        part[place] = now
        whole += now
    now, place = 1.0, middle
    while now > _NEGLIGIBLE and place:
        now *= place / mean
        place -= 1
        part[place] = now
        whole += now
    for far, weight in part.items():
        if far < len(table):
            table[far] += height * weight / whole


@lru_cache(maxsize=256)
def spaced(size: float, room: int, least: float) -> list[float]:
    """The chances of packets to begin 0, 1, ... room + 1 positions behind one, as multiples of 1 / size.

    None of them is below `least`: real packets are not quite as chance would cut them.
    """
    table = [0.0] * (room + 2)
    mean = size
    # From hills that lie further behind next to nothing reaches back.
    while mean <= room + 60 + room // 4:
        _add_hill(table, mean, size)
        mean += size
    return [max(chance, least) for chance in table]
