"""A simulated device as the code that plays the table sees it: its sensors, its cable, its faults.

1. One request at a time over the device's control socket; the protocol is in `process`. What the device cannot do is
   a `SimError` with its reason.
2. `changed` is True from the first damage or `stick` until `mend`, and `plugged` is False while the cable is out. By
   these a table that is reused puts back what a scenario has left behind, without asking every device. A stall, a
   drifting clock and a reboot are not put back.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from firmware_bridge.control.client import ControlClient

# How long a device may take to be heard, in seconds: much longer than any back-off.
PATIENCE = 60.0


class SimError(RuntimeError):
    """The simulated table cannot do what was asked."""


class RemoteDevice:
    """One device process, reached over its control socket."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.plugged = True
        self.changed = False
        self._client = ControlClient(path, timeout=2 * PATIENCE)

    def close(self) -> None:
        """Close the connection; the device runs on."""
        self._client.close()

    def ask(self, **request: object) -> dict[str, Any]:
        """Send any request of the control protocol and return the answer."""
        answer = self._client.ask(**request)
        if "error" in answer:
            problem = f"the simulated {self.name}: {answer['error']}"
            raise SimError(problem)
        return answer

    # The sensors.

    def event(self, name: str, /, **fields: object) -> int:
        """Let something happen; return the number of its event."""
        return int(self.ask(do="event", name=name, fields=fields)["number"])

    def events(self, happenings: Iterable[tuple[str, Mapping[str, object]]]) -> list[int]:
        """Let several things happen, all or none; return their numbers."""
        listed = [{"name": name, "fields": fields} for name, fields in happenings]
        return [int(number) for number in self.ask(do="events", list=listed)["numbers"]]

    def wait_acknowledged(self, number: int, seconds: float = PATIENCE) -> None:
        """Wait until the host has acknowledged an event."""
        if not self.ask(do="wait", number=number, ms=1000 * seconds)["acknowledged"]:
            problem = f"event {number} of the simulated {self.name} was not acknowledged within {seconds:g} s"
            raise TimeoutError(problem)

    def wait_up(self, seconds: float = PATIENCE) -> None:
        """Wait until a host has proved itself to the device."""
        if not self.ask(do="wait", ms=1000 * seconds)["up"]:
            problem = f"no host has come to the simulated {self.name} within {seconds:g} s"
            raise TimeoutError(problem)

    def state(self) -> dict[str, Any]:
        """Return what the device shows and knows."""
        state = self.ask(do="state")
        del state["id"]
        return state

    # The switch inside its cover, and its display.

    def turn_on_pairing(self) -> None:
        """Turn the switch: for a minute the device can be paired."""
        self.ask(do="pairing")

    def press_pairing(self, *, same: bool) -> None:
        """Press whether the table shows the same code."""
        self.ask(do="press", same=same)

    # Its registers.

    def wipe(self) -> None:
        """Let it forget every register."""
        self.ask(do="wipe")

    def force(self, journal: str, number: int, n: int, chain: str) -> None:
        """Put into a register what no table has told."""
        self.ask(do="force", journal=journal, number=number, n=n, chain=chain)

    # The cable and the faults.

    def plug(self) -> None:
        """Plug the cable in."""
        self.ask(do="plug")
        self.plugged = True

    def unplug(self) -> None:
        """Pull the cable."""
        self.ask(do="unplug")
        self.plugged = False

    def noise(self, rate: object, seed: int | None = None) -> None:
        """Flip bits both ways with this chance."""
        self._spoil(do="noise", rate=str(rate), **_seeded(seed))

    def skew(self, ms: float, seed: int | None = None) -> None:
        """Delay what goes either way by a random time of up to `ms`."""
        self._spoil(do="skew", ms=ms, **_seeded(seed))

    def damage(self, *, way: str = "both", seed: int | None = None, **changes: float) -> None:
        """Change any field of `Damage`, both ways or only towards the `host` or the `device`."""
        self._spoil(do="damage", way=way, **_seeded(seed), **changes)

    def hang_up(self, after: int = 0, ms: float = 0.0) -> None:
        """Pull the cable after this many more bytes to the host, and plug it in again `ms` later."""
        self.ask(do="hang-up", after=after, ms=ms)

    def stick(self) -> None:
        """Read nothing and send nothing, with the port open."""
        self._spoil(do="stick")

    def unstick(self) -> None:
        """Read and send again."""
        self.ask(do="unstick")

    def stall(self) -> None:
        """Halt the IN endpoint of a USB device until the host clears it."""
        self.ask(do="stall")

    def reboot(self, *, forget: bool = False) -> None:
        """Start the device again, with or without its events and numbers."""
        self.ask(do="reboot", forget=forget)

    def drift(self, ppm: float) -> None:
        """Let the device's clock run too fast by `ppm` millionths."""
        self.ask(do="drift", ppm=ppm)

    def mend(self) -> bool:
        """Undo damage, unstick the device and plug it in; return whether the cable had been out."""
        was_out = not self.plugged
        if self.changed:
            self.ask(do="damage", flip=0, drop=0, insert=0, repeat=0, split=0, delay_ms=0, skew_ms=0)
            self.unstick()
            self.changed = False
        if was_out:
            self.plug()
        return was_out

    def _spoil(self, **request: object) -> None:
        """Ask for something that `mend` has to undo."""
        self.changed = True
        self.ask(**request)


def _seeded(seed: int | None) -> dict[str, Any]:
    """Return the seed as part of a request, if there is one."""
    return {} if seed is None else {"seed": seed}
