"""Simulated hardware: devices that speak the same bytes as the real ones, through the same codec.

This package may import `gamecore`, `drivers` and `firmware_bridge`; none of them imports it.
"""
