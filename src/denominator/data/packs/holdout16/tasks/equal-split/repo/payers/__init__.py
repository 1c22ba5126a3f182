"""Splits a bill."""
