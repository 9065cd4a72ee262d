"""Makes `drivers/link/vectors.json`: run `python -m tests.drivers.link.vectors` after a change of the wire format.

1. The sessions are real ones, between `HostLink` and `DeviceLink`, with nonces that are fixed here and nowhere else.
2. Bytes are lower-case hexadecimal text, integers are numbers, times are milliseconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

from drivers.link import DeviceLink, HostLink, hello, keys
from drivers.link.frames import Framer, encode

FILE = Path(__file__).resolve().parents[3] / "drivers" / "link" / "vectors.json"
KEY = bytes(range(32))
HOST_NONCE = bytes(range(0x40, 0x50))
DEVICE_NONCE = bytes(range(0xA0, 0xB0))
TYPES = {1: "CHALLENGE", 2: "IDENTITY", 3: "START", 4: "REFUSE", 0x10: "DATA", 0x11: "ACK", 0x12: "HEARTBEAT"}
SAMPLES = [b"123456789", b"", b"\0", bytes(17), bytes(range(1, 200)), bytes(range(120)) * 2]


def always(nonce: bytes) -> Callable[[], bytes]:
    """A source of this one nonce."""
    return lambda: nonce


class Recorder:
    """A session, frame by frame."""

    def __init__(self, key: bytes | None) -> None:
        self.host = HostLink(
            kind="shoe", serial="S-0042", key=key, authenticated=key is not None, expected=1, nonce=always(HOST_NONCE)
        )
        self.device = DeviceLink(
            kind="shoe",
            serial="S-0042",
            firmware="2.1.0",
            capabilities=3,
            key=key,
            boot=0x01020304,
            nonce=always(DEVICE_NONCE),
        )
        self.frames: list[dict[str, Any]] = []
        self.host.opened(0.0)
        self.device.opened(0.0)

    def down(self, note: str, now: float) -> None:
        """What the host sends now."""
        self.host.tick(now)
        wire = self.host.outgoing()
        self._note("host to device", note, wire)
        self.device.received(wire, now)

    def up(self, note: str, now: float, *, arrives: bool = True) -> None:
        """What the device sends now, and whether it arrives."""
        self.device.tick(now)
        wire = self.device.outgoing()
        self._note("device to host", note, wire)
        if arrives:
            self.host.received(wire, now)

    def _note(self, direction: str, note: str, wire: bytes) -> None:
        (frame,) = Framer().feed(wire)
        if not isinstance(frame, bytes):
            raise TypeError(frame)
        self.frames.append(
            {
                "note": note,
                "direction": direction,
                "type": TYPES[frame[0]],
                "counter": int.from_bytes(frame[1:5], "little"),
                "body": frame[5:-12].hex(),
                "tag": frame[-12:-4].hex(),
                "crc32": int.from_bytes(frame[-4:], "little"),
                "wire": wire.hex(),
            }
        )


def session(key: bytes | None) -> list[dict[str, Any]]:
    """A whole short session."""
    made = Recorder(key)
    made.down("protocol 1.1, host nonce", 0.0)
    made.up("what the device is, both nonces, its proof", 0.0)
    made.down("events from 1 on, device nonce, the host's proof", 0.0)
    made.up("START was taken: time 0, the next number sent is 1", 0.0)
    made.device.event(0x10, bytes.fromhex("2d00e803000000"), 1500, 1.5)
    made.up("event 1 at 1500 ms, ident 0x10, a payload of 7 bytes", 1.5)
    made.host.acknowledge(1, 1.5)
    made.down("everything below 2 is durable", 1.5)
    made.host.ask(1.505)
    made.down("question 1: how far has the device come", 1.505)
    made.up("the answer to question 1: the next event is 2", 1.505)
    made.device.event(0x13, b"", 1510, 1.51)
    made.up("event 2, no payload: this frame is lost on the way", 1.51, arrives=False)
    made.device.event(0x16, b"", 1520, 1.52)
    made.up("event 3 arrives where 2 is expected", 1.52)
    made.down("gap: send again from 2 on", 1.52)
    made.host.send(0x80, b"\x01", 1.53)
    made.down("command 1, ident 0x80, a payload of one byte", 1.53)
    return made.frames


def document() -> dict[str, Any]:
    """All vectors."""
    nonces = HOST_NONCE, DEVICE_NONCE
    key = keys.session_key(KEY, nonces)
    said = hello.Hello(hello.PROTOCOL, 0x01020304, 0x01020304, 3, 1, 1, "shoe", "S-0042", "2.1.0")
    host_says = hello.host_stated(hello.PROTOCOL, 1)
    content = bytes.fromhex("1003000000" + "01000000" + "dc050000" + "10" + "2d00e803000000")
    good = encode(content + keys.Tagger(key, keys.TO_HOST).tag(content))
    return {
        "about": "Test vectors of the truedeal device link, see PROTOCOL.md. Bytes are hexadecimal text.",
        "protocol": list(hello.PROTOCOL),
        "crc32": [{"bytes": data.hex(), "crc32": crc32(data)} for data in SAMPLES],
        "cobs": [
            {
                "content": data.hex(),
                "frame": (data + crc32(data).to_bytes(4, "little")).hex(),
                "wire": encode(data).hex(),
            }
            for data in SAMPLES
            if len(data) <= 236
        ],
        "keys": {
            "key": KEY.hex(),
            "host_nonce": HOST_NONCE.hex(),
            "device_nonce": DEVICE_NONCE.hex(),
            "device_proof": {
                "person": keys.DEVICE.hex(),
                "input": (HOST_NONCE + DEVICE_NONCE + said.stated()).hex(),
                "proof": keys.proof(KEY, keys.DEVICE, nonces, said.stated()).hex(),
            },
            "host_proof": {
                "person": keys.HOST.hex(),
                "input": (HOST_NONCE + DEVICE_NONCE + host_says).hex(),
                "proof": keys.proof(KEY, keys.HOST, nonces, host_says).hex(),
            },
            "session_key": {
                "person": keys.SESSION.hex(),
                "input": (HOST_NONCE + DEVICE_NONCE).hex(),
                "session_key": (key or b"").hex(),
            },
            "tags": [
                {
                    "direction": direction,
                    "person": person.hex(),
                    "input": content.hex(),
                    "tag": keys.Tagger(key, person).tag(content).hex(),
                }
                for direction, person in (("device to host", keys.TO_HOST), ("host to device", keys.TO_DEVICE))
            ],
        },
        "session_with_key": session(KEY),
        "session_without_key": session(None),
        "not_frames": [
            {"why": "the CRC is wrong: one bit of a good frame is flipped", "wire": flipped(good).hex()},
            {"why": "the last byte is missing", "wire": (good[:-2] + b"\0").hex()},
            {"why": "a COBS code points beyond the end", "wire": (b"\0\xf0" + good[2:]).hex()},
            {"why": "too short to be a frame", "wire": "0003110100"},
            {"why": "too long to be a frame", "wire": (b"\0" + b"\x01" * 242 + b"\0").hex()},
        ],
    }


def flipped(wire: bytes) -> bytes:
    """The same with one bit flipped."""
    return wire[:16] + bytes([wire[16] ^ 0x08]) + wire[17:]


def text() -> str:
    """The file."""
    return json.dumps(document(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
