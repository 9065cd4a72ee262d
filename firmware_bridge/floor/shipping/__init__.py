"""From the journal of a table to the centre: enrolling, reading from a mark on, and sending."""
