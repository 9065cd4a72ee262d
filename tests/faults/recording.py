"""Records what a journal does to its disk: the very SQLite of the daemon writes, unchanged, and every write is noted.

1. SQLite reaches its files through a table of functions. While a `Recording` lasts, those that open, write, shorten,
   synchronise and delete are replaced by ones that note what they are asked and then do it, as before.
2. The few files that Python itself writes are synchronised by `os.fsync` and get their names by `Path.replace`: both
   are noted too. What was written to such a file is noted when it is synchronised.
3. Shared memory (``-shm``) is left out: SQLite makes it again after a crash.
4. A file in a folder of the folder is noted with the name of both, ``archive/journal-000001.db.gz``.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import pytest

_DELETE_WITH_JOURNAL = ("-journal", "-wal")


class Write(NamedTuple):
    """Bytes are written somewhere in a file."""

    name: str
    at: int
    data: bytes


class Truncate(NamedTuple):
    """A file gets this size."""

    name: str
    size: int


class Sync(NamedTuple):
    """Everything written to a file so far is on the disk."""

    name: str


class Create(NamedTuple):
    """A file gets a name in the folder."""

    name: str


class Delete(NamedTuple):
    """A name leaves the folder."""

    name: str


class Rename(NamedTuple):
    """A file gets another name; what had that name before is gone."""

    old: str
    new: str


class Folder(NamedTuple):
    """A folder is made in the folder."""

    name: str


class SyncFolder(NamedTuple):
    """All names of a folder are on the disk: of the one that is watched, or of one in it."""

    name: str = ""


class Durable(NamedTuple):
    """The journal has said that all rows up to this one are durable."""

    n: int


Operation = Write | Truncate | Sync | Create | Delete | Rename | Folder | SyncFolder | Durable


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("iVersion", ctypes.c_int),
        ("szOsFile", ctypes.c_int),
        ("mxPathname", ctypes.c_int),
        ("pNext", ctypes.c_void_p),
        ("zName", ctypes.c_char_p),
        ("pAppData", ctypes.c_void_p),
        ("xOpen", ctypes.c_void_p),
        ("xDelete", ctypes.c_void_p),
    )


class _Methods(ctypes.Structure):
    _fields_ = (
        ("iVersion", ctypes.c_int),
        ("xClose", ctypes.c_void_p),
        ("xRead", ctypes.c_void_p),
        ("xWrite", ctypes.c_void_p),
        ("xTruncate", ctypes.c_void_p),
        ("xSync", ctypes.c_void_p),
        ("rest", ctypes.c_void_p * 13),
    )


class _File(ctypes.Structure):
    _fields_ = (("pMethods", ctypes.POINTER(_Methods)),)


# SQLite keeps the pointer to a name that it opens: it is passed on as it came.
_OPEN = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_File), ctypes.c_int, ctypes.c_void_p
)
_DELETE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


def _library() -> ctypes.CDLL:
    """Return the SQLite that this Python uses."""
    loaded = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "libsqlite3" in line}
    if len(loaded) != 1:
        pytest.skip("this Python has SQLite built in: what it writes cannot be watched")
    return ctypes.CDLL(loaded.pop())


class Recording:
    """Everything that is done to the files of one folder, in order."""

    def __init__(self, folder: Path) -> None:
        self.operations: list[Operation] = []
        self._folder = folder
        self._names: dict[int, str] = {}
        self._kept: list[object] = []  # what SQLite holds pointers to
        self._unsynced_names: set[str] = set()
        self._python_names: set[str] = set()  # files that Python writes, and has synchronised before
        library = _library()
        library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        self._vfs = library.sqlite3_vfs_find(None).contents
        self._open, self._delete = _OPEN(self._vfs.xOpen), _DELETE(self._vfs.xDelete)
        self._before = (self._vfs.xOpen, self._vfs.xDelete)
        self._methods: dict[int, _Methods] = {}
        self._python = pytest.MonkeyPatch()

    def __enter__(self) -> Self:
        self._vfs.xOpen = self._pointer(_OPEN(self._opened))
        self._vfs.xDelete = self._pointer(_DELETE(self._deleted))
        fsync, replace, unlink, mkdir = os.fsync, Path.replace, Path.unlink, Path.mkdir

        def synced(handle: int) -> None:
            fsync(handle)
            self._synced_by_python(Path(f"/proc/self/fd/{handle}").readlink())

        def replaced(path: Path, target: Path) -> Path:
            if self._holds(path):
                self._python_names.discard(self._name(path))
                self.operations.append(Rename(self._name(path), self._name(target)))
            return replace(path, target)

        def unlinked(path: Path, missing_ok: bool = False) -> None:
            if path.exists() and self._holds(path):
                self._python_names.discard(self._name(path))
                self.operations.append(Delete(self._name(path)))
            unlink(path, missing_ok)

        def made(path: Path, *arguments: Any, **named: Any) -> None:
            if not path.exists() and self._holds(path):
                self.operations.append(Folder(self._name(path)))
            mkdir(path, *arguments, **named)

        self._python.setattr(os, "fsync", synced)
        self._python.setattr(Path, "replace", replaced)
        self._python.setattr(Path, "unlink", unlinked)
        self._python.setattr(Path, "mkdir", made)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._vfs.xOpen, self._vfs.xDelete = self._before
        self._python.undo()

    def durable(self, n: int) -> None:
        """Note that the journal has said so."""
        self.operations.append(Durable(n))

    # --- files of SQLite ---------------------------------------------------------------------------------------------

    def _opened(self, vfs: int, name: int | None, file: Any, flags: int, out: int) -> int:
        path = None if name is None else Path(os.fsdecode(ctypes.string_at(name)))
        there = path is not None and path.exists()
        status: int = self._open(vfs, name, file, flags, out)
        if status == 0 and path is not None and path.parent == self._folder and file.contents.pMethods:
            address = ctypes.addressof(file.contents)
            self._names[address] = path.name
            if not there:
                self.operations.append(Create(path.name))
                self._unsynced_names.add(path.name)
            file.contents.pMethods = ctypes.pointer(self._watched(file.contents.pMethods))
        return status

    def _watched(self, methods: Any) -> _Methods:
        """Return a table of functions that note what they are asked, made once for each of SQLite's own."""
        original = ctypes.addressof(methods.contents)
        if original in self._methods:
            return self._methods[original]
        copy = _Methods.from_buffer_copy(methods.contents)
        write, truncate, sync = _WRITE(copy.xWrite), _TRUNCATE(copy.xTruncate), _SYNC(copy.xSync)

        def written(file: int, data: int, count: int, at: int) -> int:
            self.operations.append(Write(self._names[file], at, ctypes.string_at(data, count)))
            return int(write(file, data, count, at))

        def truncated(file: int, size: int) -> int:
            self.operations.append(Truncate(self._names[file], size))
            return int(truncate(file, size))

        def synced(file: int, flags: int) -> int:
            status = int(sync(file, flags))
            name = self._names[file]
            self.operations.append(Sync(name))
            if name in self._unsynced_names and name.endswith(_DELETE_WITH_JOURNAL):
                self._unsynced_names.clear()
                self.operations.append(SyncFolder())  # SQLite does so when it first synchronises a new log
            return status

        copy.xWrite = self._pointer(_WRITE(written))
        copy.xTruncate = self._pointer(_TRUNCATE(truncated))
        copy.xSync = self._pointer(_SYNC(synced))
        self._methods[original] = copy
        return copy

    def _deleted(self, vfs: int, name: bytes, sync_folder: int) -> int:
        path = Path(os.fsdecode(name))
        if path.parent == self._folder:
            self.operations.append(Delete(path.name))
        status: int = self._delete(vfs, name, sync_folder)
        if sync_folder and path.parent == self._folder:
            self.operations.append(SyncFolder())
        return status

    def _pointer(self, function: Callable[..., object]) -> int | None:
        self._kept.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]  # a function of ctypes

    # --- files of Python ---------------------------------------------------------------------------------------------

    def _synced_by_python(self, path: Path) -> None:
        if path == self._folder or (path.is_dir() and self._holds(path)):
            self.operations.append(SyncFolder("" if path == self._folder else self._name(path)))
        elif self._holds(path):
            name = self._name(path)
            if name not in self._python_names:
                self._python_names.add(name)
                self.operations.append(Create(name))
            self.operations += (Write(name, 0, path.read_bytes()), Sync(name))

    def _holds(self, path: Path) -> bool:
        """Whether a file lies in the folder, or in a folder of it."""
        return self._folder in path.parents

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()
