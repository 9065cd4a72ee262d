"""The framer: whole frames out of any pieces, a fault for everything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.faults import Fault
from drivers.link.frames import LONGEST, SHORTEST, Framer, decode, encode

contents = st.binary(min_size=SHORTEST - 4, max_size=LONGEST - 4)
CONTENT = bytes(range(20)) + bytes(8)


def codes(found: list[bytes | Fault]) -> list[str]:
    """The codes of the faults, `frame` for each frame."""
    return [one.code if isinstance(one, Fault) else "frame" for one in found]


@given(st.lists(contents, max_size=6), st.randoms(use_true_random=False))
def test_frames_come_out_of_any_pieces(sent: list[bytes], random: object) -> None:
    """Whatever the splits, the same frames come out in the same order."""
    wire = b"".join(map(encode, sent))
    framer, found, at = Framer(), [], 0
    while at < len(wire):
        step = random.randrange(1, 50)  # type: ignore[attr-defined]
        found += framer.feed(wire[at : at + step])
        at += step
    assert sent == [frame[:-4] for frame in found if isinstance(frame, bytes)]
    assert len(sent) == len(found)


@given(contents)
def test_no_zero_and_no_full_block_within_a_frame(content: bytes) -> None:
    """Between its delimiters a frame holds no zero, and one byte more than it has itself."""
    wire = encode(content)
    assert (b"\0", b"\0", 0) == (wire[:1], wire[-1:], wire[1:-1].count(0))
    assert len(content) + 4 + 1 == len(wire) - 2


@given(contents, st.integers(0, 8 * 241 - 1))
def test_a_flipped_bit_is_always_noticed(content: bytes, bit: int) -> None:
    """With any one bit flipped no frame comes out, and at least one fault does."""
    wire = bytearray(encode(content))
    at = 1 + bit // 8 % (len(wire) - 2)
    wire[at] ^= 1 << bit % 8
    found = Framer().feed(bytes(wire))
    assert found
    assert {"bad-frame"} == set(codes(found))


def test_zeros_are_no_frames_and_no_faults() -> None:
    """Nothing between two delimiters is nothing."""
    assert [] == Framer().feed(bytes(500))


def test_noise_between_frames_spoils_neither() -> None:
    """Bytes between two frames are one fault; the frames come out."""
    assert ["frame", "bad-frame", "frame"] == codes(Framer().feed(encode(CONTENT) + b"noise" + encode(CONTENT)))


@pytest.mark.parametrize("size", [1, SHORTEST, LONGEST + 2, 5000])
def test_the_wrong_length_is_a_fault(size: int) -> None:
    """Too few and too many bytes between two delimiters are one fault each."""
    assert ["bad-frame"] == codes(Framer().feed(b"\0" + b"\1" * size + b"\0"))


def test_the_shortest_and_the_longest_frame() -> None:
    """Frames of 17 and of 240 bytes are frames."""
    for size in (SHORTEST, LONGEST):
        content = b"\xff" * (size - 4)
        assert [size] == [len(frame) for frame in Framer().feed(encode(content)) if isinstance(frame, bytes)]


def test_a_frame_that_is_one_byte_too_long_is_a_fault() -> None:
    """More than 240 bytes are no frame, even with the right CRC."""
    assert ["bad-frame"] == codes(Framer().feed(encode(bytes(LONGEST + 1 - 4))))


def test_a_stream_without_end_is_not_stored() -> None:
    """However many bytes come without a delimiter, no more wait than can matter, and they are one fault at the end."""
    framer = Framer()
    for _ in range(100):
        assert [] == framer.feed(b"\x55" * 10_000)
        assert framer.buffered <= LONGEST + 2
    assert ["bad-frame", "frame"] == codes(framer.feed(encode(CONTENT)))


@given(st.lists(st.binary(max_size=400), max_size=20))
def test_anything_may_arrive(pieces: list[bytes]) -> None:
    """No bytes raise, and what waits stays bounded."""
    framer = Framer()
    for piece in pieces:
        framer.feed(piece)
        assert framer.buffered <= LONGEST + 2


@given(st.binary(max_size=300).map(lambda data: data.replace(b"\0", b"\1")))
def test_a_chunk_is_a_frame_or_a_fault(chunk: bytes) -> None:
    """What is decoded encodes to the same bytes again; all else is a fault."""
    frame = decode(chunk)
    assert isinstance(frame, Fault) or encode(frame[:-4]) == b"\0" + chunk + b"\0"
