"""The faults of the simulated wires: what each kind does, that a seed repeats it, that order is kept."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal_sim.devices.device_faults import CLEAN, LONGEST_REPEAT, Clock, Damage, Faults, Wire


def through(damage: Damage, data: bytes, seed: str = "s", pieces: list[int] | None = None) -> bytes:
    """Return what comes out of a wire, however long it takes, when the bytes are put on it in pieces."""
    wire = Wire(seed)
    wire.impair(damage, seed)
    out = b""
    at = 0
    for size in pieces or [len(data)]:
        out += b"".join(wire.put(data[at : at + size], float(at)))
        at += size
    out += b"".join(wire.put(data[at:], float(at)))
    while (due := wire.due()) is not None:
        out += b"".join(wire.pieces_through(due))
    assert 0 == wire.waiting
    return out


LONG = random.Random(1).randbytes(50_000)


def test_a_clean_wire_changes_nothing() -> None:
    """Without damage the bytes come out at once, as the same piece."""
    wire = Wire("s")
    assert [LONG] == wire.put(LONG, 0.0)
    assert wire.due() is None


def test_flipped_bits_come_at_their_rate() -> None:
    """At one bit in a thousand the flipped bits are about that many, and nothing else changes."""
    out = through(Damage(flip=0.001), LONG)
    assert len(LONG) == len(out)
    flipped = sum((a ^ b).bit_count() for a, b in zip(LONG, out, strict=True))
    assert 320 < flipped < 480


def test_dropped_bytes_leave_the_rest() -> None:
    """What is left after drops is the stream with some bytes missing."""
    out = through(Damage(drop=0.01), LONG)
    rest = iter(LONG)
    assert all(byte in rest for byte in out)
    assert 400 < len(LONG) - len(out) < 600


def test_inserted_bytes_leave_the_rest() -> None:
    """What went in is what came out with some bytes missing."""
    out = through(Damage(insert=0.01), LONG)
    rest = iter(out)
    assert all(byte in rest for byte in LONG)
    assert 400 < len(out) - len(LONG) < 600


def test_repeated_bytes_are_the_ones_before() -> None:
    """A repeat brings the last bytes a second time."""
    out = through(Damage(repeat=0.001), LONG)
    start = next(place for place, (a, b) in enumerate(zip(LONG, out, strict=False)) if a != b)
    again = [run for run in range(1, LONGEST_REPEAT + 1) if out[start : start + run] == LONG[start - run : start]]
    assert again
    assert len(out) > len(LONG)


def test_everything_can_be_hit() -> None:
    """A chance of one hits every place."""
    assert b"" == through(Damage(drop=1.0), LONG)
    assert bytes(byte ^ 0xFF for byte in LONG) == through(Damage(flip=1.0), LONG)


def test_split_makes_pieces_that_come_one_after_the_other() -> None:
    """No piece is longer than asked, and each comes later than the one before."""
    wire = Wire("s")
    wire.impair(Damage(split=3), "s")
    pieces = [(0.0, piece) for piece in wire.put(b"0123456789", 0.0)]
    while (due := wire.due()) is not None:
        pieces += [(due, piece) for piece in wire.pieces_through(due)]
    times = [time for time, _ in pieces]
    assert b"0123456789" == b"".join(piece for _, piece in pieces)
    assert 3 >= max(len(piece) for _, piece in pieces)
    assert sorted(set(times)) == times


def test_a_delay_is_kept_to_the_moment() -> None:
    """With a fixed delay nothing comes before its time, everything comes at it."""
    wire = Wire("s")
    wire.impair(Damage(delay_ms=20), "s")
    assert [] == wire.put(b"card", 1.0)
    assert [] == wire.pieces_through(1.0199)
    assert 1.02 == pytest.approx(wire.due())
    assert [b"card"] == wire.pieces_through(wire.due() or 0.0)


@given(st.lists(st.tuples(st.binary(min_size=1, max_size=9), st.floats(0, 0.1)), max_size=40), st.integers())
def test_skew_keeps_the_order(puts: list[tuple[bytes, float]], seed: int) -> None:
    """However late pieces are, they come in the order in which they were sent, at most the skew after the last."""
    wire = Wire("s")
    wire.impair(Damage(skew_ms=50), str(seed))
    now, out, sent = 0.0, b"", b""
    for piece, gap in puts:
        now += gap
        out += b"".join(wire.pieces_through(now)) + b"".join(wire.put(piece, now))
        sent += piece
        assert sent.startswith(out)
    assert sent == out + b"".join(wire.pieces_through(now + 0.05))


@given(
    st.binary(max_size=400),
    st.lists(st.integers(1, 60), max_size=12),
    st.sampled_from(
        [Damage(flip=0.02), Damage(drop=0.1), Damage(insert=0.1), Damage(repeat=0.1), Damage(0.01, 0.05, 0.05, 0.05)]
    ),
    st.integers(),
)
def test_damage_follows_the_stream_and_not_the_pieces(
    data: bytes, pieces: list[int], damage: Damage, seed: int
) -> None:
    """The same bytes with the same seed are damaged alike, however they are cut."""
    assert through(damage, data, str(seed)) == through(damage, data, str(seed), pieces)


def test_another_seed_gives_other_damage() -> None:
    """Two seeds do not agree."""
    assert through(Damage(flip=0.01), LONG, "a") != through(Damage(flip=0.01), LONG, "b")


def test_the_two_wires_of_a_device_are_damaged_apart() -> None:
    """The wires have sources of their own, and one can be damaged alone."""
    faults = Faults("7", 0.0)
    faults.impair(to_host=Damage(flip=0.01), to_device=Damage(flip=0.01))
    assert faults.to_host.put(LONG, 0.0) != faults.to_device.put(LONG, 0.0)
    faults.impair(to_host=CLEAN)
    assert [LONG] == faults.to_host.put(LONG, 0.0)
    assert [LONG] != faults.to_device.put(LONG, 0.0)


def test_a_cut_wire_lets_so_much_through() -> None:
    """After the count nothing comes, until the cable is in again."""
    wire = Wire("s")
    wire.cut_after(5)
    seen = [(wire.put(data, 0.0), wire.cut) for data in (b"abc", b"def", b"ghi")]
    assert [([b"abc"], False), ([b"de"], True), ([], True)] == seen
    wire.mend()
    assert [b"jkl"] == wire.put(b"jkl", 0.0)


def test_a_pulled_cable_loses_what_is_under_way() -> None:
    """Delayed bytes do not arrive after the cable is in again."""
    faults = Faults("7", 0.0)
    faults.impair(to_host=Damage(delay_ms=20), to_device=Damage(delay_ms=10))
    faults.to_host.put(b"card", 0.0)
    faults.to_device.put(b"ack", 0.0)
    assert 0.01 == pytest.approx(faults.due())
    faults.mend()
    assert faults.due() is None


def test_a_drifting_clock_gains_what_it_should() -> None:
    """At 200 millionths a clock gains 0.72 s an hour from the moment the drift begins, and starts at zero again."""
    clock = Clock(10.0)
    assert 5_000 == clock.read(15.0)
    clock.drift(200, 15.0)
    assert 3_605_720 == clock.read(3615.0)
    clock.restart(3615.0)
    assert 0 == clock.read(3615.0)
    assert 1 == clock.read(3615.0 + 2**32 / 1000 / 1.0002 + 0.001)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"flip": -0.1}, "flip is a chance from 0 to 1"),
        ({"drop": 1.5}, "drop is a chance from 0 to 1"),
        ({"insert": float("nan")}, "insert is a chance from 0 to 1"),
        ({"skew_ms": -1.0}, "skew_ms is not negative"),
    ],
)
def test_figures_that_make_no_sense_are_named(wrong: dict[str, Any], says: str) -> None:
    """Each wrong figure is one problem."""
    assert [says] == Damage(**wrong).problems()
    assert [] == CLEAN.problems()
