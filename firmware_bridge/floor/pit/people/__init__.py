"""Who may log in at the console of the floor: the roster of the casino, by PIN or by an account elsewhere."""
