"""Everything that can happen at a table, everything that comes out of it, and the facts that must be judged."""
