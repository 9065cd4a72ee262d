"""The Angel Eye style driver on a bad line: any bytes, flipped bits, lost, inserted and repeated bytes.

What is asked: no exception; bounded memory; no card told that was not dealt, except as doubtful; what was dealt is
told, or a fault says that something was lost.

The chance of a wrong card, flipped bits being independent with probability p, estimated and measured: a driver that
believed the first copy (`agree` 1) would take about 60 p**2, for two bits of one column must be flipped. With two
equal copies asked for, a wrong copy is believed only where the other two were thrown away: about 250,000 p**4. That is
one card in 40,000,000,000 instead of one in 1,700,000 at p = 0.0001, one in 4,000,000 instead of 17,000 at p = 0.001.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.driver import AngelEye, make
from drivers.angel_eye.encoder import Encoder
from drivers.angel_eye.frames import CHECKS
from drivers.driver import Settings
from drivers.faults import REMEDIES, Fault
from drivers.happenings import Happening, Received
from drivers.shoe.messages import CardOut
from drivers.wire import RANKS, SUITS

CARDS = [rank + suit for suit in SUITS for rank in RANKS]


def opened(**options: str) -> AngelEye:
    """A driver with its port open."""
    driver = make(Settings("angel-eye", authenticated=False, options={"sequence": "digits"} | options))
    driver.opened(0.0)
    driver.tick(0.0)
    return driver


def damaged(data: bytes, rate: float, chance: random.Random) -> bytes:
    """The bytes with flipped bits, and with bytes dropped, inserted and repeated at a quarter of that rate."""
    out = bytearray()
    for byte in data:
        for bit in range(8):
            if chance.random() < rate:
                byte ^= 1 << bit  # noqa: PLW2901
        kind = chance.random() / rate if rate else 9.0
        if kind < 0.25:
            continue
        out.append(byte)
        if kind < 0.5:
            out.append(chance.randrange(256))
        elif kind < 0.75:
            out.append(byte)
    return bytes(out)


def deal(rate: float, cards: int, chance: random.Random, **options: str) -> tuple[list[str], list[Happening]]:
    """Deal this many cards over a line with so much noise; the cards and what the driver told."""
    device, driver = Encoder(check=options.get("check", "xor-hex")), opened(**options)
    dealt, told, now = [], [], 0.0
    for _ in range(cards):
        card = chance.choice(CARDS)
        dealt.append(card)
        told += driver.received(damaged(device.card(card), rate, chance), now)
        now += 1.0
        told += driver.tick(now)
    driver.closed()
    driver.opened(now)
    return dealt, told + driver.tick(now)


def believed(told: list[Happening]) -> list[tuple[int, str]]:
    """The cards that are told without doubt, each with its second: in which the card of that index was dealt."""
    return [
        (item.time // 1000, item.message.card)
        for item in told
        if isinstance(item, Received) and isinstance(item.message, CardOut)
    ]


def wrong(told: list[Happening], dealt: list[str]) -> int:
    """How many cards are believed that were not dealt: another card, or the same once more."""
    cards = believed(told)
    return len(cards) - len({index for index, card in cards if dealt[index] == card})


@given(
    st.lists(st.tuples(st.binary(max_size=300), st.floats(0, 2)), max_size=20),
    st.sampled_from(sorted(CHECKS)),
    st.sampled_from(["1", "2"]),
)
def test_any_bytes_at_any_time(chunks: list[tuple[bytes, float]], check: str, agree: str) -> None:
    """No exception, bounded memory, events numbered without a gap, faults with a remedy."""
    driver = opened(check=check, agree=agree)
    now = 0.0
    told: list[Happening] = []
    for chunk, pause in chunks:
        now += pause
        told += driver.received(chunk, now)
        told += driver.tick(now)
        due = driver.due()
        assert due is None or due > now
        assert len(driver._framer._held) + len(driver._framer._noise) <= 100
        assert len(driver._repeats._said) <= 16
    numbers = [item.number for item in told if isinstance(item, Received)]
    assert list(range(1, len(numbers) + 1)) == numbers
    assert {item.code for item in told if isinstance(item, Fault)} <= REMEDIES.keys()


@given(st.lists(st.sampled_from([*b"\x05\x03019ADdSC4F", 0x80, 0x9D, 0xB8]), max_size=400).map(bytes))
def test_bytes_that_look_like_frames(data: bytes) -> None:
    """The same with bytes that frames are made of, unchecked, so that many of them are frames."""
    driver = opened(check="none")
    told = [item for at, byte in enumerate(data) for item in driver.received(bytes((byte,)), at / 100)]
    told += driver.tick(100.0)
    numbers = [item.number for item in told if isinstance(item, Received)]
    assert list(range(1, len(numbers) + 1)) == numbers


@pytest.mark.parametrize(("rate", "most"), [(0.0, 0), (0.0001, 0), (0.001, 1)])
def test_no_wrong_card_is_believed_and_every_lost_one_reported(rate: float, most: int, seed: int) -> None:
    """What is believed was dealt, in order; if one is missing there is a fault. Chance breaks it once in 10**7."""
    dealt, told = deal(rate, 1000, random.Random(seed))
    assert wrong(told, dealt) <= most
    cards = believed(told)
    if not rate:
        assert list(enumerate(dealt)) == cards
    assert sorted(index for index, _ in cards) == [index for index, _ in cards]
    damaged_seconds = {index for index, _ in cards} ^ set(range(len(dealt)))
    faults = Counter(item.code for item in told if isinstance(item, Fault))
    assert faults["bad-frame"] >= len(damaged_seconds)


@pytest.mark.soak
@pytest.mark.parametrize(("rate", "agree", "most"), [(0.003, "2", 10), (0.003, "1", 90)])
def test_how_many_wrong_cards_are_believed(rate: float, agree: str, most: int, seed: int) -> None:
    """Two equal copies against one: 50,000 cards at three flipped bits in a thousand."""
    dealt, told = deal(rate, 50_000, random.Random(seed), agree=agree)
    assert wrong(told, dealt) <= most
