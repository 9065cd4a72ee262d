"""Cards outside the shoe: where each lies, what it counts for, and what the difference demands."""
