"""Commands about the approved documents: games, readings, rulings, clauses, sensor coverage."""
