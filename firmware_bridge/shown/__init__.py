"""What is shown: the scene for screens, lamps and text for the panel, the lock of the shoe; what is veiled."""
