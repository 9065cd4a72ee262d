"""Simulated hardware: devices that speak the same bytes as the real ones, through the same codec.

May import `gamecore`, `drivers` and `firmware_bridge`; nothing imports it.
"""
