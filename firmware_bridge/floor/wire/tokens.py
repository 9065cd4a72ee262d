"""The one-time token with which a table is enrolled, and the proofs that both sides have it.

1. A token is 128 random bits, the address of the floor and the digest of the CA that vouches for it, as one text that
   people can read out: ``SECRET@HOST:PORT#DIGEST``. It is for one table, once, for a day.
2. Its secret is never sent, and the centre does not keep it: both sides make the same key from it, and prove by that
   key (BLAKE2b, keyed) that they have it. A proof covers everything that was said, and each side's begins with its own
   word.
"""

from __future__ import annotations

import json
import secrets
from base64 import b32decode, b32encode
from hashlib import blake2b, sha256
from hmac import compare_digest
from ssl import PEM_cert_to_DER_cert
from typing import Any, NamedTuple

TABLE, FLOOR = b"table", b"floor"
LASTS = 24 * 3600
"""Seconds for which a token counts."""
_SECRET, _DIGEST = 16, 32


class TokenError(ValueError):
    """A text that is no token, or a proof that is none."""


class Token(NamedTuple):
    """A token: its secret, where the floor is, and the digest of its CA."""

    secret: bytes
    address: str
    authority: str

    @classmethod
    def make(cls, address: str, authority: str) -> Token:
        """A new one."""
        return cls(secrets.token_bytes(_SECRET), address, authority)

    @classmethod
    def read(cls, text: str) -> Token:
        """Read a token from text.

        Raises:
            TokenError: the text is no token.
        """
        secret, at, rest = text.strip().partition("@")
        address, sharp, digest = rest.partition("#")
        try:
            found = b32decode(secret.upper() + "=" * (-len(secret) % 8))
        except ValueError:
            found = b""
        if not (at and sharp and address) or len(found) != _SECRET or len(digest) != _DIGEST:
            raise TokenError("this is no token: expected SECRET@HOST:PORT#DIGEST")
        return cls(found, address, digest)

    def __str__(self) -> str:
        """The text that people pass on."""
        return f"{b32encode(self.secret).decode().rstrip('=').lower()}@{self.address}#{self.authority}"

    @property
    def id(self) -> str:
        """The name of the token, which gives away nothing of its secret."""
        return blake2b(self.secret, digest_size=8, person=b"td-token-id").hexdigest()

    @property
    def key(self) -> bytes:
        """The key of the proofs."""
        return blake2b(self.secret, digest_size=32, person=b"td-token-key").digest()


def digest_of(pem: str) -> str:
    """The digest of a CA's certificate.

    Raises:
        TokenError: the text is no certificate.
    """
    try:
        return sha256(PEM_cert_to_DER_cert(pem)).hexdigest()[:_DIGEST]
    except ValueError as error:
        raise TokenError("this is no certificate") from error


def proven(key: bytes, who: bytes, said: dict[str, Any]) -> bytes:
    """What one side says, with the proof that it has the token."""
    text = json.dumps(said, separators=(",", ":"), sort_keys=True)
    return json.dumps({"said": text, "proof": _proof(key, who, text)}).encode()


def read_proven(key: bytes, who: bytes, body: bytes) -> dict[str, Any]:
    """What the other side says.

    Raises:
        TokenError: it does not prove that it has the token.
    """
    try:
        told = json.loads(body)
        text, proof = str(told["said"]), str(told["proof"])
        said = json.loads(text)
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise TokenError("this is nothing that a floor or a table says") from error
    if not compare_digest(proof.encode(), _proof(key, who, text).encode()) or not isinstance(said, dict):
        raise TokenError("the other side does not prove that it has the token")
    return said


def _proof(key: bytes, who: bytes, text: str) -> str:
    return blake2b(who + b"\0" + text.encode(), key=key, digest_size=32).hexdigest()
