"""From the journal of a table to the centre: reading it from a mark on, and sending it."""
