"""Readers of report formats, one file each: bytes in chunks -> `Tally`. None of them ever raises for bad input."""
