"""Irregularities: found once, ruled by table, carried out step by step.

Reading order:

1. `codes`        what can go wrong, whose error it is, and the words of the rulings
2. `stage`        how far the round has come
3. `matrix`       (finding, stage) → (ruling, clause, procedure); `mbs` and `rws` state it for the documents
4. `cardset`      the set of cards: foreign, extra, missing
5. `detectors`    what a card that was laid says about the deal
6. `layout`       where cards belong, and the shortest list of moves
7. `order`        the intended order of the cards of a round
8. `taken`        a card taken off a hand that was dealt it
9. `matter`       an open irregularity: who is asked, what is due
10. `choices`     what an answer about cards of a pull may name
11. `procedures`  each ruling carried out
12. `waiting`     what waits until something else is carried out
13. `reports`     what a person can report
14. `desk`        the door: raise a finding, take an answer, a move, an approval
"""
