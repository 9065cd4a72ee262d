"""Commands for people who service a table: check, doctor, bundle, sniff, identity, document, archive, anchor."""
