"""How long a test waits for what must come.

It is an upper bound, on a machine that is busy with a dozen other things. Nothing is shown by its being short: a test
that waits for nothing to happen, or that measures, has a figure of its own.
"""

PATIENCE = 120.0
"""Seconds."""
