"""The floor: the journals of many tables in one archive, each verified on arrival.

Reading order: `wire` (what is sent), `intake` (what is taken and what is not), `archive` (where it lies), `shipping`
(from a table's journal to the centre), `centre` (what listens to the tables), `broker` (what lies between them). The
daemon knows nothing of all this: the table never waits for the floor.
"""
