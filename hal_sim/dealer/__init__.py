"""The robot dealer, the people at its table, and the errors that they commit."""
