"""Data of a table: cards, places, money, events, hands, wagers, the round and its machine. No rule is decided here."""
