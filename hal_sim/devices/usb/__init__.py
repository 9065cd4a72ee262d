"""A simulated USB cable, and the pyusb backend that reaches it."""
