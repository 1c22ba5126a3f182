"""Conformance suites and servers for tests, ours and those of third-party adapters."""
