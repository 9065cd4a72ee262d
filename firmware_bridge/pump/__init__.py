"""The way of every event: queued, permitted, made durable, applied, answered. Begin with `pump`."""
