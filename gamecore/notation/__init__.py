"""Rounds as text: what happened at a table, one line at a time.

A ``.deal`` file is read (`parser`), played at a table (`playing`), checked against its own ``expect`` lines
(`expect`) and written again (`writer`, `export`). Text comes in and objects go out: no file is opened here.

Reading order for a newcomer:

1. `syntax`      what a file can say, as values
2. `lines`, `header`, `statements`, `expect.forms`, `parser`   from text to those values
3. `playing`     from those values to events at a table: the prepared shoe, links that fail, the player
4. `expect.checks`   whether a claim holds
5. `writer`, `export`   back to text
"""
