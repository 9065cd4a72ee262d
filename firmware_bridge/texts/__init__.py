"""Words for people: the glossary, why the daemon denies something, and the texts that it shows itself."""
