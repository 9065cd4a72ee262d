"""``truedeal sniff``: decodes a live link or a capture, and never writes to it.

1. PORT is a capture (a file of the bytes as they came, ``-`` for the standard input), or a live link: an address such
   as ``serial:/dev/ttyUSB0?baud=4800``, or the path of a terminal. A live link is for a tap or a pseudo-terminal: a
   port that the table uses is busy, and a device that is listened to here is not answered.
2. One line for each frame: when, which way, type, counter, number, message with its fields, what its tag is worth; one
   line for each fault, with what to do. A capture has no clock: its frames are named by the byte at which they end.
3. ``--with-key`` verifies the tags, if the handshake is in what is heard. Without it they are unchecked. It names a
   file: others on the computer could read a key that is an argument.
4. A live link is read until it is hung up, until ``--seconds`` are over, or until Ctrl-C.
5. Exit status: 0 no fault, 1 faults, 2 there is nothing to read or no frame in it.
"""

from __future__ import annotations

import argparse
import json
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from firmware_bridge.commands.help_text import examples

if TYPE_CHECKING:
    from drivers.faults import Fault
    from firmware_bridge.commands.service.link_listener import Line, Listener

_CHUNK = 65_536
_BAUDS = {"angel-eye": 4800}
_BITS = 10
_PIECE = 8
_MOST_SECONDS = 10**7


class _UnreadableError(Exception):
    """There is nothing to decode, and why."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "sniff",
        help="decode a live link or a capture",
        description="Decodes the frames of a device link, live or from a capture, without ever answering.",
        epilog=examples(
            ("truedeal sniff capture.bin", "a capture of the shoe's link"),
            ("truedeal sniff serial:/dev/ttyUSB0 --driver hub --seconds 30", "a tap, for half a minute"),
            ("truedeal sniff capture.bin --with-key shoe.key --json", "with the tags verified, as JSON"),
            status="Exit status: 0 no fault, 1 faults were seen, 2 nothing could be read.",
        ),
    )
    parser.add_argument("port", metavar="PORT", help="a capture file, - for standard input, or serial:/dev/…[?baud=N]")
    parser.add_argument("--driver", default="shoe", metavar="KIND", help="what speaks there; shoe unless given")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the driver")
    parser.add_argument(
        "--with-key", type=Path, metavar="FILE", help="the key of edition 1 in hex: verifies proofs and tags"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--hex", action="store_true", help="print the bytes of each frame too")
    parser.add_argument("--seconds", type=float, metavar="N", help="listen to a live link for N seconds")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Decode what comes; returns the exit status."""
    from drivers.ports import AddressError, PortError  # noqa: PLC0415  only when there is something to decode

    show = _Show(as_json=args.json, raw=args.hex)
    try:
        heard = _listener(args)
        _listen(args, heard, show)
    except PortError as error:
        return _refused(f"{error.fault.code}: {error.fault.detail}. {error.fault.remedy}")
    except (_UnreadableError, AddressError) as error:
        return _refused(str(error))
    except OSError as error:
        return _refused(f"{args.port}: {error.strerror or error}")
    if not show.frames:
        sys.stdout.flush()
        return _refused(f"{args.port}: {show.bytes} bytes and no whole frame of a {args.driver} in them")
    show.summary()
    return 1 if show.faults else 0


def _listener(args: argparse.Namespace) -> Listener:
    """What decodes, or why it cannot be had."""
    from drivers.driver import DriverError  # noqa: PLC0415
    from firmware_bridge.commands.service.link_listener import listener  # noqa: PLC0415

    options = dict(option.partition("=")[::2] for option in args.option)
    try:
        key = None if args.with_key is None else bytes.fromhex(args.with_key.read_text(encoding="ascii"))
        return listener(args.driver, key, options)
    except DriverError as error:
        raise _UnreadableError(str(error)) from error
    except (ValueError, OSError) as error:
        problem = f"--with-key: {error}"
        raise _UnreadableError(problem) from error


def _listen(args: argparse.Namespace, heard: Listener, show: _Show) -> None:
    """Decode all that comes."""
    if args.seconds is not None and not 0 <= args.seconds <= _MOST_SECONDS:
        problem = f"--seconds: {args.seconds:g} is no time to listen"
        raise _UnreadableError(problem)
    address = _address(args)
    if address is not None:
        started = time.monotonic()
        live = _live(address, args.seconds, lambda data: show.all(heard.feed(data, _since(started)), len(data)))
        if live is not None:
            show.note(live)
        show.all(heard.end(_since(started)), 0)
        return
    show.by_offset = True
    rate = _BAUDS.get(args.driver, 0) / _BITS
    for data, before in _chunks(args.port, _PIECE if rate else _CHUNK):
        show.all(heard.feed(data, before / rate if rate else 0.0), len(data))
    show.all(heard.end(show.bytes / rate if rate else 0.0), 0)


def _since(started: float) -> float:
    """Seconds since then."""
    return time.monotonic() - started


def _address(args: argparse.Namespace) -> str | None:
    """The address of a live link; None for a capture."""
    text: str = args.port
    if text == "-":
        return None
    if text.startswith(("serial:", "pty:", "usb:")):
        return text
    path = Path(text)
    if path.exists() and stat.S_ISCHR(path.stat().st_mode):
        baud = _BAUDS.get(args.driver)
        return f"serial:{path.absolute()}" + ("" if baud is None else f"?baud={baud}")
    return None


def _chunks(name: str, size: int) -> Iterator[tuple[bytes, int]]:
    """The bytes of a capture in pieces, each with how many came before it."""
    before = 0
    with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as source:
        for data in iter(_reader(source), b""):
            for start in range(0, len(data), size):
                piece = data[start : start + size]
                yield piece, before
                before += len(piece)


def _reader(source: BinaryIO) -> Callable[[], bytes]:
    """What reads the next piece."""
    return lambda: source.read(_CHUNK)


def _live(address: str, seconds: float | None, received: Callable[[bytes], None]) -> Fault | None:
    """Listen to a port and never write to it; returns why it ended, or None if that was wanted."""
    import asyncio  # noqa: PLC0415  a capture needs no loop

    from drivers.ports import opener  # noqa: PLC0415

    async def listen() -> Fault | None:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[Fault] = loop.create_future()
        port = opener(address, loop)()
        try:
            port.start(received, lambda fault: None if ended.done() else ended.set_result(fault))
            return await asyncio.wait_for(ended, seconds)
        except TimeoutError:
            return None
        finally:
            port.close()

    try:
        return asyncio.run(listen())
    except KeyboardInterrupt:
        return None


def _refused(problem: str) -> int:
    """Say in one line why there is nothing."""
    sys.stderr.write(f"truedeal sniff: {problem}\n")
    return 2


class _Show:
    """Prints lines and counts them."""

    def __init__(self, *, as_json: bool, raw: bool) -> None:
        """Nothing was heard yet."""
        self._json = as_json
        self._raw = raw
        self._started = time.monotonic()
        self.by_offset = False
        self.frames = 0
        self.faults = 0
        self.bytes = 0

    def all(self, lines: Iterable[Line], size: int) -> None:
        """Print what some bytes gave."""
        self.bytes += size
        for line in lines:
            self.frames += bool(line.type)
            self.faults += line.fault is not None
            sys.stdout.write(self._as_json(line) if self._json else self._as_text(line))
        sys.stdout.flush()

    def note(self, fault: Fault) -> None:
        """Print how a live link ended; that is no fault of its frames."""
        if not self._json:
            sys.stdout.write(f"{'':>14} {fault.code}: {fault.detail}\n")

    def summary(self) -> None:
        """Print how much there was."""
        if self._json:
            ended = {"frames": self.frames, "faults": self.faults, "bytes": self.bytes}
            sys.stdout.write(json.dumps({"summary": ended}, separators=(",", ":")) + "\n")
            return
        words = [_counted(self.frames, "frame"), _counted(self.faults, "fault"), _counted(self.bytes, "byte")]
        sys.stdout.write(", ".join(words) + "\n")

    def _when(self, line: Line) -> float | int:
        return line.at if self.by_offset else round(time.monotonic() - self._started, 6)

    def _as_text(self, line: Line) -> str:
        when = f"@{line.at}" if self.by_offset else f"{self._when(line):.6f}"
        parts = [f"{when:>14}"]
        if line.type:
            parts += [f"{line.direction:11}", f"{line.type:9}"]
            numbers = (("counter", line.counter), ("number", line.number), ("time", line.time))
            parts += [f"{name} {value}" for name, value in numbers if value is not None]
            parts += [line.message] * bool(line.message)
            parts += [f"{name}={_plain(value)}" for name, value in line.fields.items()]
            parts += [f"[tag {line.tag}]"] * bool(line.tag)
        text = " ".join(parts) + "\n"
        indent = " " * 15
        if line.fault is not None:
            said = f"FAULT {line.fault.code}: {line.fault.detail} | {line.fault.remedy}\n"
            text = text + indent + said if line.type else f"{when:>14} {said}"
        if self._raw and line.raw:
            text += f"{indent}{line.raw.hex(' ')}\n"
        return text

    def _as_json(self, line: Line) -> str:
        record: dict[str, object] = {"at" if self.by_offset else "seconds": self._when(line)}
        if line.type:
            record |= {"type": line.type, "direction": line.direction}
            named = {"counter": line.counter, "number": line.number, "time": line.time}
            record |= {name: value for name, value in named.items() if value is not None}
            if line.message:
                record["message"] = line.message
            if line.fields:
                record["fields"] = dict(line.fields)
            if line.tag:
                record["tag"] = line.tag
        if line.fault is not None:
            fault = line.fault
            record |= {"fault": fault.code, "detail": fault.detail, "remedy": fault.remedy}
        if self._raw and line.raw:
            record["hex"] = line.raw.hex()
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _plain(value: object) -> str:
    """A value of a field for a person; a place or a list with commas."""
    return ",".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _counted(count: int, what: str) -> str:
    """A number of things in words."""
    return f"{count} {what}{'' if count == 1 else 's'}"
