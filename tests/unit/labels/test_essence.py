"""Rules see the essence of a row and nothing else: what is not in a signature can move no label."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from denominator.labels import FAMILIES, asked_of, explain_row, label_row, labels_of, signature, signature_fields
from denominator.labels.asking import ask
from denominator.labels.essence import essence
from denominator.labels.shape import View
from denominator.records.facts import Hint
from denominator.records.rows import AttemptRow, Failure, Source
from denominator.records.rows import TestIds as Ids
from denominator.records.values import NotMeasured
from judging_data import PATCH, foreign, key, own, row_of, said, terms
from unit.labels.test_rule_cases import CASES

ROWS = [(row_of(case["row"]), terms(**({"origin": "seal"} | case.get("terms", {}))), case) for _, case in CASES]
SEALED = terms(origin="seal")


class Recording:
    """A row that notes which of its fields were read."""

    def __init__(self, row: AttemptRow, read: set[str]) -> None:
        self._row, self._read = row, read

    def __getattr__(self, name: str) -> object:
        self._read.add(name)
        return getattr(self._row, name)


def imported_by(case):
    return {axis: said("t", axis, value) for axis, value in case.get("source_says", {}).items()}


def core(labels):
    return [(one.axis, one.value, one.by, one.confidence, one.why, one.would_change) for one in labels]


def answers(asked):
    return [(one.rule.by, one.said, one.no) for one in asked]


def test_the_rules_read_exactly_the_declared_fields():
    read: set[str] = set()
    for row, given, case in ROWS:
        ask(View(Recording(essence(row, given), read), given, imported_by(case)), FAMILIES)
    assert read == signature_fields


def test_the_essence_is_made_from_the_declared_fields_alone():
    read: set[str] = set()
    for row, given, _ in ROWS:
        essence(Recording(row, read), given)
        signature(Recording(row, read), given)
    assert read == signature_fields


def test_the_essence_of_a_row_is_judged_as_the_row_itself():
    for row, given, case in ROWS:
        whole = ask(View(row, given, imported_by(case)), FAMILIES)
        bare = ask(View(essence(row, given), given, imported_by(case)), FAMILIES)
        assert answers(whole) == answers(bare), case["name"]


def test_an_essence_is_its_own_essence():
    for row, given, case in ROWS:
        bare = essence(row, given)
        assert signature(bare, given) == signature(row, given), case["name"]


def test_a_field_outside_the_signature_moves_nothing():
    names = {field.name for field in fields(AttemptRow)} - signature_fields
    assert {"wall_ms", "usage", "extra", "notes", "served_models", "limits_enforced"} <= names
    row = own("t", "red")
    other = replace(
        row, wall_ms=77, extra={"x": "y"}, notes=("n",), queue_wait_ms=4, served_models=("m",), stratum="s", seed=9
    )
    assert core(label_row(row, SEALED)) == core(label_row(other, SEALED))


@pytest.mark.parametrize(
    ("row", "twin"),
    [
        (own("a", "red"), own("b", "red", key=key("b", 3, 2, "other"))),
        (own("t", patch=PATCH), own("t", patch=replace(PATCH, sha256="q", bytes=99, touched=("x", "y")))),
        (own("t", "red", tests=Ids(expected=("a",), failed=("a",))), own("t", "red", tests=Ids(expected=("b", "c"), failed=("c",)))),
        (foreign("t"), foreign("t", source=Source(kind="import", file="other", line=9, sha256="z"))),
        (
            own("t", "none", first_unrecovered=Failure(seq=4, cause="evicted", writer="sandbox", phase="agent")),
            own("t", "none", first_unrecovered=Failure(seq=400, cause="evicted", writer="sandbox", phase="agent")),
        ),
        (own("t", "red", oom=NotMeasured("no kernel")), own("t", "red", oom=NotMeasured("no cgroup"))),
        (own("t", "red", paused_ms=1, working_ms=5), own("t", "red", paused_ms=1000, working_ms=5000)),
    ],
)  # fmt: skip
def test_rows_that_differ_in_names_digests_and_places_have_one_signature(row, twin):
    assert signature(row, SEALED) == signature(twin, SEALED)
    assert core(label_row(row, SEALED)) == core(label_row(twin, SEALED))


def test_a_task_that_the_terms_name_has_a_signature_of_its_own():
    flaky = terms(origin="seal", flaky_tasks=("a",))
    assert signature(own("a", "red"), flaky) != signature(own("b", "red"), flaky)


def test_a_stream_gives_the_same_labels_as_each_row_alone():
    pairs = [(replace(row, key=key(f"t{n}")), imported_by(case)) for n, (row, _, case) in enumerate(ROWS)]
    pairs = [*pairs, *reversed(pairs)]
    assert list(labels_of(pairs, SEALED)) == [label_row(row, SEALED, imported) for row, imported in pairs]


def test_rows_of_one_signature_are_judged_once():
    rows = [(own(f"t{n}", "red", wall_ms=n), {}) for n in range(50)]
    found = {id(asked) for _, _, asked in asked_of(rows, SEALED)}
    assert len(found) == 1


def hint(offset, ref="b" * 64):
    return Hint(
        cause="disk_full", family="disk", writer="verifier", stream="verify/err", offset=offset, length=9, ref=ref,
        quote="No space left on device",
    )  # fmt: skip


def test_evidence_quotes_the_row_and_not_its_essence():
    row = own("t", patch=replace(PATCH, outside=("ci/run.sh", "setup.cfg")))
    quotes = {one.ref: one.quote for one in label_row(row, SEALED)[0].evidence}
    assert quotes["patch.outside"] == "ci/run.sh, setup.cfg"
    failed = own("t", "none", first_unrecovered=Failure(seq=41, cause="evicted", writer="sandbox", phase="agent"))
    (event,) = label_row(failed, SEALED)[0].evidence
    assert (event.kind, event.ref, event.quote) == ("event", "41", "evicted by sandbox in phase agent")
    (blob,) = label_row(foreign("t", hints=(hint(7),)), terms())[0].evidence
    assert (blob.kind, blob.ref, blob.stream, blob.offset, blob.length) == ("blob", "b" * 64, "verify/err", 7, 9)
    assert blob.quote == "No space left on device"


def test_what_the_source_quoted_is_quoted_again():
    from denominator.records.labels import Evidence

    quoted = Evidence(kind="import", ref="rows.jsonl:3", quote='outcome="pass"')
    labels = label_row(foreign("t"), terms(), {"outcome": said("t", "outcome", "pass", evidence=(quoted,))})
    assert quoted in labels[0].evidence


def test_a_rule_that_does_not_hold_says_why_with_the_facts_it_looked_at():
    tried = {one.rule.entry.name: one for one in explain_row(own("t", "red", killed_by="nobody"), SEALED)}
    flaky = tried["flaky-baseline"]
    assert not flaky.said
    assert flaky.why_not == "the baseline shows one result for this task"
    silent = tried["silent"]
    assert "patch: 10 bytes" in silent.why_not
    assert [one.ref for one in silent.evidence] == ["patch"]
    won = tried["red"]
    assert (won.said[0].value, won.why_not) == ("fail", "")
    assert won.said[0].would_change


def test_a_word_of_a_source_is_never_the_unknown_itself():
    row = own("t")
    assert signature(replace(row, killed_by="?"), SEALED) != signature(replace(row, killed_by=NotMeasured("x")), SEALED)
