"""Decodes what passes over a link, without ever answering.

1. Bytes go in, and one `Line` for each frame and each fault comes out. Nothing is answered, ordered, merged or held
   back.
2. On our own link a line is a frame. Its direction is known for the frames of the handshake, for events and commands,
   and for every frame whose tag was verified; else it is `?`.
3. A tag can be verified with the device's key and the IDENTITY frame of its session, which carries both nonces. Without
   them it is ``unchecked``, or ``none`` if it is all zeros; ``wrong`` is a fault.
4. In edition 2 nobody who listens can read what passes, with whatever key: a frame is ``sealed``, and has a counter.
5. A driver with a link of its own is asked what it makes of the bytes: a line is an event.
6. `at` is the number of bytes up to the end of the frame.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from struct import Struct
from struct import error as ShapeError  # noqa: N812  an exception by our naming
from typing import Any, Protocol, cast

from drivers.driver import Driver, Settings, make
from drivers.faults import BAD_FRAME, BAD_MESSAGE, FOREIGN_DEVICE, UNKNOWN_MESSAGE, Fault
from drivers.framed import FramedDriver
from drivers.happenings import Happening, Received
from drivers.link import frames, hello
from drivers.link.editions import keys
from drivers.link.editions.edition import ONE
from drivers.messages import FIRST_COMMAND, Catalogue, Message

TO_HOST = "device>host"
TO_DEVICE = "host>device"
UNKNOWN = "?"

TYPES = {
    frames.CHALLENGE: "CHALLENGE",
    frames.IDENTITY: "IDENTITY",
    frames.START: "START",
    frames.REFUSE: "REFUSE",
    frames.DATA: "DATA",
    frames.ACK: "ACK",
    frames.HEARTBEAT: "HEARTBEAT",
    frames.HELLO: "HELLO",
    frames.ANSWER: "ANSWER",
    frames.SEALED: "SEALED",
}
_REASONS = {hello.REFUSED_VERSION: "version", hello.REFUSED_PROOF: "proof", hello.NO_SESSION: "no session"}
_DATA = Struct("<IIB")
_ACK = Struct("<IB")
_HEARTBEAT = Struct("<II")
_QUESTION = Struct("<IIII")
_QUIET = 60.0


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One frame, event or fault; what is not known of it is None."""

    at: int
    type: str = ""
    direction: str = UNKNOWN
    counter: int | None = None
    number: int | None = None
    time: int | None = None
    message: str = ""
    fields: Mapping[str, object] = dataclasses.field(default_factory=dict)
    tag: str = ""
    raw: bytes = b""
    fault: Fault | None = None


class Listener(Protocol):
    """Decodes what it hears."""

    def feed(self, data: bytes, now: float) -> Iterator[Line]:
        """Take bytes."""

    def end(self, now: float) -> Iterator[Line]:
        """Say what is left: no more bytes come."""


def listener(kind: str, key: bytes | None, options: Mapping[str, str]) -> Listener:
    """Return what decodes the link of this kind of driver.

    Raises:
        DriverError: there is no such driver, or it has no such option.
        ValueError: the key has the wrong size.
    """
    driver = make(Settings(kind, authenticated=False, options=options, edition=1))
    if isinstance(driver, FramedDriver):
        return Framed(driver.catalogue, keys.checked(key))
    return Other(driver)


class Framed:
    """Listens to our own link."""

    def __init__(self, catalogue: Catalogue, key: bytes | None) -> None:
        self._catalogue = catalogue
        self._key = key
        self._framer = frames.Framer()
        self._at = 0
        self._taggers: dict[str, keys.Tagger] = {}
        self._nonces: keys.Nonces | None = None

    def feed(self, data: bytes, now: float) -> Iterator[Line]:  # noqa: ARG002  frames have no need of a clock
        """Take bytes."""
        for piece in _pieces(data):
            self._at += len(piece)
            for found in self._framer.feed(piece):
                if isinstance(found, Fault):
                    yield Line(self._at, fault=found)
                else:
                    yield from self._frame(found)

    def end(self, now: float) -> Iterator[Line]:  # noqa: ARG002
        """Say what is left."""
        if waiting := self._framer.buffered:
            yield Line(self._at, fault=Fault(BAD_FRAME, f"the last {waiting} bytes are no whole frame"))

    def _frame(self, frame: bytes) -> Iterator[Line]:
        """Decode one frame."""
        kind, counter = frames.HEAD.unpack_from(frame)
        body = frame[frames.HEAD.size : -frames.TRAILER]
        line = Line(self._at, TYPES.get(kind, f"0x{kind:02X}"), counter=counter, raw=frame)
        try:
            line = self._read(line, kind, body)
        except ShapeError:
            line = dataclasses.replace(line, fault=Fault(BAD_FRAME, "the body is not as the protocol says"))
        if kind < frames.DATA or kind == frames.SEALED:
            yield line
            return
        direction, tag = self._tag(frame)
        if direction != UNKNOWN:
            line = dataclasses.replace(line, direction=direction)
        if tag == "wrong" and line.fault is None:
            line = dataclasses.replace(line, fault=Fault(FOREIGN_DEVICE, "the tag is not that of this key and session"))
        yield dataclasses.replace(line, tag=tag)

    def _tag(self, frame: bytes) -> tuple[str, str]:
        """Return which way a frame went and what its tag is worth."""
        for direction, tagger in self._taggers.items():
            if tagger.open(frame) is not None:
                return direction, "verified"
        if self._taggers:
            return UNKNOWN, "wrong"
        return UNKNOWN, "none" if frame[-12:-4] == keys.NO_TAG else "unchecked"

    def _read(self, line: Line, kind: int, body: bytes) -> Line:
        """Return the line with what the body says; raises ShapeError if it is too short."""
        match kind:
            case frames.CHALLENGE:
                major, minor, _ = hello.CHALLENGE_BODY.unpack_from(body)
                return dataclasses.replace(line, direction=TO_DEVICE, fields={"protocol": f"{major}.{minor}"})
            case frames.IDENTITY:
                return self._identity(line, body)
            case frames.START:
                return self._start(line, body)
            case frames.REFUSE:
                reason = body[0] if body else 0
                return dataclasses.replace(line, direction=TO_HOST, fields={"reason": _REASONS.get(reason, reason)})
            case frames.HELLO | frames.ANSWER | frames.SEALED:
                ways = {frames.HELLO: TO_DEVICE, frames.ANSWER: TO_HOST}
                return dataclasses.replace(line, direction=ways.get(kind, UNKNOWN), tag="sealed")
            case frames.DATA:
                return self._data(line, body)
            case frames.ACK:
                following, flags = _ACK.unpack_from(body)
                return dataclasses.replace(line, number=following, fields={"again": bool(flags & 1)})
            case frames.HEARTBEAT if len(body) == _QUESTION.size:
                time, following, question, happened = _QUESTION.unpack(body)
                asked = {"question": question, "happened": happened}
                return dataclasses.replace(line, number=following, time=time, fields=asked)
            case frames.HEARTBEAT:
                time, following = _HEARTBEAT.unpack_from(body)
                return dataclasses.replace(line, number=following, time=time)
            case _:
                return dataclasses.replace(line, fault=Fault(UNKNOWN_MESSAGE, f"no frame has the type 0x{kind:02X}"))

    def _identity(self, line: Line, body: bytes) -> Line:
        """Read an IDENTITY; with the key the tags of its session can be verified from here on."""
        given = hello.read_identity(body)
        line = dataclasses.replace(line, direction=TO_HOST)
        if given is None:
            return dataclasses.replace(line, fault=Fault(BAD_FRAME, "the body is not as the protocol says"))
        said = given.hello
        fields = {
            "kind": said.kind,
            "serial": said.serial,
            "firmware": said.firmware,
            "protocol": "{}.{}".format(*said.protocol),
            "boot": said.boot,
            "oldest": said.oldest,
            "next": said.following,
        }
        line = dataclasses.replace(line, fields=fields, tag="unchecked")
        if self._key is None:
            return line
        nonces = given.host_nonce, given.device_nonce
        if not keys.proves(given.proof, self._key, keys.DEVICE, nonces, said.stated()):
            self._taggers = {}
            fault = Fault(FOREIGN_DEVICE, f"{said.kind} {said.serial} did not prove this key")
            return dataclasses.replace(line, tag="wrong", fault=fault)
        session = keys.session_key(self._key, nonces)
        self._nonces = nonces
        self._taggers = {
            TO_HOST: keys.Tagger(session, keys.TO_HOST),
            TO_DEVICE: keys.Tagger(session, keys.TO_DEVICE),
        }
        return dataclasses.replace(line, tag="verified")

    def _start(self, line: Line, body: bytes) -> Line:
        """Read a START; the host's proof covers the protocol version that it speaks, ours."""
        expected, nonce, proof = hello.START_BODY.unpack_from(body)
        line = dataclasses.replace(line, direction=TO_DEVICE, number=expected, tag="unchecked")
        if self._nonces is None or self._nonces[1] != nonce:
            return line
        if keys.proves(proof, self._key, keys.HOST, self._nonces, hello.host_stated(ONE.protocol, expected)):
            return dataclasses.replace(line, tag="verified")
        return dataclasses.replace(line, tag="wrong", fault=Fault(FOREIGN_DEVICE, "the host did not prove this key"))

    def _data(self, line: Line, body: bytes) -> Line:
        """Read an event or a command."""
        number, time, ident = _DATA.unpack_from(body)
        payload = body[_DATA.size :]
        command = ident >= FIRST_COMMAND
        line = dataclasses.replace(line, number=number, time=time, direction=TO_DEVICE if command else TO_HOST)
        decode = self._catalogue.decode_command if command else self._catalogue.decode_event
        message = decode(ident, payload)
        if message is not None:
            return dataclasses.replace(line, message=type(message).__name__, fields=fields_of(message))
        known = self._catalogue.knows_command(ident) if command else self._catalogue.knows_event(ident)
        what = f"ident 0x{ident:02X}, payload {payload.hex(' ') or 'empty'}, of the {self._catalogue.kind}"
        fault = Fault(BAD_MESSAGE if known else UNKNOWN_MESSAGE, what)
        return dataclasses.replace(line, fields={"ident": ident, "payload": payload.hex()}, fault=fault)


class Other:
    """Listens to a link of another kind, through its driver."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._at = 0
        self._opened = False

    def feed(self, data: bytes, now: float) -> Iterator[Line]:
        """Take bytes; what the driver says of a session that begins is not of the link."""
        if not self._opened:
            self._opened = True
            self._driver.opened(now)
            self._driver.tick(now)
        happenings = self._driver.tick(now)
        self._at += len(data)
        yield from self._lines(happenings + self._driver.received(data, now))

    def end(self, now: float) -> Iterator[Line]:
        """Let enough time pass that the driver waits for nothing more."""
        if self._opened:
            yield from self._lines(self._driver.tick(now + _QUIET))

    def _lines(self, happenings: Iterable[Happening]) -> Iterator[Line]:
        """Return events and faults."""
        for happening in happenings:
            match happening:
                case Received(number, time, message, raw) if isinstance(message, Message):
                    name, fields = type(message).__name__, fields_of(message)
                    yield Line(self._at, "EVENT", TO_HOST, None, number, time, name, fields, raw=raw)
                case Fault():
                    yield Line(self._at, fault=happening)
                case _:
                    pass


def fields_of(message: Message) -> dict[str, object]:
    """Return the fields of a message by name."""
    shape = cast("Any", message)
    return {field.name: getattr(message, field.name) for field in dataclasses.fields(shape)}


def _pieces(data: bytes) -> Iterator[bytes]:
    """Return the bytes in pieces that end with a zero, so that each frame is known by its place."""
    start = 0
    while (end := data.find(frames.DELIMITER, start) + 1) > 0:
        yield data[start:end]
        start = end
    if start < len(data):
        yield data[start:]
