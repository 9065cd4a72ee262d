"""The audit of a journal: whether it is whole, what it holds, and whom a bad card concerns.

Reading order: `journal_reader` (the files, old and new, and how they are opened), `verify` (whether they are as they
were written), `round_walk` (the table again, event by event), `replay`, `affected` and `exports` (what is made of
that). The command line is `commands.audit`.

Nothing here writes into a state folder. All of it may run while the daemon does.
"""
