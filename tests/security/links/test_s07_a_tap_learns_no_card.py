"""S07: a tap on a cable learns neither a card nor which kind of message passes."""

from __future__ import annotations

import pytest

from drivers.framed import FramedDriver
from drivers.happenings import Happening
from drivers.shoe import CATALOGUE, CardOut, CardsOut, Lock, PushedBack, Unlock
from hal_sim.table.sim_table import SimTable
from tests.hal_sim.devices.hosts import Host

CARDS = ("9H", "KD", "AS", "2C")


@pytest.fixture
def tapped(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All bytes that pass over the cables of this process from now on, both ways."""
    heard: list[bytes] = []
    received, outgoing = FramedDriver.received, FramedDriver.outgoing

    def tap_in(self: FramedDriver, data: bytes, now: float) -> list[Happening]:
        heard.append(data)
        return received(self, data, now)

    def tap_out(self: FramedDriver) -> bytes:
        data = outgoing(self)
        heard.append(data)
        return data

    monkeypatch.setattr(FramedDriver, "received", tap_in)
    monkeypatch.setattr(FramedDriver, "outgoing", tap_out)
    return heard


def test_a_tap_hears_no_card_and_no_kind(tapped: list[bytes], seed: int) -> None:
    """A shoe deals, takes a card back and is locked: the wire has none of it, and all frames have the same length."""
    with SimTable(seed=seed, daemon=False, names=("shoe",)) as table, Host(table, "shoe") as host:
        shoe = table.device("shoe")
        shoe.wait_up()
        tapped.clear()
        for card in CARDS:
            shoe.event("CardOut", card=card, gap_ms=1000)
        shoe.event("PushedBack", card="9H")
        shoe.event("CardsOut", cards=["9H", "KD"])
        for command in (Lock(), Unlock()):
            host.send("shoe", command)
        shoe.wait_acknowledged(shoe.event("CuttingCard"))
        assert len(CARDS) + 3 == len(host.events["shoe"])
    said = [CardOut(card, 1000, False) for card in CARDS] + [PushedBack("9H"), CardsOut(("9H", "KD"), False, 0)]
    payloads = [CATALOGUE.encode(message)[1] for message in said]
    frames = [chunk for chunk in b"".join(tapped).split(b"\0") if chunk]
    decoded = [undone(chunk) for chunk in frames]
    assert [] == [payload.hex() for payload in payloads if any(payload in frame for frame in decoded)]
    assert {len(frame) for frame in decoded} == {73}
    assert {frame[0] for frame in decoded} == {0x20}


def undone(chunk: bytes) -> bytes:
    """COBS undone."""
    frame, at = bytearray(chunk), 0
    while at < len(frame):
        code = frame[at]
        frame[at] = 0
        at += code
    return bytes(frame[1:])
