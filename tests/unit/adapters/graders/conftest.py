"""The grader's tests grade for real."""

from attacks.toolchain import sandbox, site, venv

__all__ = ["sandbox", "site", "venv"]
