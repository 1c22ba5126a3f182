"""Foreign results -> the same ledger, labels and gate as a run of our own."""

from __future__ import annotations

from denominator.importers.columnmap import ColumnMap, read_column_map
from denominator.importers.logs import is_log
from denominator.importers.report import Imported, Report
from denominator.importers.rows import import_rows

__all__ = ["ColumnMap", "Imported", "Report", "import_rows", "is_log", "read_column_map"]
