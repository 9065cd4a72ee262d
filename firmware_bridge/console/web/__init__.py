"""The web server of the console: routes, policy, stream, static files, TLS."""
