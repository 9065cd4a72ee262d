"""The driver of devices on our own link: what it does with messages that it does not understand, and with strangers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from drivers.driver import Driver, Settings, make
from drivers.faults import BAD_MESSAGE, FOREIGN_DEVICE, UNKNOWN_MESSAGE, UNPAIRED, Fault
from drivers.framed import FramedDriver
from drivers.happenings import Received
from drivers.link.editions.noise import public
from drivers.link.numbers import MOST_PAYLOAD
from drivers.messages import LONGEST_PAYLOAD, MessageError, Unknown
from drivers.panel import CATALOGUE as PANEL
from drivers.panel import Text
from drivers.shoe import CATALOGUE as SHOE
from drivers.shoe import CardOut, Count, CuttingCard, Lock
from tests.drivers.benches import FramedBench
from tests.drivers.driver_rig import DriverRig
from tests.drivers.lines import PERFECT


@pytest.fixture
def bench() -> FramedBench:
    """Return a shoe."""
    return FramedBench(SHOE)


@pytest.fixture
def rig(bench: FramedBench, seed: int) -> DriverRig:
    """Return a rig with that shoe, plugged in."""
    rig = DriverRig(bench, PERFECT, seed)
    rig.plug()
    return rig


@pytest.mark.parametrize(
    ("ident", "payload", "code"),
    [
        (0x7F, b"", UNKNOWN_MESSAGE),
        (0x30, b"\x01\x00\x00\x2d\x00\x01", UNKNOWN_MESSAGE),  # a message of the hub
        (0x80, b"", UNKNOWN_MESSAGE),  # a command, from the wrong end
        (CardOut.IDENT, b"", BAD_MESSAGE),
        (CardOut.IDENT, b"\x2d\x00\x00\x00\x00\x00\x02", BAD_MESSAGE),
        (CuttingCard.IDENT, b"\x00", BAD_MESSAGE),
        (Count.IDENT, bytes(LONGEST_PAYLOAD), BAD_MESSAGE),
    ],
)
def test_what_is_not_understood_is_reported_and_kept(
    bench: FramedBench, rig: DriverRig, ident: int, payload: bytes, code: str
) -> None:
    """It is a fault, and also an event with its bytes that is acknowledged like any other; the next one arrives."""
    bench.link.event(ident, payload, 7, rig.now)
    rig.happen()
    rig.run(1.0)
    assert [code] == [fault.code for fault in rig.faults]
    assert [Unknown(ident, payload), *rig.happened] == [event.message for event in rig.received]
    assert rig.received[-1].number == bench.acknowledged


def test_an_event_carries_number_time_and_frame(bench: FramedBench, rig: DriverRig) -> None:
    """The number and time are the device's, and the frame is kept as it came."""
    ident, payload = SHOE.encode(CardOut("KD", 900, False))
    bench.link.event(ident, payload, 123456, rig.now)
    rig.run(0.1)
    match rig.seen[-1]:
        case Received(number=1, time=123456, message=CardOut("KD", 900, False), raw=raw):
            assert payload in raw
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"public": public(bytes(32))}, FOREIGN_DEVICE),
        ({"secret": bytes(32)}, FOREIGN_DEVICE),
        ({"serial": "OTHER"}, FOREIGN_DEVICE),
    ],
)
def test_a_stranger_is_not_listened_to(
    bench: FramedBench, seed: int, change: dict[str, str | bytes], code: str
) -> None:
    """A device with another key or another serial number is a fatal fault, and none of its events is taken."""
    bench.settings = replace(bench.settings, **change)  # type: ignore[arg-type]  # the table gives each its type
    stranger = DriverRig(bench, PERFECT, seed)
    stranger.reconnect = False
    stranger.happen(3)
    stranger.plug()
    stranger.run(5.0)
    assert [code] == [fault.code for fault in stranger.faults if fault.fatal]
    assert ([], []) == (stranger.ups, stranger.received)


def test_another_kind_of_device_is_not_listened_to(bench: FramedBench, seed: int) -> None:
    """A shoe where a meter belongs is a fatal fault."""
    bench.settings = replace(bench.settings, kind="meter")
    stranger = DriverRig(bench, PERFECT, seed)
    stranger.reconnect = False
    stranger.plug()
    stranger.run(5.0)
    assert [FOREIGN_DEVICE] == [fault.code for fault in stranger.faults if fault.fatal]


def test_a_command_that_cannot_be_written_is_our_mistake(seed: int) -> None:
    """A text that is too long for the display raises where it is sent, up or not, and is not cut silently."""
    driver = DriverRig(FramedBench(PANEL), PERFECT, seed).driver
    with pytest.raises(MessageError, match=r"Text\.upper cannot hold"):
        driver.send(Text("x" * 41, ""), 0.0)


def test_a_device_may_run_without_a_key_if_it_is_told_so() -> None:
    """With `authenticated` false no key is needed, but edition 1 must be named."""
    driver: Driver = make(Settings("shoe", authenticated=False, edition=1))
    assert isinstance(driver, FramedDriver)
    driver.opened(0.0)
    assert driver.outgoing()


@pytest.mark.parametrize(
    "settings",
    [
        Settings("shoe", "S1", authenticated=False),
        Settings("shoe", "S1", public=bytes(32)),
        Settings("shoe", secret=bytes(32), public=public(bytes(32))),
        Settings("shoe", "S1", edition=1),
    ],
)
def test_a_link_without_the_keys_of_its_edition_is_not_made(settings: Settings) -> None:
    """Nothing stands in for a key that is missing, least of all the other edition."""
    with pytest.raises(ValueError, match=r"edition [12] needs"):
        make(settings)


@pytest.mark.parametrize("given", [{}, {"secret": bytes(32)}, {"key": bytes(32)}])
def test_a_device_whose_key_nobody_knows_is_not_heard(given: dict[str, Any]) -> None:
    """Nothing is written or taken; it says at once that it must be paired."""
    driver = make(Settings("shoe", "S1", **given))
    driver.opened(1.0)
    assert (b"", [], 1.0) == (driver.outgoing(), driver.received(b"\0" * 100, 1.0), driver.due())
    assert [UNPAIRED] == [fault.code for fault in driver.tick(1.0) if isinstance(fault, Fault)]
    assert (False, None) == (driver.send(Lock(), 1.0), driver.ask(1.0))
    driver.closed()
    assert driver.due() is None


def test_the_link_is_counted(rig: DriverRig) -> None:
    """What went over the link can be asked for."""
    assert isinstance(rig.driver, FramedDriver)
    rig.happen(3)
    assert rig.driver.stats.frames >= 3


def test_a_payload_of_the_largest_size_fits_into_a_frame() -> None:
    """The limit that the tables are held to is the link's."""
    assert MOST_PAYLOAD == LONGEST_PAYLOAD
