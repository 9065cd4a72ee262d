"""The daemon, which joins the devices' firmware to the game; the command line; the console; the floor.

May import `gamecore` and `drivers`; never `hal_sim`. The way of an event: the `pump` queues what devices and the
`control` sockets bring, `inputs` says what it means, the `journal` makes it durable, the table applies it, and `shown`
turns the table into lamps, text and scenes. `daemon` puts them together from the `setup`. `people` decides who may act,
`links` holds the devices' keys, `anchors` take the signed head outside, `program` proves which software runs, `texts`
has the words for people. `audit` reads what was written, `floor` gathers the journals of many tables in one archive,
`commands` holds most of the command line, and `console` is the web server, a process of its own.
"""

VERSION = "0.2.0"
"""The version of the software, as pyproject.toml has it: asked of the installed package it would cost megabytes."""
