"""``truedeal enrol``: gives a table its place on the floor, with a token that two people at the centre have issued.

1. The CA's certificate is fetched first and believed only if its digest is the one in the token. Everything else is
   said to a server for which that CA vouches.
2. The table gives the public key of its shipper and the first public key of its journal. It gets its name and the
   addresses of the broker, with a proof that the other side has the token.
3. What is kept lies in one folder: ``nkey`` (for its owner alone), ``ca.pem``, and ``ship.env`` with the name and all
   addresses, with commas between them. An address that is none is refused. ``floor.pub`` is the floor's public key,
   where it has one: by it the centre's receipts are proved.
"""

from __future__ import annotations

import http.client
import re
import secrets
import ssl
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.floor.shipping.kept_receipt import FLOOR as FLOOR_KEY
from firmware_bridge.floor.shipping.source import Source
from firmware_bridge.floor.wire import nkeys
from firmware_bridge.floor.wire.tokens import FLOOR, TABLE, Token, TokenError, digest_of, proven, read_proven
from firmware_bridge.journal.signed.signing import replace

PATIENCE = 10.0
_MOST = 64 * 1024
_KEY = re.compile(r"[0-9a-f]{64}")
_ADDRESS = re.compile(r"(tls|nats)://[A-Za-z0-9.:\[\]-]{1,255}")


class EnrolError(Exception):
    """The table is not enrolled; the message says why."""


class Place(NamedTuple):
    """The place of a table on a floor."""

    table: str
    servers: list[str]
    floor_key: str
    nkey: str = ""


def enrol(token: Token, state: Path, folder: Path) -> Place:
    """Enrol a table, and keep what its shipper needs.

    Raises:
        EnrolError: the floor does not take it, or is not the one of the token.
        SourceError: there is no journal.
    """
    root = Source(state).root()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    nkey = nkeys.make(folder / "nkey")
    try:
        ca = _fetch(token.address, _unproved(), "GET", "/ca", b"").decode("ascii")
        if digest_of(ca) != token.authority:
            raise EnrolError("the CA of that floor is not the one of the token")
        nonce = secrets.token_hex(16)
        said = {"token": token.id, "nonce": nonce, "nkey": nkey.public, "root": root.hex()}
        context = ssl.create_default_context(cadata=ca)
        answer = _fetch(token.address, context, "POST", "/enrol", proven(token.key, TABLE, said))
        told = read_proven(token.key, FLOOR, answer)
        place = Place(str(told["table"]), [str(server) for server in told["nats"]], str(told["floor-key"]), nkey.public)
    except (OSError, http.client.HTTPException, TokenError, LookupError, TypeError, UnicodeDecodeError) as error:
        raise EnrolError(str(error) or type(error).__name__) from error
    if told.get("for") != nonce:
        raise EnrolError("the answer is to another question")
    if not place.servers or not all(map(_ADDRESS.fullmatch, place.servers)):
        raise EnrolError("the floor names no servers of the broker")
    if place.floor_key:
        if not _KEY.fullmatch(place.floor_key):
            raise EnrolError("the floor's key is none")
        replace(folder / FLOOR_KEY, place.floor_key.encode())
    replace(folder / "ca.pem", ca.encode())
    replace(folder / "ship.env", f"TABLE={place.table}\nNATS={','.join(place.servers)}\n".encode())
    return place


def _unproved() -> ssl.SSLContext:
    """To fetch the CA's certificate, which is proved by its digest."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _fetch(address: str, context: ssl.SSLContext, how: str, path: str, body: bytes) -> bytes:
    host, _, port = address.rpartition(":")
    connection = http.client.HTTPSConnection(host, int(port), timeout=PATIENCE, context=context)
    try:
        connection.request(how, path, body or None)
        answer = connection.getresponse()
        if answer.status != http.client.OK:
            raise EnrolError("the floor does not take this token" if answer.status == 403 else f"HTTP {answer.status}")
        return answer.read(_MOST)
    finally:
        connection.close()
