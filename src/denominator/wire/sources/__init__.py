"""Results that somebody else wrote, as named members: a folder, a zip file or one file, each opened safely."""

from __future__ import annotations

from denominator.wire.sources.ahead import Whole, wholes
from denominator.wire.sources.base import DOCUMENT_BYTES, MEMBER_BYTES, Source, digest_of, lines_of
from denominator.wire.sources.loose import loose_json, loose_lines, values_in
from denominator.wire.sources.nested import nested
from denominator.wire.sources.opening import open_source
from denominator.wire.sources.remembered import remembered
from denominator.wire.sources.slices import Piece, slices, without_nan
from denominator.wire.sources.yaml import loose_yaml

__all__ = [
    "DOCUMENT_BYTES",
    "MEMBER_BYTES",
    "Piece",
    "Source",
    "Whole",
    "digest_of",
    "lines_of",
    "loose_json",
    "loose_lines",
    "loose_yaml",
    "nested",
    "open_source",
    "remembered",
    "slices",
    "values_in",
    "wholes",
    "without_nan",
]
