"""Backups of the archive: what counts as backed up, and what follows a restore.

1. Before a backup the seals of all journals are written under a token. The backup is restored elsewhere, and the marks
   are read *there*: only what a copy really holds is backed up. A replica is no backup.
2. What is backed up of a journal only rises. The archivist tells it to the table with every answer that has a mark.
3. An archive that was restored begins another epoch. It has less than before and says so; the tables send the rest
   again.
"""

from __future__ import annotations

import secrets

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.journal.clock import wall_clock


def begin_backup(archive: Archive) -> str:
    """Write down how far every journal is sealed; returns the token of the backup."""
    token = secrets.token_hex(8)
    with archive.dialect.transaction():
        archive.dialect.execute("INSERT INTO backups VALUES (?, ?, ?)", (token, wall_clock(), None))
        statement = "INSERT INTO backup_marks SELECT ?, id, seal_head, seal_n FROM journals"
        archive.dialect.execute(statement, (token,))
    return token


def end_backup(archive: Archive, copy: Archive, token: str) -> int:
    """Raise what is backed up to what a restored copy holds under a token; returns the number of journals.

    Raises:
        ValueError: the copy does not hold it, or holds less than its marks say.
    """
    chosen = "SELECT m.journal, m.seal_head, m.seal_n FROM backup_marks m WHERE m.token = ? ORDER BY m.journal"
    marks = [(bytes(journal), head, n) for journal, head, n in copy.dialect.execute(chosen, (token,))]
    if not marks or not archive.dialect.execute("SELECT 1 FROM backups WHERE token = ?", (token,)):
        raise ValueError("the copy holds no such backup")
    for journal, _, n in marks:
        if n and copy.chain_at(journal, n) != archive.chain_at(journal, n):
            raise ValueError(f"the copy does not hold event {n} of journal {journal.hex()}")
    with archive.dialect.transaction():
        for journal, head, n in marks:
            statement = "UPDATE journals SET backed_head = ?, backed_n = ? WHERE id = ? AND backed_n < ?"
            archive.dialect.execute(statement, (head, n, journal, n))
        archive.dialect.execute("UPDATE backups SET done = ? WHERE token = ?", (wall_clock(), token))
    return len(marks)


def begin_epoch(archive: Archive) -> None:
    """Begin another epoch: this archive was restored from a backup."""
    with archive.dialect.transaction():
        archive.dialect.execute("UPDATE archive SET epoch = ?", (secrets.token_hex(8),))
