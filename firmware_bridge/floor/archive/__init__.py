"""The archive: the journals of all tables as they were sent, and tables for questions, in SQLite or PostgreSQL."""
