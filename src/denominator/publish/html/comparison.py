"""The page of a comparison: the sentence first, what was equal and what was not, then tasks and draws beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.drawings import forest_svg, heat_map_svg, slope_svg
from denominator.publish.html.card.findings import group
from denominator.publish.html.card.numbers import HEADS, line, ranged
from denominator.publish.html.frame import document
from denominator.publish.html.parts import Cell, bullets, contents, drawing, folded, heading, paragraph, said, table
from denominator.publish.limits import limit_lines
from denominator.publish.terminal.comparison import equation, listed
from denominator.publish.terminal.plots import Sloped
from denominator.records.comparisons import ArmLine, Comparison, FieldVerdict, PairTest
from denominator.records.estimates import Estimate
from denominator.records.reports import PairMarks
from denominator.records.values import NotMeasured, counted, told_p

MOST_CELLS = 2_000
MOST_ROWS = 500
MOST_NAMES = 30
MOST_REPEATS = 30
NO_MARKS = PairMarks()


def comparison_html(found: Comparison, marks: PairMarks = NO_MARKS) -> str:
    """The whole page. Not comparable: no number of one arm stands beside the other on it."""
    return document(_title(found), _body(found, marks))


def _title(found: Comparison) -> str:
    return f"{found.a.name} and {found.b.name}"


def _body(found: Comparison, marks: PairMarks) -> Iterable[str]:
    verdict = found.verdict
    status = found.comparability.status.replace("_", " ").upper()
    word = "BLOCKED" if verdict.rung == "refused" and verdict.exit == 1 else status
    yield heading(1, _title(found))
    yield paragraph(f"A is {found.a.name}, B is {found.b.name}; every difference is A - B", "soft")
    told = f"{word} ({verdict.rung.replace('_', ' ')})"
    yield said((verdict.sentence,), told, "stopped" if verdict.exit else "clear")
    parts: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("arms", "Arms, each over its own declared draws", _arms(found)),
        ("why-not", "Why they are not comparable", _bullets(found.comparability.reasons)),
        ("findings", "What blocks", group(verdict.findings, {})),
        ("fields", "Conditions", _fields(found.comparability.fields)),
        ("numbers", "Numbers", _numbers(found)),
        ("tasks", "Tasks that differ", _tasks(found)),
        ("map", "Tasks and repeats", _map(found, marks)),
        ("transitions", "Transitions", _transitions(found)),
        ("notes", "Notes", _bullets((*found.comparability.notes, *found.notes))),
        ("may-not", "You may not", _bullets(verdict.may_not)),
        ("lifts", "What would lift it", _bullets(verdict.lifts)),
        ("limits", "Limits", _bullets(limit_lines("M8"))),
    )
    made = [(anchor, title, list(part)) for anchor, title, part in parts]
    yield contents((anchor, title) for anchor, title, some in made if some)
    for anchor, title, some in made:
        if some:
            yield heading(2, title, anchor)
            yield from some


def _bullets(lines: Iterable[str]) -> Iterable[str]:
    if found := tuple(dict.fromkeys(lines)):
        yield bullets(found)


def _arms(found: Comparison) -> Iterable[str]:
    for letter, arm in (("A", found.a), ("B", found.b)):
        yield heading(3, f"{letter}: {arm.name}")
        yield bullets(_arm(arm))
    if isinstance(found.a.shared, NotMeasured) or isinstance(found.b.shared, NotMeasured):
        return
    yield heading(3, "The task sets differ")
    only = ((found.a, found.comparability.only_a), (found.b, found.comparability.only_b))
    yield bullets(f"only in {arm.name}: {listed(names)}" for arm, names in only if names)
    yield paragraph("On the tasks that both know (context for the counts, never a comparison):")
    yield bullets((f"{found.a.name}: {equation(found.a.shared)}", f"{found.b.name}: {equation(found.b.shared)}"))


def _arm(arm: ArmLine) -> Iterable[str]:
    if not arm.rows:
        yield "a manifest without rows"
        return
    of = "seen; how many were declared is not known" if isinstance(arm.declared, NotMeasured) else "declared"
    yield f"{equation(arm.exits)} {of}"
    yield f"{arm.status}, {arm.rung.replace('_', ' ')}; {arm.origin} {arm.digest[:12] or 'without digest'}"
    yield f"controls: {arm.controls_held} of {arm.controls} held"
    more = (
        ("blocked by", arm.blocked_by),
        ("lowered by", arm.capped_by),
        ("never started", arm.never_started),
        ("ended after their own budget", arm.after_cap),
    )
    for words, names in more:
        if names:
            yield f"{words}: {listed(names)}"


def _fields(fields: Sequence[FieldVerdict]) -> Iterable[str]:
    """What moved or blocks is in sight; what is the same is folded."""
    seen = [one for one in fields if one.blocks or one.verdict not in ("same", "unknown")]
    rest = [one for one in fields if one not in seen]
    heads = ("field", "verdict", "A", "B")
    if seen:
        yield table("Fields that differ or stand in the way", heads, map(_field, seen))
    if rest:
        yield folded(f"{counted(len(rest), 'other field')}", [table("The other fields", heads, map(_field, rest))])


def _field(one: FieldVerdict) -> Sequence[Cell]:
    return one.name, f"{one.verdict}, blocks" if one.blocks else one.verdict, _known(one.a), _known(one.b)


def _known(value: str | NotMeasured) -> Cell:
    return f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else value


def _numbers(found: Comparison) -> Iterable[str]:
    if not found.estimates:
        return
    drawn = [row for row in (ranged(one, -1) for one in found.estimates if _is_difference(one)) if row is not None]
    if drawn:
        title = "A - B with its intervals"
        yield drawing(forest_svg(drawn, title, least=-1), f"{title}; right of 0 A passes more often")
    measured = [one for one in found.estimates if not isinstance(one.value, NotMeasured)]
    if measured:
        yield table("Estimates", HEADS, map(line, measured), (1, 2, 3))
    absent = [(one.metric, one.value.not_measured) for one in found.estimates if isinstance(one.value, NotMeasured)]
    if absent:
        yield table("Without a number", ("number", "why"), absent)
    yield from _test(found.test)
    yield from _bullets(_spread(found))


def _is_difference(one: Estimate) -> bool:
    return one.metric.startswith("difference")


def _test(test: PairTest | NotMeasured) -> Iterable[str]:
    if isinstance(test, NotMeasured):
        return
    if isinstance(test.p, NotMeasured):
        yield paragraph(f"No p value: {test.p.not_measured}.")
        if not isinstance(test.e_value, NotMeasured):
            yield paragraph(f"e-value {test.e_value}.")
        return
    rows = [(test.name, test.p), ("exact", test.p_exact), ("mid-p", test.p_mid), ("sign test", test.sign_p)]
    rows += [("these tasks, stratified", test.stratified_p)]
    rows += [(f"for {test.family} declared pairs", test.adjusted)] if test.adjusted != test.p else []
    known = ((name, f"p {told_p(value)}") for name, value in rows if not isinstance(value, NotMeasured))
    yield table(f"Tests at alpha {test.alpha}", ("test", "p value"), known)


def _spread(found: Comparison) -> Iterable[str]:
    worst, one = found.worst, found.spread
    if not isinstance(worst, NotMeasured) and (worst.unseen_a or worst.unseen_b):
        ends = f"{worst.difference_lo} to {worst.difference_hi}, interval {worst.lo} to {worst.hi}"
        yield f"whatever the draws without a verdict were: A - B {ends}"
    if isinstance(one, NotMeasured):
        return
    if not isinstance(one.leave_one_out, NotMeasured):
        yield f"leaving one task out: A - B {one.leave_one_out[0]} to {one.leave_one_out[1]}"
    if not isinstance(one.top3_share, NotMeasured):
        yield f"share of the three largest: {one.top3_share} of all differences"
    yield f"at the same end in both arms: {one.pinned} of {found.tasks} tasks ({one.pinned_share})"


def _tasks(found: Comparison) -> Iterable[str]:
    """The discordant tasks by name, and how tasks move from one arm to the other."""
    if not found.table or isinstance(found.repeats, NotMeasured):
        return
    for arm, names in ((found.a, found.more_a), (found.b, found.more_b)):
        yield paragraph(f"More passes in {arm.name} ({len(names)}): {listed(names, MOST_NAMES) or 'none'}.")
    apart = [one for one in found.table if one.passes_a != one.passes_b]
    if found.repeats <= MOST_REPEATS:
        moves = [Sloped(one.task_id, one.passes_a, one.passes_b) for one in found.table]
        title = "Passes task by task"
        names = (found.a.name, found.b.name)
        yield drawing(slope_svg(moves, found.repeats, names, title), f"{title}, from A to B; the number is of tasks")
    if apart:
        heads = ("task", "passes in A", "passes in B", "without a verdict (A, B)")
        rows = (
            (one.task_id, str(one.passes_a), str(one.passes_b), f"{one.unseen_a}, {one.unseen_b}")
            for one in apart[:MOST_ROWS]
        )
        made = table(f"Discordant tasks, out of {counted(found.repeats, 'repeat')}", heads, rows, (1, 2, 3))
        rest = len(apart) - MOST_ROWS
        more = [paragraph(f"{counted(rest, 'more task')}: denominator compare with --json has all.", "soft")] * (
            rest > 0
        )
        yield folded(f"The {counted(len(apart), 'task')} that differ", [made, *more])


def _map(found: Comparison, marks: PairMarks) -> Iterable[str]:
    rows = [(task, (a, b)) for task, a, b in marks.rows]
    if not rows:
        return
    if sum(len(a) + len(b) for _, (a, b) in rows) > MOST_CELLS:
        rows = [row for row in rows if row[1][0] != row[1][1]][: MOST_CELLS // max(1, len("".join(rows[0][1])))]
        yield paragraph(
            f"{counted(len(marks.rows), 'task')}: only {counted(len(rows), 'task')} with unlike marks drawn."
        )
    if rows:
        title = "Tasks down, repeats across, an arm a block"
        yield drawing(
            heat_map_svg(rows, (found.a.name, found.b.name), title), "How each declared draw ended in both arms"
        )


def _transitions(found: Comparison) -> Iterable[str]:
    if found.transitions:
        rows: Iterable[Sequence[Cell]] = (
            (one.a, one.b, str(one.count), "" if _alike(one.a, one.b) else listed(one.draws, MOST_NAMES))
            for one in found.transitions
        )
        yield table("Draws by how they ended in A and in B", ("in A", "in B", "draws", "which"), rows, (2,))
    if found.strata:
        yield table(
            "Strata, counts only",
            ("stratum", "tasks", "draws", "passes in A", "passes in B", "more in A", "more in B"),
            (
                (s.name, *map(str, (s.tasks, s.draws, s.passes_a, s.passes_b, s.more_a, s.more_b)))
                for s in found.strata[:MOST_ROWS]
            ),
            range(1, 7),
        )
    if found.origins:
        rows = ((one.origin, str(one.a), str(one.b)) for one in found.origins)
        yield table("Whose the endings were", ("whose", "A", "B"), rows, (1, 2))


def _alike(a: str, b: str) -> bool:
    return a == b and a in ("pass", "fail")
