"""What of a record's value can move a label: a small key, and the record that rules see, made from the key alone."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.labels.hints import phase_of
from denominator.records.facts import Hint, SurfaceFacts
from denominator.records.rows import Failure, PatchFacts, Source, Tally, TestIds
from denominator.records.values import NotMeasured

SOME = ("some",)
OTHERS = ("others",)


@dataclass(frozen=True, slots=True)
class Part:
    """`key` keeps what matters of a value, `build` makes the value that rules see; build(key(x)) is all they know of x."""

    key: Callable[[Any], Hashable]
    build: Callable[[Any], Any]


def _some(there: bool) -> tuple[str, ...]:
    return SOME if there else ()


def _failure_key(value: Failure | None) -> tuple[str, str, str] | None:
    return None if value is None else (value.cause, value.writer, value.phase)


def _failure(key: tuple[str, str, str] | None) -> Failure | None:
    return None if key is None else Failure(seq=0, cause=key[0], writer=key[1], phase=key[2])


def _tests_key(value: TestIds) -> tuple[bool, ...]:
    """Whether the ids agree and which kinds there are; not which ids."""
    expected, passed = value.expected, value.passed
    agree = expected == passed or set(expected) == set(passed)
    kinds = (expected, passed, value.failed, value.skipped, value.missing, value.other)
    return (agree, *map(bool, kinds))


def _tests(key: tuple[bool, ...]) -> TestIds:
    agree, expected, passed, failed, skipped, missing, other = key
    return TestIds(
        expected=_some(expected),
        passed=_some(expected) if agree else OTHERS * passed,
        failed=_some(failed),
        skipped=_some(skipped),
        missing=_some(missing),
        other=_some(other),
    )


def _patch_key(value: PatchFacts) -> tuple[object, ...]:
    """Whether it is empty, and which kinds of paths it touches; not which paths."""
    size = "?" if isinstance(value.bytes, NotMeasured) else value.bytes > 0
    same = bool(value.base_tree) and value.base_tree == value.final_tree
    return (size, same, bool(value.touched), bool(value.outside), bool(value.forbidden), bool(value.refused))


def _patch(key: tuple[Any, ...]) -> PatchFacts:
    size, same, touched, outside, forbidden, refused = key
    tree = "same" if same else ""
    return PatchFacts(
        sha256="",
        bytes=NotMeasured("not known") if size == "?" else int(size),
        touched=_some(touched),
        outside=_some(outside),
        forbidden=_some(forbidden),
        refused=_some(refused),
        base_tree=tree,
        final_tree=tree,
    )


def _hints_key(value: tuple[Hint, ...]) -> tuple[tuple[str, ...], ...]:
    """The first hint of each cause, family, writer and phase, in order."""
    return tuple(dict.fromkeys((one.cause, one.family, one.writer, phase_of(one)) for one in value))


def _hints(key: tuple[tuple[str, str, str, str], ...]) -> tuple[Hint, ...]:
    return tuple(Hint(cause=c, family=f, writer=w, stream=s, offset=0, length=0) for c, f, w, s in key)


_ANY = Part(bool, _some)
_TALLY = Part(lambda value: value.failed < value.expected, lambda short: Tally(expected=int(short), failed=0))
PARTS: Mapping[str, Part] = {
    "source": Part(lambda value: value.kind, lambda key: Source(kind=key)),
    "incarnations": Part(lambda value: value > 1, lambda again: 1 + again),
    "first_unrecovered": Part(_failure_key, _failure),
    "tests": Part(_tests_key, _tests),
    "sentinels": _TALLY,
    "counter_tests": _TALLY,
    "patch": Part(_patch_key, _patch),
    "provider_retries": Part(lambda value: value > 0, int),
    "required_missing": _ANY,
    "canary_hits": _ANY,
    "leaks_read": _ANY,
    "looked_beyond": _ANY,
    "surfaces": Part(
        lambda value: (bool(value.invented), bool(value.unchecked)),
        lambda key: SurfaceFacts(source="", used=0, invented=_some(key[0]), unchecked=_some(key[1])),
    ),
    "hints": Part(_hints_key, _hints),
}
"""Field of a row -> what of its value can move a label."""
