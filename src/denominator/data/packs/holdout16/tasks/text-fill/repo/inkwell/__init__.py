"""Lays out plain text for a terminal."""
