"""Splits lists into pages."""
