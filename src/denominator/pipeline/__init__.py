"""Verbs as a few calls in order, ports passed in. START HERE: run.py."""
