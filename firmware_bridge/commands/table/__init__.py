"""Commands that ask or tell the daemon of a table something: status, rounds, say, people, pair, registers."""
