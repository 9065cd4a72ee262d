"""The centre: what takes the journals of the tables, from the broker or from a folder."""
