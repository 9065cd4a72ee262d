"""The journal of a table: every event in the order in which it counted, chained, signed, and enough to begin again.

Reading order: `chain` (what a row is and how rows hang together), `signing` (the head, signed), `schema` (the tables),
`store` (the one writer), `segments` (the files, old and new), `archive` (the old ones, compressed), `retention` (which
of them, and when), `snapshot` (the table as it stood), `editions` (rounds that earlier software has kept), `recovery`
(how the daemon begins again).
"""
