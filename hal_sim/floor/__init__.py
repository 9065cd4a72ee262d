"""A whole floor on one computer, for a demonstration: broker, archive, ingester, console, and simulated tables."""
