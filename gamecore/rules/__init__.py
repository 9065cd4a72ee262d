"""The approved documents as data: rulesets, pay tables, the rulings matrix, the clauses and the readings."""
