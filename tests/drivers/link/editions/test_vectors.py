"""The test vectors for firmware authors: current, and true without a line of our own code."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt

from drivers.faults import Fault
from drivers.link.frames import Framer
from tests.drivers.link.editions.test_noise import by_the_book
from tests.drivers.link.editions.vectors import FILE, document, text

VECTORS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
KEYS: dict[str, Any] = VECTORS["keys"]
SESSIONS = ["session_with_key", "session_without_key"]
NO_BYTES = {"protocol", "noise", "session"}
PERSONS = {"device to host": b"td-d2h", "host to device": b"td-h2d"}


def crc_bit_by_bit(data: bytes) -> int:
    """CRC-32 by its definition: reflected polynomial 0xEDB88320, all ones before and after."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def cobs_by_the_book(frame: bytes) -> bytes:
    """COBS: each code byte is the distance to the next zero or to the end."""
    out, run = bytearray(), bytearray()
    for byte in [*frame, 0]:
        if byte:
            run.append(byte)
        else:
            out += bytes([len(run) + 1]) + run
            run.clear()
    return b"\0" + bytes(out) + b"\0"


def keyed(key: str, person: bytes, data: str) -> str:
    """A keyed BLAKE2s digest."""
    return hashlib.blake2s(bytes.fromhex(data), key=bytes.fromhex(key), person=person).hexdigest()


def test_the_vectors_are_current() -> None:
    """The file holds what the code of today makes; `python -m tests.drivers.link.editions.vectors` rewrites it."""
    assert document() == VECTORS
    assert text() == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("vector", VECTORS["crc32"])
def test_crc(vector: dict[str, Any]) -> None:
    """Each CRC is that of the definition."""
    assert vector["crc32"] == crc_bit_by_bit(bytes.fromhex(vector["bytes"]))


@pytest.mark.parametrize("vector", VECTORS["cobs"])
def test_cobs(vector: dict[str, Any]) -> None:
    """Each wire is its frame in COBS between zeros, and the frame ends in its CRC."""
    frame = bytes.fromhex(vector["frame"])
    assert vector["wire"] == cobs_by_the_book(frame).hex()
    assert frame[:-4].hex() == vector["content"]
    assert crc_bit_by_bit(frame[:-4]) == int.from_bytes(frame[-4:], "little")


def test_keys() -> None:
    """Proofs, session key and tags are beginnings of keyed BLAKE2s digests."""
    key = KEYS["key"]
    assert KEYS["device_proof"]["proof"] == keyed(key, b"td-dev", KEYS["device_proof"]["input"])[:32]
    assert KEYS["host_proof"]["proof"] == keyed(key, b"td-host", KEYS["host_proof"]["input"])[:32]
    assert KEYS["session_key"]["session_key"] == keyed(key, b"td-sess", KEYS["session_key"]["input"])
    for tag in KEYS["tags"]:
        person = PERSONS[tag["direction"]]
        assert (tag["person"], tag["tag"]) == (
            person.hex(),
            keyed(KEYS["session_key"]["session_key"], person, tag["input"])[:16],
        )


@pytest.mark.parametrize("name", SESSIONS)
def test_each_frame_of_a_session_is_built_from_its_parts(name: str) -> None:
    """Type, counter, body, tag and CRC give the bytes on the wire; tags verify, or are zero where they must be."""
    types = {"CHALLENGE": 1, "IDENTITY": 2, "START": 3, "DATA": 16, "ACK": 17, "HEARTBEAT": 18}
    for frame in VECTORS[name]:
        content = bytes([types[frame["type"]]]) + frame["counter"].to_bytes(4, "little") + bytes.fromhex(frame["body"])
        tag = "00" * 8
        if name == "session_with_key" and content[0] >= 0x10:
            tag = keyed(KEYS["session_key"]["session_key"], PERSONS[frame["direction"]], content.hex())[:16]
        whole = content + bytes.fromhex(tag)
        crc = crc_bit_by_bit(whole)
        assert (tag, crc) == (frame["tag"], frame["crc32"])
        assert frame["wire"] == cobs_by_the_book(whole + crc.to_bytes(4, "little")).hex()


def test_the_proofs_stand_in_the_frames() -> None:
    """IDENTITY carries the device's proof, START the host's."""
    bodies = {frame["type"]: frame["body"] for frame in VECTORS["session_with_key"]}
    assert KEYS["device_proof"]["proof"] == bodies["IDENTITY"][108:140]
    assert KEYS["host_proof"]["proof"] == bodies["START"][40:72]
    stated = bodies["IDENTITY"][:44] + bodies["IDENTITY"][140:]
    assert KEYS["device_proof"]["input"] == KEYS["host_nonce"] + KEYS["device_nonce"] + stated


@pytest.mark.parametrize("vector", VECTORS["not_frames"], ids=lambda vector: str(vector["why"]))
def test_what_is_no_frame_is_refused(vector: dict[str, Any]) -> None:
    """Each of the bad examples becomes one fault."""
    assert ["bad-frame"] == [
        fault.code for fault in Framer().feed(bytes.fromhex(vector["wire"])) if isinstance(fault, Fault)
    ]


def test_the_worked_examples_of_the_document_are_those_of_the_vectors() -> None:
    """PROTOCOL.md shows every frame of the session with a key as it is on the wire."""
    shown = (Path(FILE).with_name("PROTOCOL.md")).read_text(encoding="utf-8").replace(" ", "").replace("\n", "")
    worked = VECTORS["session_with_key"] + VECTORS["edition_2"]["session"]
    assert [] == [frame["note"] for frame in worked if frame["wire"] not in shown]


def test_edition_2_without_our_code() -> None:
    """Messages are those of the specification; each sealed frame opens with the key of its direction to its text."""
    vector = {name: bytes.fromhex(value) for name, value in VECTORS["edition_2"].items() if name not in NO_BYTES}
    ephemerals = vector["host_ephemeral_secret"], vector["device_ephemeral_secret"]
    first, second = by_the_book(
        vector["host_secret"], vector["device_secret"], ephemerals, vector["prologue"], vector["identity"]
    )
    assert (vector["message_1"], vector["message_2"]) == (first, second)
    assert b"truedeal link 2\0\x04shoe\x06S-0042" == vector["prologue"]
    sizes = set()
    for frame in VECTORS["edition_2"]["session"]:
        wire = bytes.fromhex(frame["wire"])
        if frame["type"] != "SEALED":
            continue
        sizes.add(len(wire))
        head = b"\x20" + frame["counter"].to_bytes(4, "little")
        key = vector["key_to_device" if frame["direction"] == "host to device" else "key_to_host"]
        nonce = bytes(4) + frame["counter"].to_bytes(8, "little")
        sealed = crypto_aead_chacha20poly1305_ietf_encrypt(bytes.fromhex(frame["text"]), head, nonce, key)
        whole = head + sealed
        assert cobs_by_the_book(whole + crc_bit_by_bit(whole).to_bytes(4, "little")) == wire
    assert {76} == sizes


def test_a_pairing_by_the_book() -> None:
    """Commitment, handshake hash, code and fingerprints follow from the bytes alone."""
    said: dict[str, str] = VECTORS["pairing"]
    offer, key, reveal = (bytes.fromhex(said[step])[1:] for step in ("offer", "key", "reveal"))
    assert offer == hashlib.blake2s(reveal, person=b"td-com").digest()
    hashed = hashlib.blake2s(b"truedeal pair 2\0" + offer + key + reveal).digest()
    code = int.from_bytes(hashlib.blake2s(hashed, person=b"td-sas").digest()[:8], "little") % 10**6
    assert (said["handshake_hash"], said["code"]) == (hashed.hex(), f"{code:06d}")
    for name, public in (("device", key[:32]), ("host", reveal[:32])):
        label = base64.b32encode(hashlib.blake2s(public, person=b"td-fpr").digest()[:10]).decode()
        assert said[f"{name}_fingerprint"].replace("-", "") == label
    assert key[48:] == b"\x04shoe\x06S-0042"
    assert said["result"] == "0402"
