"""The journal of a table: every event in the order in which it counted, chained, signed, and enough to begin again.

Reading order: `event_codec` (an event as text), `chain` (what a row is and how rows hang together), `signed` (heads and
keys), `schema` (the tables), `domain` (a table's or training's), `writer` (appends rows), `segments` (the files),
`archive` (old segments, compressed), `rounds` (records to look up), `snapshot` (the table as it stood), `recovery` (how
the daemon begins again). `clock`, `folder_lock` and `last_named` serve them.
"""
