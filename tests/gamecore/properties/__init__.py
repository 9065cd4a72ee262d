"""What must hold, always: the properties of the core, over random tables of every game and fitting.

1. `tables` makes a table and lets chance play at it: regular play, mixed with every irregular act, from one seed.
2. A property is a file of `laws`. It watches every event (`after`), supposes something and compares (`probes`), and
   looks at the end (`over`). `harness` lets them all watch one table and says which of them broke.
3. What a property supposes happens at a copy of the table; the table itself plays on.
4. `shrink` makes a failing table short and writes it in deal notation. `python -m tests.gamecore.properties` plays as
   many as are wanted and prints the figures.
5. The eleventh, two irregularities in one round, is `tests.gamecore.pairs`.
"""
