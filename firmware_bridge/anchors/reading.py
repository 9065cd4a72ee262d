"""What the file anchors hold: the newest head about one journal in each, as a child process reads them for the daemon.

1. A file may lie on a mount that does not answer. So nobody who has anything else to do reads it: a process of its own
   does, each file in a thread, and what it finds is a line of JSON at once.
2. Only the end of a file is read, `TAIL` bytes. A head counts if its signature is good by the key that it names: whose
   key that is the daemon decides by comparing the head with the journal.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from firmware_bridge.anchors.targets import Anchors
from firmware_bridge.journal.signing import Head, read, verify

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


def tell(anchors: Anchors, journal: bytes) -> int:
    """Print what each file holds; the exit status."""
    lock = threading.Lock()

    def one(name: str, path: Path) -> None:
        said: dict[str, object] = {"target": name, "head": None, "problem": ""}
        try:
            head = newest(path, journal)
        except OSError as error:
            said["problem"] = error.strerror or str(error)
        else:
            said["head"] = None if head is None else [head.number, head.n, head.chain.hex()]
        with lock:
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()

    threads = [threading.Thread(target=one, args=(str(target), target.path), daemon=True) for target in anchors.files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0
