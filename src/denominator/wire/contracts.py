"""What a contract says, wherever its writer put it: at the top, in `metrics`, in `access` or `access_class`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from denominator.errors import InputError
from denominator.records.contracts import conjunction
from denominator.records.values import is_placeholder
from denominator.wire.codec import loads

Document = Mapping[str, object]

METRICS = ("metrics", "metric", "scoring")
ACCESS = ("access", "access_class")
PASS_KEYS = ("task_pass", "metric", "pass", "primary", "conjunction", "clauses")
SECONDS = re.compile(r"(?P<s>[1-9][0-9]{0,8})\s*(?:s|sec|secs|seconds)?\b")
TIMEOUT_KEYS = ("wall_s", "wall_seconds", "timeout_s", "seconds", "s")


def read_document(data: bytes, where: str) -> dict[str, object]:
    """A contract as plain values. Raises InputError for anything that is no strict JSON object; fractions stay exact."""
    value = loads(data, where, floats="decimal")
    if not isinstance(value, dict):
        raise InputError("a contract is one JSON object", where=where, fix="denominator contract init contract.json")
    return value


@dataclass(frozen=True, slots=True)
class Contract:
    """A read-only view of the document."""

    document: Document

    def section(self, names: tuple[str, ...]) -> Document:
        """The first of these keys that holds a table; an empty one when none does."""
        found = (self.document.get(name) for name in names)
        return next((one for one in found if isinstance(one, dict)), {})

    def stated(self, key: str, names: tuple[str, ...] = ()) -> object:
        """A value at the top or in a section; None when it is nowhere."""
        section = self.section(names) if names else {}
        return section[key] if key in section else self.document.get(key)

    @property
    def task_ids(self) -> tuple[str, ...]:
        """The explicit ids; whatever is no text is left to the checks."""
        found = self.document.get("task_ids")
        return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()

    @property
    def metric(self) -> tuple[str, ...] | str:
        """The clauses of a pass, or why they are none."""
        for value in (*(self.section(METRICS).get(key) for key in PASS_KEYS), self._alone()):
            if value is not None:
                return conjunction(value)
        return "no metric is stated"

    def _alone(self) -> object:
        """A metric that is written at the top, without a table around it."""
        found = self.document.get("metric", self.document.get("clauses", self.document.get("task_pass")))
        return None if isinstance(found, dict) else found

    @property
    def timeout_s(self) -> int | None:
        """The contract's own time limit in whole seconds; None when there is none that can be read."""
        for key in ("timeout_s", "timeout"):
            value = self.stated(key, METRICS)
            if isinstance(value, dict):
                value = next((value[name] for name in TIMEOUT_KEYS if name in value), None)
            if isinstance(value, str) and (found := SECONDS.match(value.strip())):
                value = int(found["s"])
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
        return None

    @property
    def controls(self) -> tuple[tuple[str, str, str], ...]:
        """(task id, expected outcome, role) of each declared control."""
        found = self.document.get("controls")
        tables = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        return tuple((word(t.get("task_id")), word(t.get("expected")), word(t.get("role"))) for t in tables)

    @property
    def judged(self) -> tuple[str, ...]:
        """What a pass is judged by: the metric, and the timeout and the abstention that are stated beside it."""
        metric = self.metric if isinstance(self.metric, tuple) else ()
        implied = [("within_timeout", self.timeout_s), ("not_abstain", self.stated("abstain", METRICS))]
        return (*metric, *(name for name, stated in implied if stated is not None and name not in metric))

    @property
    def pinned(self) -> bool:
        """Does it carry the sha256 of what was locked?"""
        return bool(word(self.document.get("sha256")))

    @property
    def host(self) -> str:
        """The endpoint's host."""
        return word(self.stated("host", ACCESS))

    @property
    def run_id(self) -> str:
        """The id under which it was locked."""
        return word(self.document.get("run_id"))

    @property
    def locked_at(self) -> str:
        """When it was locked, as it says."""
        return word(self.document.get("locked_at"))


def as_manifest(document: Document) -> dict[str, object]:
    """The contract with its access written as a manifest writes it: host and access class at the top, in words."""
    section = Contract(document).section(ACCESS)
    found = {key: value for key, value in document.items() if key not in ACCESS or not isinstance(value, dict)}
    access = word(section.get("access_class")) or word(section.get("model_access"))
    named = {"endpoint_host": word(section.get("host")), "access_class": access}
    found |= {key: value for key, value in named.items() if value and key not in found}
    rest = {key: value for key, value in section.items() if key not in ("host", "model_access", "access_class")}
    return {**found, **{f"access.{key}": value for key, value in rest.items()}}


def word(value: object) -> str:
    """A text that says something, or nothing."""
    return value if isinstance(value, str) and not is_placeholder(value) else ""
