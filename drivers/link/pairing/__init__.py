"""Pairing: how a device and its table learn each other's public key."""
