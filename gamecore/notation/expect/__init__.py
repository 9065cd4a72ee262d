"""The lines that begin with ``expect``: their forms, and whether they hold."""
