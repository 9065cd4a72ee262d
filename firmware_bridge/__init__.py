"""The daemon: joins the devices' firmware to the game.

May import `gamecore` and `drivers`; never `hal_sim`.
"""
