"""The devices: ports, framing and messages, one folder for each device.

This package knows no blackjack and imports nothing else of truedeal. Each library that
reaches hardware is imported in exactly one file.
"""
