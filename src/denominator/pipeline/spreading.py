"""`spread`: how much one arm moves when it is run again, and whether two arms differ by more than that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from denominator.compare.comparable import COMPARABLE, comparable
from denominator.compare.spread_report import spread_one, spread_two
from denominator.errors import Exit, InputError
from denominator.pipeline.asking import refuse_twice, refuse_unknown_fields
from denominator.pipeline.results import Result, unfinished
from denominator.pipeline.sides import side_names, side_of
from denominator.publish.drawings import forest_svg, heat_map_svg, slope_svg
from denominator.publish.terminal.spread import heat_rows, slopes, task_intervals
from denominator.records.comparisons import Comparability
from denominator.records.estimates import Estimate
from denominator.records.spreads import ArmSpread, PairSpread, Spread
from denominator.records.values import NotMeasured
from denominator.wire.durable import write_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreading:
    """What `spread` found. `spread` is unknown where two arms may not be set side by side: then no number is in here."""

    spread: Spread | NotMeasured
    comparability: Comparability | NotMeasured
    names: tuple[str, ...]
    exit: Exit


def spread_of(
    named: Sequence[tuple[str, Result]], treatment: Sequence[str] | None = None, equal_because: str = ""
) -> Spreading:
    """One or two judged results, each with the name that was typed; comparability goes before any number of two."""
    if len(named) == 1:
        name, result = named[0]
        called = result.terms.arm or result.ledger.run_id or name or "this run"
        found = spread_one(side_of(called, result), shown_headline(result))
        missing = NotMeasured("one arm has nothing to be compared with")
        return Spreading(spread=found, comparability=missing, names=(called,), exit=_exit(found, result))
    refuse_twice(named, "spread")
    refuse_unknown_fields(named, treatment)
    (typed_a, a), (typed_b, b) = named
    names = side_names(a, b, (typed_a, typed_b))
    left, right = side_of(names[0], a), side_of(names[1], b)
    verdict = comparable(left, right, treatment, equal_because)
    if verdict.status != COMPARABLE:
        worst = Exit.worst([int(Exit.NOT_COMPARABLE), *unfinished(a, b)])
        return Spreading(spread=NotMeasured("not comparable"), comparability=verdict, names=names, exit=worst)
    both = spread_two((left, shown_headline(a)), (right, shown_headline(b)), verdict)
    return Spreading(spread=both, comparability=verdict, names=names, exit=_exit(both, a, b))


def shown_headline(result: Result) -> Estimate:
    """The headline as it may be printed: what is withheld is not in it."""
    return next(one for one in result.judged.estimates if one.metric == "headline")


def _exit(found: Spread, *results: Result) -> Exit:
    """1 where nothing is screened; a run of ours that is not done, or in an unknown state, keeps its own code."""
    codes = [int(Exit.BLOCKED)] if found.refusals else []
    return Exit.worst([*codes, *unfinished(*results)])


def drawing_of(found: Spreading, kind: str, path: Path) -> bool:
    """Write one drawing: heat-map, forest (one arm) or slope (two). False: what was found may not be drawn."""
    if path.exists():
        raise InputError("the file is there already", where=str(path), fix="name a new one; nothing was written")
    arms = found.spread.arms if isinstance(found.spread, Spread) else ()
    if not any(arm.per_task for arm in arms):
        return False
    write_file(path, _drawn(found, kind, arms).encode())
    return True


def _drawn(found: Spreading, kind: str, arms: tuple[ArmSpread, ...]) -> str:
    title = f"Spread of {' and '.join(found.names)}"
    if kind == "heat-map":
        shown = tuple(arm for arm in arms if arm.per_task)
        return heat_map_svg(heat_rows(shown), [arm.name for arm in shown], title)
    if kind == "forest" and len(arms) == 1:
        return forest_svg(task_intervals(arms[0]), f"{title}: pass rate of each task, 95 %")
    if kind == "slope" and isinstance(found.spread, Spread) and isinstance(found.spread.pair, PairSpread):
        names = (arms[0].name, arms[1].name)
        return slope_svg(slopes(*arms), found.spread.pair.repeats, names, f"{title}: passes task by task")
    raise InputError(
        f"a {kind} is not of {len(arms)} arm(s)", where="--drawing", fix="forest: one arm; slope: two arms"
    )
