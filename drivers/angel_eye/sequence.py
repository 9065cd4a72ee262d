"""The order of the device's sequence numbers: whether messages are missing between two of them.

Experimental: written from public descriptions, never tried on a device.

1. The sequence is one byte and grows by one with each message. After which byte it starts again is not publicly said.
2. A configured sequence (`digits`, `hex`, or a range such as `30-7F`) is exact: what is missing is `events-lost`,
   with its count, less whole turns of the sequence, which nobody can see. A number outside it is `unverified`.
3. Without one (`learn`) a step of one is right; a step forward by two to seven is `events-lost`, since no sequence
   that is written in characters jumps so little. The same number again says nothing. Any other step is the
   sequence starting again, or a loss: it is `unverified` until the same step has been seen twice, and right from then
   on.
"""

from __future__ import annotations

import re

from drivers.faults import EVENTS_LOST, UNVERIFIED, Fault

LEARN = "learn"

_NAMED = {"digits": b"0123456789", "hex": b"0123456789ABCDEF"}
_RANGE = re.compile(r"([0-9A-Fa-f]{2})-([0-9A-Fa-f]{2})")
_JUMP = 8
_ENOUGH = 2


def alphabet(name: str) -> bytes:
    """Return the sequence that a setting names, in its order; empty for one that is to be learnt.

    Raises:
        ValueError: the setting names none.
    """
    if name == LEARN:
        return b""
    if name in _NAMED:
        return _NAMED[name]
    if found := _RANGE.fullmatch(name):
        low, high = (int(end, 16) for end in found.groups())
        if low < high:
            return bytes(range(low, high + 1))
    problem = f"'{name}' is no sequence: learn, digits, hex or a range such as 30-7F"
    raise ValueError(problem)


class Sequence:
    """Watches the sequence numbers."""

    def __init__(self, name: str) -> None:
        self._alphabet = alphabet(name)
        self._last: int | None = None
        self._steps: dict[int, tuple[int, int]] = {}

    @property
    def known(self) -> bool:
        """Whether a number has been seen."""
        return self._last is not None

    def restart(self, number: int) -> None:
        """Start again with this number: the device said so."""
        self._last = number

    def follow(self, number: int) -> Fault | None:
        """Take the next number; return the fault if messages may be missing before it."""
        last, self._last = self._last, number
        if last is None or last == number:
            return None
        step = f"the sequence went from {_shown(last)} to {_shown(number)}"
        if self._alphabet:
            places = self._alphabet.find(last), self._alphabet.find(number)
            if min(places) < 0:
                return Fault(UNVERIFIED, f"{step}, which is not the configured sequence")
            lost = (places[1] - places[0] - 1) % len(self._alphabet)
            return Fault(EVENTS_LOST, f"{step}: messages are missing", lost) if lost else None
        if number == last + 1:
            return None
        if last < number < last + _JUMP:
            return Fault(EVENTS_LOST, f"{step}: messages are missing", number - last - 1)
        return self._learnt(last, number, step)

    def _learnt(self, last: int, number: int, step: str) -> Fault | None:
        """Judge a step that may be the sequence starting again."""
        learnt, seen = self._steps.get(last, (number, 0))
        if learnt != number:
            learnt, seen = number, 0
        self._steps[last] = (learnt, seen + 1)
        if seen >= _ENOUGH:
            return None
        return Fault(UNVERIFIED, f"{step}: it starts again, or messages are missing; the option `sequence` can tell")


def _shown(number: int) -> str:
    """Return a sequence number for a person."""
    return f"{number:02X}"
