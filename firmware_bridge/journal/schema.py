"""The tables of a segment.

1. `events` is the journal; everything else but the signatures can be made again from it. A row is never changed and
   never removed.
2. `kind` says what `body` holds: ``event`` (an event of the table), ``note`` (text that means nothing to the game),
   ``table`` (another table: a header of deal notation), ``told`` (what explains a later message), ``refused`` (what
   somebody may not say, and why not), ``start`` (the daemon began: boot id, version, configuration), ``segment``
   (what this file follows, and the edition of its rows: a segment has rows of one edition alone). A journal of an
   earlier edition also has ``lifted`` (a card and the place that it left): `event_codec` reads it.
3. `rounds`, `findings` and `rulings` are for people and plain SQL. They are written at the end of each round. `rulings`
   has every answer, approval, report and correction, and the cards that were lifted and laid while the round was held;
   `finding` is empty where none was open. A record is never changed: what is
   found out about a round later is another record of it, whole, with the same first event. The newest counts
   (`NEWEST`); it may lie in the next segment. A finding says how it became known, and who said it if somebody did.
4. `snapshots` holds the table as it stood at the end of a round, when a segment began or ended, and when the daemon
   ended; the newest and the first are kept. `heads` holds what was signed, by the number of the head
   (`signed.signing`).
5. A segment has exactly the tables of its edition, to the letter. Anything else in it, a trigger or a view, is damage:
   it could change what is written or read. Training has a column more: each row of `events` names its `domain`.
"""

from __future__ import annotations

import re

EDITION = 2
"""The edition of the rows: what they mean. The first row of a segment tells it, except in edition 1."""
EVENT, NOTE, TABLE, TOLD, LIFTED, START, SEGMENT = "event", "note", "table", "told", "lifted", "start", "segment"
REFUSED = "refused"
NAMED = "table-name"
"""Under this key the row of a start says what people call the table."""
ENROLLED = "enrolled-as"
"""Under this key the row of a start names the table's place on a floor, and the key of its shipper."""
ROSTER = "floor-roster"
"""Under this key a row names the version of the floor's roster that is in force."""
TRAINING = "truedeal-training/1"
"""The domain of a journal of training; a table's has none (`domain`)."""

TABLES = (
    """CREATE TABLE events (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, device TEXT NOT NULL, number INTEGER, clock INTEGER,
    kind TEXT NOT NULL, body TEXT, raw BLOB, mono INTEGER, person TEXT, role TEXT, how TEXT, chain BLOB NOT NULL
) STRICT""",
    """CREATE TABLE heads (
    number INTEGER PRIMARY KEY, n INTEGER NOT NULL, chain BLOB NOT NULL, records BLOB NOT NULL, snapshot BLOB NOT NULL,
    signature BLOB NOT NULL, key BLOB NOT NULL
) STRICT""",
    """CREATE TABLE rounds (
    id INTEGER PRIMARY KEY, number INTEGER NOT NULL, game TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    began TEXT NOT NULL, ended TEXT NOT NULL, outcome TEXT NOT NULL, boxes TEXT NOT NULL, report TEXT NOT NULL,
    state BLOB NOT NULL
) STRICT""",
    """CREATE TABLE findings (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL REFERENCES rounds (id), n INTEGER NOT NULL, code TEXT NOT NULL,
    clause TEXT NOT NULL, ruling TEXT NOT NULL, places TEXT NOT NULL, cards TEXT NOT NULL, whose TEXT NOT NULL,
    how TEXT NOT NULL, person TEXT NOT NULL, role TEXT NOT NULL
) STRICT""",
    """CREATE TABLE rulings (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL REFERENCES rounds (id), finding INTEGER REFERENCES findings (id),
    n INTEGER NOT NULL, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
    person TEXT NOT NULL, role TEXT NOT NULL
) STRICT""",
    """CREATE TABLE snapshots (n INTEGER PRIMARY KEY, format INTEGER NOT NULL, state BLOB NOT NULL) STRICT""",
    """CREATE INDEX events_of_devices ON events (device, n) WHERE number IS NOT NULL""",
)
_TABLES_1 = (
    """CREATE TABLE events (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, device TEXT NOT NULL, number INTEGER, clock INTEGER,
    kind TEXT NOT NULL, body TEXT, raw BLOB, chain BLOB NOT NULL
) STRICT""",
    """CREATE TABLE heads (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, chain BLOB NOT NULL, signature BLOB NOT NULL, key BLOB NOT NULL
) STRICT""",
    """CREATE TABLE rounds (
    id INTEGER PRIMARY KEY, number INTEGER NOT NULL, game TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    began TEXT NOT NULL, ended TEXT NOT NULL, outcome TEXT NOT NULL, boxes TEXT NOT NULL, report TEXT NOT NULL,
    state BLOB NOT NULL
) STRICT""",
    """CREATE TABLE findings (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL REFERENCES rounds (id), n INTEGER NOT NULL, code TEXT NOT NULL,
    clause TEXT NOT NULL, ruling TEXT NOT NULL, places TEXT NOT NULL, cards TEXT NOT NULL, whose TEXT NOT NULL
) STRICT""",
    """CREATE TABLE rulings (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL REFERENCES rounds (id), finding INTEGER REFERENCES findings (id),
    n INTEGER NOT NULL, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL
) STRICT""",
    *TABLES[5:],
)
TRAINING_TABLES = (
    TABLES[0].replace(
        "chain BLOB NOT NULL",
        f"chain BLOB NOT NULL,\n    domain TEXT NOT NULL DEFAULT '{TRAINING}' CHECK (domain = '{TRAINING}')",
    ),
    *TABLES[1:],
)
MADE = {1: _TABLES_1, EDITION: TABLES}
"""How each edition makes its tables."""
_STATEMENT = re.compile(r"CREATE (TABLE|INDEX) (\w+)(?: ON (\w+))?")


def _listed(statement: str) -> tuple[object, ...]:
    """What SQLite lists of a table or index: its kind, its name, its table's, and the statement that made it."""
    kind, name, table = _STATEMENT.match(statement).groups()  # type: ignore[union-attr]  # the statements are ours
    return kind.lower(), name, table or name, statement


LISTED = [sorted(map(_listed, made)) for made in (*MADE.values(), TRAINING_TABLES)]
"""What each edition has in `sqlite_schema`, and what training has."""
COLUMNS = "n, at, device, number, clock, kind, body, raw, mono, person, role, how, chain"
COLUMNS_1 = "n, at, device, number, clock, kind, body, raw, NULL, NULL, NULL, NULL, chain"
"""The columns of edition 1, and nothing in the place of those that it did not have."""
INSERT_EVENT = f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  ours
INSERT_HEAD = "INSERT INTO heads VALUES (?, ?, ?, ?, ?, ?, ?)"
INSERT_SNAPSHOT = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)"
DELETE_SNAPSHOTS = """DELETE FROM snapshots WHERE n NOT IN (SELECT n FROM snapshots ORDER BY n DESC LIMIT ?)
AND n <> (SELECT min(n) FROM snapshots)"""
"""All but the newest, and the first: with it a segment can be rebuilt by itself."""
NEWEST = "rounds.id IN (SELECT max(id) FROM rounds GROUP BY first)"
"""Which records count among those of one segment: a condition of SQL."""
