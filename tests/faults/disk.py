"""A disk that loses power: what may lie on it after any prefix of what was done to it.

1. What was synchronised is there. Of what was not, any part may be there: each sector of each write by itself, in any
   order, so that a later write can be there and an earlier one not. So may a change of a file's size.
2. Names behave as on a file system with a journal: those that were not synchronised are there up to some moment, in
   their order. A file whose name is not there is not there.
3. `Disk` follows a recording operation by operation; `after_a_crash` gives one of the possible contents.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from tests.faults.recording import Create, Delete, Operation, Rename, Sync, SyncFolder, Truncate, Write

SECTOR = 512
WAYS = ("lost", "all", "torn", "last torn")


class Content:
    """One file: what is on the disk for certain, and what was done to it since."""

    def __init__(self) -> None:
        self.certain = bytearray()
        self.since: list[Write | Truncate] = []


class Disk:
    """The files of one folder."""

    def __init__(self) -> None:
        self._names: dict[str, Content] = {}  # as the running program sees them
        self._certain: dict[str, Content] = {}
        self._since: list[Create | Delete | Rename] = []

    def do(self, operation: Operation) -> None:
        """Let one thing happen."""
        match operation:
            case Write(name) | Truncate(name):
                self._names[name].since.append(operation)
            case Sync(name):
                content = self._names[name]
                for change in content.since:
                    _apply(content.certain, change)
                content.since.clear()
            case Create() | Delete() | Rename():
                _rename(self._names, operation)
                if isinstance(operation, Create):
                    self._since.append(operation)
                    self._made(operation.name)
                else:
                    self._since.append(operation)
            case SyncFolder():
                self._certain = dict(self._names)
                self._since.clear()
            case _:
                pass

    def _made(self, name: str) -> None:
        self._contents_of_creates.append(self._names[name])

    @property
    def _contents_of_creates(self) -> list[Content]:
        return self.__dict__.setdefault("_creates", [])

    def after_a_crash(self, way: str, chance: random.Random) -> dict[str, bytes]:
        """What is on the disk if the power goes now: nothing more than is certain, everything, or some of it."""
        raise NotImplementedError
