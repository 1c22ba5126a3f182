"""How far people agree: from first blind labels alone, and no coefficient of few rows."""

from __future__ import annotations

from denominator.records.labels import Label
from denominator.records.values import NotMeasured
from denominator.review import agreement
from denominator.review.deciding import label_id
from judging_data import key


def by(name, task, value, **over):
    made = {"key": key(task), "axis": "mix", "value": value, "by": f"person:{name}", "sheet": "s" * 64, "blind": True}
    return Label(**(made | over))


def sheet(size, other=0):
    """Two labelers on `size` rows in two values; they differ on the first `other` rows."""
    tasks = [f"t{n:03}" for n in range(size)]
    ann = [by("ann", task, "TIMEOUT" if n % 2 else "TOOL_LOOP") for n, task in enumerate(tasks)]
    bob = [by("bob", task, "SCORER_RED" if n < other else ann[n].value) for n, task in enumerate(tasks)]
    return [*ann, *bob]


def test_under_fifty_rows_there_are_counts_only():
    (pair,) = agreement("mix", 8, sheet(49), {}).pairs
    assert (pair.items, pair.same, pair.figures, pair.enough, pair.reliable) == (49, 49, (), False, False)


def test_fifty_rows_give_every_coefficient_with_its_interval():
    (pair,) = agreement("mix", 8, sheet(50, 2), {}).pairs
    assert (pair.items, pair.same, pair.enough, pair.reliable) == (50, 48, True, True)
    named = {figure.name: figure for figure in pair.figures}
    assert list(named) == ["raw agreement", "Krippendorff's alpha", "Cohen's kappa", "Gwet's AC1"]
    assert named["raw agreement"].value == "0.960000"
    # Cohen by hand: expected 24 * 25 + 24 * 25 of 2500; (0.96 - 0.48) / 0.52.
    assert named["Cohen's kappa"].value == "0.923077"
    assert all(figure.lo < figure.value < figure.hi for figure in pair.figures)


def test_many_rows_on_which_people_differ_are_not_reliable():
    (pair,) = agreement("mix", 8, sheet(60, 25), {}).pairs
    assert (pair.enough, pair.reliable) == (True, False)
    apart = [cell for cell in pair.confusion if cell.first != cell.second]
    assert sum(cell.count for cell in apart) == 25
    assert sorted(row for cell in apart for row in cell.rows)[:2] == ["t000#1.1", "t001#1.1"]
    assert all(not cell.rows for cell in pair.confusion if cell.first == cell.second)


def test_one_value_alone_says_nothing_beyond_chance():
    labels = [by(name, f"t{n}", "TIMEOUT") for name in ("ann", "bob") for n in range(50)]
    (pair,) = agreement("mix", 8, labels, {}).pairs
    assert isinstance(pair.figures[1].value, NotMeasured) and not pair.reliable


def test_second_thoughts_picked_rows_and_adjudications_are_left_out():
    first = by("ann", "t1", "TIMEOUT")
    labels = [
        first,
        by("bob", "t1", "TOOL_LOOP"),
        by("ann", "t1", "TOOL_LOOP", supersedes=label_id(first)),
        by("ann", "t2", "TIMEOUT", blind=False),
        by("bob", "t2", "TIMEOUT", blind=False),
        by("cat", "t1", "TOOL_LOOP", sheet="adjudication"),
        by("ann", "t3", "MODEL", axis="origin"),
    ]
    (pair,) = agreement("mix", 8, labels, {}).pairs
    assert (pair.items, pair.same) == (1, 0)


def test_rules_are_held_against_rows_on_which_all_agree():
    labels = [by(name, task, "TIMEOUT") for name in ("ann", "bob") for task in ("t1", "t2", "t3")]
    labels.append(by("cat", "t3", "TOOL_LOOP"))
    found = agreement("mix", 8, labels, {key("t1"): "TIMEOUT"})
    assert [(pair.first, pair.second) for pair in found.pairs] == [("ann", "bob"), ("ann", "cat"), ("bob", "cat")]
    assert (found.rules.items, found.rules.same) == (2, 1)
    assert ("(none)", "TIMEOUT", ("t2#1.1",)) in [(c.first, c.second, c.rows) for c in found.rules.confusion]
