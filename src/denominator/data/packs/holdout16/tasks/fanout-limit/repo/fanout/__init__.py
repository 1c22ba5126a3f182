"""Runs many coroutines at once."""
