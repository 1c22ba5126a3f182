"""The nouns: frozen stdlib dataclasses, no I/O, no third-party import."""
