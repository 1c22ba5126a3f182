"""The forms that values of a row have in its line, as patterns, and the parts of a line that hold open values.

Every open value has a form. Its first pattern is what most lines show and is quick; the second takes every form that a line
of ours can have, and keeps a value that is not *plain*: a whole number of at most 15 digits, texts without a backslash or a
control byte. What a first pattern lets through is looked at again (`row_cuts.plain`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import NamedTuple

from denominator.records.rows import AttemptRow

NUMBER, SELDOM, CLASS, WORD, TEXTS, NONE, OBJECTS, TASK, REPEAT, TIME, KEPT, MAYBE, END = "nucwlxotrikbe"
PARTS = (
    '"agent_ms":<n>,',
    '"first_unrecovered":<o>,"forged_output":<k>,"gold_now":<k>,"grade":<k>,"grade_ms":<n>,',
    '"hints":<o>,"incarnations":<k>,"invalid_calls":<k>,"key":{"attempt":<k>,"repeat":<r>,"run_id":<k>,"task_id":<t>},',
    '"notes":<x>,"numbered":<k>,"oom":<k>,"patch":<b>{"applied_tree":<w>,"base_tree":<w>,"bytes":<n>,"final_tree":<w>,'
    '"forbidden":<x>,"outside":<x>,"refused":<x>,"sha256":<w>,"touched":<l>}<e>,"patch_made_by":<k>,"paused_ms":<n>,'
    '"prompt_sha256":<k>,"provider_retries":<k>,"quantisations":<k>,"queue_wait_ms":<n>,"regraded":<k>,"report_sha":<w>,',
    '"setup_ms":<n>,"slice":<k>,"source":{"file":<k>,"kind":<k>,"line":<c>,"sha256":<w>},"started":<k>,"started_at":<i>,'
    '"stop_reason":<k>,"stratum":<k>,"surfaces":<b>{"invented":<x>,"source":<k>,"unchecked":<x>,"used":<c>}<e>,',
    '"tests":<b>{"expected":<l>,"failed":<l>,"missing":<x>,"other":<x>,"passed":<l>,"skipped":<x>}<e>,"tests_hidden":<k>,'
    '"tests_written_by_agent":<k>,"time_to_first_green_ms":<u>,"tools":<b>{"calls":<c>,"complete":<k>,"gaps":<k>,'
    '"repeats":<o>,"source":<k>,"with_results":<c>}<e>,"tools_sha256":<k>,"usage":{"cache_write":<c>,"cached_read":<c>,'
    '"calls":<n>,"complete":<k>,"completion":<n>,"prompt":<n>,"reasoning":<c>},"verify_exit":<k>,"verify_signal":<k>,'
    '"wall_ms":<n>,"weak_tests":<k>,"words":<o>,"working_ms":<n>,',
)
"""The parts of a line that hold open values, in the order of the line; what lies between them is kept as it is."""
NAMES = (
    "agent_ms", "first_unrecovered", "grade_ms", "hints", "key.repeat", "key.task_id", "notes", "patch.applied_tree",
    "patch.base_tree", "patch.bytes", "patch.final_tree", "patch.forbidden", "patch.outside", "patch.refused", "patch.sha256",
    "patch.touched", "paused_ms", "queue_wait_ms", "report_sha", "setup_ms", "source.line", "source.sha256", "started_at",
    "surfaces.invented", "surfaces.unchecked", "surfaces.used", "tests.expected", "tests.failed", "tests.missing", "tests.other",
    "tests.passed", "tests.skipped", "time_to_first_green_ms", "tools.calls", "tools.repeats", "tools.with_results",
    "usage.cache_write", "usage.cached_read", "usage.calls", "usage.completion", "usage.prompt", "usage.reasoning", "wall_ms",
    "words", "working_ms",
)  # fmt: skip
"""The open values of `PARTS`, in order."""
FORMS = "".join(re.findall("<([nucwlxotri])>", "".join(PARTS)))
"""The form of each of them."""

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_UNKNOWN = rf'\{{"not_measured":{_STRING}\}}'
_STRINGS = rf"\[(?:{_STRING}(?:,{_STRING})*+)?+\]"
_COUNTS = rf"\{{(?:{_STRING}:-?[0-9]++(?:,{_STRING}:-?[0-9]++)*+)?+\}}"
_OBJECT = rf'\{{(?:[^"{{}}]++|{_STRING})*+\}}'
PLAIN_TEXT = r'"[^"\\\x00-\x1f]*+"'
PLAIN_TEXTS = rf"\[(?:{PLAIN_TEXT}(?:,{PLAIN_TEXT})*+)?+\]"

FIELDS = sorted(field.name for field in fields(AttemptRow))
SHORTEST = len('"":0,')

Form = tuple[str, str]
"""A pattern, and of each of its groups whether it is kept ("k") or cut out ("c"); "-": an open value without a group."""
_UNKNOWN_NUMBER: Form = (rf"(?:([1-9][0-9]{{0,14}}+|0)(?![0-9])|(-?[0-9]++|null|{_UNKNOWN}))", "ck")
FIRST: dict[str, Form] = {
    NUMBER: ("([1-9][0-9]{0,14}|0)", "c"),
    SELDOM: _UNKNOWN_NUMBER,
    CLASS: ("(?:[1-9][0-9]{0,14}|(0))", "-k"),
    REPEAT: ("([1-9][0-9]{0,8})", "c"),
    WORD: ('"([^"]*)"', "c"),
    TASK: (f"({PLAIN_TEXT})", "c"),
    TEXTS: (r"(\[[^]]*\])", "c"),
    NONE: (r"\[\]", "-"),
    OBJECTS: (r"(\[\]|null)", "c"),
    TIME: ('"([0-9-]{10})([0-9A-Za-z:.+-]*)"', "kc"),
    KEPT: ("", ""),
    MAYBE: (rf"(?:(null|{_UNKNOWN})|", "k"),
    END: (")", ""),
}
SECOND: dict[str, Form] = FIRST | {
    NUMBER: _UNKNOWN_NUMBER,
    CLASS: (rf"(?:([1-9][0-9]{{0,14}}+)(?![0-9])|(-?[0-9]++|null|{_UNKNOWN}))", "ck"),
    WORD: (rf'(?:"([^"\\]*+)"|({_STRING}|{_UNKNOWN}))', "ck"),
    TEXTS: (rf"(?:({PLAIN_TEXTS})|({_STRINGS}))", "ck"),
    NONE: (rf"(?:(\[{PLAIN_TEXT}(?:,{PLAIN_TEXT})*+\])|({_STRINGS}))", "ck"),
    OBJECTS: (rf"(\[(?:{_OBJECT}(?:,{_OBJECT})*+)?+\]|null|{_OBJECT})", "c"),
    TIME: (rf'(?:"([0-9-]{{10}})([0-9A-Za-z:.+-]*)"|({_STRING}|{_UNKNOWN}))', "kck"),
    KEPT: (rf'(?:[^"{{\[,}}]++|{_STRING}|{_UNKNOWN}|{_COUNTS}|{_STRINGS})', ""),
}
PROOF = FIRST | {CLASS: ("(?:([1-9][0-9]{0,14})|(0))", "ck")}
"""As the first patterns, with a group for every value that is cut out: for proving where it stands."""


class Way(NamedTuple):
    """A pattern of a part, and of each of its groups whether it is kept or cut."""

    match: Callable[[bytes, int], re.Match[bytes] | None]
    roles: str


class Part(NamedTuple):
    """How a part of a line begins, what at least lies before it, the two ways in which it may go on, the first with all groups."""

    begins: bytes
    gap: int
    first: Way
    second: Way
    proof: Way


@cache
def parts() -> tuple[Part, ...]:
    """The parts of a line, in order."""
    gap, found = 0, []
    for text in PARTS:
        begins, keys = text[: text.index("<")], re.findall('"([a-z_0-9]+)":', re.sub("{.*?}", "", text))
        found.append(
            Part(begins.encode(), _gap(gap, keys[0]), _way(text, FIRST), _way(text, SECOND), _way(text, PROOF))
        )
        gap = FIELDS.index(keys[-1]) + 1
    return tuple(found)


def _gap(first: int, key: str) -> int:
    """How many bytes the fields from a first one up to a key take at least."""
    return sum(len(name) + SHORTEST for name in FIELDS[first : FIELDS.index(key)])


def _way(text: str, forms: dict[str, Form]) -> Way:
    """Kept values that stand together are one group, with the keys between them."""
    pattern, roles, inside = "", "", False
    pieces = re.split("<(.)>", text)
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            pattern += re.escape(piece)
        elif piece != KEPT:
            pattern, roles = pattern + forms[piece][0], roles + forms[piece][1]
        else:
            goes_on = pieces[at + 2 : at + 3] == [KEPT]
            value = forms[KEPT][0] or f"[^{pieces[at + 1][0]}]*"
            pattern += ("" if inside else "(") + value + ("" if goes_on else ")")
            roles += "" if inside else "k"
            inside = goes_on
    return Way(re.compile(pattern.encode(), re.DOTALL).match, roles)
