"""The centre: who takes the journals of the tables, from afar or from a folder."""
