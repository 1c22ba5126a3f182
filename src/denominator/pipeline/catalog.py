"""Every code that `explain` knows: gate rules, labels, metrics, classes of a probe, pack lint, limits of methods, errors."""

from __future__ import annotations

from difflib import get_close_matches

from denominator import errors, gate, labels, metrics
from denominator.catalog import Entry, index
from denominator.catalog.words import meant_by, word_entries
from denominator.errors import DenominatorError, InputError
from denominator.gate.durability import BENCH_RULES
from denominator.gate.probing import PROBE_RULES
from denominator.metrics.durability import BENCH_METRICS
from denominator.packs.lint import LINT_ENTRIES
from denominator.publish.limits import LIMIT_ENTRIES
from denominator.quote import QUOTE_ENTRIES


def rule_entries() -> tuple[Entry, ...]:
    """The entries whose rules decide a number: gate rules, labels, metrics."""
    return tuple(
        entry
        for family in (
            [rule.entry for rule in gate.RULES],
            [rule.entry for rule in labels.RULES],
            [metric.entry for metric in metrics.METRICS],
            [rule.entry for rule in BENCH_RULES],
            [rule.entry for rule in PROBE_RULES],
            [metric.entry for metric in BENCH_METRICS],
        )
        for entry in family
    )


def error_entries() -> tuple[Entry, ...]:
    """One entry per class of error."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, DenominatorError)]
    return tuple(
        Entry(kind.code, kind.__name__, "0.1.0", "errors", kind.__doc__ or "")
        for kind in sorted(kinds, key=lambda kind: kind.code)
    )


def all_entries() -> tuple[Entry, ...]:
    """Every entry of every family, refusing a code that is used twice."""
    from denominator.probe.checks import CHECK_ENTRIES  # reads HTTP, which needs more than the standard library

    return tuple(
        index(
            (*rule_entries(), *CHECK_ENTRIES, *LINT_ENTRIES, *LIMIT_ENTRIES, *QUOTE_ENTRIES, *error_entries())
        ).values()
    )


def find_entries(word: str) -> tuple[Entry, ...]:
    """The entry with this code, or those with this name, one in each family at most; or the page of a word of ours.

    Raises InputError with the nearest.
    """
    entries = all_entries()
    wanted = word.strip().lower()
    found = tuple(entry for entry in entries if wanted in (entry.code.lower(), entry.name.lower()))
    if found := (*found, *meant_by(word)):
        return found
    names = [name for entry in (*entries, *word_entries()) for name in (entry.code, entry.name)]
    alike = [entry.code for entry in entries if _as_typed(entry.code) == _as_typed(word)]
    near = ", ".join(dict.fromkeys([*alike, *get_close_matches(word, names, 3, 0.5)][:3]))
    fix = f"did you mean {near}?" if near else "denominator explain lists every code"
    raise InputError(f"no code, rule or word is called {word!r}", fix=fix)


def _as_typed(code: str) -> str:
    """Letters and digits that look alike are one: l and 1, O and 0."""
    return code.strip().upper().translate(str.maketrans("LIO", "110"))
