"""The sentences that survive a handoff, from fixed words: fixture, client, path, k of n of one group, windows, cases, judge.

No sentence is over two groups, none holds a percentage, none says that one endpoint is anything beside another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from urllib.parse import urlsplit

from denominator.probe.attempts import class_place, group_of, group_place
from denominator.probe.classing import class_word
from denominator.probe.windows import apart_s, number_word, spell
from denominator.records.probe_results import Scored, WindowLine
from denominator.records.probe_words import INVALID, Cls, Group
from denominator.records.probes import Fixture, ProbeSeal
from denominator.records.values import counted

DIGITS = 12
MAY_NOT = (
    "no count or percentage over all groups: a promise that was kept does not make up for another that was not",
    "no order of endpoints or models, and nothing of reasoning, facts or code: only promises of format were asked",
    "no word about other prompts, other times or another path to the endpoint than these",
)


def sentences(
    seal: ProbeSeal, fixture: Fixture, windows: Sequence[WindowLine], attempts: Iterable[Scored], missing: Sequence[str]
) -> tuple[str, ...]:
    """One for each group that the fixture asks about. `missing` are the groups of the attempts that were never asked."""
    held = [f"window {one.number}: {one.withheld}" for one in windows if one.withheld]
    head = _head(seal)
    if held:
        return (f"{head}: no count of passes is given: {'; '.join(held)}",)
    if not windows:
        return (f"{head}: nothing was asked",)
    given, owed, tail = tuple(attempts), Counter(missing), windows_told(windows)
    cases = Counter(group_of(case) for case in fixture.cases)
    return tuple(
        f"{head}, {_group(group, [one for one in given if one.group == group], owed[group])}, {tail}, "
        f"{counted(cases[group], 'case')}, denominator classifier {seal.classifier}"
        for group in sorted(cases, key=group_place)
    )


def _head(seal: ProbeSeal) -> str:
    envelope = seal.envelope
    rate = f", at {envelope.run.rate} requests a second" if envelope.run.rate else ""
    who = f"{envelope.endpoint.model} at {host(envelope.endpoint.url)}"
    return f"under fixture {envelope.fixture_sha256[:DIGITS]}, client {seal.client}, {envelope.path.told}{rate}, {who}"


def _group(group: str, attempts: Sequence[Scored], owed: int) -> str:
    """k of n of one group and every other end by name; what was planned and never asked is said here too."""
    missing = [f"{counted(owed, 'planned attempt')} never asked"] if owed else []
    ends = Counter(class_word(one.cls, one.reason) for one in attempts)
    n, lost = len(attempts), sum((one.cls, one.reason) in INVALID for one in attempts)
    noun = "malformed requests" if group == Group.MALFORMED else f"{group} attempts"
    rest = [f"{ends[word]} {' '.join(word)}".rstrip() for word in sorted(ends, key=_place) if word[0] != Cls.PASS]
    if not n:
        return ", ".join([f"no {noun}", *missing])
    if lost == n:
        return ", ".join([f"none of {n} {noun} says anything of its promises", *rest, *missing])
    kept = "were refused with a structured 4xx" if group == Group.MALFORMED else "passed"
    return ", ".join([f"{ends[(Cls.PASS, '')]} of {n} {noun} {kept}", *rest, *missing])


def _place(word: tuple[str, str]) -> tuple[int, int, int, str]:
    return class_place(*word)


def windows_told(windows: Sequence[WindowLine]) -> str:
    """ "two windows 2 h 10 min apart (2026-11-29 UTC)": starts apart, the days, and that they are not independent."""
    n = len(windows)
    days = sorted({one.started_at[:10] for one in windows})
    told = f"{number_word(n)} window{'s' if n > 1 else ''}"
    gaps = [apart_s(a.started_at, b.started_at) for a, b in pairwise(windows)]
    known = [spell(gap) for gap in gaps if gap is not None]
    if known and len(known) == len(gaps):
        told += f" {' and '.join(known)} apart"
    dependent = any(not one.independent for one in windows)
    return f"{told}{', not independent' if dependent else ''} ({' and '.join(days)} UTC)"


def host(url: str) -> str:
    """Host and port of a URL, never what stands before an @; the text itself where it is no URL."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "an address that cannot be read"
    return (parts.hostname or "an address that cannot be read") + (f":{port}" if port else "")
