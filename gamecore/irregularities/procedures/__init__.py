"""Rulings carried out, one module a family of them; `registry` names them all."""
