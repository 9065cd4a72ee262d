"""The commands of the command line, in modules with `add(commands)`, and what they share.

`play`, `audit`, `documents` and `floor` need no daemon, `table` talks to one over its sockets, and `service` is for
people who install a table and look after it. The daemon and the console have their commands in their own rooms.
"""
