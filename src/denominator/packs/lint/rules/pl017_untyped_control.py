"""A control does not say what it promises, or its slice, control and expectation contradict each other.

Why: a control is judged against what it stated beforehand; an untyped one can be read either way afterwards.
Bad: `slice = "negative"` without `control`; `control = "must_ask"` with `expected = "pass"`; a control in the
solvable slice.
Good: `slice = "negative"`, `control = "must_ask"`, `expected = "abstain"`.
Fix: state both. Expected: must_fail fail, abstain or fail_or_abstain; must_ask abstain or fail_or_abstain;
noop_must_stay_green stay_green; solvable, canary and floor tasks pass.
"""

from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

_EXPECTED = {
    "must_fail": ("fail", "abstain", "fail_or_abstain"),
    "known_bad_must_fail": ("fail", "fail_or_abstain"),
    "must_ask": ("abstain", "fail_or_abstain"),
    "noop_must_stay_green": ("stay_green",),
    "must_stay_red": ("fail", "fail_or_abstain"),
    "read_only_sentinel": ("pass", "stay_green", "fail", "fail_or_abstain"),
    "": ("pass",),
    "canary": ("pass",),
    "floor": ("pass",),
}


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Slice and control, then control and expectation."""
    for item in pack.tasks:
        task = item.task
        allowed = (task.slice,) if task.slice in ("canary", "floor") else ()
        if task.slice == "negative" and not task.control:
            yield rule.finding(
                task.id,
                "a negative task without a control type",
                where=item.line_of("slice"),
                fix='control = "must_fail"',
            )
        elif task.slice != "negative" and task.control and task.control not in allowed:
            what = f"a {task.slice} task with control {task.control}"
            yield rule.finding(task.id, what, where=item.line_of("control"), fix='slice = "negative", or no control')
        elif task.slice == "negative" and task.control in ("canary", "floor"):
            fix = f'slice = "{task.control}"'
            yield rule.finding(task.id, f"{task.control} is a slice of its own", where=item.line_of("slice"), fix=fix)
        elif task.expected not in _EXPECTED.get(task.control, ()):
            words = " or ".join(_EXPECTED.get(task.control, ()))
            what = f'expected = "{task.expected}" does not go with {task.control or task.slice}'
            yield rule.finding(task.id, what, where=item.line_of("expected"), fix=f"expected: {words}")


RULE = Rule("PL017", "untyped-control", __doc__, check)
