"""Runs that one recording answered show the same draws: beside each other, or beside the recorded run, they show nothing."""

from __future__ import annotations

from denominator.records.comparisons import Side

Recording = tuple[str, str]


def recording_of(side: Side) -> Recording | None:
    """Which draws a run of ours shows, as (run id, digest of its seal): a played one those of the recorded run."""
    terms = side.sheet.terms
    if terms.cassette is not None:
        return terms.cassette.recording
    return (side.sheet.ledger.run_id, terms.digest) if terms.origin == "seal" else None


def played_reasons(a: Side, b: Side) -> list[str]:
    """Why two sides are one set of draws, or nothing."""
    played = [side for side in (a, b) if side.sheet.terms.cassette is not None]
    shown = recording_of(a)
    if not played or shown is None or shown != recording_of(b):
        return []
    if len(played) == 2:
        return [f"{a.name} and {b.name} were played from recordings of one run ({shown[0]}): they are the same draws"]
    source = b.name if played[0] is a else a.name
    return [f"{played[0].name} was played from a recording of {source} ({shown[0]}): they are the same draws"]
