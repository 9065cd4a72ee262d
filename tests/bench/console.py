"""What the console costs the daemon, and how soon browsers see what happens.

1. A card, from its last byte on the wire to the ruling given out, as in `daemon`: one daemon, and beside it nothing, a
   console, a console with 50 browsers, a console that is killed in mid-block and started again. They take turns in
   blocks of cards, each round of blocks beginning with another one, so that a busy moment of the machine affects all of
   them. `nothing, again` is the noise of the measurement itself. The figures are those of a block, medians over the
   rounds, and the medians of the ratios to the block of `nothing` in the same round.
2. The console runs as its unit runs it, in a process that gives way to the daemon. The browsers' process gives way to
   everything: browsers are on other computers.
3. Pace: at 20 cards a second, what 50 browsers read of what happens, whether anything is missing, and how long after
   the daemon has said it.
"""

from __future__ import annotations

import argparse
import os
import platform
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from firmware_bridge.control.client import ControlClient
from tests.bench.beside.watchers import Heard, Watchers
from tests.bench.daemon import AtTable, quantile

BROWSERS = 50
NOTHING, AGAIN, CONSOLE, WATCHED, KILLED = KINDS = (
    "nothing",
    "nothing, again",
    "console",
    f"console, {BROWSERS} browsers",
    "console, killed and started",
)
SHARES = {"p50": 0.5, "p99": 0.99}


class Console:
    """A console in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = ["console", "--control", str(folder / "control.sock"), "--state", str(folder / "state")]
        self._process = subprocess.Popen(
            ["nice", "-n", "19", sys.executable, "-m", "firmware_bridge.cli", *command, "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self.output = self._process.stdout

    def port(self) -> int:
        """Where it listens, once `output` holds it."""
        return int(self.output.readline().decode().strip().rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """End it at once."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.output.close()


class Beside:
    """What runs beside a table; while it starts, the table's shoe is answered."""

    def __init__(self, table: AtTable, folder: Path) -> None:
        self._table = table
        self._folder = folder
        self._console: Console | None = None
        self._browsers: Watchers | None = None

    def start(self, browsers: int = 0) -> None:
        """Start a console, and this many browsers."""
        self._console = Console(self._folder)
        self._serve_until_ready(self._console.output)
        port = self._console.port()
        if browsers:
            self._browsers = Watchers(port, browsers)
            self._serve_until_ready(self._browsers.output)
            self._browsers.ready()

    def again(self) -> None:
        """Kill the console, and start another without waiting for it."""
        if self._console is not None:
            self._console.kill()
            self._console = Console(self._folder)

    def stop(self) -> Heard:
        """End it all; return what the browsers have read."""
        heard = self._browsers.close() if self._browsers is not None else []
        if self._console is not None:
            self._console.kill()
        self._browsers = self._console = None
        return heard

    def _serve_until_ready(self, output: IO[bytes]) -> None:
        while not select.select([output], [], [], 0.0)[0]:
            self._table._shoe.serve(0.02)


class Ear:
    """Reads at the control socket what the daemon says, in a thread."""

    def __init__(self, control: Path) -> None:
        self._client = ControlClient(control)
        self._client.ask(do="watch")
        self._heard: dict[int, float] = {}
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        news = self._client.read()
        while "seen" in news:
            self._heard[news["seen"]["n"]] = time.monotonic()
            news = self._client.read()

    def close(self) -> dict[int, float]:
        """End it; return which events were said, and when."""
        self._client.send(do="status")
        self._thread.join()
        self._client.close()
        return self._heard


def blocks(folder: Path, rounds: int, size: int) -> dict[str, list[list[float]]]:
    """Seconds of each card beside each kind, block by block."""
    table = AtTable(folder)
    beside = Beside(table, folder)
    taken: dict[str, list[list[float]]] = {kind: [] for kind in KINDS}
    try:
        for _ in range(200):
            table.card()
        for number in range(rounds):
            for kind in (*KINDS[number % len(KINDS) :], *KINDS[: number % len(KINDS)]):
                if kind not in {NOTHING, AGAIN}:
                    beside.start(BROWSERS if kind == WATCHED else 0)
                block = []
                for card in range(size):
                    if kind == KILLED and card == size // 2:
                        beside.again()
                    block.append(table.card())
                taken[kind].append(block)
                beside.stop()
    finally:
        beside.stop()
        table.close()
    return taken


def block_lines(taken: dict[str, list[list[float]]]) -> list[str]:
    """The figures of the blocks: medians over the rounds, and the middle half of the ratios of single rounds."""
    lines = [f"{'beside the daemon':30}" + "".join(f"  {name + ' µs':>7}  {'x':>5}  {'rounds':>12}" for name in SHARES)]
    for kind, found in taken.items():
        line = f"{kind:30}"
        for share in SHARES.values():
            mine, its = ([quantile(block, share) for block in one] for one in (found, taken[NOTHING]))
            ratios = [one / other for one, other in zip(mine, its, strict=True)]
            spread = f"{quantile(ratios, 0.25):.2f} to {quantile(ratios, 0.75):.2f}"
            line += f"  {statistics.median(mine) * 1e6:7.0f}  {statistics.median(ratios):5.2f}  {spread:>12}"
        lines.append(line)
    return lines


def paced(folder: Path, seconds: float, rate: float) -> list[str]:
    """What browsers hear at this many cards a second."""
    table = AtTable(folder)
    beside = Beside(table, folder)
    beside.start(BROWSERS)
    ear = Ear(folder / "control.sock")
    try:
        due = time.monotonic()
        for _ in range(int(seconds * rate)):
            table.card()
            due += 1 / rate
            time.sleep(max(0.0, due - time.monotonic()))
        time.sleep(1.0)
    finally:
        said = ear.close()
        heard = beside.stop()
        table.close()
    missing = sum(len(said.keys() - {number for number, _ in one}) for one in heard)
    twice = sum(len(one) - len({number for number, _ in one}) for one in heard)
    late = [at - said[number] for one in heard for number, at in one if number in said]
    half, most = (1e3 * quantile(late, share) for share in SHARES.values())
    return [
        f"{len(said)} events, {len(said) / seconds:.0f} a second, to {len(heard)} browsers",
        f"{missing} missing, {twice} heard twice",
        f"after the daemon has said it: p50 {half:.1f} ms, p99 {most:.1f} ms",
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.console", description="What the console costs.")
    parser.add_argument("--rounds", type=int, default=10, help="rounds of blocks (default 10)")
    parser.add_argument("--cards", type=int, default=1500, help="cards in a block (default 1500)")
    parser.add_argument("--seconds", type=float, default=20.0, help="seconds at 20 cards a second (default 20)")
    args = parser.parse_args(argv)
    print(f"Python {platform.python_version()}, {platform.machine()}, {args.rounds} rounds of {args.cards} cards")
    with tempfile.TemporaryDirectory(prefix="td-") as folder:
        print("\n".join(block_lines(blocks(Path(folder) / "blocks", args.rounds, args.cards))))
        print()
        print("\n".join(paced(Path(folder) / "paced", args.seconds, 20.0)))


if __name__ == "__main__":
    main()
