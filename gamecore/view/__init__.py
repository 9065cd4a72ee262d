"""What is shown of a table: the report, what may be said now, the diagram of the round."""
