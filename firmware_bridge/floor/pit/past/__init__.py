"""The past of all tables, asked of the archive: findings and voids, trends, rounds of a table, saved views."""
