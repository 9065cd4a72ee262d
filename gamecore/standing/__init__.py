"""Wagers and people: who has a wager, what of it is undecided, who controls a box and whose claim comes first."""
