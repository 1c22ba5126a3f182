"""Composition root: configuration -> real adapters; the only module that knows both sides."""
