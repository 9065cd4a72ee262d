"""A real rsyslog with TLS, the certificates that it needs, and ``truedeal anchor`` beside it."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE, eventually
from tests.places import ROOT

RSYSLOG = shutil.which("rsyslogd") or shutil.which("/usr/sbin/rsyslogd")
needs_rsyslog = pytest.mark.skipif(
    RSYSLOG is None or shutil.which("openssl") is None, reason="rsyslog, rsyslog-openssl or openssl is not installed"
)
_CONFIG = """
global(
    workDirectory="{folder}" defaultNetstreamDriver="ossl" defaultNetstreamDriverCAFile="{folder}/ca.pem"
    defaultNetstreamDriverCertFile="{folder}/{name}.pem" defaultNetstreamDriverKeyFile="{folder}/{name}.key"
)
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" port="{port}" address="127.0.0.1" supportOctetCountedFraming="on")
template(name="whole" type="string" string="%rawmsg%\\n")
action(type="omfile" file="{folder}/received.log" template="whole")
"""


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def authority(folder: Path, *names: str) -> None:
    """Make an authority, and a certificate by it for each name."""
    folder.mkdir(parents=True, exist_ok=True)
    new = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    ca = [*new, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=test authority"]
    _openssl(folder, [*ca, "-addext", "keyUsage=critical,keyCertSign,cRLSign"])
    for name in names:
        signed = [*new, "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", f"{name}.key", "-out", f"{name}.pem"]
        more = ["-addext", f"subjectAltName=DNS:{name}", "-addext", "basicConstraints=critical,CA:FALSE"]
        _openssl(folder, [*signed, "-subj", f"/CN={name}", *more])


def _openssl(folder: Path, command: list[str]) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


class Syslog:
    """One rsyslog, which writes what it receives as it came."""

    def __init__(self, folder: Path, name: str = "localhost", port: int = 0) -> None:
        """Make its configuration; it does not run yet."""
        self.folder, self.port = folder, port or free_port()
        self._config = folder / "rsyslog.conf"
        self._config.write_text(_CONFIG.format(folder=folder, name=name, port=self.port), encoding="ascii")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it until it listens."""
        command = [str(RSYSLOG), "-n", "-f", str(self._config), "-i", str(self.folder / "pid")]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(self._listens)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
            self._process = None

    def received(self) -> list[str]:
        """The lines that it has received from us."""
        path = self.folder / "received.log"
        lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
        return [line for line in lines if " truedeal " in line]


class Anchoring:
    """A ``truedeal anchor`` that runs."""

    def __init__(self, folder: Path, state: Path, *targets: str, ca: Path | None = None) -> None:
        """Write its file, and run it until it is ready."""
        folder.mkdir(parents=True, exist_ok=True)
        self._status, self._log = folder / "status.json", folder / "log"
        self.file = folder / "anchors.toml"
        said = [f"targets = {json.dumps(targets)}", f'status = "{self._status}"']
        self.file.write_text("\n".join([*said, *([f'ca = "{ca}"'] if ca else [])]) + "\n", encoding="ascii")
        command = [sys.executable, "-m", "firmware_bridge.cli", "anchor", "--state", str(state)]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--anchors", str(self.file)], cwd=ROOT, stdout=subprocess.PIPE, stderr=log
            )
        assert self.process.stdout is not None
        assert b"ready\n" == self.process.stdout.readline()

    def status(self, target: str) -> dict[str, Any]:
        """How a target is."""
        if not self._status.exists():
            return {"n": None, "problem": "", "since": 0}
        said: dict[str, Any] = json.loads(self._status.read_text(encoding="ascii"))["targets"][target]
        return said

    def end(self) -> int:
        """End it; its exit status."""
        self.process.terminate()
        status = self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status


@contextmanager
def anchoring(folder: Path, state: Path, *targets: str, ca: Path | None = None) -> Iterator[Anchoring]:
    """A ``truedeal anchor`` that ends with the test."""
    running = Anchoring(folder, state, *targets, ca=ca)
    try:
        yield running
    finally:
        running.end()


@contextmanager
def syslog(folder: Path, name: str = "localhost", port: int = 0) -> Iterator[Syslog]:
    """An rsyslog that ends with the test."""
    server = Syslog(folder, name, port)
    server.start()
    try:
        yield server
    finally:
        server.stop()
