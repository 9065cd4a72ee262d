"""What is written by hand beside a library that could do it: start, memory, lines, time; see LIBRARIES.md.

1. Start and memory are those of a process that imports something more than the interpreter, or than the daemon or
   the command line: the median of `STARTS` processes each, taken in turn. Start is processor time. Memory is the
   resident set when the import is done.
2. An operation is timed in turns of many, so that a busy moment of the machine affects every candidate; the figure is
   the median of the turns. Both sides work on the same data, and do the same work unless the name of a way says
   otherwise.
3. Lines are those of the files that would go or come, without comments, doc strings and blank lines.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zlib import crc32

import cobs.cobs
import shtab

from drivers.link import frames
from firmware_bridge.audit.exports import csv_cells
from firmware_bridge.cli import build_parser
from firmware_bridge.journal import clock, event_codec
from firmware_bridge.setup import config
from firmware_bridge.shown.scene import scene
from gamecore.model.cards import card
from gamecore.model.events import events as ev
from gamecore.model.places import Place
from gamecore.notation.parser import parse
from gamecore.notation.playing.venue import table_config
from gamecore.notation.syntax import Header
from gamecore.rules.games import GAMES
from gamecore.table import Table
from tests.bench.candidates import with_msgspec

ROOT = Path(__file__).resolve().parents[2]
STARTS, TURNS, EACH = 9, 15, 200
_MEMORY = "print(open('/proc/self/status').read().split('VmRSS:')[1].split()[0])"
_DAEMON = "import firmware_bridge.daemon.startup"
_STATIC = "firmware_bridge/console/static"
IMPORTS = {
    "the interpreter": "pass",
    "what the daemon starts with": _DAEMON,
    "the same and msgspec": f"{_DAEMON}, msgspec",
    "the same and msgspec in use": f"{_DAEMON}, tests.bench.candidates.with_msgspec",
    "the same and cobs": f"{_DAEMON}, cobs.cobs",
    "argparse": "import argparse",
    "click": "import click",
    "the whole command line": "from firmware_bridge.cli import build_parser; build_parser()",
    "the same and shtab": "from firmware_bridge.cli import build_parser; build_parser(); import shtab",
}
"""What a process imports; the daemon first keeps out what it never needs, as `run` does."""
LINES = {
    "configuration and its errors, ours": ("firmware_bridge/setup/config.py", "firmware_bridge/setup/problems.py"),
    "configuration, as far as msgspec would do it": ("tests/bench/candidates/with_msgspec.py",),
    "events as text, ours": ("firmware_bridge/journal/event_codec.py",),
    "frames with COBS and CRC, ours": ("drivers/link/frames.py",),
    "CSV cells, ours on top of the standard library": ("firmware_bridge/audit/exports/csv_cells.py",),
    "times, ours on top of the standard library": ("firmware_bridge/journal/clock.py",),
    "plots, ours": (f"{_STATIC}/draw/plots.js", f"{_STATIC}/pages/health/plots.js"),
    "the command line, ours on top of argparse": ("firmware_bridge/cli.py",),
}


class Timed(NamedTuple):
    """An operation by each of its ways."""

    what: str
    ways: dict[str, Callable[[], object]]


def lines_of(*paths: str) -> int:
    """Lines of code of files, without comments, doc strings and blank lines."""
    count = 0
    for path in paths:
        text = (ROOT / path).read_text(encoding="utf-8")
        wanted = _without_docs(text) if path.endswith(".py") else re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        count += sum(bool(line.strip()) and not line.strip().startswith(("#", "//")) for line in wanted.splitlines())
    return count


def _without_docs(text: str) -> str:
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                told.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return "\n".join(line for number, line in enumerate(text.splitlines(), 1) if number not in told)


# --- start and memory ------------------------------------------------------------------------------------------------


class Start(NamedTuple):
    """Milliseconds of a processor for an import and the process around it, and the megabytes that it held."""

    milliseconds: float
    megabytes: float


def starts() -> dict[str, Start]:
    """Each process, as the median of several that were taken in turn."""
    found: dict[str, list[Start]] = {name: [] for name in IMPORTS}
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(STARTS):
        for name, imports in IMPORTS.items():
            words = [sys.executable, "-c", f"{_KEPT_OUT}\n{imports}\n{_MEMORY}"]
            began = _used_by_children()
            ran = subprocess.run(words, cwd=ROOT, env=compiled, capture_output=True, check=True)
            found[name].append(Start((_used_by_children() - began) * 1000, int(ran.stdout) / 1024))
    return {
        name: Start(statistics.median(one[0] for one in runs), statistics.median(one[1] for one in runs))
        for name, runs in found.items()
    }


def _used_by_children() -> float:
    """Seconds of a processor that ended processes have used: what others do on the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_KEPT_OUT = "import sys; sys.modules['ssl'] = sys.modules['_hashlib'] = None"


# --- operations ------------------------------------------------------------------------------------------------------

CONFIGURATION = """[table]
game = "mbs-blackjack-v6"
state = "/var/lib/truedeal"
control = "/run/truedeal/control.sock"
open = true
[link]
secret = "{key}"
[devices.shoe]
driver = "shoe"
port = "serial:/dev/shoe"
serial = "S-1"
[devices.hub]
driver = "hub"
port = "serial:/dev/hub"
serial = "H-1"
[devices.panel]
driver = "panel"
port = "usb:1209:ca5e"
serial = "P-1"
[retention]
days = 30
""".format(key="5e" * 32)
EVENTS: tuple[tuple[ev.Event, with_msgspec.Event], ...] = (
    (ev.CardDrawn(card("KD")), with_msgspec.CardDrawn("KD")),
    (ev.CardLaid(card("KD"), Place(3)), with_msgspec.CardLaid("KD", "3")),
    (ev.WagerPlaced(Place(3), "main", 5000), with_msgspec.WagerPlaced("3", "main", 5000)),
    (ev.Stand(Place(3)), with_msgspec.Stand("3")),
)
FRAME = bytes(range(60)) + bytes(4)
ROW = ("20260131T201500-E17", "journal-000001.db", 17, "mbs-blackjack-v6", "'5.10", "50.00", "Ann Lee")
AT = 1_769_890_500_123_456_789


def operations(folder: Path) -> list[Timed]:
    """What is timed."""
    file = folder / "table.toml"
    file.write_text(CONFIGURATION, encoding="utf-8")
    texts = [event_codec.encode(event) for event, _ in EVENTS]
    answer: dict[str, object] = {"id": 7, "scene": scene(Table(GAMES["mbs-blackjack-v6"], table_config(_header())))}
    wire = frames.encode(FRAME)[1:-1]
    packed = cobs.cobs.encode(FRAME + crc32(FRAME).to_bytes(4, "little"))
    stream = io.StringIO()
    writer = csv.writer(stream)

    def write_row() -> None:
        stream.seek(0)
        writer.writerow(ROW)

    return [
        Timed(
            "a configuration read and checked",
            {
                "ours": lambda: config.load(file),
                "tomllib alone": lambda: tomllib.loads(CONFIGURATION),
                "msgspec, without what depends on the game": lambda: with_msgspec.configuration(CONFIGURATION),
            },
        ),
        Timed(
            "four events written",
            {
                "ours": lambda: [event_codec.encode(event) for event, _ in EVENTS],
                "msgspec": lambda: [with_msgspec.encode_event(event) for _, event in EVENTS],
            },
        ),
        Timed(
            "four events read",
            {
                "ours": lambda: [event_codec.decode(text) for text in texts],
                "msgspec, cards and places left as text": lambda: [with_msgspec.decode_event(text) for text in texts],
            },
        ),
        Timed(
            "a scene written as JSON",
            {"json": lambda: json.dumps(answer).encode(), "msgspec": lambda: with_msgspec.encode_answer(answer)},
        ),
        Timed(
            "a frame of 68 bytes written",
            {
                "ours": lambda: frames.encode(FRAME),
                "cobs and zlib": lambda: cobs.cobs.encode(FRAME + crc32(FRAME).to_bytes(4, "little")),
            },
        ),
        Timed(
            "a frame of 68 bytes read",
            {"ours": lambda: frames.decode(wire), "cobs and zlib": lambda: crc32(cobs.cobs.decode(packed))},
        ),
        Timed("a line of CSV", {"ours": lambda: csv_cells.line(ROW), "one writer for all lines": write_row}),
        Timed(
            "a time written",
            {
                "ours": lambda: clock.written(AT),
                "datetime": lambda: datetime.fromtimestamp(AT / 1e9, UTC).isoformat(timespec="microseconds"),
            },
        ),
        Timed("completion of the whole command line", {"shtab": completion}),
    ]


def completion() -> str:
    """What completes the command line in bash."""
    return str(shtab.complete(build_parser(), "bash"))


def _header() -> Header:
    return parse("game: mbs-blackjack-v6\n\n", GAMES).header


def timed(found: Sequence[Timed]) -> list[tuple[str, str, float]]:
    """The microseconds of each operation by each way."""
    taken: dict[tuple[str, str], list[float]] = {(one.what, way): [] for one in found for way in one.ways}
    for _ in range(TURNS):
        for one in found:
            for way, do in one.ways.items():
                each = 1 if way == "shtab" else EACH
                began = time.perf_counter()
                for _ in range(each):
                    do()
                taken[one.what, way].append((time.perf_counter() - began) / each * 1e6)
    return [(what, way, statistics.median(values)) for (what, way), values in taken.items()]


def main() -> None:
    """Print the figures."""
    for name, paths in LINES.items():
        print(f"{lines_of(*paths):7} lines  {name}")
    print()
    for name, start in starts().items():
        print(f"{start.milliseconds:7.1f} ms  {start.megabytes:6.1f} MB  {name}")
    print()
    with TemporaryDirectory() as folder:
        for what, way, microseconds in timed(operations(Path(folder))):
            print(f"{microseconds:10.1f} µs  {what}: {way}")
    print(f"\n{len(completion().splitlines())} lines of bash that complete the command line, made by shtab")


if __name__ == "__main__":
    main()
