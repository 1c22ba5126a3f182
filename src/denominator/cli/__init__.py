"""Arguments in, text out, no decisions; one file per verb, loaded only when called."""

from denominator.cli.main import main

__all__ = ["main"]
