"""A certificate for tests, made by openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path

from firmware_bridge.console.settings import Tls

NAMES = "DNS:localhost,DNS:*.pit.example,IP:127.0.0.1,IP:::1"


def made(folder: Path, name: str = "table", days: int = 2, alternatives: str = NAMES) -> Tls:
    """Make a certificate that signs itself."""
    tls = Tls(folder / f"{name}.pem", folder / f"{name}.key")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-subj", f"/CN={name}", "-addext", f"subjectAltName={alternatives}", "-days", str(days)]
    command += ["-keyout", str(tls.key), "-out", str(tls.certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return tls
