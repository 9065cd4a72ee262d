"""Words for people: the glossary, and the texts that the daemon itself shows."""
