"""Composition root: configuration -> real adapters; the only package that knows both sides."""
