"""The names in a certificate: those by which browsers may call a console with TLS.

1. A key file that gives everybody on the computer any permission is refused.
2. The certificate is read by a handshake with itself, in memory. So it is known at the start that certificate and key
   belong together and are valid now, and which names a browser will accept.
"""

from __future__ import annotations

import ipaddress
import ssl
import stat
from collections.abc import Mapping
from typing import Any

from firmware_bridge.console.settings import Tls
from firmware_bridge.console.web.errors import ConsoleError


def names(tls: Tls) -> frozenset[str]:
    """Return the names in a certificate, as they stand in a Host header.

    Raises:
        ConsoleError: certificate or key cannot be used.
    """
    try:
        if tls.key.stat().st_mode & stat.S_IRWXO:
            raise ConsoleError(f"--tls-key {tls.key}: everybody can read it, expected 'chmod 0600'")
        certificate = _shown(tls)
    except OSError as error:  # an error of OpenSSL is one too
        said = getattr(error, "verify_message", "") or error.strerror or str(error)
        raise ConsoleError(f"--tls-cert {tls.certificate}, --tls-key {tls.key}: {said}") from error
    found = certificate.get("subjectAltName", ())
    return frozenset(_written(str(kind), str(name)) for kind, name in found if kind in {"DNS", "IP Address"})


def _written(kind: str, name: str) -> str:
    if kind != "IP Address":
        return name.lower()
    address = ipaddress.ip_address(name)
    return str(address) if address.version == 4 else f"[{address}]"


def _shown(tls: Tls) -> Mapping[str, Any]:
    """What a client is shown of a certificate that it trusts."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(tls.certificate, tls.key)
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    client.load_verify_locations(tls.certificate)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    asks = client.wrap_bio(to_client, to_server)
    answers = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(2):
        for side in (asks, answers):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return asks.getpeercert() or {}
