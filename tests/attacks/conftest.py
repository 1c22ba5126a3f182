"""The attack tests share a real sandbox and a toolchain."""

from attacks.toolchain import sandbox, site, venv

__all__ = ["sandbox", "site", "venv"]

# What is graded, not what grades.
collect_ignore = ["corpus", "counter", "forger", "own"]
