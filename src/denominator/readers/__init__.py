"""Readers: stored bytes become facts, once. A reader is pure: the same bytes give the same facts on any machine."""
