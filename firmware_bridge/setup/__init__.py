"""The configuration of a table, and whether it is safe to run."""
