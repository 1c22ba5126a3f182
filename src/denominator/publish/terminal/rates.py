"""The numbers of a card: the headline's block first, then bounds, repeats, spend, speed and slices where there are any.

What is withheld or unknown is said once for all it holds for; of a group that nothing is known of, one line says why.
With `full` every metric stands there by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from denominator.publish.terminal.page import Page
from denominator.records.cards import Card
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured

WIDE = 25
NO_RATE = "-"
GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("rates", (
        "headline", "suite_mean", "scoreable_rate", "resolved_rate", "unscoreable_rate", "infra_censor_rate",
        "harness_error_rate", "flaky_rate", "abstain_rate", "contract_pass_rate", "assumption_share", "loop_share",
        "invalid_call_rate", "retry_rate", "truncation_rate", "first_complete_pass_rate", "patch_apply_fail_rate",
        "false_pass_rate",
    )),
    ("bounds", ("headline_bounds", "headline_outer", "tipping_count", "headline_by_cluster")),
    ("repeats", ("headline_these_tasks", "flip_rate", "rerun_noise", "pass_at_k", "pass_hat_k")),
    ("spend", (
        "total_tokens", "acceptance", "accepted_within_k", "first_try_share", "tokens_per_accepted", "retry_tax",
        "retry_overhead", "dead_spend", "tokens_per_solved_median", "tokens_per_solved_all", "bytes_changed",
    )),
    ("speed", (
        "latency_median", "latency_p95", "latency_max", "wall_median", "wall_median_passes", "time_to_first_green",
        "queue_wait_median", "cold_start_share", "out_of_spec_pass_share", "invalid_task_rate", "no_valid_attempt_rate",
    )),
    ("slices", ("negative_pass_rate", "negative_abstain_rate", "canary_hit_rate")),
    ("classes", (
        "eligible_share", "compile_fail_share", "test_fail_share", "timeout_share", "over_edit_share", "no_patch_share",
        "unresolved_share",
    )),
)  # fmt: skip
"""Every metric stands in one group, in the order in which it is read. The first group's absences are named one by one."""
COUNTED = ("classes",)
"""Groups whose counts stand under COUNTS already."""
MATTERS = ("rates",)
"""Groups of which every absence is named; of those below one line says why there is nothing at all."""
QUIET = ("suite_mean",)
"""Metrics that say nothing where they are absent: with even repeats the headline is their number."""
ONE_LINE = ("repeats", "spend", "speed")
AMOUNTS = ("ms", "tokens", "bytes", "tokens per pass", "tokens per accepted patch")
Found = Mapping[str, Estimate]


def rates(page: Page, card: Card, full: bool = False) -> None:
    """Measured numbers by line and group, then the others by reason."""
    found = {one.metric: one for one in card.estimates}
    missing: list[Estimate] = []
    silent: list[tuple[str, str]] = []
    for title, names in grouped(found):
        listed = [found[name] for name in names]
        shown = [one for one in listed if _measured(one) and (full or _tells(one, title, found))]
        if title == GROUPS[0][0] or shown:
            page.title(title.upper())
        for one in shown:
            page.item(_line(one), hang=WIDE + 1)
        if title == GROUPS[0][0] and shown:
            page.item("95 % intervals; every rate but the headline is secondary")
        absent = [one for one in listed if not _measured(one)]
        missing += [one for one in absent if full or one.withheld_by or _is_missed(one, title)]
        if title in ONE_LINE and not shown and absent and not any(one.withheld_by for one in absent):
            silent.append((title, _why(absent[0])))
    _absences(page, missing, silent, full)


def grouped(found: Iterable[str]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The groups with the names that are there; what no group names stands in the first."""
    there = list(found)
    named = {name for _, names in GROUPS for name in names}
    for at, (title, names) in enumerate(GROUPS):
        others = tuple(name for name in there if name not in named) if at == 0 else ()
        yield title, (*(name for name in names if name in there), *others)


def _absences(page: Page, missing: Sequence[Estimate], silent: Iterable[tuple[str, str]], full: bool) -> None:
    """Metrics without a number, by the reason why; a count that is known stands with its name."""
    by_reason: dict[str, list[Estimate]] = {}
    for one in missing:
        by_reason.setdefault(_why(one), []).append(one)
    if by_reason or silent:
        page.title("NOT MEASURED")
    for why, listed in by_reason.items():
        page.item(f"{why}: {_names(listed, full)}")
    for title, why in silent:
        page.item(f"{title}: {why}")


def _names(listed: Sequence[Estimate], full: bool) -> str:
    """All names; of what is withheld the first group's, and how many more, unless everything is asked for."""
    shown = [one for one in listed if full or not one.withheld_by or one.metric in GROUPS[0][1]]
    names = [f"{one.metric} ({one.numerator} seen)" if isinstance(one.numerator, int) else one.metric for one in shown]
    rest = len(listed) - len(shown)
    return ", ".join(names) + (f"{' and ' if names else ''}{rest} more (card -v)" if rest else "")


def _is_missed(one: Estimate, title: str) -> bool:
    return title in MATTERS and one.metric not in QUIET


def _measured(one: Estimate) -> bool:
    return any(isinstance(number, str) for number in (one.value, one.lo, one.hi))


def _why(one: Estimate) -> str:
    return one.value.not_measured if isinstance(one.value, NotMeasured) else ""


def _tells(one: Estimate, title: str, found: Found) -> bool:
    """Does the line say what the lines above it do not?"""
    if title in COUNTED:
        return False
    test = TELLS.get(one.metric)
    return test is None or test(one, found)


def _unseen(_: Estimate, found: Found) -> bool:
    """Two ends that fall together bound nothing."""
    bounds = found.get("headline_bounds")
    return bounds is None or bounds.lo != bounds.hi


def _retried(one: Estimate, found: Found) -> bool:
    """Later attempts changed something: what was accepted is not what passed first."""
    headline = found.get("headline")
    return headline is None or one.numerator != headline.numerator


def _some(one: Estimate, _: Found) -> bool:
    return bool(one.numerator)


def _not_zero(one: Estimate, _: Found) -> bool:
    """An agent that calls no model spends nothing."""
    return one.value != "0.000000"


TELLS: Mapping[str, Callable[[Estimate, Found], bool]] = {
    "headline_bounds": _unseen,
    "headline_outer": _unseen,
    "acceptance": lambda _, found: "accepted_within_k" not in found or not _measured(found["accepted_within_k"]),
    "accepted_within_k": _retried,
    "first_try_share": lambda one, _: one.numerator != one.denominator,
    "retry_overhead": _some,
    "tokens_per_solved_all": lambda *_: False,
    "total_tokens": _not_zero,
    "tokens_per_accepted": _not_zero,
    "tokens_per_solved_median": _not_zero,
    "cold_start_share": _some,
    "out_of_spec_pass_share": _some,
    "invalid_task_rate": _some,
    "no_valid_attempt_rate": _some,
}


def _line(one: Estimate) -> str:
    of = "?" if isinstance(one.denominator, NotMeasured) else str(one.denominator)
    value = _number(one.value, one.unit)
    ends = (_number(one.lo, one.unit), _number(one.hi, one.unit))
    interval = "" if ends == (NO_RATE, NO_RATE) else f"[{ends[0]}, {ends[1]}]"
    by = ", ".join(f"{part} {number}" for part, number in one.by)
    found = "-" if isinstance(one.numerator, NotMeasured) else str(one.numerator)
    numbers = f"{one.metric:<{WIDE}} {f'{found}/{of}':>7}  {value:>5}"
    return "  ".join(part for part in (numbers, interval, one.unit, _open_end(one), by and f"({by})") if part)


def _open_end(one: Estimate) -> str:
    """Why the value, or else an end beside the other, is not there. Two ends without a value need no words."""
    ends = (one.lo, one.hi)
    if isinstance(one.value, NotMeasured) and (one.withheld_by or any(isinstance(end, NotMeasured) for end in ends)):
        return one.value.not_measured
    half = isinstance(one.lo, str) != isinstance(one.hi, str)
    return next((end.not_measured for end in ends if half and isinstance(end, NotMeasured)), "")


def _number(value: str | NotMeasured, unit: str) -> str:
    """Three digits of a rate; of an amount no zeros behind the point."""
    if isinstance(value, NotMeasured):
        return NO_RATE
    text = three(value)
    return text.rstrip("0").rstrip(".") if unit in AMOUNTS and "." in text else text


def three(decimal: str) -> str:
    """Three digits of a decimal string."""
    return str(Decimal(decimal).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))
