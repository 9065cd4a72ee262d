"""The process of one table: its start, its health, its log, and the child processes that work for it."""
