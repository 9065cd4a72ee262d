"""The devices: ports, framing and messages, one folder a device.

Knows no blackjack and imports nothing else of truedeal. Each third party that reaches hardware is imported in exactly
one file.
"""
