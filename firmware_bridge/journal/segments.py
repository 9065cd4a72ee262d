"""The files of a journal.

1. A state folder holds segments, ``journal-000001.db`` and on. The highest number is being written; the others are
   done.
2. A segment that is damaged is set aside as ``.quarantined`` and never deleted. Archived ones lie compressed in
   ``archive`` (`journal.archive`).
3. A segment that has grown long ends with a shoe, so that a shoe's rounds lie in one file; where cards are shuffled
   continuously, with a round. Damage ends one at any time, a lost key or an upgrade at a start. A new segment is
   written whole under another name (``.new``) and then gets its own: a segment that is there has a beginning.
4. Which errors of SQLite mean that a file is not as it was written is said here, `is_damage`. A full disk, a file that
   another process holds or a disk that does not answer are no damage: they may be over soon.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from firmware_bridge.journal.chain import GENESIS, LINKS, SIZE, Link, Row, link
from firmware_bridge.journal.schema import COLUMNS, COLUMNS_1, EDITION, LISTED, SEGMENT

ARCHIVE = "archive"
NEW = ".new"
_NAME = re.compile(r"journal-([0-9]{6})\.db")
_ASIDE = re.compile(r"journal-[0-9]{6}\.db\.quarantined(-[0-9]+)?")
_PIECE = 1024 * 1024
_QUOTED = 80  # characters of a table that is not ours
_KNOWN = {one for made in LISTED for one in made}
_READ = {str(name) for kind, name, *_ in _KNOWN if kind == "table"}
_BESIDE = ("-wal", "-shm", "-journal")
#: An error in our SQL itself is none of ours: the tables are not what they were. Nor do we write what is too big.
_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_MISMATCH,
    }
)


def segment_path(state: Path, number: int) -> Path:
    """Where a segment lies."""
    return state / f"journal-{number:06d}.db"


def number_of(path: Path) -> int:
    """The number of a segment."""
    match = _NAME.match(path.name)
    if match is None:
        message = f"{path} is no segment of a journal"
        raise ValueError(message)
    return int(match[1])


def is_name(path: Path) -> bool:
    """Whether a file has the name of a segment, at hand or in the archive."""
    return _NAME.fullmatch(path.name.removesuffix(".gz")) is not None


def segments(state: Path) -> list[Path]:
    """The segments that are at hand, oldest first."""
    return sorted(path for path in state.glob("journal-??????.db") if _NAME.fullmatch(path.name))


def set_aside_before(state: Path) -> list[Path]:
    """The segments that were set aside, oldest first."""
    return sorted(path for path in state.glob("journal-*") if _ASIDE.fullmatch(path.name))


def size_and_time(path: Path) -> tuple[int, float]:
    """Bytes of a segment with what is not yet in its file, and when it changed last; 0 if it has just gone."""
    size, changed = 0, 0.0
    for name in (path.name, f"{path.name}-wal"):
        try:
            found = path.with_name(name).stat()
        except OSError:
            continue
        size, changed = size + found.st_size, max(changed, found.st_mtime)
    return size, changed


def is_beside(path: Path) -> bool:
    """Whether a log lies beside a segment that SQLite would read with it."""
    return any(beside.exists() and beside.stat().st_size for beside in map(path.with_name, _logs(path)))


def _logs(path: Path) -> tuple[str, str]:
    return f"{path.name}-wal", f"{path.name}-journal"


def latest(state: Path) -> int:
    """The highest number that a segment has had, set aside and archived ones included; 0 if there was none."""
    present = (*state.glob("journal-*"), *(state / ARCHIVE).glob("journal-*"))
    names = [path for path in present if NEW not in path.name and _NAME.match(path.name)]
    return max(map(number_of, names), default=0)


def is_damage(error: sqlite3.Error, path: Path) -> bool:
    """Whether an error says that the file is not as it was written."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:  # of Python's own: a text that is none, or a connection that is closed
        return isinstance(error, sqlite3.OperationalError)
    if code & 0xFF == sqlite3.SQLITE_READONLY:  # a file that may be written, of a version that nobody may write
        return os.access(path, os.W_OK)
    return code & 0xFF in _DAMAGE or code == sqlite3.SQLITE_IOERR_SHORT_READ


def put_in_place(new: Path, path: Path) -> None:
    """Give a finished file its name, on the disk."""
    new.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Bring all names of a folder, or all bytes of a file, to the disk before this returns."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Remove a file that was never finished, or is archived now, with what SQLite keeps beside it."""
    for suffix in ("", *_BESIDE):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; it may be opened beside the daemon's own, and leaves nothing beside the file."""
    log = path.with_name(f"{path.name}-wal")
    fixed = "" if log.exists() and log.stat().st_size else "&immutable=1"
    connection = careful(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{fixed}", uri=True, isolation_level=None))
    try:
        refuse_disguised(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def refuse_disguised(connection: sqlite3.Connection) -> None:
    """Look at the tables that are read: a view by the name of one has rows without end, if somebody wants it so.

    Raises:
        sqlite3.Error: one of them is not what an edition made.
    """
    try:
        listed = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    except UnicodeDecodeError as error:
        raise damage(f"its tables are not those that were made: {error}") from error
    for row in listed:
        if str(row[1]).casefold() in _READ and row not in _KNOWN:
            raise damage(f"its tables are not those that were made: {str(row[1:])[:_QUOTED]}")


def careful(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A connection that runs nothing that a file brings with it, and looks at every cell before it believes it."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def foreign_tables(connection: sqlite3.Connection) -> str:
    """What is wrong with the tables of a segment: they are not those of an edition, to the letter.

    Rows of another edition than the tables do not fit the chain.
    """
    present = sorted(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"), key=repr)
    if present in LISTED:
        return ""
    other = next(
        (f"{name}: {sql}" for kind, name, table, sql in present if (kind, name, table, sql) not in _KNOWN), None
    )
    return f"its tables are not those that were made: {(other or 'one is missing')[:_QUOTED]}"


def file_digest(path: Path) -> str:
    """The digest of the bytes of a file."""
    digest = blake2b(digest_size=SIZE)
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def rows(connection: sqlite3.Connection, after: int = 0) -> Iterator[tuple[Row, bytes]]:
    """The rows of a segment after a number, each with its digest; what its edition did not have is empty."""
    columns = COLUMNS_1 if edition(connection) == 1 else COLUMNS
    chosen = f"SELECT {columns} FROM events WHERE n > ? ORDER BY n"  # noqa: S608  the columns are ours
    for row in connection.execute(chosen, (after,)):
        yield Row(*row[:-1]), row[-1]


def beginning(connection: sqlite3.Connection) -> dict[str, object]:
    """What the first row of a segment says; empty if it cannot be read."""
    first = connection.execute("SELECT kind, body FROM events ORDER BY n LIMIT 1").fetchone()
    try:
        said = json.loads(first[1]) if first[0] == SEGMENT else None
    except (LookupError, RecursionError, TypeError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def edition(connection: sqlite3.Connection) -> int:
    """The edition of a segment's rows, as its first row tells; the first edition told none.

    Where that row cannot be read the columns say it, so that what is wrong with the row is told and not with all.
    """
    first = beginning(connection)
    if not first:
        present = {name for _, name, *_ in connection.execute("PRAGMA table_info(events)")}
        return EDITION if "mono" in present else 1
    said = first.get("edition", 1)
    return said if isinstance(said, int) else EDITION


def linked_by(connection: sqlite3.Connection) -> Link:
    """How the rows of a segment hang together."""
    return LINKS.get(edition(connection), link)


def end(connection: sqlite3.Connection) -> tuple[int, bytes]:
    """The number of a segment's last row, and its digest; 0 and the first of all if it has none."""
    last = connection.execute("SELECT n, chain FROM events ORDER BY n DESC LIMIT 1").fetchone()
    match last:
        case None:
            return 0, GENESIS
        case int(n), bytes(chain):
            return n, chain
        case _:
            raise damage("the last row is none")


def damage(what: str) -> sqlite3.DatabaseError:
    """The error of a file that SQLite can read, but that is not as it was written."""
    error = sqlite3.DatabaseError(what)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def snapshots(connection: sqlite3.Connection, format_: int) -> list[tuple[int, bytes]]:
    """The snapshots of a format, newest first, each with the number of the event after which it was taken."""
    chosen = "SELECT n, state FROM snapshots WHERE format = ? ORDER BY n DESC"
    return [(n, state) for n, state in connection.execute(chosen, (format_,)) if isinstance(state, bytes)]


def set_aside(path: Path) -> Path:
    """Quarantine a damaged segment with what SQLite keeps beside it; return where it lies now."""
    target = path.with_name(f"{path.name}.quarantined")
    count = 1
    while target.exists():
        count += 1
        target = path.with_name(f"{path.name}.quarantined-{count}")
    for suffix in _BESIDE:
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(target.with_name(target.name + suffix))
    path.rename(target)
    return target
