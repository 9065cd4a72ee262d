"""Who is there: the handshake, its refusals, and what is left over from earlier sessions."""

from __future__ import annotations

import pytest

from drivers.faults import Fault
from drivers.happenings import Commanded, Identity, LinkHappening, Up
from drivers.link import DeviceLink, HostLink, hello
from drivers.link.editions.edition import ONE
from drivers.link.editions.tagged import TaggedDevice, TaggedHost
from drivers.link.frames import Framer
from tests.drivers.link.cable import KEY, Rig, device_link, host_link

ON_BOTH = pytest.mark.usefixtures("editions")

OTHER_KEY = bytes(32)


def codes(happenings: list[LinkHappening]) -> list[str]:
    """The codes of faults, the names of other happenings."""
    return [one.code if isinstance(one, Fault) else type(one).__name__ for one in happenings]


def exchange(host: HostLink, device: DeviceLink, now: float = 0.0) -> list[LinkHappening]:
    """Bytes to and fro until nobody has more to say."""
    happenings: list[LinkHappening] = []
    for _ in range(10):
        device.received(host.outgoing(), now)
        happenings += host.received(device.outgoing(), now)
    return happenings


def meet(host: HostLink, device: DeviceLink) -> list[LinkHappening]:
    """Both ends on a fresh cable."""
    host.opened(0.0)
    device.opened(0.0)
    return exchange(host, device)


def types(wire: bytes) -> list[int]:
    """The types of the frames in these bytes."""
    return [frame[0] for frame in Framer().feed(wire) if isinstance(frame, bytes)]


def test_a_device_that_proves_its_key_is_up() -> None:
    """The link is up at both ends, and the host knows what the device is."""
    host, device = host_link(), device_link()
    expected = Identity("shoe", "S1", "1.2.3", ONE.protocol, 5, True, 7, 7, following=1)
    assert [Up(expected)] == meet(host, device)
    assert (True, True, expected) == (host.up, device.up, host.identity)


def test_without_a_key_the_link_is_up_and_unverified() -> None:
    """An unauthenticated link works and is reported as such in every session."""
    host, device = host_link(key=None), device_link(key=None)
    happenings = meet(host, device)
    assert ["Up", "unverified"] == codes(happenings)
    assert isinstance(happenings[0], Up)
    assert not happenings[0].identity.authenticated


@pytest.mark.parametrize("key", [OTHER_KEY, None])
def test_a_device_with_another_key_is_foreign(key: bytes | None) -> None:
    """A device that does not prove the key is refused and reported, and nothing of it is taken."""
    host, device = host_link(), device_link(key=key)
    device.event(1, b"forged", 0, 0.0)
    assert ["foreign-device"] == codes(meet(host, device))
    assert (False, False, b"", None) == (host.up, device.up, host.outgoing(), host.due())


def test_a_host_without_the_key_is_refused_by_the_device() -> None:
    """A device with a key gives its events to nobody who does not prove it, and takes no command."""
    host, device = host_link(key=None), device_link()
    device.event(1, b"secret", 0, 0.0)
    assert ["foreign-device"] == codes(meet(host, device))
    assert (False, 1, False) == (device.up, device.kept, host.send(1, b"", 0.0))


@pytest.mark.parametrize(("kind", "serial"), [("hub", "S1"), ("shoe", "S2")])
def test_another_kind_or_serial_number_is_the_wrong_device(kind: str, serial: str) -> None:
    """A device that is not the configured one is refused by name, whatever it proves."""
    host = HostLink(kind=kind, serial=serial, shake=TaggedHost(KEY), expected=1)
    assert ["wrong-device"] == codes(meet(host, device_link()))


def test_any_serial_number_may_be_taken() -> None:
    """Without a configured serial number any device of the kind with the key is taken."""
    assert ["Up"] == codes(meet(host_link(serial=None), device_link(serial="whatever")))


def test_another_major_version_is_a_mismatch() -> None:
    """A device of another major version is refused before anything else is read, and a later minor one is not."""
    device = device_link()
    device._protocol = (2, 0)
    assert ["version-mismatch"] == codes(meet(host_link(), device))
    assert not device.up
    device._protocol = (1, 9)
    assert ["Up"] == codes(meet(host_link(), device))


def test_a_device_refuses_a_host_of_another_version() -> None:
    """Whatever the host makes of its IDENTITY, the device starts no session in another major version."""
    host, device = host_link(), device_link()
    host.opened(0.0)
    device.received(host.outgoing(), 0.0)
    host.received(device.outgoing(), 0.0)
    shake = device._shaking
    assert isinstance(shake, TaggedDevice)
    shake._host = (3, 0)
    assert ["version-mismatch"] == codes(exchange(host, device))
    assert not device.up


@ON_BOTH
def test_a_challenge_is_repeated_until_it_is_answered() -> None:
    """CHALLENGE goes out every quarter second; after two seconds the device is silent."""
    host = host_link()
    host.opened(10.0)
    sent: list[float] = []
    happenings: list[LinkHappening] = []
    last = 0.0
    while (due := host.due()) is not None:
        last = due
        happenings += host.tick(due)
        if host.outgoing():
            sent.append(due)
    assert [10.0 + 0.25 * step for step in range(8)] == sent
    assert (["silent"], 12.0) == (codes(happenings), last)


def test_start_is_repeated_until_the_device_took_it() -> None:
    """A lost START is sent again; only a frame of the session makes the link up."""
    host, device = host_link(), device_link()
    host.opened(0.0)
    device.received(host.outgoing(), 0.0)
    assert [] == host.received(device.outgoing(), 0.0)
    assert [0x03] == types(host.outgoing())
    host.tick(0.25)
    again = host.outgoing()
    assert [0x03] == types(again)
    device.received(again, 0.25)
    assert ["Up"] == codes(host.received(device.outgoing(), 0.25))


@ON_BOTH
def test_a_repeated_challenge_does_no_harm() -> None:
    """A CHALLENGE that comes again is answered alike; the session goes on and nothing is reported."""
    host, device = host_link(), device_link()
    host.opened(0.0)
    challenge = host.outgoing()
    device.received(challenge + challenge, 0.0)
    assert ["Up"] == codes(host.received(device.outgoing(), 0.0) + exchange(host, device))
    device.received(challenge, 0.1)
    device.event(1, b"card", 0, 0.1)
    assert ["Arrived"] == codes(exchange(host, device, 0.1))
    assert device.up


def test_a_repeated_start_does_no_harm() -> None:
    """A START that comes again is confirmed again; commands go on where they were, and none comes twice."""
    host, device = host_link(), device_link()
    host.opened(0.0)
    device.received(host.outgoing(), 0.0)
    host.received(device.outgoing(), 0.0)
    start = host.outgoing()
    device.received(start, 0.0)
    host.received(device.outgoing(), 0.0)
    host.send(1, b"first", 0.0)
    assert [Commanded(1, b"first")] == device.received(host.outgoing(), 0.0)
    host.received(device.outgoing(), 0.0)
    device.received(start, 0.1)
    assert [0x12] == types(device.outgoing())
    host.send(1, b"second", 0.1)
    assert [Commanded(1, b"second")] == device.received(host.outgoing(), 0.1)


def test_a_start_of_an_earlier_session_is_ignored() -> None:
    """A START that names another device nonce is neither taken nor refused."""
    host, device = host_link(), device_link()
    host.opened(0.0)
    device.received(host.outgoing(), 0.0)
    host.received(device.outgoing(), 0.0)
    late = host.outgoing()
    host.opened(0.1)
    device.received(host.outgoing() + late, 0.1)
    assert ([0x02], False, 1) == (types(device.outgoing()), device.up, device.stats.bad)


def test_what_a_host_still_sends_from_an_earlier_session_is_not_refused() -> None:
    """Between its IDENTITY and START the device ignores frames of an earlier session without a word."""
    host, device = host_link(), device_link()
    meet(host, device)
    host.send(1, b"late", 0.1)
    late = host.outgoing()
    host.opened(0.1)
    assert [] == device.received(host.outgoing() + late, 0.1)
    assert [0x02] == types(device.outgoing())


@ON_BOTH
def test_a_recorded_identity_is_a_replay() -> None:
    """An IDENTITY that answers the nonce of an earlier session is ignored and reported, and opens nothing."""
    host, device = host_link(), device_link()
    host.opened(0.0)
    device.received(host.outgoing(), 0.0)
    recorded = device.outgoing()
    host.opened(1.0)
    host.outgoing()
    assert ["replayed"] == codes(host.received(recorded, 1.0))
    assert ["silent"] == codes(host.tick(3.0))


@ON_BOTH
def test_frames_of_an_earlier_session_are_reported_once() -> None:
    """What the device still sends from before the reconnect is ignored, with one fault for all of it."""
    host, device = host_link(), device_link()
    meet(host, device)
    for _ in range(5):
        device.event(1, b"card", 0, 0.0)
    late = device.outgoing()
    host.opened(0.1)
    assert ["bad-frame"] == codes(host.received(late, 0.1))
    assert ["Up", *["Arrived"] * 5] == codes(exchange(host, device, 0.1))


@ON_BOTH
def test_a_device_that_restarted_says_so_at_once() -> None:
    """A frame of a session that the device no longer knows is refused, so the host need not wait for silence."""
    host, device = host_link(), device_link()
    meet(host, device)
    device.reboot(8, forget=False)
    host.send(1, b"", 0.1)
    assert ["session-ended", "silent"] == codes(exchange(host, device, 0.1))
    host.closed()
    host.opened(0.2)
    assert ["Up"] == codes(exchange(host, device, 0.2))


@ON_BOTH
def test_a_device_swapped_on_the_cable_is_foreign() -> None:
    """A frame with a good CRC and a wrong tag ends the session as a foreign device."""
    host, device = host_link(), device_link()
    meet(host, device)
    swapped = device_link(key=OTHER_KEY)
    meet(host_link(key=OTHER_KEY), swapped)
    for _ in range(9):
        swapped.event(1, b"forged", 0, 0.0)
    assert ["foreign-device"] == codes(host.received(swapped.outgoing(), 0.1))
    assert not host.up


@ON_BOTH
def test_replayed_frames_are_refused() -> None:
    """Recorded frames of the same session are refused by their counter, in both directions."""
    host, device = host_link(), device_link()
    meet(host, device)
    device.event(1, b"card", 0, 0.0)
    host.send(2, b"lock", 0.0)
    event, command = device.outgoing(), host.outgoing()
    assert (["Arrived"], 1) == (codes(host.received(event, 0.0)), len(device.received(command, 0.0)))
    assert (["replayed"], 0) == (codes(host.received(event, 0.0)), len(device.received(command, 0.0)))


@ON_BOTH
def test_a_frame_sent_back_to_its_sender_is_not_taken() -> None:
    """On a cable that echoes, the host takes none of its own frames for the device's."""
    host, device = host_link(), device_link()
    meet(host, device)
    for _ in range(5):
        host.send(2, b"lock", 0.0)
    assert ["foreign-device"] == codes(host.received(host.outgoing(), 0.0))


@ON_BOTH
@pytest.mark.parametrize("state", ["closed", "ended"])
def test_nothing_is_taken_outside_a_session(state: str) -> None:
    """A link that is closed, or has ended with a fatal fault, takes nothing and says nothing."""
    host, device = host_link(), device_link()
    meet(host, device)
    if state == "closed":
        host.closed()
    else:
        assert ["silent"] == codes(host.tick(99.0))
    device.event(1, b"card", 0, 0.0)
    assert ([], b"", None, False) == (
        host.received(device.outgoing(), 0.0),
        host.outgoing(),
        host.due(),
        host.send(1, b"", 0.0),
    )


def test_mistakes_of_the_caller_raise() -> None:
    """A link that cannot be right is not made."""
    with pytest.raises(ValueError, match="bytes, not 3"):
        device_link(key=b"abc")
    with pytest.raises(ValueError, match="printable"):
        device_link(serial="\n")


def test_every_text_in_an_identity_has_its_limits() -> None:
    """A body that is cut anywhere, or has a text that is no text, means nothing."""
    said = hello.Hello((1, 0), 1, 1, 0, 1, 1, "shoe", "S1", "1")
    body = hello.identity_body(said, bytes(16), bytes(16), bytes(16))
    assert hello.DeviceAnswer(said, bytes(16), bytes(16), bytes(16)) == hello.read_identity(body)
    assert hello.read_identity(body + b"more") is not None
    assert {None} == {hello.read_identity(body[:size]) for size in range(len(body))}
    assert hello.read_identity(body.replace(b"shoe", b"sh\xffe")) is None


@ON_BOTH
def test_a_rig_on_a_good_cable_needs_no_faults() -> None:
    """Over a minute of traffic without damage nothing is reported and nothing is sent twice."""
    rig = Rig(host_link(), device_link())
    for _ in range(60):
        rig.event(b"card")
        rig.run(1.0)
    assert (60, [], 0) == (len(rig.arrived), rig.all_faults, rig.device.stats.resent)
