"""The schema of the archive: numbered files for each dialect, forward only, each with its digest in the base.

1. `migrate` runs what is missing, in one transaction that keeps other migrations out, then the grants of the roles that
   are there.
2. A file that was run is never changed: another digest than the one in the base is an error, and so is a base that has
   files which this program does not know. Something is added first and removed one release later, so that old and new
   programs run side by side.
3. An archive is of a ``house`` or a ``demo``, as it was made. Its epoch changes only when it was restored from a
   backup.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from pathlib import Path

from firmware_bridge.floor.archive.dialects import ArchiveError, Dialect

HOUSE, DEMO = "house", "demo"
_FOLDER = Path(__file__).parent
_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_versions (number INTEGER PRIMARY KEY, digest TEXT NOT NULL)"


def migrate(dialect: Dialect, kind: str = HOUSE) -> list[int]:
    """Bring an archive to the newest schema, and make it if it is empty; returns the numbers of the files run.

    Raises:
        ArchiveError: it is of another kind, or of a program that this one does not know.
    """
    files = _files(dialect.name)
    with dialect.transaction():
        dialect.lock_migrations()
        dialect.execute(_VERSIONS)
        known = _versions(dialect)
        _compare(known, files)
        missing = [number for number in sorted(files) if number not in known]
        for number in missing:
            dialect.script(files[number])
            dialect.execute("INSERT INTO schema_versions VALUES (?, ?)", (number, _digest(files[number])))
        if 1 in missing:
            dialect.execute("INSERT INTO archive VALUES (?, ?)", (kind, secrets.token_hex(8)))
        ((made,),) = dialect.execute("SELECT kind FROM archive")
        if made != kind:
            raise ArchiveError(f"this archive is of a {made}, not of a {kind}")
        grants = _FOLDER / dialect.name / "grants.sql"
        if grants.exists():
            dialect.script(grants.read_text(encoding="utf-8"))
    return missing


def check(dialect: Dialect) -> None:
    """Refuse an archive that does not have the newest schema.

    Raises:
        ArchiveError: it has an older schema, or one that this program does not know.
    """
    known = _versions(dialect)
    files = _files(dialect.name)
    _compare(known, files)
    if known.keys() != files.keys():
        raise ArchiveError("the archive has an older schema: 'truedeal floor migrate' brings it to this one")


def _versions(dialect: Dialect) -> dict[int, str]:
    found: dict[int, str] = dict(dialect.execute("SELECT number, digest FROM schema_versions"))
    return found


def _files(name: str) -> dict[int, str]:
    found = (_FOLDER / name).glob("[0-9]*.sql")
    return {int(path.stem): path.read_text(encoding="utf-8") for path in found}


def _compare(known: dict[int, str], files: dict[int, str]) -> None:
    for number, digest in known.items():
        if number not in files or _digest(files[number]) != digest:
            raise ArchiveError(f"this program does not know file {number} of the archive's schema")


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
