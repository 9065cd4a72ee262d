"""The daemon's two sockets: one that only reads, one that commands; and what can be asked over them."""
