"""Signatures over the journal: heads, keys that change with each segment, and what a head covers."""
