"""Run inside the unit's walls: tries what the daemon needs and what it must not be able to do.

1. It runs on Debian's Python with the libraries of the package, in place of the daemon.
2. What came of each is written into the state folder by its name: ``works`` or the system's own words.
"""

import ctypes
import hashlib
import json
import mmap
import os
import select
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, "/usr/lib/truedeal")
STATE = Path("/var/lib/truedeal")


def journal() -> None:
    """Commit durably, as the journal does."""
    with sqlite3.connect(STATE / "probe.db") as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        base.execute("CREATE TABLE probe (n INTEGER)")
        base.execute("INSERT INTO probe VALUES (1)")


def panel() -> None:
    """Look for a panel by the real libusb, which hears of new devices by netlink."""
    import usb.backend.libusb1  # noqa: PLC0415  found by the path above
    import usb.core  # noqa: PLC0415

    backend = usb.backend.libusb1.get_backend()
    if backend is None:
        raise OSError("libusb does not come up")
    usb.core.find(idVendor=0x1209, idProduct=0xCA5E, backend=backend)


def libraries() -> None:
    """Import every part of the package, so that each of its libraries is loaded; the floor's are no table's."""
    import importlib  # noqa: PLC0415
    import pkgutil  # noqa: PLC0415

    for name in ("firmware_bridge", "drivers", "gamecore"):
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not module.name.startswith("firmware_bridge.floor."):
                importlib.import_module(module.name)


def control() -> None:
    """Listen at a socket in the folder of the control socket."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("/run/truedeal/probe.sock")
        listening.listen()
    Path("/run/truedeal/probe.sock").chmod(0o660)


def thread() -> None:
    """Start a thread, as USB needs one."""
    worker = threading.Thread(target=lambda: None)
    worker.start()
    worker.join()


def child() -> None:
    """Start a Python of our own and hear of its end, as archiving does."""
    started = subprocess.Popen([sys.executable, "-ISB", "-c", ""])
    ends = os.pidfd_open(started.pid)
    select.select([ends], [], [])
    if started.wait() != 0:
        raise OSError("it fails")


def callback() -> None:
    """Let C call Python, as a library may."""
    ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)()


def new_code() -> None:
    """Run memory that was written."""
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)


def new_program() -> None:
    """Run a file that was written."""
    program = STATE / "program"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o700)
    subprocess.run([program], check=True)


def first_process() -> None:
    """Look at a process of somebody else."""
    Path("/proc/1/cmdline").read_bytes()


NEEDED: dict[str, Callable[[], object]] = {
    "journal": journal,
    "boot id": lambda: Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"),
    "configuration": lambda: Path("/etc/truedeal/table.toml").read_text(encoding="utf-8"),
    "panel": panel,
    "libraries": libraries,
    "control": control,
    "thread": thread,
    "child": child,
    "callback": callback,
    "pin": lambda: hashlib.scrypt(b"2468", salt=b"salt", n=2**15, r=8, p=1, maxmem=2**26),
    "chance": lambda: os.urandom(16),
    "free space": lambda: os.statvfs(STATE),
    "own memory": lambda: Path("/proc/self/status").read_text(encoding="ascii"),
}
CLOSED: dict[str, Callable[[], object]] = {
    "network": lambda: socket.socket(socket.AF_INET),
    "configuration written": lambda: Path("/etc/truedeal/probe").write_text("", encoding="utf-8"),
    "program written": lambda: Path("/usr/lib/truedeal/probe").write_text("", encoding="utf-8"),
    "new code": new_code,
    "new program": new_program,
    "owner changed": lambda: os.chown(STATE / "probe.json", 0, 0),
    "first process": first_process,
    "kernel log": lambda: Path("/dev/kmsg").read_bytes(),
    "host name": lambda: socket.sethostname("probe"),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
}


def outcome(what: Callable[[], object]) -> str:
    """Try it; return what came of it."""
    try:
        what()
    except Exception as problem:  # noqa: BLE001  whatever it is, it is written down
        return f"{type(problem).__name__}: {problem}"
    return "works"


(STATE / "probe.json").write_text("{}", encoding="utf-8")
found = {
    "needed": {name: outcome(what) for name, what in NEEDED.items()},
    "closed": {name: outcome(what) for name, what in CLOSED.items()},
}
(STATE / "probe.json").write_text(json.dumps(found), encoding="utf-8")
