"""A small reader for sectioned configuration text."""

from confparse.reader import Config, ConfigError

__all__ = ["Config", "ConfigError"]
