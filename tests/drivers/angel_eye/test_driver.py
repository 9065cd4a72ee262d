"""The Angel Eye style driver: sessions, refusal without a key, numbers, cards outside the flow, restarts, options."""

from __future__ import annotations

import pytest

from drivers.angel_eye import CATALOGUE, EXPERIMENTAL
from drivers.angel_eye.driver import AngelEye, make
from drivers.angel_eye.encoder import Encoder
from drivers.angel_eye.messages import CardAgain, CardDoubtful, KeyLock, Notice, OutsideFlow, Started, Trouble
from drivers.driver import Driver, DriverError, Settings
from drivers.faults import Fault
from drivers.happenings import Happening, Identity, Received, Up
from drivers.messages import Message, Unknown
from drivers.shoe.messages import CardOut, CuttingCard, Lock


def out(card: str) -> CardOut:
    """A card dealt."""
    return CardOut(card, gap_ms=0, face_up=False)


class Host:
    """A driver with its port open, and what it told."""

    def __init__(self, *, authenticated: bool = False, expected: int | None = None, **options: str) -> None:
        settings = Settings(
            "angel-eye",
            "AE-1",
            authenticated=authenticated,
            expected=expected,
            options={"sequence": "digits"} | options,
        )
        self.driver = make(settings)
        self.now = 100.0
        self.happenings: list[Happening] = []
        self.open()

    def open(self) -> None:
        """The port is open; its first tick is due at once."""
        self.driver.opened(self.now)
        assert self.now == self.driver.due()
        self.happenings += self.driver.tick(self.now)

    def receive(self, data: bytes) -> None:
        """Bytes come, then a second without any."""
        self.now += 0.1
        self.happenings += self.driver.received(data, self.now)
        self.pass_time(1.0)

    def pass_time(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds
        self.happenings += self.driver.tick(self.now)

    @property
    def events(self) -> list[Received]:
        """The events."""
        return [item for item in self.happenings if isinstance(item, Received)]

    @property
    def messages(self) -> list[object]:
        """Their messages."""
        return [event.message for event in self.events]

    @property
    def faults(self) -> list[str]:
        """The codes of the faults, without that of every session."""
        return [item.code for item in self.happenings if isinstance(item, Fault)][1:]


def test_it_is_a_driver_marked_experimental() -> None:
    """It fits where every driver fits, and says what it is."""
    driver: Driver = AngelEye(Settings("angel-eye", authenticated=False))
    assert ("angel-eye", "angel-eye", True) == (driver.kind, CATALOGUE.kind, EXPERIMENTAL)


def test_with_authentication_it_is_refused_and_never_up() -> None:
    """Nothing that the device says is heard."""
    host = Host(authenticated=True)
    host.receive(Encoder().card("KD"))
    (fault,) = host.happenings
    assert isinstance(fault, Fault)
    assert ("foreign-device", True) == (fault.code, fault.fatal)
    assert host.driver.due() is None


def test_a_session_begins_with_up_and_that_it_is_unverified() -> None:
    """Unverified is no end of the session."""
    up, fault = Host().happenings
    assert Up(Identity("angel-eye", "AE-1", "", (0, 0), 0, authenticated=False, boot=0, numbering=0)) == up
    assert isinstance(fault, Fault)
    assert ("unverified", False) == (fault.code, fault.fatal)


@pytest.mark.parametrize(
    ("check", "confirmed", "faults"), [("xor-hex", "yes", 0), ("none", "yes", 1), ("sum-hex", "no", 1)]
)
def test_a_confirmed_check_ends_the_doubt_unless_there_is_none(check: str, confirmed: str, faults: int) -> None:
    """Without a check nothing can be confirmed."""
    host = Host(check=check, confirmed=confirmed)
    assert faults == sum(isinstance(item, Fault) for item in host.happenings)


@pytest.mark.parametrize("check", ["xor-hex", "xor-hex-from-enq", "sum-hex", "sum-hex-from-enq", "none"])
def test_cards_are_told_once_numbered_from_the_expected_number(check: str) -> None:
    """Three copies each; two equal cards are two cards."""
    host, device = Host(check=check, expected=17), Encoder(check=check)
    cards = ["KD", "KD", "AS", "TC", "2H"]
    for card in cards:
        host.receive(device.card(card))
    assert [(17 + index, out(card)) for index, card in enumerate(cards)] == [
        (event.number, event.message) for event in host.events
    ]
    assert [] == host.faults


def test_numbers_begin_with_one_and_come_round() -> None:
    """2**32 numbers, none left out."""
    host, device = Host(expected=2**32 - 1), Encoder()
    host.receive(device.card("KD"))
    host.receive(device.card("AS"))
    assert [2**32 - 1, 0] == [event.number for event in host.events]
    first = Host()
    first.receive(Encoder().card("KD"))
    assert [1] == [event.number for event in first.events]


def test_the_time_is_that_of_the_first_copy_and_raw_is_the_frame() -> None:
    """The host's clock, in milliseconds."""
    host = Host()
    first, second, third = Encoder().copies(b"D\x80\x9d")
    host.driver.received(first, 200.0)
    (event,) = host.driver.received(second + third, 200.25)
    assert Received(1, 200_000, out("KD"), first) == event


def test_a_card_outside_the_game_flow_is_told_as_such() -> None:
    """With the mode in which the device was."""
    host, device = Host(), Encoder()
    for mode in ("locked", "error", "setting"):
        host.receive(device.outside("QS", mode))
    host.receive(device.message(b"d\xf0\xbc"))
    assert [OutsideFlow("QS", mode) for mode in ("locked", "error", "setting", "other")] == host.messages
    assert [] == host.faults


@pytest.mark.parametrize(
    ("data", "message", "code"),
    [
        pytest.param(b"C", CuttingCard(), None, id="cutting card"),
        pytest.param(b"S", Started(), None, id="start"),
        pytest.param(b"E\xc1", Trouble(1, present=True, stopped=True), None, id="error"),
        pytest.param(b"E\x87", Trouble(7, present=True, stopped=False), None, id="error, not stopped"),
        pytest.param(b"e\x81", Trouble(1, present=False, stopped=False), None, id="error over"),
        pytest.param(b"L\x81", KeyLock(locked=True), None, id="locked"),
        pytest.param(b"L\x80", KeyLock(locked=False), None, id="unlocked"),
        pytest.param(b"P", Notice("P", ()), None, id="stand by"),
        pytest.param(b"G\x91", Notice("G", (0x91,)), None, id="result"),
        pytest.param(b"M010002", Notice("M", tuple(b"010002")), None, id="setting"),
        pytest.param(b"D\x80\x80", out("??"), None, id="card not read"),
        pytest.param(b"D\x80\xd1", out("??"), "bad-message", id="no such suit"),
        pytest.param(b"D\x80\x9e", out("??"), "bad-message", id="no such rank"),
        pytest.param(b"D\x80\x90", out("??"), "bad-message", id="suit without rank"),
        pytest.param(b"D\x80", out("??"), "bad-message", id="card missing"),
        pytest.param(b"D\x80\x9d\x9d", out("??"), "bad-message", id="card too long"),
        pytest.param(b"d", OutsideFlow("??", "other"), "bad-message", id="outside, empty"),
        pytest.param(b"R\x80\x9d", CardAgain("KD"), "unverified", id="told again"),
        pytest.param(b"L", Unknown(ord("L"), b""), "bad-message", id="lock too short"),
        pytest.param(b"Z1", Unknown(ord("Z"), b"1"), "unknown-message", id="not described"),
    ],
)
def test_what_the_device_says(data: bytes, message: Message, code: str | None) -> None:
    """Each letter; a card that left is told whatever its bytes."""
    host = Host()
    host.receive(Encoder().message(data))
    assert [message] == host.messages
    assert [code] * (code is not None) == host.faults


def test_troubles_have_words() -> None:
    """Also one that nobody describes."""
    texts = {Trouble(code, present=True, stopped=True).text for code in range(9)}
    assert (8, True) == (len(texts), "not described" in texts)


def test_the_device_is_not_spoken_to() -> None:
    """No command, no acknowledgement, no byte."""
    host = Host()
    host.receive(Encoder().card("KD"))
    assert not host.driver.send(Lock(), host.now)
    host.driver.acknowledge(1, host.now)
    assert b"" == host.driver.outgoing()


def test_a_card_that_may_be_a_copy_too_many_is_told_as_doubtful() -> None:
    """With a fault, and with whether it was outside the flow."""
    host, device = Host(), Encoder()
    card, outside, cutting = device.card("KD"), device.outside("QS"), device.cutting_card()
    for data in (card, card, outside, outside, cutting, cutting):
        host.receive(data)
    expected = [
        out("KD"),
        CardDoubtful("KD", outside=False, why="repeat"),
        OutsideFlow("QS", "locked"),
        CardDoubtful("QS", outside=True, why="repeat"),
        CuttingCard(),
        CuttingCard(),
    ]
    assert expected == host.messages
    assert ["forgot"] * 3 == host.faults


def test_a_restart_forgets_the_sequence_and_is_told() -> None:
    """The same card with the same number after a start is a new card."""
    host, device = Host(), Encoder()
    for data in (device.start(), device.card("KD"), device.start(), device.card("KD")):
        host.receive(data)
    assert [Started(), out("KD"), Started(), out("KD")] == host.messages
    assert ["forgot"] == host.faults


def test_lost_messages_are_reported() -> None:
    """All three copies of two messages."""
    host, device = Host(), Encoder()
    host.receive(device.card("KD"))
    device.card("2C")
    device.card("3C")
    host.receive(device.card("AS"))
    assert [out("KD"), out("AS")] == host.messages
    lost = [item.lost for item in host.happenings if isinstance(item, Fault) and item.code == "events-lost"]
    assert [2] == lost


def test_what_waits_when_the_port_closes_is_told_by_the_next_session() -> None:
    """A single copy, then the cable is out: the card is not lost; what left meanwhile is unknown, and that is said."""
    host, device = Host(), Encoder()
    (copy, *_) = device.copies(b"D\x80\x9d")
    host.happenings += host.driver.received(copy + b"\x05", host.now)
    host.driver.closed()
    assert host.driver.due() is None
    assert [] == host.driver.received(copy, host.now) + host.driver.tick(host.now)
    host.now += 10
    host.open()
    assert [out("KD")] == host.messages
    assert {"bad-frame": 2, "unverified": 1, "events-lost": 1} == {
        code: host.faults.count(code) for code in host.faults
    }
    host.receive(device.card("AS"))
    assert [1, 2] == [event.number for event in host.events]


def test_without_the_option_silence_is_no_fault() -> None:
    """The device has no heartbeat."""
    host = Host()
    host.pass_time(10_000)
    assert ([], None) == (host.faults, host.driver.due())


def test_with_the_option_silence_ends_the_session() -> None:
    """Noise is no sign of life, a frame is."""
    host, device = Host(idle_seconds="60"), Encoder()
    host.pass_time(50)
    host.receive(device.card("KD"))
    heard = host.now - 1.0
    assert heard + 60 == host.driver.due()
    host.pass_time(50)
    assert [] == host.faults
    host.receive(b"noise")
    host.pass_time(20)
    assert ["bad-frame", "silent"] == host.faults


def test_half_a_frame_is_given_up_after_a_pause() -> None:
    """And said."""
    host = Host()
    host.receive(Encoder().card("KD")[:4])
    assert ["bad-frame"] == host.faults


@pytest.mark.parametrize(
    "options",
    [
        {"check": "crc"},
        {"confirmed": "maybe"},
        {"agree": "3"},
        {"repeat_seconds": "soon"},
        {"repeat_seconds": "0"},
        {"repeat_seconds": "nan"},
        {"idle_seconds": "-1"},
        {"idle_seconds": "inf"},
        {"sequence": "letters"},
        {"bauds": "4800"},
    ],
)
def test_an_option_that_cannot_be_is_refused(options: dict[str, str]) -> None:
    """When the driver is made, in words."""
    with pytest.raises(DriverError, match="angel-eye"):
        make(Settings("angel-eye", authenticated=False, options=options))


def test_the_link_is_counted() -> None:
    """For `doctor`."""
    host = Host()
    host.receive(Encoder().card("KD") + b"x")
    stats = host.driver.stats
    assert (3, 1, 25) == (stats.frames, stats.bad, stats.bytes)
