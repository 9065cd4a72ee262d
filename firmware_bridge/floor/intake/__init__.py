"""What of a table's journal is taken at the centre, and what is not: without a network, without a database."""
