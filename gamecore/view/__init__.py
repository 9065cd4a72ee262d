"""How a table stands, for everybody outside the core.

`view` is the frozen view, `pictures` its parts, `preview` what `settle` would pay, `allowed` what may be said now,
`veil` what may be shown of the cards.
`report` is the report of the notation, `diagram` the drawing of the round, `keeping` the state as plain data for the
journal.
"""
