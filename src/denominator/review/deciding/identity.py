"""Who said what, and what a later label of the same person replaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import normalize

from denominator.records.labels import Label
from denominator.review.words import ADJUDICATION, PERSON
from denominator.wire.canonical import digest


def by_person(label: Label) -> bool:
    """Was it appended by a person?"""
    return label.by.startswith(PERSON)


def person_of(label: Label) -> str:
    """Whose label it is; one name in two spellings is one person."""
    return one_name(label.by.removeprefix(PERSON))


def one_name(name: str) -> str:
    """A name as it is compared: without case, spaces around or doubled, or another encoding of the same letters."""
    plain = " ".join(normalize("NFKC", name).split()).casefold()
    return normalize("NFKC", plain)


def is_adjudication(label: Label) -> bool:
    """Does it settle what labelers said, instead of being one of them?"""
    return label.sheet == ADJUDICATION


def label_id(label: Label) -> str:
    """The digest that names a label of a person. It covers what was said, not the record's form, which may grow."""
    key = label.key
    where = [key.run_id, key.task_id, key.repeat, key.attempt, label.axis]
    quoted = [[one.kind, one.ref, one.stream, one.offset, one.length, one.quote] for one in label.evidence]
    said = [label.value, label.by, label.why, label.confidence, label.blind, quoted]
    return digest([*where, *said, label.sheet, label.supersedes, label.at])


def heads(labels: Iterable[Label]) -> Sequence[Label]:
    """The labels that none of the others replaces, each once, in an order of their own."""
    found = {label_id(label): label for label in labels}
    gone = {label.supersedes for label in found.values()}
    return [found[name] for name in sorted(found) if name not in gone]
