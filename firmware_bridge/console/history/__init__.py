"""Pages about the past and the rules: search, one round step by step, health over time, games, clauses."""
