"""A USB panel in front of the real libusb: umockdev hands us the calls that libusb makes to the kernel.

1. This program runs under `umockdev-wrapper` with the Python of the system, which has GObject: test_libusb.py starts
   it. Its arguments name what to run: checks of the contract, or `replug=TIMES+SEED`. It prints one JSON line for each.
2. The panel answers usbdevfs: strings by control transfer, packets by URB. A URB stays until there is a packet for
   it, until libusb takes it back after its time-out, or until the panel is pulled out (ESHUTDOWN).
3. The kernel's own driver holds the interface at each plug until it is detached, and only one may claim it.
4. Each plug has another device number.
"""

from __future__ import annotations

import asyncio
import errno
import itertools
import json
import struct
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import GLib, UMockdev  # noqa: E402  (the version comes first)

from drivers.ports import Port, opener  # noqa: E402
from tests.drivers.ports.contract import CHECKS, threads_ended  # noqa: E402
from tests.drivers.ports.replugging import replug  # noqa: E402
from tests.drivers.ports.rigs import ignore  # noqa: E402
from tests.patience import PATIENCE  # noqa: E402

PACKET = 64
STRINGS = {1: "Truedeal", 2: "Panel", 3: "T0001"}
DEVICE = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, 0, 0, 0, 64, 0x1209, 0xCA5E, 0x100, 1, 2, 3, 1)
INTERFACE = struct.pack("<9B", 9, 4, 0, 0, 2, 0xFF, 0, 0, 0) + b"".join(
    struct.pack("<BBBBHB", 7, 5, address, 3, PACKET, 1) for address in (0x81, 0x01)
)
CONFIGURATION = struct.pack("<BBHBBBBB", 9, 2, 9 + len(INTERFACE), 1, 1, 0, 0x80, 50) + INTERFACE

CONTROL_TRANSFER = 2


class Call(IntEnum):
    """The calls of usbdevfs, by number."""

    SET_CONFIGURATION = 5
    GET_DRIVER = 8
    SUBMIT = 10
    DISCARD = 11
    REAP = 12
    REAP_NOW = 13
    CLAIM = 15
    RELEASE = 16
    DRIVER_IOCTL = 18
    RESET = 20
    CLEAR_HALT = 21
    CAPABILITIES = 26
    SPEED = 31


class Urb(NamedTuple):
    """A transfer that libusb has submitted; `client` is its open file, `memory` its struct, `buffer` its bytes."""

    client: Any
    memory: Any
    endpoint: int
    buffer: Any
    length: int


class Panel(UMockdev.IoctlBase):  # type: ignore[misc]
    """One panel, from plug to unplug."""

    __gtype_name__ = "TruedealTestPanel"

    def __init__(self, taken: Callable[[Panel, bytes], None]) -> None:
        super().__init__()
        self.lock = threading.RLock()
        self.taken = taken
        self.gone = self.stuck = self.claimed = False
        self.kernel_driver = True
        self.waiting: list[Urb] = []
        # By open file: what it submits, it alone reaps.
        self.done: dict[Any, deque[Urb]] = {}
        self.packets: deque[bytes] = deque()

    def do_handle_ioctl(self, client: Any) -> bool:
        """Answer one call; umockdev calls it by this name."""
        request = client.get_request()
        if request >> 8 & 0xFF != ord("U"):
            return False
        with self.lock:
            try:
                result, number = self.answer(request & 0xFF, client)
            except Exception:  # noqa: BLE001  (an exception would be lost in C: libusb sees an error, the log says why)
                traceback.print_exc()
                result, number = -1, errno.EIO
        client.complete(result, number)
        return True

    def answer(self, call: int, client: Any) -> tuple[int, int]:  # noqa: C901, PLR0911, PLR0912  (one case a call)
        """Return the result of a call and its error number."""
        if self.gone and call not in (Call.DISCARD, Call.REAP_NOW):
            return -1, errno.ENODEV
        argument = client.get_arg()
        match call:
            case Call.CAPABILITIES:
                argument.resolve(0, 4).update(0, list(struct.pack("<I", 0)))
                return 0, 0
            case Call.GET_DRIVER if self.kernel_driver:
                argument.resolve(0, 260).update(4, list(b"usbhid\0"))
                return 0, 0
            case Call.GET_DRIVER:
                return -1, errno.ENODATA
            case Call.DRIVER_IOCTL:
                self.kernel_driver = False
                return 0, 0
            case Call.CLAIM:
                if self.claimed or self.kernel_driver:
                    return -1, errno.EBUSY
                self.claimed = True
                return 0, 0
            case Call.RELEASE:
                self.claimed = False
                for urb in [urb for urb in self.waiting if urb.client is client]:  # as the kernel does
                    self.waiting.remove(urb)
                    self.finish(urb, -errno.ENOENT, 0)
                return 0, 0
            case Call.SET_CONFIGURATION | Call.RESET | Call.CLEAR_HALT:
                return 0, 0
            case Call.SPEED:
                return 3, 0
            case Call.SUBMIT:
                self.submit(client, argument.resolve(0, 56))
                return 0, 0
            case Call.DISCARD:
                return self.discard(client, argument)
            case Call.REAP | Call.REAP_NOW if client in self.done:
                argument.resolve(0, 8).set_ptr(0, self.done[client].popleft().memory)
                if not self.done[client]:
                    del self.done[client]
                return 0, 0
            case Call.REAP | Call.REAP_NOW:
                return -1, errno.ENODEV if self.gone else errno.EAGAIN
            case _:
                return -1, errno.ENOTTY

    def submit(self, client: Any, memory: Any) -> None:
        """Take a transfer."""
        head = bytes(memory.retrieve())
        (length,) = struct.unpack_from("<i", head, 24)
        urb = Urb(client, memory, head[1], memory.resolve(16, length) if length else None, length)
        if head[0] == CONTROL_TRANSFER:
            self.control(urb)
        else:
            self.waiting.append(urb)
            self.serve()

    def control(self, urb: Urb) -> None:
        """Give a string of the device."""
        kind, request, value, _index, length = struct.unpack("<BBHHH", bytes(urb.buffer.retrieve())[:8])
        if (kind, request, value >> 8) != (0x80, 6, 3):
            self.finish(urb, -errno.EPIPE, 0)
            return
        text = STRINGS.get(value & 0xFF)
        body = b"\x09\x04" if text is None else text.encode("utf-16-le")
        answer = (bytes((len(body) + 2, 3)) + body)[:length]
        urb.buffer.update(8, list(answer))
        self.finish(urb, 0, len(answer))

    def serve(self) -> None:
        """Finish the transfers for which there is something, or somebody who takes it."""
        for urb in list(self.waiting):
            if urb.endpoint == 0x81 and self.packets:
                packet = self.packets.popleft()
                urb.buffer.update(0, list(packet))
                self.waiting.remove(urb)
                self.finish(urb, 0, len(packet))
            elif urb.endpoint == 0x01 and not self.stuck:
                self.waiting.remove(urb)
                self.taken(self, bytes(urb.buffer.retrieve()))
                self.finish(urb, 0, urb.length)

    def discard(self, client: Any, argument: Any) -> tuple[int, int]:
        """Give a transfer back unfinished."""
        (address,) = struct.unpack("<Q", bytes(argument.retrieve())[:8])
        for urb in self.waiting:
            if urb.client is client and urb.memory.client_addr == address:
                self.waiting.remove(urb)
                self.finish(urb, -errno.ENOENT, 0)
                return 0, 0
        return -1, errno.EINVAL

    def finish(self, urb: Urb, status: int, count: int) -> None:
        """Note how a transfer ended; libusb reaps it."""
        urb.memory.update(4, list(struct.pack("<i", status)))
        urb.memory.update(28, list(struct.pack("<i", count)))
        self.done.setdefault(urb.client, deque()).append(urb)

    def pull(self) -> None:
        """Pull the panel out: every transfer ends."""
        with self.lock:
            self.gone = True
            for urb in self.waiting:
                self.finish(urb, -errno.ESHUTDOWN, 0)
            self.waiting.clear()


class Bench:
    """umockdev's system, with a GLib loop of its own in a thread, for the whole program."""

    def __init__(self) -> None:
        self.system = UMockdev.Testbed.new()
        self._context = GLib.MainContext.new()
        threading.Thread(target=self._serve, daemon=True).start()

    def call(self, function: Callable[[], None]) -> None:
        """Run this in the GLib loop, whose context umockdev remembers, and wait."""
        done = threading.Event()

        def run(*_: object) -> bool:
            function()
            done.set()
            return False

        source = GLib.idle_source_new()
        source.set_callback(run)
        source.attach(self._context)
        assert done.wait(PATIENCE)

    def _serve(self) -> None:
        self._context.push_thread_default()
        GLib.MainLoop.new(self._context, False).run()


class LibusbRig:
    """A panel that libusb sees."""

    bulk = 20_000
    numbers = itertools.cycle(range(5, 120))

    def __init__(self, bench: Bench, loop: asyncio.AbstractEventLoop) -> None:
        self.taken: Callable[[bytes], None] = ignore
        self._bench = bench
        self._loop = loop
        self._panel: Panel | None = None
        self._number = 0

    def opener(self) -> Callable[[], Port]:
        """Return what opens the panel by libusb."""
        return opener("usb:1209:ca5e:T0001", self._loop)

    @property
    def _node(self) -> str:
        return f"/dev/bus/usb/001/{self._number:03}"

    def plug(self) -> None:
        """Put a panel with another number on the bus."""
        self._number = next(self.numbers)
        panel = self._panel = Panel(self._took)
        device = f"""P: /devices/pci0000:00/usb1/1-1
N: {self._node.removeprefix("/dev/")}
E: SUBSYSTEM=usb
E: DRIVER=usb
E: BUSNUM=001
E: DEVNUM={self._number:03}
E: DEVNAME={self._node}
E: DEVTYPE=usb_device
A: bConfigurationValue=1\\n
A: busnum=1\\n
A: devnum={self._number}\\n
A: speed=12\\n
H: descriptors={(DEVICE + CONFIGURATION).hex().upper()}

"""
        self._bench.system.add_from_string(device)
        self._bench.call(lambda: self._bench.system.attach_ioctl(self._node, panel))
        self._bench.system.uevent("/sys/devices/pci0000:00/usb1/1-1", "add")

    def unplug(self) -> None:
        """Pull it out."""
        panel, self._panel = self._panel, None
        if panel is None:
            return
        panel.pull()
        self._bench.system.uevent("/sys/devices/pci0000:00/usb1/1-1", "remove")
        self._bench.call(lambda: self._bench.system.detach_ioctl(self._node))
        self._bench.system.remove_device("/sys/devices/pci0000:00/usb1/1-1")

    def send(self, data: bytes) -> None:
        """Send in packets."""
        if self._panel is not None:
            with self._panel.lock:
                self._panel.packets.extend(data[at : at + PACKET] for at in range(0, len(data), PACKET))
                self._panel.serve()

    def stick(self, stuck: bool) -> None:
        """Take nothing, or take again."""
        assert self._panel is not None
        with self._panel.lock:
            self._panel.stuck = stuck
            self._panel.serve()

    def close(self) -> None:
        """Pull it out."""
        self.unplug()

    def _took(self, panel: Panel, data: bytes) -> None:
        self._loop.call_soon_threadsafe(lambda: self.taken(data) if panel is self._panel else None)


async def run(bench: Bench, name: str) -> str:
    """Run what is named; return its figures."""
    rig = LibusbRig(bench, asyncio.get_running_loop())
    try:
        if name.startswith("replug="):
            times, seed = map(int, name.removeprefix("replug=").split("+"))
            return str(await replug(rig, times, seed))
        await CHECKS[name](rig)
        await threads_ended(0)
    finally:
        rig.close()
    return ""


def main() -> None:
    """Run all that is named, one JSON line each."""
    bench = Bench()
    for name in sys.argv[1:]:
        figures, failure = "", None
        try:
            figures = asyncio.run(run(bench, name))
        except Exception:  # noqa: BLE001  (whatever it was, the test that started this program shows it)
            failure = traceback.format_exc()
        sys.stdout.write(json.dumps({"name": name, "figures": figures, "failure": failure}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
