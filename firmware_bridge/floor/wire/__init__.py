"""What goes from a table to the centre and back: items, batches, marks, subjects."""
