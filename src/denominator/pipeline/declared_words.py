"""Words of `--declare` that are almost a known one: a misspelt `task_ids` would be a condition, and nothing be scheduled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from denominator.compare.fields import BY_NAME
from denominator.errors import Problem
from denominator.importers.manifest import NESTED, READ
from denominator.importers.stating import ASIDE, COMPARISON, TREATMENT
from denominator.records.field_names import ALSO, GROUPS, NAMES

NEAR = 0.86
"""How alike two words are before one is taken for the other (difflib's ratio)."""
FIX = "a condition of your own that is called so goes into a table of its own, such as [own]"
BESIDE = ("task_ids_file", "published", "claim", "headline", "summary", "note", "host_name", "dataset_version")
"""Words that are read somewhere else, or are conditions whose names are near another one's."""
IDS = ("name", "why", "task_ids", "task_ids_file")
CLOSED = {"subset": frozenset(IDS), "comparison": frozenset((*COMPARISON, *TREATMENT))}
"""Tables of which every word is known: another one would be read by nobody."""
TABLES = frozenset((*NESTED, *GROUPS, *CLOSED))


def misspelt(document: Mapping[str, object]) -> Iterator[Problem]:
    """Each word that nobody reads and that is almost a known one, with the word that is meant.

    Tables of a person's own hold conditions of theirs, and are not looked into.
    """
    known = _known()
    for key, value in document.items():
        yield from _near(key, "", known[""])
        for inner in value if isinstance(value, dict) else ():
            if key in CLOSED:
                yield from _closed(inner, key)
            elif key in known:
                yield from _near(inner, f"{key}.", known[key])


def _known() -> Mapping[str, frozenset[str]]:
    """Words by the table that they stand in; "" is the top. A table that only groups fields takes those of the top too."""
    words = {*READ, *ASIDE, *ALSO, *NAMES, *BY_NAME, *BESIDE, *(f"dataset.{one}" for one in IDS)}
    inside: dict[str, set[str]] = {}
    for word in words:
        table, _, last = word.rpartition(".")
        inside.setdefault(table, set()).add(last)
    top = frozenset({*inside[""], *TABLES, *(word.partition(".")[0] for word in words)})
    return {table: top | inside.get(table, set()) for table in {*TABLES, *inside}} | {"": top}


def _near(word: str, before: str, known: frozenset[str]) -> Iterator[Problem]:
    if word in known:
        return
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    if near := [plain] if plain in known else get_close_matches(plain, sorted(known), 1, NEAR):
        yield Problem(f"{before}{word}", f"is no word that is read: did you mean {near[0]}?", FIX)


def _closed(word: str, table: str) -> Iterator[Problem]:
    if word not in CLOSED[table]:
        yield Problem(f"{table}.{word}", f"is no word of [{table}]", f"it has {', '.join(sorted(CLOSED[table]))}")
