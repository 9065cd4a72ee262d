"""The handshake of edition 2: the vectors, and what it refuses."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt, crypto_scalarmult, crypto_scalarmult_base

from drivers.link.editions import noise
from drivers.link.editions.noise import Shake
from tests.drivers.link.editions.noise_vectors import OURS, wrong

ONE, OTHER = bytes(range(32)), bytes(range(32, 64))


def ends(prologue: bytes = b"", other: bytes = b"") -> tuple[Shake, Shake]:
    """Two ends that know each other."""
    return (
        Shake(initiator=True, secret=ONE, other=noise.public(OTHER), prologue=prologue),
        Shake(initiator=False, secret=OTHER, other=noise.public(ONE), prologue=other or prologue),
    )


def test_the_vectors_are_kept() -> None:
    """What our code makes of the keys and payloads in the file is what stands there."""
    assert (2, []) == wrong(OURS)


def by_the_book(
    first: bytes, second: bytes, ephemerals: tuple[bytes, bytes], prologue: bytes, payload: bytes = b""
) -> tuple[bytes, bytes]:
    """Both messages, a payload in the second, from the text of the specification and nothing of ours."""

    def digest(data: bytes) -> bytes:
        return hashlib.blake2s(data).digest()

    def mix(chaining: bytes, data: bytes) -> tuple[bytes, bytes]:
        spread = hmac.new(chaining, data, hashlib.blake2s).digest()
        one = hmac.new(spread, b"\x01", hashlib.blake2s).digest()
        return one, hmac.new(spread, one + b"\x02", hashlib.blake2s).digest()

    point = crypto_scalarmult_base
    h = ck = digest(b"Noise_KK_25519_ChaChaPoly_BLAKE2s")
    h = digest(h + prologue)
    h = digest(h + point(first))
    h = digest(h + point(second))
    messages = []
    e, r = ephemerals
    for own, secrets, text in ((e, ((e, second), (first, second)), b""), (r, ((r, e), (r, first)), payload)):
        h = digest(h + point(own))
        key = b""
        for mine, theirs in secrets:
            ck, key = mix(ck, crypto_scalarmult(mine, point(theirs)))
        sealed = crypto_aead_chacha20poly1305_ietf_encrypt(text, h, bytes(12), key)
        h = digest(h + sealed)
        messages.append(point(own) + sealed)
    return messages[0], messages[1]


def test_the_messages_are_those_of_the_specification() -> None:
    """A second writing of the pattern, with another HMAC, comes to the same bytes."""
    ephemerals = bytes(range(64, 96)), bytes(range(96, 128))
    host = Shake(initiator=True, secret=ONE, other=noise.public(OTHER), prologue=b"p", ephemeral=ephemerals[0])
    device = Shake(initiator=False, secret=OTHER, other=noise.public(ONE), prologue=b"p", ephemeral=ephemerals[1])
    first = host.write(b"")
    assert device.read(first) == b""
    assert by_the_book(ONE, OTHER, ephemerals, b"p") == (first, device.write(b""))


def test_both_ends_come_to_the_same_keys() -> None:
    """And to others in each handshake."""
    found = set()
    for _ in range(2):
        host, device = ends()
        assert device.read(host.write(b"")) == b""
        assert host.read(device.write(b"shoe")) == b"shoe"
        assert host.split() == device.split()
        found |= set(host.split())
    assert 4 == len(found)


@pytest.mark.parametrize("who", ["host", "device", "prologue"])
def test_an_end_that_is_another_does_not_get_through(who: str) -> None:
    """Another secret key, or another prologue, opens nothing."""
    host, device = ends(b"truedeal link 2", b"truedeal link 1" if who == "prologue" else b"")
    if who == "host":
        host = Shake(initiator=True, secret=bytes(32), other=noise.public(OTHER), prologue=b"truedeal link 2")
    if who == "device":
        device = Shake(initiator=False, secret=bytes(32), other=noise.public(ONE), prologue=b"truedeal link 2")
    assert device.read(host.write(b"")) is None


def test_the_hosts_secret_does_not_make_a_device() -> None:
    """Anyone who has the configuration can open nothing as the shoe: it has only the shoe's public key."""
    host, _ = ends()
    first = host.write(b"")
    thief = Shake(initiator=False, secret=ONE, other=noise.public(ONE), prologue=b"")
    assert thief.read(first) is None
    assert host.read(thief.write(b"shoe")) is None


def test_every_byte_of_a_message_counts() -> None:
    """One flipped bit anywhere in either message is noticed."""
    host, device = ends()
    first = host.write(b"")
    for at in range(len(first)):
        assert device.copy().read(first[:at] + bytes([first[at] ^ 1]) + first[at + 1 :]) is None
    assert device.read(first) == b""
    second = device.write(b"what the device is")
    for at in range(len(second)):
        assert host.copy().read(second[:at] + bytes([second[at] ^ 1]) + second[at + 1 :]) is None
    assert host.copy().read(second[:40]) is None
    assert host.read(second) == b"what the device is"


def test_a_key_that_gives_no_secret_is_refused() -> None:
    """A public key of zeros would make the same secret with everybody."""
    _, device = ends()
    assert device.read(bytes(32) + bytes(16)) is None
    with pytest.raises(ValueError, match="no point"):
        Shake(initiator=True, secret=ONE, other=bytes(32), prologue=b"").write(b"")
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        noise.public(b"abc")


def test_rekey_is_that_of_the_specification() -> None:
    """The first 32 bytes of zeros encrypted under the last nonce."""
    nonce = bytes(4) + b"\xff" * 8
    assert noise.rekeyed(ONE) == crypto_aead_chacha20poly1305_ietf_encrypt(bytes(32), b"", nonce, ONE)[:32]
