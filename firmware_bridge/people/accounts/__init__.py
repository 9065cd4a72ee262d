"""The list of people: who is on it, their roles, and how it is changed."""
