"""What an arm itself must be before it stands beside another: one arm and not several, whole, and with its own clock kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from denominator.compare.fields import our_name
from denominator.compare.observed import observed, served_models
from denominator.records.comparisons import Side
from denominator.records.judgements import NEVER_STARTED, JudgedDraw
from denominator.records.values import counted
from denominator.records.words import Severity

MOST = 20
NONE = '"none"'
INFRA = "infra-above-ceiling"
PLURAL = {
    "served_host": "hosts",
    "quantisation": "quantisations",
    "access_class": "access classes",
    "server_class": "server classes",
}


def listed(names: Iterable[str], most: int = MOST) -> str:
    """Names for a sentence: all of them up to a limit, then how many more."""
    found = sorted(set(names))
    rest = len(found) - most
    return ", ".join(found[:most]) + (f" and {rest} more" if rest > 0 else "")


def arm_reasons(side: Side) -> list[str]:
    """Why this arm may stand beside no other; empty where it may."""
    return [*_mixed(side), *_censored(side), *_infra(side)]


def _mixed(side: Side) -> Iterable[str]:
    """Several hosts, quantisations, classes or models behind one name are several arms in one column."""
    found = [(PLURAL[name], counts) for name, counts in observed(side).items() if len(counts) > 1]
    if found:
        heads = " / ".join(f"{len(counts)} {plural}" for plural, counts in found)
        shown = "; ".join(f"{plural} {_told(counts)}" for plural, counts in found)
        yield f"arm {side.name} mixes {heads} ({shown})"
    for asked, counts in sorted(served_models(side).items()):
        if len(counts) > 1:
            name = f" behind {asked}" if asked else ""
            yield f"arm {side.name} mixes {len(counts)} served models{name} (model_snapshot {_told(counts)})"


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))


def _censored(side: Side) -> Iterable[str]:
    """Draws that the run's own cap cut or kept from starting: they are no sample of the declared ones."""
    cut = [row.key.task_id for row in side.sheet.ledger.rows if row.run_cap_cut]
    never = [draw.draw.task_id for draw in side.sheet.draws if draw.exit == NEVER_STARTED]
    never = [task for task in never if task not in side.sheet.terms.never_started_allowed]
    waiting = len(never) + side.sheet.unnamed
    if not cut and not (waiting and _capped(side)):
        return
    parts = [f"{counted(len(cut), 'draw was', 'draws were')} cut by the run's cap ({listed(cut)})"] if cut else []
    parts += [f"{waiting} never started{f' ({listed(never)})' if never else ''}"] if waiting else []
    what = f"arm {side.name} is censored: {' and '.join(parts)}"
    yield f"{what}; it is not comparable with an uncensored arm, and with another censored one neither"


def _capped(side: Side) -> bool:
    """Is there a cap over the whole run, which may be why the rest never started?"""
    cap = next((one.value for one in side.sheet.terms.conditions if our_name(one.name) == "run_cap_tokens"), NONE)
    return isinstance(cap, str) and cap not in (NONE, "null")


def _infra(side: Side) -> Iterable[str]:
    """Above its ceiling a batch describes the host."""
    for finding in side.verdict.findings:
        if finding.allow_name == INFRA and finding.severity in (Severity.BLOCK, Severity.UNKNOWN):
            yield f"arm {side.name}: {finding.what}; such a batch describes its host"


@dataclass(frozen=True, slots=True)
class OutOfSpec:
    """Attempts whose agent went on after the budget that their row declares.

    `over` are all of them by task, `passes` those that passed, `in_spec` counts passes inside the budget, `n` draws.
    """

    over: tuple[str, ...]
    passes: tuple[str, ...]
    in_spec: int
    n: int


def out_of_spec(side: Side) -> OutOfSpec:
    """Which solvable draws were still being worked on after the declared budget, and what is left of the passes without."""
    over = side.sheet.where(_went_over)
    passes = [draw for draw in over if draw.exit == "pass"]
    n = side.sheet.solvable_n()
    passed = side.sheet.count(_passed)
    return OutOfSpec(
        over=tuple(sorted({draw.draw.task_id for draw in over})),
        passes=tuple(sorted({draw.draw.task_id for draw in passes})),
        in_spec=passed - len(passes),
        n=n if isinstance(n, int) else len(side.sheet.of_slice("solvable")),
    )


def _passed(draw: JudgedDraw) -> bool:
    return draw.exit == "pass"


def _went_over(draw: JudgedDraw) -> bool:
    """Did the agent's own time pass the limit that the row states? Working time, else agent time, else wall time."""
    row = draw.row
    if row is None:
        return False
    spent = next((ms for ms in (row.working_ms, row.agent_ms, row.wall_ms) if isinstance(ms, int)), None)
    limit = _seconds(row.limits_enforced.get("wall_s", ""))
    return spent is not None and limit is not None and spent > limit


def _seconds(text: str) -> int | None:
    """A limit in seconds as whole milliseconds; None where it is no plain number."""
    whole, _, part = text.partition(".")
    if not whole.isdecimal() or (part and not part.isdecimal()):
        return None
    return int(whole) * 1000 + int(f"{part}000"[:3])


def spec_notes(side: Side) -> Iterable[str]:
    """After-the-budget passes in words; of an arm whose number is withheld only which tasks went on."""
    found = out_of_spec(side)
    if not found.over:
        return
    if side.verdict.status == "blocked" or side.verdict.withheld:
        yield f"arm {side.name}: the agent went on after its declared budget in {listed(found.over)}"
        return
    names = f" (out of spec: {listed(found.passes)})" if found.passes else ""
    went = (
        f"{counted(len(found.over), 'task')} went on after {'its' if len(found.over) == 1 else 'their'} declared budget"
    )
    late = f"{went}, {len(found.passes)} of them passes{names}"
    yield f"arm {side.name}: {late}; in spec {found.in_spec}/{found.n}"
