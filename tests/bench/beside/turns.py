"""One edition of truedeal that takes its turns in a benchmark: `yardstick` starts one for each edition.

1. It is started by its path, with the folder of an edition as its working folder and before all others on its path.
   What it imports of truedeal is that edition's; nothing else of this edition's may be imported here.
2. It answers each line with a line. Where it plays in process, a line is the name of a program of `tests.bench`, and
   the answer its hands a second of processor time: whoever else keeps the machine busy does not count. Where it runs a
   daemon, `card` is answered with the seconds from a card's last byte to its ruling, `memory` with the megabytes that
   the daemon holds.
3. It ends with its standard input.
"""

from __future__ import annotations

import select
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def answer_hands(rounds: int) -> None:
    """Answer with hands a second."""
    from tests.bench.__main__ import programs  # noqa: PLC0415  the edition's own

    found = {name: program for name, program in programs(rounds, 1).items() if " live" in name or " prepared" in name}
    print("\t".join(found), flush=True)
    for line in sys.stdin:
        start = time.process_time()
        hands = found[line.strip()]()
        print(hands / (time.process_time() - start), flush=True)


def answer_cards() -> None:
    """Answer with the seconds of a card."""
    from tests.bench.daemon import AtTable  # noqa: PLC0415  the edition's own

    with tempfile.TemporaryDirectory() as folder:
        table = AtTable(Path(folder) / "daemon")
        try:
            print("ready", flush=True)
            while line := _line(table._shoe):
                print(table.daemon.memory if line.strip() == "memory" else table.card(), flush=True)
        finally:
            table.close()


def _line(shoe: Any) -> str:
    """The next line; the shoe answers its host meanwhile, or the link is lost while the other edition has its turn."""
    while not select.select([sys.stdin], [], [], 0.05)[0]:
        shoe.serve(0.0)
    return sys.stdin.readline()


if __name__ == "__main__":
    if sys.argv[1] == "cards":
        answer_cards()
    else:
        answer_hands(int(sys.argv[1]))
