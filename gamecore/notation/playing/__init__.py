"""A scenario played: the shoe that it prepares, the links that it cuts, the table where it happens."""
