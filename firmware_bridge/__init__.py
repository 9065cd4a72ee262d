"""The daemon: joins the devices' firmware to the game.

May import `gamecore` and `drivers`; never `hal_sim`. The way of an event: `pump` takes what the stations of the devices
and the `control` socket bring, `bridge` says what it means, `books` and `journal` make it durable, and what the table
makes of it goes back to the devices. `daemon` puts them together from the `config`, `opening` begins where the journal
ends. `people` are the roles, `audit` reads what was written, `commands` are the rest of the command line.
"""

VERSION = "0.1.0"
"""The version of the software, as pyproject.toml has it: asked of the installed package it would cost megabytes."""
