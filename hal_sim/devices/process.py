"""The process of one simulated device: `python -m hal_sim.devices.process KIND --dir DIR --serial S --key HEX`.

1. One device, one process, one event loop. It prints `ready` on stdout when its control socket DIR/NAME.ctl listens and
   its cable is plugged in: DIR/NAME is the serial line, DIR/NAME.usb the socket of a USB device (`--usb`). NAME is KIND
   unless `--name` gives another. After `AND` the arguments of another device of the same process may follow: many
   tables on one computer have all their devices in one process each.
2. Control is JSON lines: one request, one answer, in order; only the answer to `wait` may come later. An `id` in the
   request comes back in the answer. A request that cannot be done is answered by `{"error": "why"}` and changes
   nothing.

   | request | answer |
   | --- | --- |
   | `{"do":"event","name":"CardOut","fields":{"card":"KD"}}` | `{"number":17}` |
   | `{"do":"events","list":[{"name":…,"fields":…},…]}`: all or none | `{"numbers":[17,18]}` |
   | `{"do":"wait","number":17,"ms":2000}`: until it is acknowledged; `ms` is optional | `{"acknowledged":true}` |
   | `{"do":"wait","ms":2000}`: until a host is there | `{"up":true}` |
   | `unplug`, `plug`, `stick`, `unstick`, `stall` (USB: EPIPE until cleared) | `{"ok":true}` |
   | `{"do":"hang-up","after":100,"ms":50}`: after 100 bytes to the host, for 50 ms | `{"ok":true}` |
   | `{"do":"pairing"}`: the switch inside the cover; `{"do":"press","same":true}`: at the display | `{"ok":true}` |
   | `{"do":"wipe"}`, `{"do":"force","journal":HEX,"number":9,"n":99,"chain":HEX}`: its registers | `{"ok":true}` |
   | `{"do":"reboot","forget":false}`, `{"do":"drift","ppm":200}` | `{"ok":true}` |
   | `{"do":"noise","rate":"0.0001"}`: chance of each bit, both ways | `{"ok":true}` |
   | `{"do":"skew","ms":50,"seed":7}`: up to 50 ms late, both ways | `{"ok":true}` |
   | `{"do":"damage","drop":0.01,"split":3,"seed":7,"way":"host"}`: any field of `Damage` | `{"ok":true}` |
   | `{"do":"state"}` | lamps, text, alarm, locked, acknowledged, kept, up, plugged and so on |
   | `{"do":"quit"}` | `{"ok":true}`, then the process ends |

3. With `--tied` the process ends when its stdin does: it does not outlive the process that started it.
4. Only what this device needs is imported: five devices start within a second on two cores.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from hal_sim.devices.device import KINDS, TALKER, RequestError, SimDevice
from hal_sim.devices.device_keys import Keys
from hal_sim.devices.serial_cable import Cable, PtyCable
from hal_sim.devices.usb.cable import UsbCable

AND = "and"
"""The word between the arguments of two devices."""
_LONGEST_LINE = 4 * 1024 * 1024
_DONE: dict[str, object] = {"ok": True}

Answer = Callable[[dict[str, object]], None]


class DeviceRequests:
    """Does what is asked of one device."""

    def __init__(self, device: SimDevice, loop: asyncio.AbstractEventLoop) -> None:
        self._device = device
        self._loop = loop
        self.connections: set[asyncio.Transport] = set()

    def close(self) -> None:
        """Close all connections."""
        for connection in self.connections:
            connection.close()

    def handle_request(self, request: dict[str, Any], answer: Answer) -> None:
        """Do one request and answer it, now or, for `wait`, later."""
        try:
            if request.get("do") == "wait":
                self._answer_when_acknowledged(request.get("number"), request.get("ms"), answer)
            else:
                answer(self._now(request))
        except KeyError as error:
            answer({"error": f"the request needs {error}"})
        except (RequestError, TypeError, ValueError, AttributeError) as error:
            answer({"error": str(error)})

    def _now(self, request: dict[str, Any]) -> dict[str, object]:
        """Do what is done at once."""
        device = self._device
        match request.get("do"):
            case "event":
                return {"number": device.event(request["name"], request.get("fields", {}))}
            case "events":
                happenings = [(item["name"], item.get("fields", {})) for item in request["list"]]
                return {"numbers": device.events(happenings)}
            case "state":
                return device.state()
            case "quit":
                self._loop.call_soon(self._loop.stop)
            case "pairing":
                device.turn_on_pairing()
            case "press":
                device.press_pairing(same=bool(request["same"]))
            case "wipe":
                device.memory.wipe()
            case "force":
                device.memory.force(*(request[name] for name in ("journal", "number", "n", "chain")))
            case "plug" | "unplug" | "stick" | "unstick" as name:
                getattr(device, name)()
            case _:
                self._spoil(request)
        return _DONE

    def _spoil(self, request: dict[str, Any]) -> None:
        """Let something go wrong."""
        device = self._device
        match request.get("do"):
            case "noise":
                device.impair({"flip": float(request["rate"])}, seed=_seed(request))
            case "skew":
                device.impair({"skew_ms": float(request["ms"])}, seed=_seed(request))
            case "damage":
                self._damage(request)
            case "hang-up":
                device.hang_up(int(request.get("after", 0)), float(request.get("ms", 0)))
            case "reboot":
                device.reboot(forget=bool(request.get("forget", False)))
            case "drift":
                device.faults.clock.drift(float(request["ppm"]), self._loop.time())
            case "stall" if isinstance(device.cable, UsbCable):
                device.cable.stall()
            case other:
                problem = f"this device does not do '{other}'"
                raise RequestError(problem)

    def _damage(self, request: dict[str, Any]) -> None:
        """Change the damage of one wire or both."""
        way = request.get("way", "both")
        if way not in {"both", "host", "device"}:
            problem = f"no way '{way}': there are both, host, device"
            raise RequestError(problem)
        changes = {
            name: int(value) if name == "split" else float(value)
            for name, value in request.items()
            if name not in {"do", "id", "seed", "way"}
        }
        self._device.impair(changes, seed=_seed(request), to_host=way != "device", to_device=way != "host")

    def _answer_when_acknowledged(self, number: int | None, ms: float | None, answer: Answer) -> None:
        """Answer when the event is acknowledged or the link is up, when that cannot come, or when the time is over."""
        answered = False

        def once(come: bool) -> None:
            nonlocal answered
            if not answered:
                answered = True
                answer({"up": come} if number is None else {"acknowledged": come})

        self._device.call_when_acknowledged(number, once)
        if ms is not None and not answered:
            self._loop.call_later(ms / 1000.0, once, False)


def _seed(request: dict[str, Any]) -> str | None:
    """Return the seed that a request names."""
    return str(request["seed"]) if "seed" in request else None


class Control(asyncio.Protocol):
    """One connection to the control socket."""

    def __init__(self, requests: DeviceRequests) -> None:
        self._requests = requests
        self._buffer = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where the answers go."""
        self._transport = cast("asyncio.Transport", transport)
        self._requests.connections.add(self._transport)

    def connection_lost(self, _error: Exception | None) -> None:
        """Forget the connection."""
        self._requests.connections.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        """Do each whole line."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            self._handle_line(line)
        if len(self._buffer) > _LONGEST_LINE:
            self._transport.close()

    def _handle_line(self, line: bytes) -> None:
        """Do one line."""
        try:
            request = json.loads(line)
        except ValueError as error:
            self._answer({}, {"error": f"no JSON: {error}"})
            return
        if not isinstance(request, dict):
            self._answer({}, {"error": "a request is a JSON object"})
            return
        self._requests.handle_request(request, lambda answer: self._answer(request, answer))

    def _answer(self, request: dict[str, Any], answer: dict[str, object]) -> None:
        """Write one answer."""
        if "id" in request:
            answer = {"id": request["id"], **answer}
        if not self._transport.is_closing():
            self._transport.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")


class Running:
    """A device that is plugged in, and its control socket."""

    def __init__(self, options: argparse.Namespace, loop: asyncio.AbstractEventLoop) -> None:
        """Start it."""
        name = options.name or options.kind
        cable: Cable
        if options.usb:
            cable = UsbCable(options.dir / f"{name}.usb", ("truedeal", options.kind, options.serial), loop)
        else:
            cable = PtyCable(options.dir / name, loop, deaf=options.kind == TALKER)
        keys = Keys(*(bytes.fromhex(key) if key else None for key in (options.secret, options.host, options.key)))
        self._device = SimDevice(
            options.kind,
            options.serial,
            keys,
            cable,
            loop,
            seed=options.seed,
            keep=options.keep,
            anchors=options.anchors,
        )
        self._requests = DeviceRequests(self._device, loop)
        self._control = options.dir / f"{name}.ctl"
        listening = loop.create_unix_server(lambda: Control(self._requests), self._control)
        self._server = loop.run_until_complete(listening)
        self._device.plug()

    def stop(self) -> None:
        """End it."""
        self._device.stop()
        self._server.close()
        self._control.unlink(missing_ok=True)
        self._requests.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hal_sim.devices.process", description="One simulated device.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--name", help="how its sockets and its line are called, if not as its kind")
    parser.add_argument("--dir", type=Path, required=True, help="folder of the sockets and the serial line")
    parser.add_argument("--serial", required=True, help="serial number")
    parser.add_argument("--secret", help="its own secret key in hexadecimal, for edition 2 of the link")
    parser.add_argument(
        "--host", help="the public key of its table in hexadecimal; none: a device of edition 2 must be paired"
    )
    parser.add_argument("--key", help="key of edition 1 in hexadecimal; no key at all: the device proves nothing")
    parser.add_argument("--usb", action="store_true", help="on USB instead of a serial line")
    parser.add_argument("--seed", type=int, default=0, help="of all faults")
    parser.add_argument("--keep", type=int, default=4096, help="how many events it keeps")
    parser.add_argument("--anchors", action="store_true", help="a shoe or panel with registers for journals")
    parser.add_argument("--tied", action="store_true", help="end with stdin")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the devices until they are told to quit."""
    words = sys.argv[1:] if arguments is None else arguments
    parser = _parser()
    options = [parser.parse_args(list(part)) for and_, part in groupby(words, lambda word: word == AND) if not and_]
    loop = asyncio.new_event_loop()
    running = [Running(one, loop) for one in options]
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, loop.stop)
    if any(one.tied for one in options):
        loop.add_reader(sys.stdin.fileno(), loop.stop)
    os.write(sys.stdout.fileno(), b"ready\n")
    try:
        loop.run_forever()
    finally:
        loop.remove_reader(sys.stdin.fileno())
        for device in running:
            device.stop()
        # Once round for the last answers to leave and the connections to close.
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
