"""Alarms that nobody has taken up: who is told, when, and once each."""
