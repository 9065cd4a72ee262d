"""The daemon: joins the devices' firmware to the game.

May import `gamecore` and `drivers`; never `hal_sim`.
"""

VERSION = "0.1.0"
"""The version of the software, as pyproject.toml has it: asked of the installed package it would cost megabytes."""
