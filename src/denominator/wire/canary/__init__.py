"""How a token may be written, and how bytes are undone until it shows: the parts behind `wire.tokens`."""
