"""The properties, a file each; `base` says what one is."""
