"""What goes into the reader of used surfaces, and what one surface is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

KNOWN = "known"
INVENTED = "invented"
NOT_EVALUATED = "not_evaluated"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiInputs:
    """Files by POSIX path. `patch` holds bytes after the patch, `None` for a deleted path.

    `declared` are packages that the task allows: `name` (its modules are known by name at most, and it may bring other
    modules with it), or `name:module,module` (it brings exactly these top-level modules). `closed`: somebody says that
    these are all; else a module that is nowhere cannot be judged. `limited` says why the repository is not here in
    full; nothing is invented then. `renamed`: path after the patch -> path of the same file before it.
    """

    repository: Mapping[str, bytes]
    patch: Mapping[str, bytes | None]
    spec: Mapping[str, bytes] = field(default_factory=dict)
    declared: tuple[str, ...] = ()
    python: str = "3.11"
    closed: bool = True
    limited: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """One surface that an added line uses. `where` and `at` say who defines it, `why` what keeps it from being known.

    `kind` is import, name, attribute, keyword, route, key or file; `line` and `column` count from 1 (0: the whole file).
    `uses` counts the places in this file where the same is used; the first one is shown.
    """

    kind: str
    name: str
    state: str
    where: str = ""
    at: str = ""
    why: str = ""
    path: str
    line: int
    column: int
    text: str
    uses: int = 1


@dataclass(frozen=True, slots=True)
class Origin:
    """Who defines something: stdlib, repository, patch, spec or declared; and where."""

    where: str
    at: str
