"""A disk that loses power: what may lie on it after any prefix of what was done to it.

1. What was synchronised is there. Of what was not, any part may be there: each sector of each write by itself, in any
   order, so that a later write can be there and an earlier one not. So may a change of a file's size.
2. Names behave as on a file system with a journal: those that were not synchronised are there up to some moment, in
   their order. A file whose name is not there is not there. Each folder is by itself.
3. `Disk` follows a recording operation by operation; `after_a_crash` gives one of the possible contents.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.faults.recording import Create, Delete, Folder, Operation, Rename, Sync, SyncFolder, Truncate, Write

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
    """The files of one folder, and of folders in it."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        """A disk on which these files are for certain."""
        self._folders: dict[str, list[dict[str, Content]]] = {"": [{}]}
        """By folder: the names that are certain, then as they were after each change since."""
        for name, data in (files or {}).items():
            content = self._folders[""][0][name] = Content()
            content.certain[:] = data

    def carry_out(self, operation: Operation) -> None:
        """Let one thing happen."""
        match operation:
            case SyncFolder(folder):
                self._folders[folder] = self._folders[folder][-1:]
            case Folder(name):
                self._change("", {name: _IsFolder()})
                self._folders[name] = [{}]
            case Write(name) | Truncate(name):
                self._content(name).since.append(operation)
            case Sync(name):
                content = self._content(name)
                for change in content.since:
                    _apply(content.certain, change)
                content.since.clear()
            case Create(name):
                self._change(_folder(name), {name: Content()})
            case Delete(name):
                self._change(_folder(name), {name: None})
            case Rename(old, new):
                self._change(_folder(old), {new: self._content(old), old: None})
            case _:
                pass

    def _content(self, name: str) -> Content:
        return self._folders[_folder(name)][-1][name]

    def _change(self, folder: str, changes: Mapping[str, Content | None]) -> None:
        """Names of a folder come and go, which is not certain yet."""
        states = self._folders[folder]
        names = {**states[-1], **changes}
        states.append({name: content for name, content in names.items() if content is not None})

    @property
    def quiet(self) -> bool:
        """Whether everything that was done is certain."""
        return all(
            len(states) == 1 and not any(content.since for content in states[0].values())
            for states in self._folders.values()
        )

    def after_a_crash(self, way: str, chance: random.Random) -> dict[str, bytes]:
        """What is on the disk if the power goes now: what is certain, everything, or some of what is not."""
        found: dict[str, Content] = {}
        for folder, states in self._folders.items():
            if folder and folder not in found:
                continue  # its own name is not there, and nothing in it is
            match way:
                case "lost":
                    found |= states[0]
                case "torn":
                    found |= chance.choice(states)
                case _:
                    found |= states[-1]
        return {name: each.after(way, chance) for name, each in found.items() if not isinstance(each, _IsFolder)}


class _IsFolder(Content):
    """What has a name, and is a folder."""


def _folder(name: str) -> str:
    """The folder in which a name is; empty for the one that is watched."""
    return name.rpartition("/")[0]


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
