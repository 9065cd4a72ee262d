"""The commands of the floor: the archive of many tables."""
