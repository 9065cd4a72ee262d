"""The commands of the command line, each a module with `add(commands)`, and what they share.

`play`, `audit` and `documents` need no daemon, `table` talks to one over its sockets, and `service` is for those who
install and look after it.
"""
