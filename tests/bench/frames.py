"""Frame to event in microseconds, beside a bare struct and CRC parse of the same bytes, in one run.

1. Every candidate takes its turn in every repetition, so that a busy moment of the machine affects all of them. The
   figure is the median of the repetitions, the ratio the median of the ratios within a repetition.
2. `bare` gets the same bytes as ours with a tag: it cuts at the zeros, undoes COBS in the fastest way known to
   us, checks the CRC and unpacks the struct. The second is given frames already cut and decoded: struct and CRC and
   nothing else.
3. Ours is the whole way of `HostLink.received`: bytes in; framing, counter, tag, number, order; `Arrived` out.
   With a tag that includes one keyed BLAKE2s a frame; sealed, as in edition 2, ChaCha20-Poly1305 of 48 bytes and the
   age of the event. A sealed frame is longer: its own bytes are not those that the bare parse gets.
4. The frames are cards as a shoe reports them, seven bytes of payload, in reads of 1 frame and of 16.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from struct import Struct
from zlib import crc32

from drivers.link import DeviceLink, HostLink
from drivers.link.editions.edition import DeviceShake, HostShake
from drivers.link.editions.noise import public
from drivers.link.editions.sealed import SealedDevice, SealedHost
from drivers.link.editions.tagged import TaggedDevice, TaggedHost
from drivers.link.frames import Framer

KEY = bytes(range(32))
BARE = "bare struct + CRC of the same bytes"
DECODED = "bare struct + CRC, frames decoded before"
TAGGED = "ours with tag"
PLAIN = "ours without tag"
SEALED = "ours sealed (edition 2)"
SECRET, DEVICE_SECRET = bytes(range(32)), bytes(range(32, 64))
_HEAD = Struct("<BIIIB")
_CRC = Struct("<I")
Candidate = Callable[[], int]
Shakes = tuple[HostShake, DeviceShake]


def tagged(key: bytes | None) -> Shakes:
    """Both ends of a handshake of edition 1."""
    return TaggedHost(key), TaggedDevice(key)


def sealed() -> Shakes:
    """Both ends of a handshake of edition 2."""
    return (
        SealedHost(SECRET, public(DEVICE_SECRET), kind="shoe", serial="B"),
        SealedDevice(DEVICE_SECRET, public(SECRET), kind="shoe", serial="B"),
    )


def pair(shakes: Shakes) -> tuple[HostLink, DeviceLink]:
    """A host and a device that have shaken hands."""
    host = HostLink(kind="shoe", serial="B", shake=shakes[0], expected=1)
    device = DeviceLink(kind="shoe", serial="B", firmware="1", capabilities=0, shake=shakes[1], boot=1, keep=1 << 20)
    host.opened(0.0)
    device.opened(0.0)
    while not host.up:
        device.received(host.outgoing(), 0.0)
        host.received(device.outgoing(), 0.0)
    return host, device


def reads_of(device: DeviceLink, count: int, together: int) -> list[bytes]:
    """The bytes of `count` card frames, `together` frames a read."""
    wires: list[bytes] = []
    while len(wires) < count:
        number = device.event(0x10, bytes([0x25, 0]) + (1200 + len(wires)).to_bytes(4, "little") + b"\0", 0, 0.0)
        entry = device._events._kept[-1]
        device._events.acknowledge(number + 1, 0.0)
        wires.append(device._channel.seal(*entry))
    return [b"".join(wires[at : at + together]) for at in range(0, count, together)]


def ours(shakes: Shakes, count: int, together: int) -> tuple[Candidate, list[bytes]]:
    """The host's end, given the same reads in each repetition."""
    host, device = pair(shakes)
    reads = reads_of(device, count, together)
    first, seen = host._channel.expected, host._channel._seen

    def run() -> int:
        host._channel.expected, host._channel._seen = first, seen
        return sum(len(host.received(read, 0.0)) for read in reads)

    return run, reads


def bare_decode(chunk: bytes) -> bytearray:
    """COBS undone in place, nothing checked."""
    frame, at, size = bytearray(chunk), 0, len(chunk)
    while at < size:
        code = frame[at]
        frame[at] = 0
        at += code
    del frame[0]
    return frame


def bare_parse(frame: bytes | bytearray) -> tuple[int, int, int, bytes | bytearray] | None:
    """Number, time, ident and payload of a frame whose CRC is right."""
    if crc32(frame[:-4]) != _CRC.unpack_from(frame, len(frame) - 4)[0]:
        return None
    _, _, number, when, ident = _HEAD.unpack_from(frame)
    return number, when, ident, frame[14:-12]


def bare(reads: list[bytes]) -> Candidate:
    """The bare parse from the wire."""

    def run() -> int:
        found = 0
        for read in reads:
            found += len([bare_parse(bare_decode(chunk)) for chunk in read.split(b"\0") if chunk])
        return found

    return run


def bare_decoded(reads: list[bytes]) -> Candidate:
    """The bare parse of frames that were decoded before."""
    framer = Framer()
    batches = [[frame for frame in framer.feed(read) if isinstance(frame, bytes)] for read in reads]
    return lambda: sum(len([bare_parse(frame) for frame in batch]) for batch in batches)


def measure(candidates: dict[str, Candidate], count: int, repetitions: int) -> dict[str, list[float]]:
    """Microseconds a frame of each candidate in each repetition; the first turn of each warms up and does not count."""
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for repetition in range(repetitions + 1):
        for name, candidate in candidates.items():
            start = time.perf_counter()
            found = candidate()
            microseconds = (time.perf_counter() - start) / count * 1e6
            if found != count:
                raise RuntimeError(f"{name}: {found} events from {count} frames")
            if repetition:
                taken[name].append(microseconds)
    return taken


def lines(taken: dict[str, list[float]]) -> list[str]:
    """The figures as a table."""
    width = max(map(len, taken))

    def ratio(name: str, base: str) -> float:
        return statistics.median(mine / its for mine, its in zip(taken[name], taken[base], strict=True))

    return [
        f"{'':{width}}  {'µs/frame':>8}  {'lowest':>7}  {'highest':>7}  {'x bare':>6}  {'x decoded':>9}",
        *(
            f"{name:{width}}  {statistics.median(values):8.2f}  {min(values):7.2f}  {max(values):7.2f}  "
            f"{ratio(name, BARE):6.2f}  {ratio(name, DECODED):9.2f}"
            for name, values in taken.items()
        ),
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.frames", description="Frame to event, beside a bare parse."
    )
    parser.add_argument("--frames", type=int, default=20_000, help="frames a repetition (default 20,000)")
    parser.add_argument("--repetitions", type=int, default=9, help="repetitions (default 9)")
    args = parser.parse_args(argv)
    print(f"Python {platform.python_version()}, {platform.machine()}")
    print(f"{args.repetitions} interleaved repetitions of {args.frames} frames, median")
    for together in (1, 16):
        with_tag, reads = ours(tagged(KEY), args.frames, together)
        plain, _ = ours(tagged(None), args.frames, together)
        closed, _ = ours(sealed(), args.frames, together)
        candidates = {BARE: bare(reads), DECODED: bare_decoded(reads), PLAIN: plain, TAGGED: with_tag, SEALED: closed}
        print(f"\n{together} frame(s) a read, {len(reads[0]) // together} bytes each on the wire")
        print("\n".join(lines(measure(candidates, args.frames, args.repetitions))))


if __name__ == "__main__":
    main()
