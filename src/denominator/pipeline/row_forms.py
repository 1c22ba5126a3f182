"""The forms that values of a row have in its line, and the pattern of a whole line that is made of them.

The pattern is made of the fields of `AttemptRow`: a field that is not open (`OPEN`) is kept as it is written, so a new one
needs nothing here. Every open value has a form: what of it is cut out, and what is kept. Only *plain* values are cut: whole
numbers of at most 15 digits, texts without a backslash or a control byte, known escapes in lists. No two ways through a
pattern lead over the same text, so a line that fits none is known for it in one pass, however it is made.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, NamedTuple

from denominator.records.draws import NUMBERS
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured

NUMBER, CLASS, WORD, TEXTS, NONE, OBJECTS, TASK, REPEAT, TIME = "ncwlxotri"
VALUE, LAST, TABLE, LIST, IF_KNOWN, KNOWN, MAYBE, END = "szdqmfbe"
FORMS_OF: Mapping[str, tuple[str, ...]] = {
    NUMBER: (*NUMBERS, "paused_ms", "working_ms"),
    CLASS: (
        "source.line", "surfaces.used", "tools.calls", "tools.with_results", "usage.cache_write", "usage.cached_read",
        "usage.reasoning",
    ),
    WORD: ("patch.base_tree", "patch.final_tree", "patch.applied_tree", "patch.sha256", "report_sha", "source.sha256"),
    TEXTS: ("tests.expected", "tests.passed", "tests.failed", "patch.touched"),
    NONE: (
        "notes", "patch.forbidden", "patch.outside", "patch.refused", "surfaces.invented", "surfaces.unchecked",
        "tests.missing", "tests.other", "tests.skipped",
    ),
    OBJECTS: ("first_unrecovered", "hints", "tools.repeats", "words"),
    TASK: ("key.task_id",),
    REPEAT: ("key.repeat",),
    TIME: ("started_at",),
}  # fmt: skip
"""The open values by form; of those with one form, the order is that of the columns they are cut into."""
OPEN = {name: form for form, names in FORMS_OF.items() for name in names}
KEEPS = frozenset((VALUE, LAST, TABLE, LIST, IF_KNOWN, KNOWN))
"""Forms that cut nothing."""

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_UNKNOWN = rf'\{{"not_measured":{_STRING}\}}'
_OTHER = rf"null|-[0-9]++|[0-9]{{16}}[0-9]*+|{_UNKNOWN}"
_OBJECT = rf'\{{(?:[^"{{}}]++|{_STRING})*+\}}'
_ENTRY = rf"{_STRING}:(?:-?[0-9]++|{_STRING})"
_TEXT = r'"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt])*+"'
PLAIN_TEXTS = rf"\[{_TEXT}(?:,{_TEXT})*+\]"

QUICK = {
    NUMBER: rf"(?:(c:0|[1-9][0-9]{{0,14}}+)(?![0-9])|(k:{_OTHER}))",
    CLASS: rf"(?:(u:[1-9][0-9]{{0,14}}+)(?![0-9])|(k:0|{_OTHER}))",
    WORD: rf'(?:"(c:[^"]*+)"|(k:{_UNKNOWN}))',
    TEXTS: r"(c:\[[^]]*+\])",
    NONE: rf"(?:(k:\[)\]|(u:{PLAIN_TEXTS}))",
    OBJECTS: rf"(c:\[\]|null|{_OBJECT}|\[{_OBJECT}(?:,{_OBJECT})*+\])",
    TASK: r'"(c:[^"\\\x00-\x1f]*+)"',
    REPEAT: "(c:[1-9][0-9]{0,8}+)",
    TIME: rf'(?>"(k:[0-9-]{{10}})(u:[0-9A-Za-z:.+-]*+)"|(k:{_UNKNOWN}))',
    VALUE: "[^,]*+",
    LAST: "[^,]*",
    TABLE: r"\{[^}]*+\}",
    LIST: r"\[[^]]*+\]",
    IF_KNOWN: f"(?:null|{_UNKNOWN}|",
    KNOWN: ")",
    MAYBE: f"(?:(k:null|{_UNKNOWN})|",
    END: ")",
}
"""What most lines show. `(c:` cuts, `(u:` cuts what nobody looks at, `(k:` keeps."""
_ANY = rf'(?>[^,"{{}}\[\]]++|{_STRING}|{_UNKNOWN})'
FULL = QUICK | {
    TEXTS: rf"(c:\[\]|{PLAIN_TEXTS})",
    VALUE: _ANY,
    LAST: _ANY,
    TABLE: rf"\{{(?:{_ENTRY}(?:,{_ENTRY})*+)?+\}}",
    LIST: rf"\[(?:{_STRING}(?:,{_STRING})*+)?+\]",
}
"""Every form that a line of ours can have."""


class Ways(NamedTuple):
    """A pattern of a line: for reading, and for proving where the cut values are."""

    reading: re.Pattern[bytes]
    proving: re.Pattern[bytes]


class LineForm(NamedTuple):
    """Lines with certain keys. `kept` and `cuts` are groups in reading: what is kept, and open values in the order of `LOOKED_AT`.

    `proven` names the open values that are the groups in proving. `block` takes lines as they follow each other, and gives
    nothing for one that shows anything unusual; `quick` and `full` take one line.
    """

    block: re.Pattern[bytes]
    quick: Ways
    full: Ways
    kept: tuple[int, ...]
    cuts: tuple[int, ...]
    proven: tuple[str, ...]


LOOKED_AT = tuple(name for form in (NUMBER, WORD, TEXTS, OBJECTS, TASK, REPEAT) for name in FORMS_OF[form])
KEYS = frozenset(field.name for field in fields(AttemptRow))
NEEDED = frozenset(name.partition(".")[0] for name in OPEN)
_ROLES = re.compile("[(]([cuk]):")
Pieces = list[tuple[str, str]]
"""What a line is made of: a form and the name of its value, or "" and a text."""


@cache
def form_of(keys: frozenset[str] = KEYS) -> LineForm | None:
    """The form of lines with these keys; nothing where one is unknown, or one that holds an open value is missing."""
    if not NEEDED <= keys <= KEYS:
        return None
    pieces = list(_record(AttemptRow, "", keys))
    quick, groups = _pattern(pieces, QUICK)
    full, _ = _pattern(pieces, FULL)
    cuts = {name: at for at, (name, role) in enumerate(one for one in groups if one[1] != "u") if role == "c"}
    kept = tuple(at for at, (_, role) in enumerate(one for one in groups if one[1] != "u") if role == "k")
    return LineForm(
        re.compile(_read(f"(?:{quick}|[^\n]*+)\n")),
        Ways(re.compile(_read(quick)), re.compile(_proven(quick))),
        Ways(re.compile(_read(full)), re.compile(_proven(full))),
        kept,
        tuple(cuts[name] for name in LOOKED_AT),
        tuple(name for name, role in groups if role != "k"),
    )


def _record(cls: Any, above: str, keys: frozenset[str]) -> Iterator[tuple[str, str]]:
    """A record as it is written: its keys in order."""
    hints = typing.get_type_hints(cls)
    names = sorted(name for name in hints if above or name in keys)
    for at, name in enumerate(names):
        yield "", ("," if at else "{") + f'"{name}":'
        yield from _value(hints[name], above + name, name == names[-1])
    yield "", "}"


def _value(hint: Any, name: str, last: bool) -> Iterator[tuple[str, str]]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    records = [one for one in args or (hint,) if is_dataclass(one) and one is not NotMeasured]
    if name in OPEN:
        yield OPEN[name], name
    elif origin is tuple:
        yield LIST, name
    elif origin not in (None, typing.Union, types.UnionType):
        yield TABLE, name
    elif not records:
        yield LAST if last else VALUE, name
    elif not args:
        yield from _record(hint, f"{name}.", KEYS)
    else:
        is_open = any(one.startswith(f"{name}.") for one in OPEN)
        yield MAYBE if is_open else IF_KNOWN, name
        yield from _record(records[0], f"{name}.", KEYS)
        yield END if is_open else KNOWN, name


def _pattern(pieces: Pieces, forms: Mapping[str, str]) -> tuple[str, list[tuple[str, str]]]:
    """The pattern of a line with its groups by name and role: kept values that stand together are one, with the keys between."""
    pattern, groups, inside = "", list[tuple[str, str]](), False
    for at, (form, name) in enumerate(pieces):
        if form in KEEPS and not inside:
            pattern, inside = pattern + "(k:", True
            groups.append((name, "k"))
        pattern += forms[form] if form else re.escape(name)
        goes_on = next((one for one, _ in pieces[at + 1 :] if one), "")
        if inside and form and goes_on not in KEEPS:
            pattern, inside = pattern + ")", False
        groups += [(name, role) for role in _ROLES.findall(forms[form])] if form else []
    return pattern, groups


def _read(pattern: str) -> bytes:
    return pattern.replace("(u:", "(?:").replace("(c:", "(").replace("(k:", "(").encode()


def _proven(pattern: str) -> bytes:
    return pattern.replace("(u:", "(").replace("(c:", "(").replace("(k:", "(?:").encode()
