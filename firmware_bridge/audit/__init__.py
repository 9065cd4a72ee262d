"""The audit of a journal: whether it is whole, what it holds, and whom a bad card concerns.

Reading order: `reading` (the files, old and new, and how they are opened), `verify` (whether they are as they were
written), `walk` (the table again, event by event), `replay`, `affected` and `export` (what is made of that),
`commands` (the command line).

Nothing here writes into a state folder. All of it may run while the daemon does.
"""
