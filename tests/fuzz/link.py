"""Coverage-guided fuzzing of the framer and both ends of the link, with atheris where it is installed.

    pip install atheris
    python -m tests.fuzz.link -max_total_time=600

1. The first byte chooses: which edition, with or without a key, session up or not, and how the rest is split. The
   rest is what arrives, at both ends.
2. An exception, memory beyond the bounds, or an event or command accepted under a key is a find; libFuzzer keeps the
   input, and `python -m tests.fuzz.link FILE` repeats it.
"""

from __future__ import annotations

import importlib
import sys

from drivers.happenings import Arrived
from tests.drivers.link.cable import KEY, PAIR, device_link, host_link
from tests.drivers.link.test_any_bytes import LIMITS, cut, joined, sizes


def one_input(data: bytes) -> None:
    """Let these bytes arrive at both ends."""
    choice, rest = (data[0], data[1:]) if data else (0, b"")
    key = (None, KEY, PAIR, PAIR)[choice & 3]
    if choice & 4:
        host, device = joined(key)
    else:
        host, device = host_link(key=key), device_link(key=key, keep=50)
        host.opened(0.0)
        device.opened(0.0)
    now = 0.0
    for piece in cut(rest, [1 + (choice >> 3)]):
        now += 0.01
        happenings, commands = host.received(piece, now), device.received(piece, now)
        if key is not None and (commands or any(isinstance(one, Arrived) for one in happenings)):
            raise RuntimeError("accepted without a tag")
        host.tick(now)
        device.tick(now)
        if not all(size <= limit for size, limit in zip(sizes(host, device), LIMITS, strict=True)):
            raise RuntimeError("memory without bounds")
        host.outgoing()
        device.outgoing()


def main() -> None:
    """Fuzz until stopped."""
    atheris = importlib.import_module("atheris")
    atheris.instrument_all()
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
