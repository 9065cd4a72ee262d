"""Benchmarks: ``python -m tests.bench`` prints figures and asserts nothing."""
