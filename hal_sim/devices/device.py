"""One simulated device: the production link and messages, a cable, its faults, and what its commands have set.

1. A device is driven by its cable (`Listener`), by one timer and by the caller that plays its sensors (`event`). It
   runs on one event loop and never polls: the timer is set to the nearest of what the link and the two wires wait for.
2. Bytes go: host, cable, wire to the device, link; link, wire to the host, cable, host. The link and the codec are
   the production ones of `drivers`.
3. An event gets its number and time when it happens. The link keeps it until the host has acknowledged it, whether or
   not a cable is plugged in or the device is stuck. A device that only speaks keeps nothing (`speaking_device`).
4. Fields that are not given are filled in as a device would (`sensors`). A field that the message does not have, or a
   value that it cannot hold, is a `RequestError`.
5. While the transmit buffer is full the device sends nothing and lets its timers rest; while it is stuck it neither
   reads nor sends; both end with what is due.
6. Pulling the cable loses what is under way; a reboot also loses what the commands had set, its clock and, if told
   to, its numbers and unacknowledged events. A USB device leaves the bus for a moment when it reboots.
7. The link's events outlive a reboot, and so does what is in `memory`: keys, and at a shoe or panel with `anchors` the
   registers of journals, which it tells when a session begins.
8. A lock is only shown in the state: a shoe that is locked and deals nevertheless is a case that the table must see.

Not modelled: the time a reboot takes, mechanics (cards stay where the player of the sensors says), a sensor that
fails in part, a power supply.
"""

import asyncio
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from drivers.anchors import ANCHORS, Anchor, Anchored
from drivers.link.device import DeviceLink
from drivers.link.editions.tagged import TaggedDevice
from drivers.link.pairing.device import PairingDevice
from drivers.messages import Catalogue, Message, MessageError
from drivers.panel.messages import UNICODE
from hal_sim.devices.device_faults import Clock, Faults
from hal_sim.devices.device_keys import Keys
from hal_sim.devices.device_memory import Memory
from hal_sim.devices.sensors import Sensors
from hal_sim.devices.serial_cable import FULL, Cable
from hal_sim.devices.usb.cable import UsbCable

if TYPE_CHECKING:
    from hal_sim.devices.speaking_device import Talker

KINDS = ("shoe", "shuffler", "hub", "panel", "meter", "angel-eye")
TALKER = "angel-eye"
FIRMWARE = "sim-1"
CAPABILITIES = {"panel": UNICODE | ANCHORS, "shoe": ANCHORS}


class RequestError(ValueError):
    """Something was asked of the device that it cannot do."""


def catalogue_of(kind: str) -> Catalogue:
    """Return the messages of a kind of device; only that device's folder is imported."""
    if kind not in KINDS:
        problem = f"no device '{kind}': there are {', '.join(KINDS)}"
        raise RequestError(problem)
    found: Catalogue = importlib.import_module(f"drivers.{kind.replace('-', '_')}").CATALOGUE
    return found


def _link(
    kind: str, serial: str, shake: PairingDevice | TaggedDevice, can: int, keep: int, clock: Clock
) -> "DeviceLink | Talker":
    """Return the link of a kind of device."""
    if kind == TALKER:
        # Only this device needs it.
        from hal_sim.devices.speaking_device import Talker  # noqa: PLC0415

        return Talker()
    return DeviceLink(
        kind=kind,
        serial=serial,
        firmware=FIRMWARE,
        capabilities=can,
        shake=shake,
        boot=1,
        keep=keep,
        clock=clock.read,
    )


class SimDevice:
    """A device on a cable."""

    def __init__(
        self,
        kind: str,
        serial: str,
        keys: Keys,
        cable: Cable,
        loop: asyncio.AbstractEventLoop,
        *,
        seed: int = 0,
        keep: int = 4096,
        anchors: bool = False,
    ) -> None:
        self.kind = kind
        self._catalogue = catalogue_of(kind)
        self._boot = 1
        self.cable = cable
        self._loop = loop
        self.faults = Faults(f"{seed} {serial}", loop.time())
        can = CAPABILITIES.get(kind, 0) & (-1 if anchors else ~ANCHORS)
        self.memory = Memory(keys.pairing(kind, serial), anchors=bool(can & ANCHORS))
        shake = self.memory.pairing or keys.tagged()
        self._link = _link(kind, serial, shake, can, keep, self.faults.clock)
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: list[tuple[int | None, Callable[[bool], None]]] = []
        self._sensors = Sensors(self._catalogue)
        self._absent = 0.0
        self._plugging: asyncio.TimerHandle | None = None
        self._forget_commands()
        cable.listen(self)

    # The sensors.

    def event(self, name: str, fields: Mapping[str, Any]) -> int:
        """Let something happen; return the number of its event."""
        return self.events([(name, fields)])[0]

    def events(self, happenings: Sequence[tuple[str, Mapping[str, Any]]]) -> list[int]:
        """Let several things happen one after the other; if one of them cannot, none does."""
        now = self._loop.time()
        time = self.faults.clock.read(now)
        try:
            encoded = self._sensors.encoded(happenings, time)
            return [self._link.event(ident, payload, time, now) for ident, payload in encoded]
        except MessageError as error:
            raise RequestError(str(error)) from error
        finally:
            self._send()

    # The cable.

    def opened(self) -> None:
        """Begin a session: a host uses the cable."""
        self._link.opened(self._loop.time())
        self._send()

    def received(self, data: bytes) -> None:
        """Put what the host sent on the wire, and take what is through."""
        wire = self.faults.to_device
        for piece in wire.put(data, self._loop.time()):
            self._receive(piece)
        if wire.waiting > FULL:
            self.cable.pause()
        self._send()

    def closed(self) -> None:
        """End the session: the host or the cable is gone."""
        self._link.closed()
        self.faults.mend()
        self._set_timer()

    def drained(self) -> None:
        """Go on after a full transmit buffer."""
        self._tick(self._loop.time())

    # The switch inside the cover, and the press that a code is the same.

    def turn_on_pairing(self) -> None:
        """Turn the switch: for a minute the device can be paired."""
        if self.memory.pairing is None:
            problem = "this device cannot be paired"
            raise RequestError(problem)
        self.memory.pairing.turn_on(self._loop.time())

    def press_pairing(self, *, same: bool) -> None:
        """Press at the display whether the table shows the same code."""
        if isinstance(self._link, DeviceLink):
            self._link.pressed(self._loop.time(), same=same)
        self.memory.make_room_for_new_host()
        self._send()

    # The faults.

    def plug(self) -> None:
        """Plug the cable in."""
        self._leave_plugging()
        self.cable.plug()

    def unplug(self) -> None:
        """Pull the cable."""
        self._leave_plugging()
        self.cable.unplug()
        self.faults.mend()
        self._set_timer()

    def hang_up(self, after: int, ms: float) -> None:
        """Pull the cable after this many more bytes to the host, and plug it in again `ms` later."""
        self._absent = ms / 1000.0
        self.faults.to_host.cut_after(after)
        if after <= 0:
            self._cut()

    def stick(self) -> None:
        """Read nothing and send nothing, with the port open."""
        self.faults.stuck = True
        self.cable.pause()
        self._set_timer()

    def unstick(self) -> None:
        """Read and send again."""
        self.faults.stuck = False
        self._tick(self._loop.time())

    def reboot(self, *, forget: bool) -> None:
        """Restart; with `forget` without the numbers and what was not acknowledged."""
        now = self._loop.time()
        leaves_the_bus = isinstance(self.cable, UsbCable) and self.cable.plugged
        if leaves_the_bus:
            self.cable.unplug()
        self._boot += 1
        self._link.reboot(self._boot, forget=forget)
        self.memory.restart()
        self.faults.mend()
        self.faults.clock.restart(now)
        self.faults.stuck = False
        self._sensors.restart()
        self._forget_commands()
        if forget:
            self._answer_waiting(lost=True)
        if leaves_the_bus:
            self.cable.plug()
        self._tick(now)

    def impair(
        self, changes: Mapping[str, float], *, seed: str | None = None, to_host: bool = True, to_device: bool = True
    ) -> None:
        """Change the damage of one wire or both from now on; what is not named stays."""
        try:
            out, back = [
                replace(wire.damage, **changes)  # type: ignore[arg-type]  # a wrong name is a TypeError, a wrong value a problem
                for wire in (self.faults.to_host, self.faults.to_device)
            ]
        except TypeError as error:
            raise RequestError(str(error)) from error
        problems = out.problems() + back.problems()
        if problems:
            raise RequestError("; ".join(dict.fromkeys(problems)))
        self.faults.impair(to_host=out if to_host else None, to_device=back if to_device else None, seed=seed)

    # What others see.

    def state(self) -> dict[str, object]:
        """Return what the device shows and knows."""
        link = self._link
        return {
            "kind": self.kind,
            "plugged": self.cable.plugged,
            "up": link.up,
            "stuck": self.faults.stuck,
            "boot": self._boot,
            "acknowledged": link.acknowledged,
            "kept": link.kept,
            "damaged": self.faults.to_host.damaged + self.faults.to_device.damaged,
            **self.memory.state(),
            **self._told,
        }

    def call_when_acknowledged(self, number: int | None, answer: Callable[[bool], None]) -> None:
        """Call with True once the host has acknowledged this event, with False if the device has forgotten it.

        Without a number: call once a host has proved itself and the link is up.
        """
        self._waiting.append((number, answer))
        self._answer_waiting()

    def stop(self) -> None:
        """Pull the cable and rest."""
        self.unplug()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Inside.

    def _receive(self, data: bytes) -> None:
        """Give bytes to the link and do what it is told; a session that begins is told the registers first."""
        was_up = self._link.up
        for ident, payload in self._link.received(data, self._loop.time()):
            command = self._catalogue.decode_command(ident, payload)
            if command is not None:
                self._obey(command)
        self.memory.make_room_for_new_host()
        if self._link.up and not was_up:
            self._report_registers(self.memory.all())
        if self._waiting:
            self._answer_waiting()

    def _obey(self, command: Message) -> None:
        """Show what a command has set; the names are those of the messages."""
        match type(command).__name__:
            case "Anchor" if isinstance(command, Anchor):
                self._report_registers(self.memory.set(command))
            case "Lock":
                self._told["locked"] = True
            case "Unlock":
                self._told["locked"] = False
            case "Lamps" | "Text" | "UnicodeText" | "Alarm" as name:
                values = [getattr(command, field) for field in command.__match_args__]
                what = name.removeprefix("Unicode").lower()
                self._told[what] = values if what == "text" else values[0]

    def _report_registers(self, registers: list[Anchored]) -> None:
        """Let registers be told."""
        now = self._loop.time()
        for message in registers:
            self._link.event(*self._catalogue.encode(message), self.faults.clock.read(now), now)

    def _forget_commands(self) -> None:
        """Show what a device shows that has been told nothing."""
        self._told: dict[str, object] = {"locked": False, "lamps": [], "text": ["", ""], "alarm": False}

    def _answer_waiting(self, *, lost: bool = False) -> None:
        """Answer those who wait for what has come, or for events that the device has forgotten."""
        acknowledged = self._link.acknowledged
        waiting, self._waiting = self._waiting, []
        for number, answer in waiting:
            done = self._link.up if number is None else (acknowledged - number) % 2**32 < 2**31
            if done or (lost and number is not None):
                answer(done)
            else:
                self._waiting.append((number, answer))

    def _cut(self) -> None:
        """Pull the cable, and plug it in again when its time has come."""
        self.unplug()
        self._plugging = self._loop.call_later(self._absent, self.plug)

    def _leave_plugging(self) -> None:
        """Do not plug the cable in later: somebody plugs or pulls it now."""
        if self._plugging is not None:
            self._plugging.cancel()
            self._plugging = None

    def _send(self) -> None:
        """Send what the link has to say while there is room, and set the timer."""
        wire = self.faults.to_host
        if not self.faults.stuck and not self.cable.full and wire.waiting <= FULL:
            data = self._link.outgoing()
            if data:
                for piece in wire.put(data, self._loop.time()):
                    self.cable.write(piece)
                if wire.cut:
                    self._cut()
        self._set_timer()

    def _tick(self, now: float) -> None:
        """Do what time asks for."""
        if self.faults.stuck:
            return
        for piece in self.faults.to_device.pieces_through(now):
            self._receive(piece)
        if self.faults.to_device.waiting <= FULL:
            self.cable.resume()
        if not self.cable.full:
            for piece in self.faults.to_host.pieces_through(now):
                self.cable.write(piece)
            self._link.tick(now)
        self._send()

    def _set_timer(self) -> None:
        """Wake at the nearest of what the link and the wires wait for; a timer that is early finds nothing to do."""
        due = self._due()
        if self._timer is not None:
            if due is not None and self._timer.when() <= due:
                return
            self._timer.cancel()
            self._timer = None
        if due is not None:
            self._timer = self._loop.call_at(due, self._wake, due)

    def _due(self) -> float | None:
        """Return when something is due, None for never."""
        if self.faults.stuck:
            return None
        if self.cable.full:
            return self.faults.to_device.due()
        link, wires = self._link.due(), self.faults.due()
        if link is None or wires is None:
            return wires if link is None else link
        return min(link, wires)

    def _wake(self, due: float) -> None:
        """Do what was due; the loop's clock may be a tick early."""
        self._timer = None
        self._tick(max(due, self._loop.time()))
