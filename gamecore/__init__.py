"""The rules of the table, and nothing else.

`gamecore` knows cards, hands, wagers, the five approved games, the round of play and the notation in which a
round is written down. It has no input or output, no clock, no thread and no chance of its own: time, cards and
decisions arrive inside events, and `gamecore.table.Table.apply` is the one way in. The same events give the same
bytes on any machine.

Reading order for a newcomer:

1. `ruleset`      what an approved document must decide, field by field
2. `games`        the five documents, one file each
3. `events`       what can happen at a table
4. `state`        what the table knows
5. `machine`      the states of a round and how it moves between them
6. `betting`, `dealing`, `offers`, `decisions`, `dealer`, `closing`   the phases of play, in order
7. `settlement`, `side_wagers`   who wins what, and by which clause
8. `table`        the door: apply, verify, allowed
9. `notation`     rounds as text
"""
