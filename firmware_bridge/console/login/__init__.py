"""Who sits at which browser, and what they say through it."""
