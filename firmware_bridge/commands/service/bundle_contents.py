"""What a bundle for support holds, and what is left out of it.

1. Each part is added if it can be had; ``missing.txt`` lists what cannot.
2. Keys and PINs are left out of everything, the configuration first of all. No card is named in rows after the last
   recorded round of their segment: they come with ``??``, without their bytes, and without the digest, against which a
   guess could be checked.
3. Logs name no card when they are written; here they are veiled and cleaned of secrets once more.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from firmware_bridge.commands.service import doctor
from firmware_bridge.control.client import ControlClient, read_path
from firmware_bridge.journal.segments import open_for_reading, segments
from firmware_bridge.people.masking import scrubbed, without_bytes, without_secrets
from firmware_bridge.setup.toml_file import read_toml
from gamecore.view.veil import veiled_text

LOG_BYTES, LOG_LINES = 20 * 1024 * 1024, 20_000
"""The bytes of a file, and the lines of the service's log, that are taken from the end."""
LOG_SECONDS = 30.0


class Parts:
    """What goes into the bundle, by file name."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.files: dict[str, bytes] = {}
        self.missing: list[str] = []

    def health(self, control: str) -> dict[str, Any] | None:
        """Add the daemon's own account; returns it, or None if no daemon answers."""
        try:
            with ControlClient(read_path(control)) as client:
                health: dict[str, Any] = client.ask(do="health")["health"]
        except (ConnectionError, TimeoutError) as error:
            self.missing.append(f"health: {error}")
            return None
        self._json("health.json", scrubbed(health))
        return health

    def doctor(self, control: str) -> None:
        """Add what the doctor says."""
        self.files["doctor.txt"] = without_secrets(doctor.text(doctor.examine(control))).encode()

    def configuration(self, path: Path) -> None:
        """Add the configuration, without secrets; if any of it cannot be read, all of it is left out."""
        try:
            values = read_toml(path)
        except (OSError, ValueError) as error:
            self.missing.append(f"configuration: {without_secrets(str(error))}")
            return
        self._json("configuration.json", scrubbed(values))

    def journal(self, state: Path | None, count: int) -> None:
        """Add the last rows, from as many segments at hand as needed; segments that were set aside are left out."""
        present = segments(state) if state is not None else []
        if not present:
            why = "no daemon told where it lies, give --state" if state is None else f"none lies in {state}"
            self.missing.append(f"journal: {why}")
            return
        lines: list[str] = []
        for path in reversed(present):
            try:
                with closing(open_for_reading(path)) as connection:
                    lines[:0] = _rows(connection, count - len(lines))
            except sqlite3.Error as error:
                self.missing.append(f"journal: {path.name}: {error}")
            if len(lines) >= count:
                break
        self.files["journal.jsonl"] = "".join(lines).encode()

    def log(self, path: Path) -> None:
        """Add the end of a log, without secrets and without cards."""
        try:
            with path.open("rb") as file:
                size = file.seek(0, io.SEEK_END)
                file.seek(max(0, size - LOG_BYTES))
                text = file.read().decode("utf-8", "replace")
        except OSError as error:
            self.missing.append(f"log: {error}")
            return
        self._log(path.name, text)

    def service_log(self) -> None:
        """Add the end of the service's log, which the system keeps."""
        tool = shutil.which("journalctl")
        command = [tool or "", "--unit=truedeal", f"--lines={LOG_LINES}", "--output=cat", "--no-pager", "--quiet"]
        try:
            said = subprocess.run(command, capture_output=True, timeout=LOG_SECONDS, check=True) if tool else None  # noqa: S603
        except (OSError, subprocess.SubprocessError) as error:
            self.missing.append(f"log: journalctl: {error}")
            return
        if said is None or not said.stdout:
            self.missing.append("log: this computer keeps none of the service for this user; name one with --log")
            return
        self._log("journalctl", said.stdout[-LOG_BYTES:].decode("utf-8", "replace"))

    def _log(self, name: str, text: str) -> None:
        self.files[f"logs/{len(self.files)}-{name}"] = veiled_text(without_secrets(text)).encode()

    def write(self, out: Path) -> None:
        """Write the bundle.

        Raises:
            FileExistsError: there is such a file already.
        """
        if self.missing:
            self.files["missing.txt"] = "".join(f"{line}\n" for line in self.missing).encode()
        handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            for name, data in sorted(self.files.items()):
                entry = tarfile.TarInfo(f"truedeal-bundle/{name}")
                entry.size, entry.mode, entry.mtime = len(data), 0o600, int(datetime.now(UTC).timestamp())
                archive.addfile(entry, io.BytesIO(data))

    def _json(self, name: str, value: object) -> None:
        self.files[name] = (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _rows(connection: sqlite3.Connection, count: int) -> list[str]:
    """The last rows as JSON lines; of those of a round that is not over neither cards nor what would prove a guess."""
    over = connection.execute("SELECT max(last) FROM rounds").fetchone()[0] or 0
    chosen = "SELECT n, at, device, number, clock, kind, body, raw, chain FROM events ORDER BY n DESC LIMIT ?"
    lines = []
    for n, at, device, number, clock, kind, body, raw, chain in connection.execute(chosen, (count,)):
        row = {"n": n, "at": at, "device": device, "number": number, "clock": clock, "kind": kind}
        told = without_secrets(body or "")
        if n > over:
            row["body"] = veiled_text(without_bytes(told) if told.startswith("fault ") else told)
        else:
            row |= {"body": told, "raw": raw.hex() if raw else None, "chain": chain.hex()}
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return lines[::-1]
