"""What differs between the two editions of the link: keys, proofs, and how a frame is closed and opened."""
