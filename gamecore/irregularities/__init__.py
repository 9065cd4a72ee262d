"""Irregularities: found once, ruled by table, carried out step by step.

Reading order; the codes, stages and the matrix of rulings are in `gamecore.rules`:

1. `matter`            an open irregularity: who is asked, what is due
2. `reported_facts`    what a person reports, as a fact; `reports` compares it with what the table knows
3. `procedures`        each ruling carried out; `player_options` those that are about Players and their wagers
4. `wager_effects`     what rulings do to wagers
5. `confirming`        what began with a word waits for a role; `approvals` lists what waits, and takes the approvals
6. `deferred_matters`  what waits until something else is carried out
7. `door`              the way in: judge facts; take answers, reports, and the word that cards lie as ruled
"""
