"""Rounds as text: what happened at a table, one line at a time.

A ``.deal`` file is read (`parser`), played at a table (`player`), checked against its own ``expect`` lines
(`expectations`) and written again (`writer`, `export`). Text comes in and objects go out: no file is opened here.

Reading order for a newcomer:

1. `syntax`      what a file can say, as values
2. `lines`, `header`, `statements`, `claims`, `parser`   from text to those values
3. `shoe`, `links`, `player`   from those values to events at a table
4. `expectations`   whether a claim holds
5. `writer`, `export`   back to text
"""
