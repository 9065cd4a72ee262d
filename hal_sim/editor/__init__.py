"""The position editor: positions written as deal notation, looked at, and asked "what if". It touches no table.

Reading order: `position` (what is chosen by hand), `arranged` (how it is dealt, as statements), `looked` (what a text
comes to), `what_if` (one statement more), `routes` (behind HTTP).
"""
