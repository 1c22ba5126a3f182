"""Which attempts of a probe a page may list: where the passes of a window are withheld, misses would give them away."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from denominator.records.probe_results import Across, ProbeScore, Scored
from denominator.records.probe_words import INVALID, PARAM_IGNORED, Cls

WITHHELD = "withheld"
"""Stands where the class of an attempt would be told."""


def told_misses(score: ProbeScore) -> tuple[Scored, ...]:
    """Attempts that did not pass; of a withheld window those that say nothing of the endpoint, as in the histogram."""
    held = held_windows(score)
    return tuple(
        one
        for one in score.attempts
        if one.cls != Cls.PASS and (one.window not in held or (one.cls, one.reason) in INVALID)
    )


def told_across(one: Across, held: Collection[int]) -> bool:
    """May a finding over several attempts be shown? Not a class in a withheld window; observations say nothing of passes."""
    return one.window not in held or one.cls == PARAM_IGNORED


def told_score(score: ProbeScore) -> ProbeScore:
    """The score as it may be written down: of a withheld window nobody can count who passed."""
    held = held_windows(score)
    attempts = tuple(
        replace(one, cls=WITHHELD, reason="", note="", also=(), flags=(), judgements={})
        if one.window in held and (one.cls, one.reason) not in INVALID
        else one
        for one in score.attempts
    )
    return replace(score, attempts=attempts, across=tuple(one for one in score.across if told_across(one, held)))


def held_back(score: ProbeScore) -> str:
    """Says that attempts of withheld windows are left out, and where they stand; "" where none are."""
    held = [str(number) for number in sorted(held_windows(score))]
    which = f"window{'s' if len(held) > 1 else ''} {' and '.join(held)}"
    return f"other attempts of {which} are not listed: passes are withheld there; --case shows a case" if held else ""


def held_windows(score: ProbeScore) -> set[int]:
    """Windows whose passes are withheld."""
    return {one.number for one in score.windows if one.withheld}
