"""The files and tables of a journal, for auditors who read it with tools of their own.

1. Tables and columns are those that SQLite makes of `schema.TABLES`; the parts of a head are those of `signing.Head`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from types import ModuleType

from deploy.reference.pages import MADE, check_names, table
from firmware_bridge.journal import chain, schema
from firmware_bridge.journal.signed import signing
from firmware_bridge.journal.signed.signing import Head

KINDS = {
    schema.EVENT: "an event of the table, JSON with `is`, the class in `gamecore/model/events`, and its fields",
    schema.NOTE: "text or JSON that means nothing to the game: a fault, an alarm, a login, a message of no meaning",
    schema.TABLE: "another table: a header of deal notation",
    schema.TOLD: "where the next card will lie, as a person said",
    schema.REFUSED: "JSON: `said`, what somebody said or pressed who may not; `refused`, why",
    schema.START: "JSON: the daemon began; boot id, version, digest of the program, configuration without secrets",
    schema.SEGMENT: "JSON: the first row of a file; what it follows, its edition, its public key and the certificate",
    schema.LIFTED: "only in edition 1: a card and the place that it left",
}
HOW = {
    chain.SENSED: "a device saw it",
    chain.TOLD: "a person said it",
    chain.PANEL: "somebody pressed it at the panel",
    chain.KEY: "somebody pressed it at the panel with the supervisor's key switch on",
    chain.DAEMON: "the daemon itself knows it",
    chain.BACKLOG: "a device saw it while nobody listened",
}
_ROUND = "the record, `rounds.id`"
_PERSON = "who said it, empty if nobody did"
_ROLE = "in which role, empty if nobody said it"
COLUMNS = {
    "events": {
        "n": "number of the row, from 1, without gaps over all segments",
        "at": "time, UTC, ISO 8601",
        "device": "the device by its name in the configuration, `console` or `daemon`",
        "number": "the device's own number of its event",
        "clock": "the device's clock in milliseconds modulo 2³²",
        "kind": "what `body` holds, see above",
        "body": "what happened",
        "raw": "the message as the device sent it",
        "mono": "nanoseconds since the computer began, which nobody can set",
        "person": "who said it",
        "role": "in which role",
        "how": "how it became known, see above",
        "chain": "digest of this row and of all before it",
    },
    "heads": {
        "number": "number of the head, one more with each",
        "n": "the last event that it covers",
        "chain": "digest of that event",
        "records": "running digest over `rounds`, `findings` and `rulings`",
        "snapshot": "digest of the snapshot, or zeros",
        "signature": "Ed25519",
        "key": "the public key that signed",
    },
    "rounds": {
        "id": "number of the record; of several with the same `first` the newest counts",
        "number": "number of the round on this table",
        "game": "the game",
        "first": "its first event",
        "last": "its last event",
        "began": "when",
        "ended": "when",
        "outcome": "how it ended",
        "boxes": "the boxes that were in play",
        "report": "the whole report, JSON",
        "state": "empty; what an earlier version kept in it is not read",
    },
    "findings": {
        "id": "number of the row",
        "round": _ROUND,
        "n": "the event that showed it",
        "code": "[its code](../../gamecore/rules/FINDINGS.md)",
        "clause": "the clause that governs",
        "ruling": "what follows",
        "places": "where",
        "cards": "which cards",
        "whose": "whose error it is",
        "how": "sensed or told",
        "person": _PERSON,
        "role": _ROLE,
    },
    "rulings": {
        "id": "number of the row",
        "round": _ROUND,
        "finding": "the finding that it is about, `findings.id`",
        "n": "the event",
        "at": "when",
        "who": "who was asked, or acted",
        "what": "what they said, in deal notation",
        "person": _PERSON,
        "role": _ROLE,
    },
    "snapshots": {
        "n": "the event after which the table stood so",
        "format": "number of the format",
        "state": "the table, plain data",
    },
}
HEAD = {
    "journal": "id of the journal, a digest of its first public key",
    "segment": "number of the segment",
    "number": "number of the head",
    "n": "the last event that it covers",
    "chain": "digest of that event",
    "records": "running digest over the records",
    "snapshot": "digest of the snapshot, or zeros",
    "key": "the public key that signs",
}
_TEXT = """# The journal

{made}
A journal is a folder. `journal-000001.db` and on are its segments, SQLite files of which the last is being written;
`archive/` holds older ones, compressed. `{head}` is the last signed head. `truedeal verify` checks all of it and
`truedeal export` writes it as plain files; neither is needed to read it.

## How rows hold together

The digest of a row is BLAKE2b ({size} bytes) over the digest of the row before it and the bytes of its own columns,
each with its type and length (`chain.py`). The first row of all follows {size} zero bytes, the first row of a segment
the last row of the segment before. Rows are never changed and never removed.

"""


def page() -> str:
    """Return the page of edition `schema.EDITION`."""
    check_names("kinds of rows", _words(schema), KINDS)
    check_names("ways in which a row became known", _words(chain), HOW)
    parts = [_TEXT.format(made=MADE, head=signing.HEAD, size=chain.SIZE)]
    parts.append(f"## Kinds of rows (edition {schema.EDITION})\n\n")
    parts.append(table(("kind", "body"), ([f"`{kind}`", told] for kind, told in KINDS.items())))
    parts.append("\n| how | it became known because |\n| --- | --- |\n")
    parts += [f"| `{how}` | {told} |\n" for how, told in HOW.items()]
    parts.append("\n## Tables\n")
    found = columns()
    check_names("tables", found, COLUMNS)
    for name, of_table in found.items():
        check_names(f"columns of {name}", of_table, COLUMNS[name])
        rows = ([f"`{one}`", of_table[one], COLUMNS[name][one]] for one in of_table)
        parts += [f"\n### {name}\n\n", table(("column", "type", "meaning"), rows)]
    check_names("parts of a head", set(Head._fields) - {"signature"}, HEAD)
    parts.append("\n## A signed head\n\nWhat is signed has a fixed length; numbers are little-endian.\n\n")
    return "".join([*parts, table(("bytes", "part"), _layout())])


def _words(module: ModuleType) -> set[str]:
    """Return the words that a module has as constants."""
    values = [value for name, value in vars(module).items() if name.isupper()]
    return {value for value in values if isinstance(value, str) and value.isalpha() and value.islower()}


def columns() -> dict[str, dict[str, str]]:
    """Return the columns of each table with their types."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for text in schema.TABLES:
            connection.execute(text)
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").fetchall()
        found: dict[str, dict[str, str]] = {}
        for (name,) in names:
            said = connection.execute(f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{name}')")  # noqa: S608
            found[name] = {column: kind if must or key else f"{kind} or null" for column, kind, must, key in said}
        return found


def _layout() -> list[list[str]]:
    """Return the parts of a head with where they stand, measured on a head."""
    sizes = {"journal": 16, "segment": 4, "number": 8, "n": 8}
    head = Head(bytes(16), 0, 0, 0, bytes(32), bytes(32), bytes(32), bytes(32))
    prefix = head.signed().partition(b"\0")[0]
    rows, at = [[f"0 to {len(prefix)}", f"`{prefix.decode()}` and a zero byte"]], len(prefix) + 1
    for name, told in HEAD.items():
        size = sizes.get(name, 32)
        rows.append([f"{at} to {at + size - 1}", f"{name}: {told}"])
        at += size
    assert at == len(head.signed())  # noqa: S101  else the sizes above are wrong
    return rows
