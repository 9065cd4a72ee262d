"""Frames of the Angel Eye style link: what is one, what is thrown away and how that is said."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.frames import CHECKS, LONGEST_DATA, MOST_NOISE, Frame, Framer, Spoilt, encode
from drivers.angel_eye.messages import CATALOGUE, card_byte, card_of, decode
from drivers.messages import Unknown
from drivers.wire import RANKS, SUITS

CARDS = [rank + suit for suit in SUITS for rank in RANKS]
# Sequence 1, a card dealt, eight of spades; written out by hand from the public description.
EIGHT = bytes.fromhex("05 31 44 81 b8 03")
DATA = st.binary(min_size=1, max_size=LONGEST_DATA).filter(lambda data: not {3, 5} & set(data))


def codes(found: list[Frame | Spoilt]) -> list[str]:
    """The codes of the faults."""
    return [item.fault.code for item in found if isinstance(item, Spoilt)]


@pytest.mark.parametrize(
    ("check", "characters"),
    [("xor-hex", b"4F"), ("xor-hex-from-enq", b"4A"), ("sum-hex", b"B1"), ("sum-hex-from-enq", b"B6"), ("none", b"zz")],
)
def test_a_frame_is_taken_by_the_check_that_is_chosen(check: str, characters: bytes) -> None:
    """The check characters were worked out by hand."""
    raw = EIGHT + characters
    assert [Frame(0x31, b"D\x81\xb8", raw)] == Framer(check).feed(raw)


def test_the_worked_example_of_the_public_description_includes_its_first_byte() -> None:
    """The command that locks the device: 1B with its first byte, 19 without, which the text would have."""
    command = b"\x02OPLK02\x03"
    with_first, without = CHECKS["xor-hex-from-enq"], CHECKS["xor-hex"]
    assert with_first is not None
    assert without is not None
    assert (b"1B", b"19") == (with_first(command), without(command))


def test_a_wrong_check_names_the_one_that_would_fit() -> None:
    """Somebody who sets up a link is told which check their device uses."""
    (spoilt,) = Framer("xor-hex").feed(EIGHT + b"4A")
    assert isinstance(spoilt, Spoilt)
    assert (8, True) == (spoilt.size, "xor-hex-from-enq" in spoilt.fault.detail)


def test_a_check_in_lower_case_is_no_check() -> None:
    """The two characters are upper-case."""
    assert ["bad-frame"] == codes(Framer("xor-hex").feed(EIGHT + b"4f"))


@given(st.integers(0, 255).filter(lambda number: number != 5), DATA, st.sampled_from(sorted(CHECKS)))
def test_every_frame_comes_back_byte_by_byte(number: int, data: bytes, check: str) -> None:
    """What the device's end writes, the host's end reads, however it is cut."""
    raw = encode(number, data, check)
    framer = Framer(check)
    assert [Frame(number, data, raw)] == [found for byte in raw for found in framer.feed(bytes((byte,)))]


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        pytest.param(b"xyz" + EIGHT + b"4F", 1, id="bytes before a frame"),
        pytest.param(EIGHT[:4] + EIGHT + b"4F", 1, id="a frame that begins again"),
        pytest.param(EIGHT + b"4" + EIGHT + b"4F", 1, id="a frame that ends in its check"),
        pytest.param(b"\x05\x31\x0303" + EIGHT + b"4F", 1, id="a frame without data"),
        pytest.param(b"\x051" + b"D" * 60 + EIGHT + b"4F", 2, id="a frame that does not end, and its rest"),
        pytest.param(EIGHT + b"4E" + EIGHT + b"4F", 1, id="a wrong check"),
    ],
)
def test_what_is_thrown_away_is_said_and_the_next_frame_is_read(data: bytes, faults: int) -> None:
    """After any damage the next whole frame counts."""
    found = Framer("xor-hex").feed(data)
    assert ["bad-frame"] * faults == codes(found)
    assert Frame(0x31, b"D\x81\xb8", EIGHT + b"4F") == found[-1]


@given(st.lists(st.binary(max_size=200), max_size=20), st.sampled_from(sorted(CHECKS)))
def test_any_bytes_are_taken_and_none_is_lost_in_silence(chunks: list[bytes], check: str) -> None:
    """No exception, bounded memory, and every byte is in a frame or was said to be thrown away."""
    framer = Framer(check)
    found: list[Frame | Spoilt] = []
    for chunk in chunks:
        found += framer.feed(chunk)
        assert len(framer._held) + len(framer._noise) <= LONGEST_DATA + 4 + MOST_NOISE
    found += framer.rest()
    sizes = [len(item.raw) if isinstance(item, Frame) else item.size for item in found]
    assert sum(map(len, chunks)) == sum(sizes)
    assert not framer.held


@pytest.mark.parametrize("card", [*CARDS, "??"])
def test_every_card_comes_back(card: str) -> None:
    """The byte of each card, with and without its highest bit."""
    byte = card_byte(card)
    assert (card, card) == (card_of(byte), card_of(byte & 0x7F))


def test_the_bytes_of_cards_are_those_of_the_description() -> None:
    """Suits 1 D, 2 C, 3 S, 4 H in bits 6 to 4; rank 1 A to 13 K in bits 3 to 0; bit 7 set."""
    expected = {"AD": 0x91, "TC": 0xAA, "8S": 0xB8, "KH": 0xCD, "??": 0x80}
    assert expected == {card: card_byte(card) for card in expected}


@pytest.mark.parametrize("text", ["", "JOKER", "1S", "KX", "KDD"])
def test_what_is_no_card_has_no_byte(text: str) -> None:
    """The device's end refuses it."""
    with pytest.raises(ValueError, match="is no card"):
        card_byte(text)


@given(DATA)
def test_any_data_is_a_message_that_can_be_kept(data: bytes) -> None:
    """Whatever a frame says has a message, and the journal can write it down."""
    message, fault = decode(data)
    if isinstance(message, Unknown):
        assert fault is not None
    else:
        ident, payload = CATALOGUE.encode(message)
        assert message == CATALOGUE.decode_event(ident, payload)


def through(check: str, damaged: bytes) -> bool:
    """Whether a damaged frame is taken as some frame."""
    return any(isinstance(found, Frame) for found in Framer(check).feed(damaged))


def test_how_often_the_check_lets_damage_through(seed: int) -> None:
    """About one in 256 arbitrary frames, one in ten with two flipped bits, none with one.

    The bounds are six standard deviations wide: chance breaks them once in a hundred million runs.
    """
    chance = random.Random(seed)
    good = encode(0x31, b"D\x81\xb8", "xor-hex")
    flips = [bytearray(good) for _ in range(8 * len(good))]
    for bit, frame in enumerate(flips):
        frame[bit // 8] ^= 1 << bit % 8
    assert 0 == sum(through("xor-hex", bytes(frame)) for frame in flips)

    tries = 40_000
    arbitrary = two_bits = 0
    for _ in range(tries):
        data = bytes((ord("D"), 0x80 | chance.randrange(128), 0x80 | chance.randrange(128)))
        arbitrary += through(
            "xor-hex", encode(0x30 + chance.randrange(10), data, "none")[:-2] + b"%02X" % chance.randrange(256)
        )
        frame = bytearray(good)
        for bit in chance.sample(range(8, 40), 2):  # sequence and data
            frame[bit // 8] ^= 1 << bit % 8
        two_bits += through("xor-hex", bytes(frame))
    assert abs(arbitrary - tries / 256) < 6 * (tries / 256) ** 0.5
    # Of the 31 other bits three stand in the same column.
    assert abs(two_bits - tries * 3 / 31) < 6 * (tries * 3 / 31) ** 0.5
