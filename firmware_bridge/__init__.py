"""The daemon: joins the devices' firmware to the game.

May import `gamecore` and `drivers`; never `hal_sim`. The way of an event: the `pump` queues what devices and the
`control` sockets bring, `inputs` says what it means, the `journal` makes it durable, the table applies it, and `shown`
turns the table into lamps, text and scenes. `daemon` puts them together from the `setup`. `people` decides who may act,
`links` holds the devices' keys, `anchors` take the signed head outside, `program` proves which software runs. `audit`
reads what was written; `commands` is the rest of the command line; `console` is the web server, a process of its own.
"""

VERSION = "0.1.0"
"""The version of the software, as pyproject.toml has it: asked of the installed package it would cost megabytes."""
