"""Simulated devices, each a process: cables, faults, memory, sensors."""
