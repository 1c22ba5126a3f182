"""Is the table of endings well-formed, and do our own rules come to what each of its lines says?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace

from denominator.importers.foreign import at, foreign_row
from denominator.labels import DEFAULT_CAUSES
from denominator.records.foreign import Ending
from denominator.records.rows import AttemptRow, Failure
from denominator.records.words import FailureClass, Origin, Outcome, Phase, Reason, Writer
from denominator.testing.importer_bench import ImporterBench, example_run, said_of, terms_of

FIELDS = frozenset(one.name for one in fields(AttemptRow)) - {"key", "slice", "source", "numbered", "extra"}
CAUSES = frozenset(one.cause for one in DEFAULT_CAUSES)
TASK = "task"


def check_table(bench: ImporterBench) -> list[str]:
    """Words of the closed vocabularies, known causes, known fields, a sentence each, and no word twice."""
    table = bench.importer.endings
    found = [] if table or not any(one.rows for one in bench.examples) else ["the table of endings is empty"]
    found += [f"{word!r} stands on {n} lines" for word, n in Counter(one.word for one in table).items() if n > 1]
    return found + [f"{one.word!r}: {what}" for one in table for what in _wrong_words(one)]


def _wrong_words(one: Ending) -> Iterator[str]:
    for axis, value, words in (
        ("outcome", one.outcome, [*Outcome]),
        ("origin", one.origin, ["", *Origin]),
        ("reason", one.reason, ["", *Reason]),
        ("failure_class", one.failure_class, ["", *FailureClass]),
    ):
        if value not in words:
            yield f"{value!r} is no word of {axis}"
    if not one.word or len(one.why.split()) < 3:
        yield "it has no word, or no sentence that says why"
    if one.outcome in (Outcome.FAIL, Outcome.UNSCOREABLE) and not one.origin:
        yield "nothing says whose failure it is"
    if unknown := sorted(set(one.facts) - FIELDS):
        yield f"no fact of a row: {', '.join(unknown)}"
    cause = one.facts.get("first_unrecovered")
    if isinstance(cause, Failure) and (
        cause.cause not in CAUSES or cause.writer not in [*Writer] or cause.phase not in [*Phase]
    ):
        yield f"no known cause, writer and phase: {cause.cause}, {cause.writer}, {cause.phase}"


def check_endings(bench: ImporterBench) -> list[str]:
    """The rules come to outcome, origin and reason of every line: by its facts alone, or with what rows of an example add."""
    shown = _shown(bench)
    known = {one.word: one for one in bench.importer.endings}
    found = [f"an example ends in {word!r}, which no line names" for word in sorted(set(shown) - set(known))]
    for word, one in known.items():
        if set(one.facts) - FIELDS:
            continue
        seen = [*shown.get(word, ()), *_by_facts(bench, one)]
        if not any(_agrees(one, said) for said in seen):
            told = " or ".join(sorted({"/".join(said.values()) for said in seen}))
            found.append(f"{word!r} says {one.outcome}/{one.origin}/{one.reason}, and the rules say {told}")
    return found


def _by_facts(bench: ImporterBench, one: Ending) -> Iterator[dict[str, str]]:
    """Under each way in which a run may treat what was graded after a limit."""
    made = foreign_row("run", one, TASK, importer=bench.importer.name, source=at("rows", element={}))
    for policy in ("", "grade", "fail"):
        yield dict(said_of(made, replace(terms_of(bench.importer, None), on_timeout=policy)))


def _shown(bench: ImporterBench) -> dict[str, list[dict[str, str]]]:
    """What the rules say of the rows of examples, by the word of their ending."""
    found: dict[str, list[dict[str, str]]] = {}
    for example in bench.examples:
        run, rows = example_run(bench, example)
        terms = terms_of(bench.importer, run)
        for row in rows:
            found.setdefault(row.ending, []).append(dict(said_of(row, terms)))
    return found


def _agrees(one: Ending, said: dict[str, str]) -> bool:
    return (
        said["outcome"] == one.outcome
        and said["reason"] == one.reason
        and (not one.origin or said["origin"] == one.origin)
        and (not one.failure_class or said["failure_class"] == one.failure_class)
    )


def check_rows_end_as_the_table_says(bench: ImporterBench) -> list[str]:
    """No row of an example comes to another end than the line that it names."""
    known = {one.word: one for one in bench.importer.endings}
    return [
        f"a row that ends in {word!r} is {'/'.join(said.values())}, and the line says {known[word].outcome}/{known[word].origin}"
        for word, every in _shown(bench).items()
        for said in every
        if word in known and not _agrees(known[word], said)
    ]


ENDINGS = (check_table, check_endings, check_rows_end_as_the_table_says)
