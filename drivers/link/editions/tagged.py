"""Edition 1: a key that both ends hold, proofs over two nonces, and tags on frames that anybody can read.

1. CHALLENGE carries the host's nonce, IDENTITY what the device is, both nonces and its proof, START the host's proof.
2. Without a key proofs and tags are zeros: such a link works, and proves nothing.
3. A device that gets the same challenge again answers with the same nonce.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from drivers.faults import BAD_FRAME, REPLAYED, VERSION_MISMATCH, Fault
from drivers.link import frames, hello
from drivers.link.editions import keys
from drivers.link.editions.edition import ONE, Cipher, Opened
from drivers.link.hello import DeviceAnswer, Hello


def fresh_nonce() -> bytes:
    """A nonce that nobody can foretell."""
    return secrets.token_bytes(keys.NONCE_SIZE)


class TaggedHost:
    """The host's end; without a key the device proves nothing."""

    edition = ONE
    opening = frames.CHALLENGE
    answer = frames.IDENTITY

    def __init__(self, key: bytes | None, nonce: Callable[[], bytes] = fresh_nonce) -> None:
        self.proves = key is not None
        self._key = keys.checked(key)
        self._fresh = nonce
        self._nonce = b""
        self._given: DeviceAnswer | None = None

    def begin(self) -> None:
        """Begin a new handshake."""
        self._nonce = hello.fits(self._fresh())
        self._given = None

    def challenge(self) -> bytes:
        """The body of CHALLENGE."""
        return hello.CHALLENGE_BODY.pack(*ONE.protocol, self._nonce)

    def read(self, body: bytes) -> DeviceAnswer | Fault:
        """What an IDENTITY says."""
        given = hello.read_identity(body)
        if body[:1] and body[0] != ONE.protocol[0]:
            return Fault(VERSION_MISMATCH, f"the device speaks version {body[0]}, this is {ONE.protocol[0]}")
        if given is None:
            return Fault(BAD_FRAME, f"an IDENTITY that means nothing: {body.hex()}")
        if given.host_nonce != self._nonce:
            return Fault(REPLAYED, "an IDENTITY that answers another challenge")
        self._given = given
        return given

    def proved(self, given: DeviceAnswer) -> bool:
        """Whether the device holds the key."""
        return self._key is None or keys.proves(given.proof, self._key, keys.DEVICE, given[1:3], given.hello.stated())

    def repeats(self, body: bytes) -> bool:
        """Whether an IDENTITY repeats the one that was read: the device answers each CHALLENGE."""
        given = hello.read_identity(body)
        return given is not None and self._given is not None and given[1:3] == self._given[1:3]

    def start(self, given: DeviceAnswer, first: int) -> bytes:
        """The body of START."""
        proof = keys.proof(self._key, keys.HOST, given[1:3], hello.host_stated(ONE.protocol, first))
        return hello.START_BODY.pack(first, given.device_nonce, proof)

    def ciphers(self, given: DeviceAnswer) -> tuple[Cipher, Cipher]:
        """The tags of both directions."""
        session = keys.session_key(self._key, given[1:3])
        return keys.Tagger(session, keys.TO_DEVICE), keys.Tagger(session, keys.TO_HOST)


class TaggedDevice:
    """The device's end."""

    edition = ONE
    opening = frames.CHALLENGE
    answer = frames.IDENTITY

    def __init__(self, key: bytes | None, nonce: Callable[[], bytes] = fresh_nonce) -> None:
        self._key = keys.checked(key)
        self._fresh = nonce
        self._nonces: keys.Nonces | None = None
        self._host = ONE.protocol

    @property
    def begun(self) -> bool:
        """Whether a challenge was answered."""
        return self._nonces is not None

    def forget(self) -> None:
        """Forget the handshake."""
        self._nonces = None

    def opened(self, body: bytes) -> Opened:
        """Take a CHALLENGE; return what it is."""
        if len(body) < hello.CHALLENGE_BODY.size:
            return Opened.MEANINGLESS
        major, minor, nonce = hello.CHALLENGE_BODY.unpack_from(body)
        if self._nonces is not None and self._nonces[0] == nonce:
            return Opened.AGAIN
        self._host = major, minor
        self._nonces = nonce, hello.fits(self._fresh())
        return Opened.NEW

    def identity(self, said: Hello) -> bytes:
        """The body of IDENTITY."""
        nonces = self._both()
        return hello.identity_body(said, *nonces, keys.proof(self._key, keys.DEVICE, nonces, said.stated()))

    def started(self, body: bytes) -> int | None:
        """The number that a START with our nonce wants."""
        if len(body) < hello.START_BODY.size or self._nonces is None:
            return None
        first, nonce, _ = hello.START_BODY.unpack_from(body)
        return int(first) if nonce == self._nonces[1] else None

    def refuses(self, body: bytes) -> int | None:
        """Return why START is refused: another version, or a host that does not hold the key."""
        first, _, proof = hello.START_BODY.unpack_from(body)
        if self._host[0] != ONE.protocol[0]:
            return hello.REFUSED_VERSION
        stated = hello.host_stated(self._host, first)
        return None if keys.proves(proof, self._key, keys.HOST, self._both(), stated) else hello.REFUSED_PROOF

    def ciphers(self) -> tuple[Cipher, Cipher]:
        """The tags of both directions."""
        session = keys.session_key(self._key, self._both())
        return keys.Tagger(session, keys.TO_HOST), keys.Tagger(session, keys.TO_DEVICE)

    def _both(self) -> keys.Nonces:
        if self._nonces is None:
            raise ValueError("no handshake has begun")
        return self._nonces
