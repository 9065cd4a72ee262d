"""Rounds to look up: how their records are made, written, read again, and what earlier editions have kept."""
