"""The rules of the table, and nothing else.

`gamecore` knows cards, hands, wagers, the five approved games, the round of play and the notation in which a
round is written down. It has no input or output, no clock, no thread and no chance of its own: time, cards and
decisions arrive inside events, and `gamecore.table.Table.apply` is the one way in. The same events give the same
bytes on any machine.

The rooms, from the ground up; none imports from one above it, but for the names of two types in `model.state`
(pyproject.toml holds the contract):

1. `model`           data: cards and the set of them, places, money, events, hands, wagers, the round and its machine
2. `rules`           the five documents: rulesets, pay tables, rulings matrix, clauses, readings
3. `cards`           cards outside the shoe: where each lies and what it counts for; the test of the shuffle
4. `settlement`      who wins what, and by which clause
5. `standing`        wagers and people: what is undecided, who controls a box, whose claim comes first
6. `phases`          the phases of play, in order
7. `irregularities`  found once, ruled by table, carried out step by step
8. `history`         what has happened since the last round ended, to be applied again
9. `view`            what is shown: the frozen view, the report, what may be said now
10. `table`          the door: apply, verify, view
11. `notation`       rounds as text
"""
