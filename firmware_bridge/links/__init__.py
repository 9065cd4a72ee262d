"""The keys of the devices: which counts, how it came there, and how another takes its place."""
