"""A judged run in formats that other programs read: pure functions, one module a format, found as entry points.

An exporter says what its format cannot express (`cannot_say`), and refuses where a number would have to stand that the gate
withholds: a document without it would be read as one.
"""

from __future__ import annotations

from denominator.exporters.shape import Exporter, FolderExporter

__all__ = ["Exporter", "FolderExporter"]
