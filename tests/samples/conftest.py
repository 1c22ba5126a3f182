"""The caller of the command line that the end-to-end tests use, for tests over public samples."""

from e2e.conftest import cli, here

__all__ = ["cli", "here"]
