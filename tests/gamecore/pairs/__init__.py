"""Any two irregularities in one round: a robot that commits both, and a judge of what the table made of them."""
