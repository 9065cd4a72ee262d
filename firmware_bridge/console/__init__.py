"""The console: the table in a browser, served by a process of its own that the daemon does not depend on."""
