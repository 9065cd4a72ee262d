"""Commands for those who install and service a table: check, doctor, bundle, sniff, identity, archive."""
