"""Measure coding agents on frozen task packs; print only numbers that can be defended."""

from denominator._version import __version__

__all__ = ["__version__"]
