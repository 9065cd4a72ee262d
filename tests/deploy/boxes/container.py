"""A real systemd over a debootstrapped Debian 12, for tests as root.

1. The root is made once, under ${XDG_CACHE_HOME:-~/.cache}/truedeal-tests, in a folder named after what is in it. It is
   made beside its place and renamed, under a lock: a run that was cut short leaves no half of one.
2. A container runs over it with a temporary overlay, so that nothing a test does outlasts it, and several can run at
   once. It has no network. Files and devices of the host are bound in by path.
3. systemd-nspawn tells by a notification when the system inside is up. Commands run there by way of `nsenter`; waiting
   for something is left to systemctl and the simulated devices.
4. At the end the container's first process is killed, and with it all others.
5. What is missing here, `needs` names: those tests are skipped by name.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
PACKAGES = ("systemd", "systemd-sysv", "udev", "dbus", "python3", "libusb-1.0-0")
"""What the root holds besides the essential: what the package depends on, and a bus for systemctl."""
TOOLS = ("systemd-nspawn", "debootstrap", "nsenter", "dpkg-deb")
MAKING = 600.0
"""Seconds that the root may take: its packages come over the network."""
LEADER = "X_NSPAWN_LEADER_PID"
"""The name under which systemd-nspawn tells the container's first process."""
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}


class ContainerError(RuntimeError):
    """No container can run here, and why."""


def needs() -> str:
    """Return which tools are missing, empty if none are."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {', '.join(missing)}, see tests/debian.sh" if missing else ""


def cache() -> Path:
    """Return the folder of what is made once for all runs."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "truedeal-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock of this name; who comes second waits."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def debian_root() -> Path:
    """Return the root, made if it is not there."""
    name = hashlib.sha256(" ".join((SUITE, MIRROR, *PACKAGES)).encode()).hexdigest()[:12]
    root = cache() / f"{SUITE}-{name}"
    with locked(cache() / f"{root.name}.lock"):
        if not root.exists():
            fresh = root.with_suffix(".new")
            shutil.rmtree(fresh, ignore_errors=True)
            options = ["--variant=minbase", f"--include={','.join(PACKAGES)}"]
            try:
                made = subprocess.run(
                    ["debootstrap", *options, SUITE, str(fresh), MIRROR],
                    check=False,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    timeout=MAKING,
                )
            except subprocess.TimeoutExpired as late:
                raise ContainerError(f"debootstrap took longer than {MAKING:g} s") from late
            if made.returncode != 0:
                shutil.rmtree(fresh, ignore_errors=True)
                last = made.stdout.strip().splitlines()[-1:] or ["nothing"]
                raise ContainerError(f"debootstrap failed: {last[0]}")
            shutil.rmtree(fresh / "var/cache/apt/archives", ignore_errors=True)
            fresh.rename(root)
    return root


class Container:
    """A booted Debian; `binds` puts paths of the host to paths inside."""

    def __init__(self, name: str, folder: Path, binds: Mapping[Path, str]) -> None:
        self._console = folder / "console.log"
        options = ["--quiet", "--boot", "--volatile=overlay", "--read-only", "--register=no", "--keep-unit"]
        options += ["--private-network", "--notify-ready=yes", "--console=read-only"]
        options += [f"--machine={name}", f"--directory={debian_root()}"]
        options += [f"--bind={host}:{inside}" for host, inside in binds.items()]
        self._told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._told.bind(str(folder / "notify"))
        self._init: int | None = None
        with self._console.open("wb") as console:
            self._process = subprocess.Popen(
                ["systemd-nspawn", *options],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                env=os.environ | {"NOTIFY_SOCKET": str(folder / "notify")},
            )

    def __enter__(self) -> Self:
        """Wait until the system has come up."""
        try:
            self._until_ready()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the container."""
        self.close()

    def close(self) -> None:
        """Kill the first process, and with it all others."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._init or self._process.pid, signal.SIGKILL)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._told.close()

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command inside; return what it wrote, or fail with that."""
        done = self._run(*command)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}\n{self.log()}")
        return done.stdout.strip()

    def succeeds(self, *command: str) -> bool:
        """Tell whether a command inside ends with status 0."""
        return self._run(*command).returncode == 0

    def shows(self, unit: str, name: str) -> str:
        """Return a property of a unit."""
        return self.run("systemctl", "show", "--value", "--property", name, unit)

    def write(self, path: str, text: str) -> None:
        """Write a file inside."""
        self._run("tee", path, given=text).check_returncode()

    def log(self) -> str:
        """Return the end of the system's log."""
        return self._run("journalctl", "--no-pager", "--lines=40").stdout

    def _run(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["nsenter", "--target", str(self._init), "--all", *command],
            check=False,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=ENVIRONMENT,
            timeout=PATIENCE,
        )

    def _until_ready(self) -> None:
        """Wait until systemd-nspawn has said that the system is up, or has ended."""
        ended = os.pidfd_open(self._process.pid)
        until = time.monotonic() + PATIENCE
        try:
            while True:
                left = max(until - time.monotonic(), 0.0)
                ready, _, _ = select.select([self._told.fileno(), ended], [], [], left)
                if self._told.fileno() not in ready:
                    raise ContainerError(self._said())
                told = dict(line.partition("=")[::2] for line in self._told.recv(4096).decode().splitlines())
                self._init = int(told.get(LEADER, self._init or 0)) or None
                if told.get("READY") == "1" and self._init is not None:
                    return
        finally:
            os.close(ended)

    def _said(self) -> str:
        lines = self._console.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"the container did not come up: {lines[-1] if lines else 'it said nothing'}"
