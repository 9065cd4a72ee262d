"""The device's end of a pairing (`pairing`), and the keys that it holds: the model for firmware.

1. Outside pairing mode an OFFER is refused and changes nothing. A new OFFER ends the exchange before it; the same one
   gets the same KEY again.
2. A REVEAL that is not what was committed to ends the exchange, and the one that is gets RESULT, as often as it comes.
3. What is taken replaces the host and, at a device with a display, its own key: there is one host at a time. Until then
   the keys before it hold.
4. A device that was never paired knows no host: it refuses everyone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

from drivers.link.editions import noise
from drivers.link.editions.sealed import SealedDevice
from drivers.link.pairing import exchange as pairing


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
    result: int = pairing.WAIT


def fresh_nonce() -> bytes:
    """A nonce that nobody can foretell."""
    return secrets.token_bytes(pairing.NONCE_SIZE)


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
        self.tries = pairing.Tries()
        self._kind, self._serial = kind, serial
        self._display = kind in pairing.DISPLAYS
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
        return "" if self._display else pairing.fingerprint(noise.public(self.pair.secret))

    @property
    def code(self) -> str:
        """What the display shows; nothing where no code waits for its press."""
        now = self._exchange
        if now is None or not now.reveal or now.result != pairing.WAIT:
            return ""
        return pairing.code(pairing.handshake_hash(now.offer, now.key, now.reveal))

    def turn_on(self, now: float) -> None:
        """Somebody turned the switch inside the cover."""
        self._until, self._exchange = now + pairing.MODE, None

    def press(self, time: float, *, same: bool) -> bool:
        """Somebody compared the code at the display; whether another host is taken now."""
        now = self._exchange
        if now is None or not self.code or time >= self._until:
            return False
        self._exchange = now._replace(result=pairing.TAKEN if same else pairing.NOT_TAKEN)
        if same:
            self._take(now)
        return same

    def take(self, body: bytes, now: float) -> tuple[bytes, bool] | int | None:
        """What a PAIR frame is answered with, and whether another host is taken now; a refusal; None for nothing."""
        self._now = now
        step, said = body[:1], body[1:]
        if step == bytes([pairing.OFFER]) and len(said) == pairing.COMMITMENT_SIZE:
            return self._offered(said)
        if step == bytes([pairing.REVEAL]) and len(said) == noise.KEY_SIZE + pairing.NONCE_SIZE:
            return self._revealed(said)
        return None

    def _offered(self, offer: bytes) -> tuple[bytes, bool] | int:
        if self._now >= self._until:
            return pairing.REFUSED_MODE
        if self._exchange is None or self._exchange.offer != offer:
            if self.tries.rests(self._now):
                return pairing.REFUSED_TRIES
            self.tries.count(self._now)
            secret = self._fresh() if self._display else self.pair.secret
            key = pairing.key_body(noise.public(secret), self._nonce(), self._kind, self._serial)
            self._exchange = _Exchange(offer, secret, key)
        return bytes([pairing.KEY]) + self._exchange.key, False

    def _revealed(self, reveal: bytes) -> tuple[bytes, bool] | int | None:
        now = self._exchange
        if now is None or (now.reveal and now.reveal != reveal):
            return None
        if not now.reveal:
            if self._now >= self._until:
                return pairing.REFUSED_MODE
            public, nonce = pairing.split_key(reveal)
            if pairing.commitment(public, nonce) != now.offer:
                self._exchange = None
                return bytes([pairing.RESULT, pairing.NOT_TAKEN]), False
            self._exchange = now = now._replace(reveal=reveal)
            if not self._display:
                self._exchange = now._replace(result=pairing.TAKEN)
                self._take(now)
                return bytes([pairing.RESULT, pairing.TAKEN]), True
        if now.result == pairing.WAIT and self._now >= self._until:
            self._exchange = now = now._replace(result=pairing.NOT_TAKEN)
        return bytes([pairing.RESULT, now.result]), False

    def _take(self, now: _Exchange) -> None:
        self.pair = Pair(now.secret, pairing.split_key(now.reveal)[0])
        self._until = 0.0
        self.tries.succeeded()
