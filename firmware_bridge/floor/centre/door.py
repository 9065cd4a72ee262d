"""The door of the floor: enrols tables that bring a token, over HTTPS.

1. ``GET /ca`` gives the CA's certificate. A table compares it with the digest in its token, and only then believes the
   certificate of the door. ``POST /enrol`` takes what the table says with its proof, and answers with the centre's.
2. A token counts once. What proves nothing is refused, and says nothing of why. A request is at most `LONGEST` bytes,
   and has `PATIENCE` seconds: the door serves one after the other, and nobody holds it open.
3. When a table is enrolled, the file of the broker's users is written anew, for that table's casino, and the broker is
   told to read it, as far as `Door` names them.
"""

from __future__ import annotations

import json
import os
import signal
import ssl
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.floor.archive import tokens as kept_tokens
from firmware_bridge.floor.archive.archive import Archive, Enrolled
from firmware_bridge.floor.archive.dialects import ArchiveError
from firmware_bridge.floor.centre.nats_config import users
from firmware_bridge.floor.wire.tokens import FLOOR, TABLE, TokenError, proven, read_proven
from firmware_bridge.journal.signed.signing import replace

LONGEST = 16 * 1024
PATIENCE = 5.0
_ROOT, _NKEY = 32, 56


class Door(NamedTuple):
    """What the door needs: the archive, its certificate and the CA, the brokers, where their users are written.

    `floor_key` is the floor's public key, which a table is given.
    """

    url: str
    host: str
    port: int
    certificate: Path
    key: Path
    ca: Path
    servers: list[str]
    users: Path | None = None
    ingesters: tuple[str, ...] = ()
    consoles: tuple[str, ...] = ()
    broker_pid: Path | None = None
    floor_key: str = ""


class DoorServer(HTTPServer):
    """Serves one door."""

    def __init__(self, door: Door) -> None:
        """Listen."""
        super().__init__((door.host, door.port), _Request)
        self.door = door
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(door.certificate, door.key)

    def get_request(self) -> tuple[ssl.SSLSocket, tuple[str, int]]:
        """Accept the next visitor, with a time limit of `PATIENCE` seconds for each read and write."""
        visitor, address = self.socket.accept()
        visitor.settimeout(PATIENCE)
        try:
            return self._context.wrap_socket(visitor, server_side=True), address
        except BaseException:
            visitor.close()
            raise

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a visitor who breaks off is no news."""
        del request, client_address

    def enrol(self, body: bytes) -> bytes | None:
        """Enrol a table that proves to have a token; returns the answer, or None."""
        with Archive.open(self.door.url) as archive:
            try:
                id_ = str(read_unproven(body)["token"])
                found = kept_tokens.key_of(archive, id_)
                if found is None:
                    return None
                key, casino, name = found
                said = read_proven(key, TABLE, body)
                nkey, root = str(said["nkey"]), bytes.fromhex(str(said["root"]))
            except (LookupError, TypeError, ValueError, RecursionError):
                return None
            if len(root) != _ROOT or len(nkey) != _NKEY or not nkey.isalnum():
                return None
            if not kept_tokens.use_token(archive, id_, Enrolled(casino, name, nkey), root):
                return None
            self._tell_broker(archive, casino)
        sys.stderr.write(f"truedeal floor: {casino}/{name} is enrolled\n")
        told = {"table": f"{casino}/{name}", "nats": self.door.servers, "floor-key": self.door.floor_key}
        return proven(key, FLOOR, {"for": said["nonce"], **told})

    def _tell_broker(self, archive: Archive, casino: str) -> None:
        door = self.door
        if door.users is None:
            return
        tables = [table for table in archive.tables() if table.casino == casino and table.nkey]
        replace(door.users, users(casino, tables, door.ingesters, door.consoles).encode())
        if door.broker_pid is not None:
            with suppress(OSError, ValueError):
                os.kill(int(door.broker_pid.read_text(encoding="ascii")), signal.SIGHUP)


def read_unproven(body: bytes) -> dict[str, object]:
    """What a table says, before it is proved; only the name of its token is believed.

    Raises:
        LookupError, TypeError, ValueError, RecursionError: the body cannot be read.
    """
    said = json.loads(json.loads(body)["said"])
    if not isinstance(said, dict):
        raise TokenError("this is nothing that a table says")
    return said


class _Request(BaseHTTPRequestHandler):
    """One visitor."""

    server: DoorServer
    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        """The CA's certificate."""
        if self.path != "/ca":
            self.send_error(404)
            return
        self._reply(self.server.door.ca.read_bytes())

    def do_POST(self) -> None:
        """A table that wants to be enrolled."""
        length = self.headers.get("Content-Length", "")
        if self.path != "/enrol" or not length.isdecimal() or int(length) > LONGEST:
            self.send_error(400)
            return
        try:
            answer = self.server.enrol(self.rfile.read(int(length)))
        except ArchiveError as error:
            sys.stderr.write(f"truedeal floor: {str(error).strip()}\n")
            self.send_error(503)
            return
        if answer is None:
            self.send_error(403)
            return
        self._reply(answer)

    def _reply(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Visitors are no news."""
