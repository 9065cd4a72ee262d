"""Saved views: a name for an address of the page, for one person; on a floor without people for everybody.

There are at most `MOST` of each owner. An address is a path of the page itself, nothing else.
"""

from __future__ import annotations

import re

from firmware_bridge.floor.archive.archive import Archive
from firmware_bridge.floor.archive.cleaning import cleaned
from firmware_bridge.floor.pit.answers import SavedView
from firmware_bridge.journal.clock import wall_clock

MOST, NAME, ADDRESS = 50, 60, 500
_ADDRESS = re.compile(r"#/(?:pit|findings|trends)(?:\?[!-~]*)?", re.ASCII)


class ViewError(ValueError):
    """A view that cannot be saved; the message says why."""


def views(archive: Archive, owner: str) -> list[SavedView]:
    """The views of somebody, by name."""
    chosen = "SELECT name, address FROM views WHERE owner = ? ORDER BY name"
    return [{"name": name, "address": address} for name, address in archive.dialect.execute(chosen, (owner,))]


def save_view(archive: Archive, owner: str, name: str, address: str) -> list[SavedView]:
    """Save a view, or give its name another address.

    Raises:
        ViewError: it cannot be saved.
    """
    name = cleaned(name.strip())
    if not name or len(name) > NAME or not name.isprintable():
        raise ViewError(f"expected a name of at most {NAME} characters")
    if len(address) > ADDRESS or not _ADDRESS.fullmatch(address):
        raise ViewError("expected an address of this page")
    with archive.dialect.transaction():
        archive.dialect.execute("DELETE FROM views WHERE owner = ? AND name = ?", (owner, name))
        ((count,),) = archive.dialect.execute("SELECT count(*) FROM views WHERE owner = ?", (owner,))
        if count >= MOST:
            raise ViewError(f"there are {MOST} views already: remove one")
        archive.dialect.execute("INSERT INTO views VALUES (?, ?, ?, ?)", (owner, name, address, wall_clock()))
    return views(archive, owner)


def remove_view(archive: Archive, owner: str, name: str) -> list[SavedView]:
    """Remove a view, if there is one of that name."""
    with archive.dialect.transaction():
        archive.dialect.execute("DELETE FROM views WHERE owner = ? AND name = ?", (owner, name))
    return views(archive, owner)
