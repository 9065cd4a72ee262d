"""What the shoes of a journal say of the shufflers."""
