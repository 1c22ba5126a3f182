"""What only several attempts of one case can show: usage that contradicts itself, a temperature that is not kept.

An attempt whose usage is impossible by itself is no witness here: it answers for that alone. A contradiction is charged
to every attempt that took part in it, because nobody can tell which of them told the truth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import cast

from denominator.probe.attempts import Key, key_of, mode_place
from denominator.records.probe_results import Across, Fault, Heard
from denominator.records.probe_words import PARAM_IGNORED, Cls, Mode
from denominator.records.probes import Case, Fixture
from denominator.records.rows import Count
from denominator.records.values import counted

UNSTABLE, MISMATCH = "prompt_tokens_unstable", "stream_mismatch"
BETWEEN = 0
Found = tuple[Across, tuple[Key, ...]]


def across(fixture: Fixture, heard: Sequence[Heard]) -> tuple[tuple[Across, ...], Mapping[Key, tuple[Fault, ...]]]:
    """Findings over the measured attempts of each case, and the faults they charge to single attempts."""
    lines: list[Across] = []
    faults: dict[Key, list[Fault]] = defaultdict(list)
    for case in fixture.cases:
        of_case = [one for one in heard if one.ask.case_id == case.id]
        if case.control or not of_case:
            continue
        for found, keys in _of_case(case, of_case):
            lines.append(found)
            for key in keys:
                faults[key].append(Fault(cls=found.cls, reason=found.reason, note=found.note))
    order = {case.id: place for place, case in enumerate(fixture.cases)}
    lines.sort(key=lambda one: (one.window == BETWEEN, one.window, order[one.case_id], one.cls, one.reason, one.note))
    return tuple(lines), {key: tuple(found) for key, found in faults.items()}


def _of_case(case: Case, heard: Sequence[Heard]) -> Iterable[Found]:
    """Window by window; then whether the same request costs the same between windows, which charges nobody."""
    settled: dict[str, dict[int, int]] = defaultdict(dict)
    for window in sorted({one.window for one in heard}):
        here = [one for one in heard if one.window == window]
        shaky = set()
        for mode in sorted({one.ask.mode for one in here}, key=mode_place):
            of_mode = [one for one in here if one.ask.mode == mode]
            told = [(one, one.usage.prompt) for one in of_mode if isinstance(one.usage.prompt, int) and _credible(one)]
            values = Counter(tokens for _, tokens in told)
            if len(values) > 1:
                shaky.add(mode)
                yield _unstable(case, window, mode, values), tuple(key_of(one) for one, _ in told)
            elif values:
                settled[mode][window] = next(iter(values))
            yield from _temperature(case, window, mode, of_mode)
        yield from _pairs(case, window, here, bool(shaky))
    for mode, by_window in settled.items():
        if len(set(by_window.values())) > 1:
            values = Counter(by_window.values())
            yield _unstable(case, BETWEEN, mode, values, "window"), ()


def _unstable(case: Case, window: int, mode: str, values: Mapping[int, int], of: str = "attempt") -> Across:
    n = sum(values.values())
    listed = ", ".join(f"{tokens} ({counted(times, of)})" for tokens, times in sorted(values.items()))
    return Across(
        window=window,
        case_id=case.id,
        cls=Cls.ACCOUNTING_ANOMALY,
        reason=UNSTABLE,
        k=n,
        n=n,
        note=f"{mode}: prompt tokens of one request {listed}",
    )


def _temperature(case: Case, window: int, mode: str, heard: Iterable[Heard]) -> Iterable[Found]:
    """At temperature 0 one request has one answer: how many distinct ones came."""
    texts = [one.content_sha256 for one in heard if one.complete and isinstance(one.content_sha256, str)]
    distinct = len(set(texts))
    if is_zero(case.temperature) and distinct > 1:
        note = f"{mode}: {distinct} distinct texts of {len(texts)} answers at temperature {case.temperature}"
        yield (
            Across(
                window=window,
                case_id=case.id,
                cls=PARAM_IGNORED,
                reason="temperature",
                k=distinct,
                n=len(texts),
                note=note,
            ),
            (),
        )


def _pairs(case: Case, window: int, heard: Iterable[Heard], shaky: bool) -> Iterable[Found]:
    """Plain against streamed, by attempt number. Prompt tokens that vary within a mode are that fault, not this one."""
    by_mode: dict[str, dict[int, Heard]] = defaultdict(dict)
    for one in heard:
        by_mode[one.ask.mode][one.ask.attempt] = one
    plain, stream = by_mode[Mode.PLAIN], by_mode[Mode.STREAM]
    held = {number: _differs(plain[number], stream[number], not shaky) for number in plain.keys() & stream.keys()}
    compared = {number: notes for number, notes in held.items() if notes is not None}
    broken = {number: notes for number, notes in sorted(compared.items()) if notes}
    if broken:
        told = sorted({note for notes in broken.values() for note in notes})
        found = Across(
            window=window,
            case_id=case.id,
            cls=Cls.ACCOUNTING_ANOMALY,
            reason=MISMATCH,
            k=len(broken),
            n=len(compared),
            note="; ".join(told),
        )
        yield found, tuple(key_of(side[number]) for number in broken for side in (plain, stream))


def _differs(plain: Heard, stream: Heard, prompts: bool) -> list[str] | None:
    """What a pair contradicts itself in; None where nothing of it can be compared.

    Where one of them alone is broken by its own bytes, what broke it may have broken its counts: the other is not accused.
    """
    if not (_credible(plain) and _credible(stream)) or _sound(plain) != _sound(stream):
        return None
    seen = (
        ("prompt", (plain.usage.prompt, stream.usage.prompt) if prompts else None),
        ("completion", _completions(plain, stream) if _same_answer(plain, stream) else None),
    )
    known = [(name, two) for name, two in seen if two is not None and all(isinstance(one, int) for one in two)]
    if not known:
        return None
    return [f"{name} tokens {a} plain, {b} streamed" for name, (a, b) in known if a != b]


def _completions(plain: Heard, stream: Heard) -> tuple[Count, Count] | None:
    """Completion tokens of one answer twice. Thinking may take another length each time, so it is left out where told."""
    whole = plain.usage.completion, stream.usage.completion
    thought = plain.usage.reasoning, stream.usage.reasoning
    if not any(thought) or whole[0] == whole[1]:
        return whole
    if all(isinstance(one, int) for one in (*whole, *thought)):
        return cast(int, whole[0]) - cast(int, thought[0]), cast(int, whole[1]) - cast(int, thought[1])
    return None


def _same_answer(plain: Heard, stream: Heard) -> bool:
    """The same text (or calls) and the same finish, and something was said at all."""
    texts, ends = (plain.content_sha256, stream.content_sha256), (plain.finish, stream.finish)
    if not all(isinstance(one, str) for one in (*texts, *ends)):
        return False
    silent = any(fault.cls == Cls.EMPTY_CONTENT for one in (plain, stream) for fault in one.faults)
    return texts[0] == texts[1] and ends[0] == ends[1] and not silent


def _credible(heard: Heard) -> bool:
    """Is its usage not impossible by itself?"""
    return not any(one.cls == Cls.ACCOUNTING_ANOMALY for one in heard.faults if not one.observed)


def _sound(heard: Heard) -> bool:
    """Is it no broken promise by itself?"""
    return all(one.observed for one in heard.faults)


def is_zero(temperature: str) -> bool:
    """Is a decimal text zero, however it is written? "" was not sent."""
    try:
        return Decimal(temperature) == 0
    except InvalidOperation:
        return False
