"""What the file anchors hold: the newest head about one journal in each, as a child process reads them for the daemon.

1. A file may lie on a mount that does not answer. So a process of its own reads it, each file in a thread, and prints
   what it finds at once, as a line of JSON.
2. Only the end of a file is read, `TAIL` bytes. A head counts if its signature is good by the key that it names. The
   daemon compares the head with the journal to see whether it is the table's own.
3. The receipt of a floor's centre is read beside them (`receipts`), if there is one that is proved and about the
   journal.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

from firmware_bridge.anchors import receipts
from firmware_bridge.anchors.targets import Anchors
from firmware_bridge.journal.signed.signing import Head, read, verify

TAIL = 256 * 1024


def newest(path: Path, journal: bytes) -> Head | None:
    """The last head about a journal that a file holds.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL))
        lines = file.read(TAIL).decode("utf-8", "replace").splitlines()
    for line in reversed(lines):
        try:
            head = read(json.loads(line[line.index("{") :]))
        except (LookupError, TypeError, ValueError, RecursionError):
            continue
        if isinstance(head, Head) and head.journal == journal and verify(head):
            return head
    return None


def print_anchors(anchors: Anchors, journal: bytes, *, tied: bool) -> int:
    """Print what each file holds; return the exit status. If `tied`, the process ends when its standard input ends."""
    lock = threading.Lock()
    if tied:
        threading.Thread(target=_end_with_input, daemon=True).start()

    def one(name: str, path: Path) -> None:
        said: dict[str, object] = {"target": name, "held": None, "there": True}
        try:
            head = newest(path, journal)
            said["held"] = None if head is None else [head.number, head.n, head.chain.hex()]
        except FileNotFoundError:
            said["there"] = False
        except OSError as error:
            said = {"target": name, "problem": error.strerror or str(error)}
        with lock:
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()

    def centre(path: Path) -> None:
        with suppress(OSError):
            found = receipts.read_file(path, anchors.centre_key)
            if found is not None and found[0].journal == journal:
                held = found[0].register
                with lock:
                    sys.stdout.write(json.dumps({"centre": [held.number, held.n, held.chain.hex()]}) + "\n")
                    sys.stdout.flush()

    threads = [threading.Thread(target=one, args=(str(target), target.path), daemon=True) for target in anchors.files]
    if anchors.centre is not None:
        threads.append(threading.Thread(target=centre, args=(anchors.centre,), daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)
