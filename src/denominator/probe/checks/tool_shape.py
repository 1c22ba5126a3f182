"""A tool call is there and cannot be used as it stands.

Why it matters: an agent's loop runs calls by id and index; one that is merged with another, or has arguments that are no
JSON, fails far from its cause, or worse: runs with the arguments of both.

Bad: arguments with single quotes, or as an object; pieces of a stream without index; two calls under one index or one id;
`stop` beside calls. Good: several pieces of one call in one event; later pieces with an empty name; `stop` where the
request named the function; parallel calls with ids of their own.
Fix: put calls together by index and id only, and refuse what does not add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from denominator.probe.answers.answer import Answer
from denominator.probe.answers.judged import arguments_of, is_clean
from denominator.probe.checks.finish import CALLS
from denominator.probe.checks.shape import Check, page
from denominator.records.probe_results import Fault
from denominator.records.probe_words import Cls, Kind


def find(answer: Answer) -> Iterator[Fault]:
    """The cause before what follows from it: pieces, then arguments, then names and ids, then the finish reason."""
    if not (answer.told and not answer.body.lost):
        return
    for reason, note in (*_pieces(answer), *_arguments(answer), *_named(answer), *_ended(answer)):
        yield Fault(cls=Cls.TOOL_CALL_MALFORMED, reason=reason, note=note)


def _pieces(answer: Answer) -> Iterator[tuple[str, str]]:
    calls = answer.said.calls
    if calls.index_missing:
        yield "index_missing", "a piece of a call without a usable index"
    if calls.index_collision:
        yield "index_collision", "two calls under one index"


def _arguments(answer: Answer) -> Iterator[tuple[str, str]]:
    made = answer.said.calls.made
    if any(call.odd or not call.pieces for call in made):
        yield "args_not_string", "the arguments are no text"
    found = [arguments_of(call) for call in made if call.pieces and not call.odd]
    if not all(map(is_clean, found)):
        yield "args_not_json", "cut by the cap" if answer.cut else "the arguments are no JSON"


def _named(answer: Answer) -> Iterator[tuple[str, str]]:
    made = answer.said.calls.made
    if any(times > 1 for id_, times in Counter(call.id for call in made).items() if id_):
        yield "duplicate_id", "two calls under one id"
    if any(not call.id for call in made if not (call.legacy and answer.asked.legacy)):
        yield "id_missing", "a call without an id"
    if answer.said.calls.unreadable or any(call.name not in answer.asked.tools for call in made):
        yield "name_unknown", "a call of no tool that was offered"


def _ended(answer: Answer) -> Iterator[tuple[str, str]]:
    """Does the finish reason fit what is there? A request that names its function may be answered with `stop`."""
    made, finish = answer.said.calls.made, answer.said.finish
    legacy = bool(made) and all(call.legacy for call in made)
    wrong = {"function_call": not legacy, "tool_calls": legacy, "stop": answer.asked.forced != "named"}
    if made and isinstance(finish, str) and wrong.get(finish, False):
        yield "finish_mismatch", f"finish {finish} beside calls"
    if not made and finish in CALLS and answer.case.kind != Kind.CALL:
        yield "finish_mismatch", f"finish {finish} without a call"


def seen(answer: Answer) -> bool:
    """Of answers that hold calls, or were to hold one."""
    return answer.clear and bool(answer.said.calls.made or answer.case.kind == Kind.CALL)


CHECK = Check(page("PC010", Cls.TOOL_CALL_MALFORMED, __doc__), Cls.TOOL_CALL_MALFORMED, find, seen)
