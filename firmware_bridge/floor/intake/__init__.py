"""Decides what the centre takes of a table's journal, without a network and without a database."""
