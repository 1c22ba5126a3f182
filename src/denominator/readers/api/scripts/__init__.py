"""JavaScript and TypeScript: imports, names that a module exports, requests. Needs the extra `languages`."""

from denominator.readers.api.scripts.read import SUFFIXES, Scripts

__all__ = ["SUFFIXES", "Scripts"]
