"""Bundles: the folder in which a run travels, so that a stranger can recompute its number offline. Pure: bytes in, bytes out."""
