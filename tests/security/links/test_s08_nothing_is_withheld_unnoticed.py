"""S08: frames that somebody holds back, delays or swaps on the cable are noticed, the shoe's lock above all.

The attacker here is stronger than anyone can be: they know which frame is which, though it is sealed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.faults import Fault
from drivers.link.beats import HEARTBEAT_EVERY
from drivers.link.device import DeviceLink
from drivers.link.frames import Framer, encode
from drivers.link.freshness import LOOK, MARGIN, PATIENCE
from drivers.link.host import HostLink
from drivers.shoe import CATALOGUE, Lock
from gamecore.model.events import events as ev
from tests.drivers.benches import FramedBench
from tests.drivers.driver_rig import DriverRig
from tests.drivers.lines import PERFECT
from tests.firmware_bridge.audit.conftest import Command
from tests.firmware_bridge.audit.conftest import truedeal as truedeal  # noqa: PLC0414  a fixture
from tests.firmware_bridge.audit.journals import HEAD, LOAD, House, made

DATA = 0x10
HEARTBEAT = 0x12
Filter = Callable[[list[bytes]], list[bytes]]


def kind(frame: bytes, sender: DeviceLink | HostLink) -> int:
    """What a frame is, with the key of its sender where it is sealed."""
    if frame[0] != 0x20:
        return frame[0]
    from drivers.link.editions.noise import decrypt  # noqa: PLC0415  there was none before there were sealed frames

    cipher = sender._channel._sending
    text = decrypt(cipher._key, int.from_bytes(frame[1:5], "little"), frame[:5], frame[5:-4])  # type: ignore[attr-defined]
    assert text is not None
    return text[0] & 0x7F


class Cable(FramedBench):
    """A shoe whose cable somebody holds in their hand."""

    def __init__(self) -> None:
        super().__init__(CATALOGUE)
        self.upwards: Filter = lambda frames: frames
        self.downwards: Filter = lambda frames: frames

    def outgoing(self) -> bytes:
        """What is let through of what the shoe sends."""
        return through(super().outgoing(), self.upwards)

    def received(self, data: bytes, now: float) -> None:
        """What is let through of what the host sends."""
        super().received(through(data, self.downwards), now)


def through(data: bytes, let: Filter) -> bytes:
    """The bytes of those frames that pass."""
    return b"".join(encode(frame[:-4]) for frame in let([one for one in Framer().feed(data) if isinstance(one, bytes)]))


@pytest.fixture
def cable() -> Cable:
    """Return a shoe with its cable."""
    return Cable()


@pytest.fixture
def rig(cable: Cable, seed: int) -> DriverRig:
    """Return a host that has heard the shoe for some seconds."""
    made = DriverRig(cable, PERFECT, seed)
    made.reconnect = False
    made.plug()
    made.happen_in_time(5)
    made.run(3.0)
    made.seen.clear()
    return made


def test_withheld_cards_end_the_session_a_second_after_they_are_announced(cable: Cable, rig: DriverRig) -> None:
    """The shoe's heartbeats pass, its cards do not: the next is due within half a second, and says what was sent."""
    cable.upwards = lambda frames: [frame for frame in frames if kind(frame, cable.link) != DATA]
    rig.happen(3)
    rig.run(HEARTBEAT_EVERY + PATIENCE + LOOK)
    assert ["withheld"] == [fault.code for fault in rig.faults if fault.fatal]


@pytest.mark.parametrize("hold", [0.2, 0.7, 1.2, 1.7, 5.0])
def test_withheld_cards_end_the_session_within_two_seconds_whatever_is_done_with_heartbeats(
    cable: Cable, rig: DriverRig, hold: float
) -> None:
    """They come later or not at all: each counts from when the shoe sent it, and without them the link is lost too."""
    waiting: list[tuple[float, bytes]] = []

    def delay(frames: list[bytes]) -> list[bytes]:
        waiting.extend((rig.now + hold, frame) for frame in frames if kind(frame, cable.link) != DATA)
        passing = [frame for due, frame in waiting if due <= rig.now]
        waiting[:] = [one for one in waiting if one[0] > rig.now]
        return passing

    cable.upwards = delay
    rig.happen(3)
    rig.run(PATIENCE + MARGIN + LOOK)
    ended = [fault.code for fault in rig.faults if fault.fatal]
    assert len(ended) == 1
    assert ended[0] in {"withheld", "silent"}


def test_a_withheld_lock_ends_the_session_within_a_second(cable: Cable, rig: DriverRig) -> None:
    """All but the command passes: a shoe that is not locked is noticed."""
    link = rig.driver._link  # type: ignore[attr-defined]
    cable.downwards = lambda frames: [frame for frame in frames if kind(frame, link) != DATA]
    assert rig.send(Lock())
    rig.run(PATIENCE + LOOK)
    assert ["withheld"] == [fault.code for fault in rig.faults if fault.fatal]
    assert [] == cable.commanded


def test_withheld_heartbeats_end_the_session(cable: Cable, rig: DriverRig) -> None:
    """Cards go on, so nothing is silent; but what the heartbeats say would be missed."""
    cable.upwards = lambda frames: [frame for frame in frames if kind(frame, cable.link) != HEARTBEAT]
    for _ in range(30):
        rig.happen()
        rig.run(0.1)
    assert ["withheld"] == [fault.code for fault in rig.faults if fault.fatal]


def test_cards_that_come_a_second_late_are_told(cable: Cable, rig: DriverRig) -> None:
    """Held back with everything else that the shoe says, then let go: each is taken, and the age is a fault."""
    held: list[bytes] = []

    def hold(frames: list[bytes]) -> list[bytes]:
        held.extend(frames)
        return []

    cable.upwards = hold
    rig.happen()
    rig.run(1.3)

    def let_go(frames: list[bytes]) -> list[bytes]:
        passing, held[:] = held + frames, []
        return passing

    cable.upwards = let_go
    rig.run(0.6)
    codes = [fault.code for fault in rig.faults]
    assert "late" in codes
    assert rig.told[-1] == rig.expected[-1]


@pytest.mark.parametrize("code", ["late", "flooded"])
def test_what_came_too_late_holds_the_table_and_is_nobodys_error(tmp_path: Path, code: str, truedeal: Command) -> None:
    """The finding is `uncovered` and the device's: in the record, the export, and the text that plays again."""
    state = tmp_path / "state"

    def play(house: House) -> None:
        house.plays(HEAD + LOAD + "place-bets\nbet 1 main 100\nno-more-bets\n")
        house.reports.fault("shoe", Fault(code, "event 7 came 1.3 s after it had happened"))
        house.pump.process_queue()
        (found,) = house.pump.table.view().round.findings
        assert ("uncovered", "device", "refer", "held") == (
            found.code,
            found.whose,
            found.ruling,
            house.pump.table.state.value,
        )
        house.happens(ev.Answer("house", ("void",)))

    made(state, play)
    (line,) = csv.DictReader(io.StringIO(truedeal("export", state, "--format", "findings-csv")[1]))
    assert ("uncovered", "device", "daemon") == (line["code"], line["whose"], line["how"])
    status, text, _ = truedeal("export", state, "--format", "deal")
    assert (0, True) == (status, "call uncovered device shoe" in text)


def test_swapped_frames_change_no_order(cable: Cable, rig: DriverRig) -> None:
    """What comes before its turn is asked for again; nothing is taken twice or out of order."""
    swaps = [3]

    def swap(frames: list[bytes]) -> list[bytes]:
        swaps[0] -= len(frames) > 1
        return frames[::-1] if swaps[0] >= 0 else frames

    before = len(rig.happened)
    cable.upwards = swap
    rig.happen(6)
    rig.run(1.0)
    assert rig.expected[before:] == rig.told
    assert {"gap", "replayed"} & {fault.code for fault in rig.faults}


def test_nothing_of_this_hurts_an_honest_cable(rig: DriverRig) -> None:
    """A minute of play with commands: no fault at all."""
    for _ in range(30):
        rig.happen_in_time(4)
        assert rig.send(Lock())
        rig.run(1.0)
    assert [] == rig.faults
