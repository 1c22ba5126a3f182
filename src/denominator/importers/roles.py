"""Which file plays which part: rows, their companions, or nothing that we read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from denominator.errors import InputError
from denominator.importers.files import Parsed, basename, folder_of
from denominator.importers.leaks import is_scan
from denominator.importers.raw import RawRow, digest_of
from denominator.importers.report import FileUse
from denominator.importers.shapes import SHAPES, Shape

IGNORED = {"case.json": "a case description, no input", "sha256sums": "checksums, held against the files"}
CHECKED = {"sha256sums": "checksums"}
MANIFEST_WORDS = ("manifest", "envelope", "config", "header", "fingerprint")
MANIFEST_KEYS = frozenset(
    {"dataset", "task_count", "task_ids", "strata", "controls", "invalid_rate_ceiling", "on_timeout", "max_attempts"}
    | {"tool_loop_n"}
)
CARD_KEYS = frozenset({"allowed_files", "forbidden_paths", "hidden_test", "test_cmd", "fail_to_pass"})
PATCHES = (".diff", ".patch")
PACK_KEYS = frozenset({"prompt", "hidden_test", "hidden_ids", "fail_to_pass", "pass_to_pass", "test_cmd", "gold_patch"})
SPEC_KEYS = frozenset({"paths", "symbols", "openapi", "swagger"})
SINGLE = ("contract", "manifest", "header", "stop", "verdicts", "probe", "tasks", "card")


@dataclass(slots=True)
class Roles:
    """Files by role. `rows` may be several files only for a log a seed or a meta a run."""

    rows: list[Parsed] = field(default_factory=list)
    errors: list[Parsed] = field(default_factory=list)
    tasks: list[Parsed] = field(default_factory=list)
    baseline: list[Parsed] = field(default_factory=list)
    documents: dict[str, list[Parsed]] = field(default_factory=dict)
    uses: list[FileUse] = field(default_factory=list)

    def document(self, role: str) -> tuple[str, Mapping[str, object]]:
        """The one document of a role: its file and content, both empty when there is none."""
        found = self.documents.get(role, [])
        return (found[0].name, found[0].document) if found else ("", {})

    def of(self, role: str) -> list[Parsed]:
        """The files of a role."""
        if role in ("rows", "errors", "tasks", "baseline"):
            return list(getattr(self, role))
        return self.documents.get(role, [])


def shape_of(rows: Sequence[RawRow]) -> Shape | None:
    """The shape of these rows; None when none fits. Rows with the judging columns of two shapes are ambiguous."""
    fits = [shape for shape in SHAPES if shape.fits(rows)]
    judging = sorted({shape.judges for shape in fits if shape.judges and shape.judges != "stop_reason"})
    if len(judging) > 1:
        raise InputError(
            f"ambiguous: the rows say how they ended in {len(judging)} columns: {', '.join(judging)}",
            where=rows[0].file,
            fix="say which one counts with --map columns.toml",
        )
    return fits[0] if fits else None


def assign(parsed: Sequence[Parsed], others: Sequence[str], mapped: Shape | None) -> Roles:
    """A role for every file; two files in one single role are ambiguous."""
    roles = Roles()
    for name in others:
        role = CHECKED.get(basename(name).lower(), "patch" if name.lower().endswith(PATCHES) else "ignored")
        roles.uses.append(FileUse(name=name, role=role, why=_why_ignored(name)))
    for one, role, why in _ranked([(one, *_role(one, mapped)) for one in parsed]):
        if role in ("rows", "errors", "tasks", "baseline"):
            getattr(roles, role).append(_as_rows(one))
        elif role not in ("ignored", "kept aside"):
            roles.documents.setdefault(role, []).append(one)
        if one.rows and one.document and role != "probe":
            roles.documents.setdefault("manifest" if not one.head else "head", []).append(one)
        roles.uses.append(FileUse(name=one.name, role=role, why=why, rows=len(one.rows)))
    _refuse_doubles(roles)
    if mapped is None and not roles.rows and not roles.errors:
        _only_cards(roles.tasks)
    if not roles.rows and not roles.errors and not roles.tasks:
        seen = "; ".join(f"{use.name}: {use.why}" for use in roles.uses) or "no file at all"
        raise InputError(f"no rows found ({seen})", fix="docs/formats/rows.md lists the shapes; --map reads any other")
    return roles


def _ranked(found: Sequence[tuple[Parsed, str, str]]) -> Iterable[tuple[Parsed, str, str]]:
    """A document at the top goes before one of the same role in a folder below, which is kept aside."""
    top = {role for one, role, _ in found if not is_below(one.name)}
    for one, role, why in found:
        if role in SINGLE and role in top and is_below(one.name):
            yield one, "kept aside", f"{role} in a folder below another one"
        else:
            yield one, role, why


def _only_cards(tasks: Sequence[Parsed]) -> None:
    """Cards with the parts of a pack say what was to be done: whether they may be used is judged before any run."""
    for one in tasks:
        if any(PACK_KEYS & row.value.keys() for row in one.rows):
            raise InputError(
                "task cards only, no row says what happened: this describes a pack",
                where=one.name,
                fix=f"to check the pack: denominator pack lint {one.name}; to import a result: name its rows too",
            )


def _why_ignored(name: str) -> str:
    known = IGNORED.get(basename(name).lower())
    if name.lower().endswith(PATCHES):
        return "a patch: looked at for what carrying it did to it, not applied"
    return known or ("in a folder below the rows" if is_below(name) else "neither JSON, JSONL nor CSV")


def is_below(name: str) -> bool:
    """Does a file lie in a folder below the one that was named?"""
    return "/" in name


def holds_rows(one: Parsed) -> bool:
    """Is this file rows of a result, as far as it tells by itself?"""
    try:
        return _role(one, None)[0] == "rows"
    except InputError:
        return True


def is_ignored(name: str) -> bool:
    """Files that are never input, whatever they hold."""
    return basename(name).lower() in IGNORED


STATED_NAME = "--declared.manifest.json"
"""What a person states on the command line: it stands beside a manifest, and the two must not contradict each other."""


def _role(one: Parsed, mapped: Shape | None) -> tuple[str, str]:
    if "probe" in one.stem and not one.stem.startswith("probes"):
        return "probe", "a narration probe"
    if one.rows or one.defects or one.torn:
        return _rows_role(one, mapped)
    if not one.document:
        return "ignored", "empty"
    return _document_role(one)


def _rows_role(one: Parsed, mapped: Shape | None) -> tuple[str, str]:
    if mapped is not None and mapped.fits(one.rows):
        return "rows", "the column map fits"
    shape = shape_of(one.rows)
    keys = sorted({key for row in one.rows for key in row.value})
    if one.stem.startswith("baseline"):
        return "baseline", "agent-off results by its name"
    if shape is None and one.rows:
        cards = len(PACK_KEYS & {*keys}) > 1 and "id" in keys
        pack = f"; if these are task cards: denominator pack lint {one.name}" if cards else ""
        raise InputError(
            f"unknown row shape with the keys {', '.join(keys[:30])}",
            where=one.name,
            fix="docs/formats/rows.md lists the shapes; --map columns.toml reads any other; a result of another harness: "
            f"denominator import auto PATH -o NAME{pack}",
        )
    if shape is None:
        return "rows", "no line of it can be read"
    if shape.name in ("tasks", "errors"):
        return shape.name, shape.what
    return "rows", f"shape {shape.name}: keys {', '.join(sorted(shape.signs))}"


def _document_role(one: Parsed) -> tuple[str, str]:
    keys = one.document.keys()
    if "task_id" in keys and shape_of(_as_rows(one).rows) is not None:
        return "rows", "one row in a file of its own"
    if is_scan(one.document):
        return "scan", "what a scan of the pack found"
    if keys & SPEC_KEYS and not keys & MANIFEST_KEYS:
        return "spec", "a frozen specification"
    if "id" in keys and keys & CARD_KEYS:
        return "card", "the card of a task"
    if "contract" in one.stem or "locked_at" in keys:
        return "contract", "a scoring contract"
    if one.stem == "stop" or {"during", "reason"} <= keys:
        return "stop", "why the batch stopped"
    if one.stem == "verdicts" or all(
        isinstance(v, dict) and {"status", "interrupted"} & v.keys() for v in one.document.values()
    ):
        return "verdicts", "verdicts by task"
    if one.stem == "header":
        return "header", "a header of seed logs"
    if any(word in basename(one.name).lower() for word in MANIFEST_WORDS) or keys & MANIFEST_KEYS:
        return "manifest", "a manifest by name or keys"
    return "kept aside", f"no role for the keys {', '.join(sorted(keys)[:12])}"


def _as_rows(one: Parsed) -> Parsed:
    if one.rows or not one.document:
        return one
    row = RawRow(one.name, 1, digest_of(one.document), one.document)
    return Parsed(name=one.name, rows=(row,), physical_lines=1, single=True)


def _refuse_doubles(roles: Roles) -> None:
    for role in SINGLE:
        given = roles.tasks if role == "tasks" else roles.documents.get(role, [])
        found = [one for one in given if one.name != STATED_NAME]
        if len(found) > 1 and not _by_folder(role, found):
            _ambiguous(role, [one.name for one in found], " ".join(one.name for one in roles.rows[:1]))
    if len(roles.rows) > 1 and not _spread(roles.rows):
        _ambiguous("rows", [one.name for one in roles.rows])


def _by_folder(role: str, found: Sequence[Parsed]) -> bool:
    """May several files play a single role? A card in each run folder, or the same manifest in each."""
    folders = {folder_of(one.name) for one in found}
    if len(folders) < len(found) or "" in folders:
        return False
    return role == "card" or (role == "manifest" and all(one.document == found[0].document for one in found))


def _spread(files: Sequence[Parsed]) -> bool:
    """Is one run spread over these files: a log a seed, or one row in a file of its own?"""
    shapes = {shape.name if (shape := shape_of(one.rows)) else "" for one in files}
    return shapes == {"seed-log"} or (len(shapes) == 1 and all(one.single for one in files))


def _ambiguous(role: str, names: Sequence[str], rows: str = "") -> None:
    example = f"{rows} {names[0]}" if rows else "ROWS MANIFEST ..."
    raise InputError(
        f"ambiguous: {len(names)} files could be the {role}: {', '.join(names)}",
        fix=f"name the files of one result: denominator import rows {example}",
    )
