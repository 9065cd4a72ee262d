"""A disk that loses power: what may lie on it after any prefix of what was done to it.

1. What was synchronised is there. Of what was not, any part may be there: each sector of each write by itself, in any
   order, so that a later write can be there and an earlier one not. So may a change of a file's size.
2. Names behave as on a file system with a journal: those that were not synchronised are there up to some moment, in
   their order. A file whose name is not there is not there.
3. `Disk` follows a recording operation by operation; `after_a_crash` gives one of the possible contents.
"""

from __future__ import annotations

import random

from tests.faults.recording import Create, Delete, Operation, Rename, Sync, SyncFolder, Truncate, Write

SECTOR = 512
WAYS = ("lost", "all", "torn", "last torn")


class Content:
    """One file: what is on the disk for certain, and what was done to it since."""

    def __init__(self) -> None:
        self.certain = bytearray()
        self.since: list[Write | Truncate] = []

    def after(self, way: str, chance: random.Random) -> bytes:
        """What may be in the file."""
        data = bytearray(self.certain)
        for place, change in enumerate(self.since, start=1):
            if way == "all" or (way == "last torn" and place < len(self.since)):
                _apply(data, change)
            elif way in {"torn", "last torn"}:
                _apply_torn(data, change, chance)
        return bytes(data)


class Disk:
    """The files of one folder."""

    def __init__(self) -> None:
        self._names: list[dict[str, Content]] = [{}]
        """The names that are certain, then as they were after each change since."""

    def do(self, operation: Operation) -> None:
        """Let one thing happen."""
        names = dict(self._names[-1])
        match operation:
            case Write(name) | Truncate(name):
                names[name].since.append(operation)
            case Sync(name):
                content = names[name]
                for change in content.since:
                    _apply(content.certain, change)
                content.since.clear()
            case Create(name):
                names[name] = Content()
                self._names.append(names)
            case Delete(name):
                del names[name]
                self._names.append(names)
            case Rename(old, new):
                names[new] = names.pop(old)
                self._names.append(names)
            case SyncFolder():
                self._names = [names]
            case _:
                pass

    @property
    def quiet(self) -> bool:
        """Whether everything that was done is certain."""
        return len(self._names) == 1 and not any(content.since for content in self._names[0].values())

    def after_a_crash(self, way: str, chance: random.Random) -> dict[str, bytes]:
        """What is on the disk if the power goes now: what is certain, everything, or some of what is not."""
        match way:
            case "lost":
                names = self._names[0]
            case "torn":
                names = chance.choice(self._names)
            case _:
                names = self._names[-1]
        return {name: content.after(way, chance) for name, content in names.items()}


def _apply(data: bytearray, change: Write | Truncate) -> None:
    match change:
        case Write(_, at, written):
            if len(data) < at:
                data.extend(bytes(at - len(data)))
            data[at : at + len(written)] = written
        case Truncate(_, size):
            if size < len(data):
                del data[size:]
            else:
                data.extend(bytes(size - len(data)))


def _apply_torn(data: bytearray, change: Write | Truncate, chance: random.Random) -> None:
    """Apply some sectors of a write, or a change of size perhaps."""
    if isinstance(change, Truncate):
        if chance.random() < 0.5:
            _apply(data, change)
        return
    share = chance.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    at, end = change.at, change.at + len(change.data)
    while at < end:
        until = min(end, at - at % SECTOR + SECTOR)
        if chance.random() < share:
            _apply(data, Write(change.name, at, change.data[at - change.at : until - change.at]))
        at = until
