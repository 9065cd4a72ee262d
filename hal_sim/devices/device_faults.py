"""All that goes wrong with a simulated device, in one place, from one seed.

1. A device has two wires, one each way. What the one end puts on a wire goes through its `Damage` and comes out at the
   other end, in order, later or at once. Serial and USB use the same wires.
2. Damage is counted along the stream: the same bytes with the same seed are damaged alike, however they were cut into
   pieces when they were put on the wire. Each kind has a random source of its own, so that one kind does not move the
   hits of another. The gaps between two hits are drawn from the geometric distribution, so a clean stretch costs
   nothing.
3. Kinds of damage: a flipped bit (chance a bit), a dropped byte, an inserted byte and a repeat of the bytes before
   (chance a byte each). Bytes may further be split into short pieces that come one after the other, and delayed by
   a fixed time and a random one (skew). Delay never changes the order.
4. A wire can be cut after a number of bytes, in the middle of a frame: the rest is lost, and the cable is found pulled.
5. A stuck device reads nothing and sends nothing while its port stays open. A reboot and a pulled cable lose what is
   under way on both wires.
6. The device's clock can run too fast or too slow by some millionths. It counts milliseconds modulo 2**32 and begins at
   zero with each boot.

Not modelled: electrical levels, break conditions, the line rate, bursts of noise on both wires at once. Nor are parity
and framing errors of a UART: a kernel in raw mode delivers their bytes or drops them, and both of these are here.
"""

import math
import random
from collections import deque
from dataclasses import dataclass

# A piece follows the piece before it after so long, in seconds: long enough to be read on its own.
SPLIT_GAP = 0.0002
# The longest run of bytes that comes a second time.
LONGEST_REPEAT = 32


@dataclass(frozen=True, slots=True)
class Damage:
    """What one wire does to the bytes on it."""

    flip: float = 0.0
    """Chance of each bit to be turned over."""
    drop: float = 0.0
    """Chance of each byte to be lost."""
    insert: float = 0.0
    """Chance that a random byte comes before a byte."""
    repeat: float = 0.0
    """Chance that after a byte the last 1 to 32 bytes come again."""
    split: int = 0
    """The longest piece in bytes; 0 leaves the pieces whole."""
    delay_ms: float = 0.0
    """Fixed delay."""
    skew_ms: float = 0.0
    """Longest random delay, drawn from 0 on for each piece."""

    def problems(self) -> list[str]:
        """Return all that makes no sense about these figures."""
        chances = {"flip": self.flip, "drop": self.drop, "insert": self.insert, "repeat": self.repeat}
        spans = {"split": self.split, "delay_ms": self.delay_ms, "skew_ms": self.skew_ms}
        return [f"{name} is a chance from 0 to 1" for name, chance in chances.items() if not 0 <= chance <= 1] + [
            f"{name} is not negative" for name, span in spans.items() if not span >= 0
        ]


CLEAN = Damage()


class Hits:
    """Where along an endless stream something happens, with a given chance at each place."""

    __slots__ = ("_chance", "_gaps", "_left", "values")

    def __init__(self, chance: float, seed: str) -> None:
        self._gaps = random.Random(f"{seed} gaps")
        self.values = random.Random(f"{seed} values")
        self._chance = chance
        self._left = self._gap()

    def _gap(self) -> float:
        """Draw how many places are spared before the next hit."""
        if self._chance <= 0.0:
            return math.inf
        if self._chance >= 1.0:
            return 0
        return int(math.log(1.0 - self._gaps.random()) / math.log1p(-self._chance))

    def among(self, places: int) -> list[int]:
        """Return which of the next places are hit."""
        if self._left >= places:
            self._left -= places
            return []
        found = []
        while self._left < places:
            found.append(int(self._left))
            self._left += 1 + self._gap()
        self._left -= places
        return found


class Wire:
    """One direction of a link."""

    def __init__(self, seed: str) -> None:
        self.damaged = 0
        """How many times this wire has done damage."""
        self.cut = False
        """Whether the wire was cut by `cut_after`."""
        self.waiting = 0
        """How many bytes are under way."""
        self._cut_after: int | None = None
        self._queue: deque[tuple[float, bytes]] = deque()
        self._last = 0.0
        self.impair(CLEAN, seed)

    def impair(self, damage: Damage, seed: str) -> None:
        """Change what the wire does from now on."""
        self.damage = damage
        self._noisy = bool(damage.flip or damage.drop or damage.insert or damage.repeat)
        self._late = bool(damage.split or damage.delay_ms or damage.skew_ms)
        self._flips = Hits(damage.flip, f"{seed} flip")
        self._drops = Hits(damage.drop, f"{seed} drop")
        self._inserts = Hits(damage.insert, f"{seed} insert")
        self._repeats = Hits(damage.repeat, f"{seed} repeat")
        self._times = random.Random(f"{seed} times")
        self._tail = b""

    def cut_after(self, count: int) -> None:
        """Let `count` more bytes through, then no more."""
        self._cut_after = count

    def mend(self) -> None:
        """Lose what is under way and undo a cut that was made: the cable was pulled."""
        self._queue.clear()
        self.waiting = 0
        if self.cut:
            self.cut = False
            self._cut_after = None

    def put(self, data: bytes, now: float) -> list[bytes]:
        """Put bytes on the wire; return the pieces that are through at once."""
        if self._noisy:
            data = self._damage(data)
        if self._cut_after is not None:
            data = self._cut(data, self._cut_after)
        if not data:
            return []
        if not self._late and not self._queue:
            return [data]
        for piece in self._pieces(data):
            skew = self._times.uniform(0.0, self.damage.skew_ms) if self.damage.skew_ms else 0.0
            gap = SPLIT_GAP if self.damage.split else 0.0
            self._last = max(now + (self.damage.delay_ms + skew) / 1000.0, self._last + gap)
            self._queue.append((self._last, piece))
            self.waiting += len(piece)
        return self.pieces_through(now)

    def pieces_through(self, now: float) -> list[bytes]:
        """Return the pieces that are through by now."""
        through = []
        while self._queue and self._queue[0][0] <= now:
            piece = self._queue.popleft()[1]
            self.waiting -= len(piece)
            through.append(piece)
        return through

    def due(self) -> float | None:
        """Return when the next piece is through, None if nothing is under way."""
        return self._queue[0][0] if self._queue else None

    def _cut(self, data: bytes, left: int) -> bytes:
        """Return what still passes before the cut."""
        self._cut_after = max(left - len(data), 0)
        self.cut = len(data) >= left
        return data[:left]

    def _pieces(self, data: bytes) -> list[bytes]:
        """Cut bytes into pieces of random length."""
        if not self.damage.split:
            return [data]
        pieces = []
        start = 0
        while start < len(data):
            end = start + self._times.randint(1, self.damage.split)
            pieces.append(data[start:end])
            start = end
        return pieces

    def _damage(self, data: bytes) -> bytes:
        """Return what becomes of bytes on the way."""
        flips = self._flips.among(8 * len(data))
        drops = set(self._drops.among(len(data)))
        inserts = set(self._inserts.among(len(data)))
        repeats = set(self._repeats.among(len(data)))
        self.damaged += len(flips) + len(drops) + len(inserts) + len(repeats)
        if flips:
            turned = bytearray(data)
            for bit in flips:
                turned[bit >> 3] ^= 1 << (bit & 7)
            data = bytes(turned)
        if drops or inserts or repeats:
            return self._edit(data, drops, inserts, repeats)
        if self.damage.repeat:
            self._tail = (self._tail + data)[-LONGEST_REPEAT:]
        return data

    def _edit(self, data: bytes, drops: set[int], inserts: set[int], repeats: set[int]) -> bytes:
        """Drop, insert and repeat bytes at the places given."""
        edited = bytearray(self._tail)
        for place, byte in enumerate(data):
            if place in inserts:
                edited.append(self._inserts.values.randrange(256))
            if place not in drops:
                edited.append(byte)
            if place in repeats:
                edited += edited[-self._repeats.values.randint(1, LONGEST_REPEAT) :]
        result = bytes(edited[len(self._tail) :])
        if self.damage.repeat:
            self._tail = bytes(edited[-LONGEST_REPEAT:])
        return result


class Clock:
    """The clock of a device."""

    def __init__(self, now: float) -> None:
        self._at = now
        self._shown = 0.0
        self._rate = 1.0

    def read(self, now: float) -> int:
        """Return the milliseconds that the device shows."""
        return int(self._exact(now) * 1000.0) % 2**32

    def drift(self, ppm: float, now: float) -> None:
        """Run too fast by `ppm` millionths from now on; negative is too slow."""
        self._shown, self._at = self._exact(now), now
        self._rate = 1.0 + ppm / 1e6

    def restart(self, now: float) -> None:
        """Begin at zero; the drift stays, it is in the crystal."""
        self._shown, self._at = 0.0, now

    def _exact(self, now: float) -> float:
        """Return the seconds that the device has counted."""
        return self._shown + (now - self._at) * self._rate


class Faults:
    """What is wrong with one device: its two wires, whether it is stuck, its clock."""

    def __init__(self, seed: str, now: float) -> None:
        self.seed = seed
        self.to_host = Wire(f"{seed} to host")
        self.to_device = Wire(f"{seed} to device")
        self.clock = Clock(now)
        self.stuck = False

    def impair(
        self, *, to_host: Damage | None = None, to_device: Damage | None = None, seed: str | None = None
    ) -> None:
        """Damage one wire or both from now on; without a seed, from the device's."""
        seed = self.seed if seed is None else seed
        if to_host is not None:
            self.to_host.impair(to_host, f"{seed} to host")
        if to_device is not None:
            self.to_device.impair(to_device, f"{seed} to device")

    def mend(self) -> None:
        """Lose what is under way both ways: the cable was pulled, or the device has rebooted."""
        self.to_host.mend()
        self.to_device.mend()

    def due(self) -> float | None:
        """Return when the next piece is through on either wire."""
        out, back = self.to_host.due(), self.to_device.due()
        if out is None or back is None:
            return back if out is None else out
        return min(out, back)
