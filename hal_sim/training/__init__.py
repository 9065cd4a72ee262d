"""Training: the trainee deals, the robot plays the patrons, and every ruling is explained afterwards.

Nothing of it reaches a table: it has a folder, a journal and a domain of its own (`firmware_bridge.journal.domain`).
Reading order: `folder`, `course` (what can be learned), `patron_player` (what the patrons do), `judged_acts` (what an
act was worth), `progress` (who has learned what), `trainer` (all of it at a simulated table), `routes`, `command`.
"""
