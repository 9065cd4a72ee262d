"""Who wins what, row by row, each with its clause."""
