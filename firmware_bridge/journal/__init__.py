"""The journal of a table: every event in the order in which it counted, chained, signed, and enough to begin again.

Reading order: `event_codec` (an event as text), `chain` (what a row is and how rows hang together), `signed` (heads and
keys). Then `schema` (the tables), `domain` (a table's or training's), `writer` (appends rows), `segments` (the files)
and `archive` (old segments, compressed). Last `rounds` (records to look up), `snapshot` (the table as it stood) and
`recovery` (how the daemon begins again). `clock`, `folder_lock` and `last_named` serve them.
"""
