"""The list of failpoints and the source agree: every hit is listed, every listed point is hit, where the list says."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import denominator
from denominator.catalog.failpoints import AFTER_COMMIT, BEFORE_COMMIT, FAILPOINTS, Failpoint, by_name, inside

SOURCE = Path(denominator.__file__).parent
# The points that every durable runner needs; either side of each effect.
ASKED = (
    "run.start.before", "run.start.written", "run.start.synced", "lease.acquired", "env.frozen",
    "task.scheduled.before", "task.scheduled.written", "task.scheduled.synced",
    "call.intent.before", "call.intent.written", "call.intent.synced", "call.sent", "call.first_byte", "call.received",
    "call.done.before", "call.done.written", "call.done.synced", "blob.written", "blob.synced", "blob.renamed",
    "patch.intent.before", "patch.intent.written", "patch.intent.synced", "stage.written", "stage.synced",
    "apply.before_rename", "apply.renamed", "apply.dir_synced",
    "patch.done.before", "patch.done.written", "patch.done.synced",
    "verify.intent.before", "verify.intent.written", "verify.intent.synced",
    "verify.before", "verify.spawned", "verify.done", "verdict.before", "verdict.written", "verdict.synced",
    "report.before_rename", "report.renamed",
)  # fmt: skip


def hits() -> Iterator[tuple[str, str]]:
    """Every call of a method `hit` in the package: the literal name that it is given and its module."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "hit":
                assert len(node.args) == 1 and not node.keywords, path
                (name,) = node.args
                assert isinstance(name, ast.Constant) and isinstance(name.value, str), (
                    f"{path}:{node.lineno}: nobody finds a name that is computed, and computing it costs when all is off"
                )
                yield name.value, path.relative_to(SOURCE).as_posix()


def test_every_hit_is_listed_and_every_listed_point_is_hit_where_the_list_says() -> None:
    assert Counter(hits()) == Counter((point.name, where) for point in FAILPOINTS for where in point.where)


def test_a_point_inside_a_commit_has_an_opener_that_is_hit_and_its_place_in_the_journal() -> None:
    listed = {point.name: point for point in FAILPOINTS}
    for point in FAILPOINTS:
        if point.opener:
            assert not point.where and listed[point.opener].where and not listed[point.opener].opener
            assert point.at == {"written": BEFORE_COMMIT, "synced": AFTER_COMMIT}[point.name.rpartition(".")[2]]
            assert point.name in inside(point.opener, point.at)
        else:
            assert point.where and not point.at


def test_both_sides_of_every_effect_have_a_name() -> None:
    assert set(ASKED) <= by_name().keys()


def test_no_name_means_two_points_and_each_says_what_a_death_leaves_and_what_catches_it() -> None:
    names = [name for point in FAILPOINTS for name in (point.name, *point.also)]
    assert len(names) == len(set(names))
    for point in FAILPOINTS:
        assert point.leaves and point.caught and point.needs in ("", "model", "retry"), point.name


def line_of(point: Failpoint) -> str:
    """The point as docs/failpoints.md tells it."""
    name = " = ".join(f"`{one}`" for one in (point.name, *point.also))
    where = ", ".join(f"`{one}`" for one in dict.fromkeys(point.where)) or f"in the commit after `{point.opener}`"
    return f"| {name} | {where} | {point.leaves} | {point.caught} |"


def test_the_page_tells_them_in_order_and_no_others() -> None:
    page = (Path(__file__).parents[3] / "docs" / "failpoints.md").read_text(encoding="utf-8")
    told = page.partition("|---|---|---|---|\n")[2].splitlines()
    assert told == [line_of(point) for point in FAILPOINTS]
