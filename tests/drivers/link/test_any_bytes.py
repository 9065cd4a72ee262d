"""Whatever bytes arrive at either end, in whatever pieces: no exception, bounded memory, nothing silent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from drivers.happenings import Arrived
from drivers.link import DeviceLink, HostLink
from drivers.link.frames import LONGEST, encode
from drivers.link.host import MOST_COMMANDS
from tests.drivers.link.cable import ALL_KEYS, device_link, host_link

bodies = st.binary(max_size=120)
frames = st.builds(
    lambda kind, counter, body, tag: encode(bytes([kind]) + counter.to_bytes(4, "little") + body + tag),
    st.sampled_from([0, 1, 2, 3, 4, 5, 6, 0x10, 0x11, 0x12, 0x13, 0x20, 0xFF]),
    st.integers(0, 2**32 - 1),
    bodies
    | st.sampled_from(
        [bytes(5), bytes(8), bytes(9), bytes(18), bytes(36), bytes(73), b"\x01" + bytes(72), bytes(56), bytes(48)]
    ),
    st.just(bytes(8)) | st.binary(min_size=8, max_size=8),
)
streams = st.lists(st.binary(max_size=300) | frames | st.just(b"\0"), max_size=25)
pieces = st.lists(st.integers(1, 400), min_size=1, max_size=10)


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    """The same bytes in pieces of these sizes, over and over."""
    found, at, turn = [], 0, 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        found.append(data[at : at + size])
        at, turn = at + size, turn + 1
    return found


def joined(key: bytes | None) -> tuple[HostLink, DeviceLink]:
    """Both ends, up."""
    host, device = host_link(key=key), device_link(key=key, keep=50)
    host.opened(0.0)
    device.opened(0.0)
    for _ in range(4):
        device.received(host.outgoing(), 0.0)
        host.received(device.outgoing(), 0.0)
    assert (True, True) == (host.up, device.up)
    return host, device


def sizes(host: HostLink, device: DeviceLink) -> list[int]:
    """What either end stores."""
    return [
        host._framer.buffered,
        device._framer.buffered,
        len(host._channel.outbox),
        len(device._events),
    ]


LIMITS = [LONGEST + 2, LONGEST + 2, MOST_COMMANDS, 50]


@ALL_KEYS
@given(stream=streams, split=pieces, up=st.booleans())
def test_anything_may_arrive_at_either_end(key: bytes | None, stream: list[bytes], split: list[int], up: bool) -> None:
    """Neither end raises or stores without end, and with a key nothing of it passes for an event or a command."""
    if up:
        host, device = joined(key)
    else:
        host, device = host_link(key=key), device_link(key=key, keep=50)
        host.opened(0.0)
        device.opened(0.0)
    now = 0.0
    for piece in cut(b"".join(stream), split):
        now += 0.03
        happenings = host.received(piece, now)
        commands = device.received(piece, now)
        if key is not None:
            assert [] == [one for one in happenings if isinstance(one, Arrived)]
            assert [] == commands
        host.tick(now)
        device.tick(now)
        device.event(1, b"card", 0, now)
        host.send(1, b"lamp", now)
        assert len(host.outgoing()) + len(device.outgoing()) < 40_000
        assert all(size <= limit for size, limit in zip(sizes(host, device), LIMITS, strict=True))


@ALL_KEYS
@given(stream=streams, split=pieces)
def test_every_chunk_is_counted(key: bytes | None, stream: list[bytes], split: list[int]) -> None:
    """Every run of bytes between two zeros is counted at the host as a good frame or as a bad one."""
    host, _ = joined(key)
    before = host.stats.frames + host.stats.bad
    data = b"".join(stream) + b"\0"
    for piece in cut(data, split):
        host.received(piece, 0.0)
    assert len([chunk for chunk in data.split(b"\0") if chunk]) == host.stats.frames + host.stats.bad - before
    assert len(data) <= host.stats.bytes
