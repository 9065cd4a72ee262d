"""The console of the floor: every table of the pit as a tile, findings and trends over all tables, alarms taken up.

Reading order: `answers` (what a browser gets), `tiles` (what was heard), `hearing` (from the broker), `feed` (to the
browsers), `past` (from the archive), `app` (all of it). It sends no statement to any table.
"""
