"""Names and paths that a trace says were called, against the frozen specification: the import's side of ASSUME_API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from denominator.readers.api.openapi import Spec, read_spec
from denominator.readers.api.packages import brings
from denominator.readers.api.routes import LENIENT, templates_of
from denominator.readers.api.shape import INVENTED, KNOWN, NOT_EVALUATED, ApiInputs, Origin
from denominator.readers.api.small import split_request
from denominator.readers.api.stdlib import Table
from denominator.readers.api.templates import HOLE, NAMED, fits_end, matches
from denominator.readers.api.values import Answer, Cls, Container, Found, Missing, Mod, Open, join
from denominator.readers.api.world import World
from denominator.records.facts import SurfaceFacts

DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\Z")
BUILT_IN_TYPES = ("str", "bytes", "list", "dict", "set", "tuple", "int", "float", "object")
OWN = frozenset(("self", "cls", "super"))
SPEC_NAME = "spec.json"
Said = tuple[str, str]
"""A state, and why it is not known."""


def invented(
    called: Sequence[str],
    defined: Iterable[str] = (),
    spec: bytes | Mapping[str, object] = b"",
    declared: Sequence[str] = (),
    python: str = "3.11",
) -> SurfaceFacts:
    """Facts of an imported row that lists what the patch called and what it defines.

    `called`: dotted names ("json.dumps") and paths ("/v1/bills/417", "GET /v1/bills"). `defined`: names or paths that
    the repository or the patch defines. `spec`: the bytes of one JSON document, the document itself, or files by path
    (path -> bytes). `declared` are packages as in `ApiInputs`. Without any specification what is not known otherwise
    stays unchecked; it is never invented then.
    """
    files = _files(spec)
    lists = _Lists(ApiInputs(repository={}, patch={}, spec=files, declared=tuple(declared), python=python), defined)
    names = tuple(dict.fromkeys(name.strip() for name in called if name.strip()))
    said = {name: lists.judge(name) for name in names}
    return SurfaceFacts(
        source="import",
        used=len(names),
        invented=tuple(name for name, (state, _) in said.items() if state == INVENTED),
        unchecked=tuple(f"{name}: {why}" for name, (state, why) in said.items() if state == NOT_EVALUATED),
    )


def _files(spec: bytes | Mapping[str, object]) -> dict[str, bytes]:
    if isinstance(spec, bytes):
        return {SPEC_NAME: spec} if spec else {}
    if spec and all(isinstance(value, bytes) for value in spec.values()):
        return {path: value for path, value in spec.items() if isinstance(value, bytes)}
    return {SPEC_NAME: json.dumps(spec).encode()} if spec else {}


@dataclass
class _Lists:
    """What is known, by where it comes from."""

    inputs: ApiInputs
    given: Iterable[str]
    defined: set[str] = field(init=False)
    world: World = field(init=False)
    spec: Spec = field(init=False)

    def __post_init__(self) -> None:
        self.defined = {_bare(name) for name in self.given}
        self.world, self.spec = World(self.inputs), read_spec(self.inputs.spec)

    def judge(self, text: str) -> Said:
        """State of one called name or path; what would be invented is only unchecked where no specification is read."""
        sent = split_request(text)
        if sent is not None:
            state, why = self._route(*sent)
        else:
            name = _bare(text)
            state, why = self._symbol(name) if DOTTED.match(name) else (NOT_EVALUATED, "neither a path nor a name")
        if state == INVENTED and self.spec.unread:
            return NOT_EVALUATED, f"{self.spec.unread[0][0]}: {self.spec.unread[0][1]}"
        if state == INVENTED and not (self.spec.stated or self.tops):
            return NOT_EVALUATED, "no frozen specification is at hand"
        return state, why

    # --- paths

    def _route(self, method: str, host: str, path: str) -> Said:
        if host and self.spec.hosts and host not in self.spec.hosts:
            return INVENTED, ""
        path = NAMED.sub(HOLE, path)
        found = [r for r in self.spec.routes for full in templates_of(r) if _same(full, path)]
        if found:
            takes = method in ("", *LENIENT) or any(r.methods is None or method in r.methods for r in found)
            return (KNOWN if takes else INVENTED), ""
        own = [sent[2] for sent in map(split_request, self.defined) if sent is not None]
        if any(_same(template, path) for template in own):
            return KNOWN, ""
        if any(fits_end(full, path) for r in self.spec.routes for full in templates_of(r)):
            return NOT_EVALUATED, "fits the end of a listed path; what stands before it is not known"
        return INVENTED, ""

    # --- names

    def _symbol(self, name: str) -> Said:
        parts = name.split(".")
        if self._listed(parts) or self._defined(parts):
            return KNOWN, ""
        if parts[0] in OWN:
            return NOT_EVALUATED, "its class is not in the trace"
        root, rest = parts[0], parts[1:]
        if (answer := self._root(root)) is not None:
            return self._walk(answer, rest)
        if root in self.owners:
            return self._of_listed_class(root)
        if brings(self.inputs.declared, root):
            return KNOWN, ""
        if (rest and self._of_built_in(rest[-1])) or (not rest and name in self.exported):
            return KNOWN, ""
        return (NOT_EVALUATED, "no table of the standard library") if self.table is None else (INVENTED, "")

    def _listed(self, parts: list[str]) -> bool:
        """In the specification: in full, or by its last part where what stands before may be a variable or a module."""
        name = ".".join(parts)
        if name in self.spec.names or any(name.startswith(n[:-1]) for n in self.spec.names if n.endswith(".*")):
            return True
        return parts[-1] in self.spec.symbols and (len(parts) == 1 or parts[0] not in self.owners)

    def _defined(self, parts: list[str]) -> bool:
        lasts = {name.rpartition(".")[2] for name in self.defined}
        return ".".join(parts) in self.defined or parts[0] in self.defined or parts[-1] in lasts

    def _of_listed_class(self, root: str) -> Said:
        if any(name.startswith(f"{root}.") for name in self.spec.names):
            return INVENTED, ""
        return NOT_EVALUATED, f"the specification lists {root} without its members"

    @property
    def table(self) -> Table | None:
        """The table of the standard library."""
        return self.world.table

    @cached_property
    def owners(self) -> frozenset[str]:
        """Names that the specification lists something below, or at the top."""
        return frozenset(name.partition(".")[0] for name in self.spec.names)

    @cached_property
    def exported(self) -> frozenset[str]:
        """Bare names that some public module of the standard library exports: a trace leaves the import out."""
        found: set[str] = set()
        for module in self.table.modules.values() if self.table else ():
            if not module.name.startswith("_"):
                found |= module.names | set(module.parts.get("classes", {})) | set(module.parts.get("aliases", {}))
        return frozenset(found)

    def _of_built_in(self, name: str) -> bool:
        kinds = [self.table.classes("builtins", kind) for kind in BUILT_IN_TYPES] if self.table else []
        return any(kind is not None and name in kind.members for kind in kinds)

    def _root(self, root: str) -> Answer | None:
        """The module or builtin that a name's first part means, or nothing."""
        found: list[Answer] = []
        if self.table is not None:
            built = self.table.modules["builtins"].member(root)
            found += [built] if isinstance(built, Found) else []
            if root in self.table.modules:
                found.append(_module(self.table.modules[root]))
            elif root in self.table.others:
                found.append(Open(f"the table does not list {root}"))
        found += [_module(self.tops[root])] if root in self.tops else []
        answers = (top.member(root) for top in self.tops.values())
        found += [answer for answer in answers if isinstance(answer, Found)]
        return join(found) if found else None

    @cached_property
    def tops(self) -> dict[str, Container]:
        """Modules that stubs and symbol lists of the specification define, by name."""
        stubs = self.world.stubs
        out: dict[str, Container] = dict(self.world.lists)
        for top, folders in sorted(stubs.tops.items()):
            for base in (f"{folder}/{top}" if folder else top for folder in sorted(folders)):
                found = self.world.at(base, stubs)
                if found:
                    out[top] = found[0]
        return out

    def _walk(self, answer: Answer, rest: list[str]) -> Said:
        for part in rest:
            if not isinstance(answer, Found):
                break
            values, answer = answer.values, join([self.world.infer.member(v, part) for v in answer.values])
            if isinstance(answer, Open) and all(isinstance(v, Mod | Cls) for v in values):
                return NOT_EVALUATED, answer.why
        return (INVENTED, "") if isinstance(answer, Missing) else (KNOWN, "")


def _module(container: Container) -> Answer:
    return Found((Mod(container),), Origin("", ""))


def _same(template: str, path: str) -> bool:
    """Does a path fit a template, the slash at the end left out? A server may take either; neither is made up."""
    return matches(template.rstrip("/") or "/", path.rstrip("/") or "/")


def _bare(text: str) -> str:
    """The name without the arguments behind it."""
    name = text.strip()
    return name.partition("(")[0].strip() if name.endswith(")") else name
