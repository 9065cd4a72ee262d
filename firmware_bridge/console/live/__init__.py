"""What happens now: the connections to the daemon, and what every browser is told."""
