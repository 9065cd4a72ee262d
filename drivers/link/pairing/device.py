"""The device's end of a pairing (`exchange`), and the keys that it holds: the model for firmware.

1. Outside pairing mode an OFFER is refused and changes nothing. A new OFFER ends the exchange before it; the same one
   gets the same KEY again.
2. A REVEAL that does not match the OFFER ends the exchange with RESULT 3. One that matches gets RESULT, as often as it
   comes; after it another REVEAL is ignored.
3. A pairing that is taken replaces the host and, at a device with a display, the device's own key: there is one host at
   a time. Until then the keys before it hold. It also ends pairing mode.
4. A device that was never paired knows no host: it refuses everyone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

from drivers.link.editions import noise
from drivers.link.editions.aead import KEY_SIZE
from drivers.link.editions.sealed import SealedDevice
from drivers.link.pairing import exchange


class Pair(NamedTuple):
    """What a device keeps of a pairing: its own secret key and its host's public one."""

    secret: bytes
    host: bytes


class _Exchange(NamedTuple):
    """An exchange under way."""

    offer: bytes
    secret: bytes
    key: bytes
    reveal: bytes = b""
    result: int = exchange.WAIT


def fresh_nonce() -> bytes:
    """A nonce that nobody can foretell."""
    return secrets.token_bytes(exchange.NONCE_SIZE)


class PairingDevice:
    """The keys of a device, and how it gets others."""

    def __init__(
        self,
        secret: bytes,
        host: bytes | None,
        *,
        kind: str,
        serial: str,
        fresh: Callable[[], bytes] = noise.fresh_secret,
        nonce: Callable[[], bytes] = fresh_nonce,
    ) -> None:
        self.pair = Pair(secret, noise.public(noise.fresh_secret()) if host is None else host)
        self.tries = exchange.Tries()
        self._kind, self._serial = kind, serial
        self._display = kind in exchange.DISPLAYS
        self._fresh, self._nonce = fresh, nonce
        self._until = 0.0
        self._now = 0.0
        self._exchange: _Exchange | None = None

    def shake(self) -> SealedDevice:
        """The handshake with the host that it is paired with."""
        return SealedDevice(self.pair.secret, self.pair.host, kind=self._kind, serial=self._serial)

    @property
    def label(self) -> str:
        """What stands on the label of a device without a display."""
        return "" if self._display else exchange.fingerprint(noise.public(self.pair.secret))

    @property
    def code(self) -> str:
        """What the display shows; nothing where no code waits for its press."""
        now = self._exchange
        if now is None or not now.reveal or now.result != exchange.WAIT:
            return ""
        return exchange.code(exchange.handshake_hash(now.offer, now.key, now.reveal))

    def turn_on(self, now: float) -> None:
        """Begin pairing mode: somebody turned the switch inside the cover."""
        self._until, self._exchange = now + exchange.MODE, None

    def press(self, time: float, *, same: bool) -> bool:
        """Take the press of the person who compared the codes; return whether another host is taken now."""
        now = self._exchange
        if now is None or not self.code or time >= self._until:
            return False
        self._exchange = now._replace(result=exchange.TAKEN if same else exchange.NOT_TAKEN)
        if same:
            self._accept_pairing(now)
        return same

    def answer_frame(self, body: bytes, now: float) -> tuple[bytes, bool] | int | None:
        """Return the answer to a PAIR frame and whether another host is taken now, or a refusal; None for no answer."""
        self._now = now
        step, said = body[:1], body[1:]
        if step == bytes([exchange.OFFER]) and len(said) == exchange.COMMITMENT_SIZE:
            return self._offered(said)
        if step == bytes([exchange.REVEAL]) and len(said) == KEY_SIZE + exchange.NONCE_SIZE:
            return self._revealed(said)
        return None

    def _offered(self, offer: bytes) -> tuple[bytes, bool] | int:
        if self._now >= self._until:
            return exchange.REFUSED_MODE
        if self._exchange is None or self._exchange.offer != offer:
            if self.tries.rests(self._now):
                return exchange.REFUSED_TRIES
            self.tries.count(self._now)
            secret = self._fresh() if self._display else self.pair.secret
            key = exchange.key_body(noise.public(secret), self._nonce(), self._kind, self._serial)
            self._exchange = _Exchange(offer, secret, key)
        return bytes([exchange.KEY]) + self._exchange.key, False

    def _revealed(self, reveal: bytes) -> tuple[bytes, bool] | int | None:
        now = self._exchange
        if now is None or (now.reveal and now.reveal != reveal):
            return None
        if not now.reveal:
            if self._now >= self._until:
                return exchange.REFUSED_MODE
            public, nonce = exchange.split_key(reveal)
            if exchange.commitment(public, nonce) != now.offer:
                self._exchange = None
                return bytes([exchange.RESULT, exchange.NOT_TAKEN]), False
            self._exchange = now = now._replace(reveal=reveal)
            if not self._display:
                self._exchange = now._replace(result=exchange.TAKEN)
                self._accept_pairing(now)
                return bytes([exchange.RESULT, exchange.TAKEN]), True
        if now.result == exchange.WAIT and self._now >= self._until:
            self._exchange = now = now._replace(result=exchange.NOT_TAKEN)
        return bytes([exchange.RESULT, now.result]), False

    def _accept_pairing(self, now: _Exchange) -> None:
        self.pair = Pair(now.secret, exchange.split_key(now.reveal)[0])
        self._until = 0.0
        self.tries.succeeded()
