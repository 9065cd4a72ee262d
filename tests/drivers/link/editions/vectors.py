"""Makes `drivers/link/vectors.json`: `python -m tests.drivers.link.editions.vectors` after a change of the wire format.

1. The sessions are real ones, between `HostLink` and `DeviceLink`, with nonces and ephemeral keys that are fixed here
   and nowhere else.
2. Bytes are lower-case hexadecimal text, integers are numbers, times are milliseconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from zlib import crc32

from drivers.link import DeviceLink, HostLink, hello
from drivers.link.editions import keys, noise
from drivers.link.editions.edition import ONE, TWO, DeviceShake, HostShake
from drivers.link.editions.sealed import SealedDevice, SealedHost, Sealer, prologue
from drivers.link.editions.tagged import TaggedDevice, TaggedHost
from drivers.link.frames import SEALED, Framer, encode
from drivers.link.pairing import exchange
from drivers.link.pairing.device import PairingDevice
from tests.places import ROOT

FILE = ROOT / "drivers" / "link" / "vectors.json"
KEY = bytes(range(32))
HOST_NONCE = bytes(range(0x40, 0x50))
DEVICE_NONCE = bytes(range(0xA0, 0xB0))
HOST_SECRET = bytes(range(0x01, 0x21))
DEVICE_SECRET = bytes(range(0x21, 0x41))
HOST_EPHEMERAL = bytes(range(0x41, 0x61))
DEVICE_EPHEMERAL = bytes(range(0x61, 0x81))
TYPES = {1: "CHALLENGE", 2: "IDENTITY", 3: "START", 4: "REFUSE", 0x10: "DATA", 0x11: "ACK", 0x12: "HEARTBEAT"}
TYPES |= {5: "HELLO", 6: "ANSWER", 0x20: "SEALED"}
SAMPLES = [b"123456789", b"", b"\0", bytes(17), bytes(range(1, 200)), bytes(range(120)) * 2]


def always(nonce: bytes) -> Callable[[], bytes]:
    """A source of this one nonce."""
    return lambda: nonce


def tagged(key: bytes | None) -> tuple[HostShake, DeviceShake]:
    """Both ends of a handshake of edition 1."""
    return TaggedHost(key, always(HOST_NONCE)), TaggedDevice(key, always(DEVICE_NONCE))


def sealed() -> tuple[HostShake, DeviceShake]:
    """Both ends of a handshake of edition 2."""
    host = SealedHost(
        HOST_SECRET, noise.public(DEVICE_SECRET), kind="shoe", serial="S-0042", ephemeral=always(HOST_EPHEMERAL)
    )
    device = SealedDevice(
        DEVICE_SECRET, noise.public(HOST_SECRET), kind="shoe", serial="S-0042", ephemeral=always(DEVICE_EPHEMERAL)
    )
    return host, device


class Recorder:
    """A session, frame by frame."""

    def __init__(self, shakes: tuple[HostShake, DeviceShake]) -> None:
        self.host = HostLink(kind="shoe", serial="S-0042", shake=shakes[0], expected=1)
        self.shakes = shakes
        self.device = DeviceLink(
            kind="shoe",
            serial="S-0042",
            firmware="2.1.0",
            capabilities=3,
            shake=shakes[1],
            boot=0x01020304,
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
        for frame in Framer().feed(wire):
            if not isinstance(frame, bytes):
                raise TypeError(frame)
            self._frame(direction, note, frame)

    def _frame(self, direction: str, note: str, frame: bytes) -> None:
        wire = encode(frame[:-4])
        if frame[0] == SEALED:
            sender = self.host if direction == "host to device" else self.device
            cipher = sender._channel._sending
            assert isinstance(cipher, Sealer)
            counter = int.from_bytes(frame[1:5], "little")
            text = noise.decrypt(cipher._key, counter, frame[:5], frame[5:-4])
            assert text is not None
            self.frames.append(
                {
                    "note": note,
                    "direction": direction,
                    "type": TYPES[frame[0]],
                    "counter": counter,
                    "kind": TYPES[text[0] & 0x7F],
                    "text": text.hex(),
                    "sealed": frame[5:-4].hex(),
                    "crc32": int.from_bytes(frame[-4:], "little"),
                    "wire": wire.hex(),
                }
            )
            return
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
    """A whole short session of edition 1."""
    made = Recorder(tagged(key))
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


def sealed_session() -> list[dict[str, Any]]:
    """A whole short session of edition 2."""
    made = Recorder(sealed())
    made.down("Noise message 1, without a payload", 0.0)
    made.up("the beginning of HELLO's key, Noise message 2: what the device is", 0.0)
    made.down("events from 1 on", 0.0)
    made.up("START was taken: time 0, the next number sent is 1, no question, no time of the host's was heard", 0.0)
    made.down("the host's answer: its time is 0", 0.0)
    made.device.event(0x10, bytes.fromhex("2d00e803000000"), 300, 0.3)
    made.up("event 1 at 300 ms, ident 0x10, a payload of 7 bytes", 0.3)
    made.host.acknowledge(1, 0.3)
    made.down("everything below 2 is durable", 0.3)
    made.up("heartbeat: time 510, the host's time 0 was heard 510 ms ago", 0.51)
    made.device.event(0x11, bytes([20]) + bytes.fromhex("2d00") * 20 + bytes(5), 520, 0.52)
    made.up("event 3, a payload of 46 bytes in two parts, 2 and 3", 0.52)
    made.host.send(0x80, b"\x01", 0.53)
    made.down("the answer to the heartbeat, and command 1, ident 0x80, a payload of one byte", 0.53)
    return made.frames


def edition_2() -> dict[str, Any]:
    """Keys, handshake and a session of edition 2."""
    host, device = sealed()
    host.begin()
    body = host.challenge()
    device.opened(body)
    said = hello.Hello(TWO.protocol, 0x01020304, 0x01020304, 3, 1, 1, "shoe", "S-0042", "2.1.0")
    answer = device.identity(said)
    host.read(answer)
    assert isinstance(host, SealedHost)
    down, up = host._keys
    return {
        "protocol": list(TWO.protocol),
        "noise": "Noise_KK_25519_ChaChaPoly_BLAKE2s",
        "prologue": prologue("shoe", "S-0042").hex(),
        "host_secret": HOST_SECRET.hex(),
        "host_public": noise.public(HOST_SECRET).hex(),
        "device_secret": DEVICE_SECRET.hex(),
        "device_public": noise.public(DEVICE_SECRET).hex(),
        "host_ephemeral_secret": HOST_EPHEMERAL.hex(),
        "device_ephemeral_secret": DEVICE_EPHEMERAL.hex(),
        "message_1": body.hex(),
        "identity": said.stated().ljust(hello.MOST_STATED, b"\0").hex(),
        "message_2": answer[4:].hex(),
        "key_to_device": down.hex(),
        "key_to_host": up.hex(),
        "key_to_host_after_65536": noise.rekeyed(up).hex(),
        "session": sealed_session(),
    }


def paired() -> dict[str, Any]:
    """An exchange in which a shoe is paired, and the code that a panel would show."""
    device = PairingDevice(DEVICE_SECRET, None, kind="shoe", serial="S-0042", nonce=always(DEVICE_NONCE))
    device.turn_on(0.0)
    host_public = noise.public(HOST_SECRET)
    offer, reveal = exchange.commitment(host_public, HOST_NONCE), host_public + HOST_NONCE
    answers = [
        device.answer_frame(bytes([step]) + body, 0.0)
        for step, body in ((exchange.OFFER, offer), (exchange.REVEAL, reveal))
    ]
    key, result = (answer[0] for answer in answers if isinstance(answer, tuple))
    hashed = exchange.handshake_hash(offer, key[1:], reveal)
    return {
        "offer": (bytes([exchange.OFFER]) + offer).hex(),
        "key": key.hex(),
        "reveal": (bytes([exchange.REVEAL]) + reveal).hex(),
        "result": result.hex(),
        "handshake_hash": hashed.hex(),
        "code": exchange.code(hashed),
        "device_fingerprint": exchange.fingerprint(noise.public(DEVICE_SECRET)),
        "host_fingerprint": exchange.fingerprint(host_public),
    }


def document() -> dict[str, Any]:
    """All vectors."""
    nonces = HOST_NONCE, DEVICE_NONCE
    key = keys.session_key(KEY, nonces)
    said = hello.Hello(ONE.protocol, 0x01020304, 0x01020304, 3, 1, 1, "shoe", "S-0042", "2.1.0")
    host_says = hello.host_stated(ONE.protocol, 1)
    content = bytes.fromhex("1003000000" + "01000000" + "dc050000" + "10" + "2d00e803000000")
    good = encode(content + keys.Tagger(key, keys.TO_HOST).tag(content))
    return {
        "about": "Test vectors of the truedeal device link, see PROTOCOL.md. Bytes are hexadecimal text.",
        "protocol": list(ONE.protocol),
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
        "edition_2": edition_2(),
        "pairing": paired(),
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
