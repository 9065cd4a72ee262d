"""A whole simulated table: devices and daemon, as a venue for scenarios and in a terminal."""
