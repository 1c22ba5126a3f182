"""Everything that an import may lead to: standard library, repository, patch, specification, declared packages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from denominator.readers.api.effort import NOT_SEARCHED, Effort
from denominator.readers.api.infer import Infer
from denominator.readers.api.listing import read_lists
from denominator.readers.api.modules import FolderModule, OpenFolder, OpenModule, SourceModule
from denominator.readers.api.packages import read_declared
from denominator.readers.api.scopes import Binding
from denominator.readers.api.shape import ApiInputs, Origin
from denominator.readers.api.source import Parsed, Unreadable, added_lines, parse
from denominator.readers.api.stdlib import Table, table_for
from denominator.readers.api.tree import USUAL_ROOTS, After, Files
from denominator.readers.api.values import Answer, Container, Found, Missing, Mod, Open, join

BUILT = re.compile(r"(_pb2|_pb2_grpc)$|^_?version$")
NEWLINE = b"\n"
TEST_TOOLS = frozenset(("pytest", "_pytest", "hypothesis", "nose", "mock"))
"""What tests import: whether it is installed is the grader's matter, and no solution stands on it."""
NOBODY = "nobody says who brings"


class World:
    """Modules by path and by dotted name, each read once."""

    def __init__(self, inputs: ApiInputs) -> None:
        self.inputs = inputs
        self.after = Files(After(inputs.repository, inputs.patch))
        self.stubs = Files({p.replace("-stubs/", "/"): d for p, d in inputs.spec.items() if p.endswith(".pyi")})
        self.lists = read_lists(inputs.spec)
        self.table: Table | None = table_for(inputs.python)
        declared = read_declared(inputs.declared)
        self.declared, self.open_declared = declared.modules, declared.open_names
        self.effort = Effort(f"{NOT_SEARCHED}{inputs.limited}" if inputs.limited else "")
        self.infer = Infer(self)
        self._loaded: dict[tuple[int, str], SourceModule | OpenModule] = {}
        self._imported: dict[tuple[str, int, str], Answer] = {}
        self._at: dict[tuple[int, str], list[Container]] = {}
        self._stars: set[tuple[int, str]] = set()

    # --- files

    def load(self, path: str, files: Files | None = None) -> SourceModule | OpenModule:
        """The module of one file."""
        tree = files or self.after
        key = (id(tree), path)
        if key not in self._loaded:
            self._loaded[key] = self._read(path, tree)
        return self._loaded[key]

    def _read(self, path: str, tree: Files) -> SourceModule | OpenModule:
        where = "spec" if tree is self.stubs else "repository"
        if path not in self.inputs.patch:
            if self.effort.limited:
                return OpenModule(path, self.effort.limited, Origin(where, path))
            self.effort.parse(len(tree.files[path]))
        parsed: Parsed | Unreadable = parse(tree.files[path])
        if isinstance(parsed, Unreadable):
            return OpenModule(path, f"{path}: {parsed.why}", Origin(where, path))
        patched = where == "repository" and path in self.inputs.patch
        added = added_lines(self.before(path), parsed) if patched else frozenset[int]()
        base = path.rpartition(".")[0]
        base = base.removesuffix("/__init__") if base.endswith("/__init__") else "" if base == "__init__" else base
        return SourceModule(self, tree, path, base, where, parsed, added)

    def before(self, path: str) -> bytes | None:
        """The same file before the patch, under its old name if it was moved."""
        old = self.inputs.renamed.get(path, "")
        return self.inputs.repository.get(old if old in self.inputs.repository else path)

    def at(self, base: str, files: Files) -> list[Container]:
        """Modules whose path without suffix is `base`."""
        key = (id(files), base)
        if key not in self._at:
            self._at[key] = self._find(base, files)
        return self._at[key]

    def _find(self, base: str, files: Files) -> list[Container]:
        found: list[Container] = [self.load(path, files) for path in files.module_files(base)]
        if files.compiled(base):
            found.append(OpenModule(base, f"{base} is compiled", Origin("repository", base)))
        if not found and base in files.folders:
            found.append(FolderModule(self, files, base, "spec" if files is self.stubs else "repository"))
        return found

    # --- names

    def submodule(self, module: SourceModule | FolderModule, name: str) -> Answer | None:
        """A module inside a package, or nothing."""
        is_package = isinstance(module, FolderModule) or module.path.rpartition("/")[2].startswith("__init__.")
        if not is_package:
            return None
        found = self.at(f"{module.base}/{name}" if module.base else name, module.files)
        if found:
            return self._mods(found)
        return Open(f"{name} may be made by a build") if BUILT.search(name) else None

    def _mods(self, found: Sequence[Container]) -> Found:
        return Found(tuple(Mod(c) for c in found), origin_of(found[0]))

    def imported(self, dotted: str, level: int, importer: SourceModule) -> Answer:
        """The module that `import dotted` or `from ..dotted import` means in a file."""
        key = (dotted, level, importer.path)
        if key not in self._imported:
            self._imported[key] = self._import(dotted, level, importer)
        return self._imported[key]

    def _import(self, dotted: str, level: int, importer: SourceModule) -> Answer:
        parts = [part for part in dotted.split(".") if part]
        if level == 0:
            start, rest = self._top(parts[0], importer), parts[1:]
        else:
            start, rest = self._upwards(level, importer), parts
        for part in rest:
            start = self._below(start, part)
        return start

    def _below(self, start: Answer, part: str) -> Answer:
        if not isinstance(start, Found):
            return start
        answers: list[Answer] = []
        for value in start.values:
            container = value.container if isinstance(value, Mod) else None
            if isinstance(container, SourceModule):
                answers.append(self.submodule(container, part) or self._no_submodule(container, part))
            elif container is not None:
                answers.append(container.member(part))
        return join(answers)

    def _no_submodule(self, module: SourceModule, part: str) -> Answer:
        """A name of a package is no module, unless the package arranges it."""
        if module.changes_imports:
            return Open(f"{module.path} changes how it is imported")
        answer = module.member(part)
        return answer if isinstance(answer, Open) else Missing(module.path, (Mod(module),))

    def _upwards(self, level: int, importer: SourceModule) -> Answer:
        folders = importer.path.split("/")[:-1]
        if level - 1 > len(folders):
            return Open("goes above the repository")
        base = "/".join(folders[: len(folders) - (level - 1)])
        inside = importer.files
        found = [
            self.load(p, inside) for p in (inside.module_files(base) if base else ["__init__.py"]) if p in inside.files
        ]
        why = "" if base else "the folder that holds the repository may be a package"
        folder = (
            OpenFolder(self, inside, base, importer.where, why)
            if why
            else FolderModule(self, inside, base, importer.where)
        )
        return self._mods(found or [folder])

    def _top(self, top: str, importer: SourceModule) -> Answer:
        answers: list[Answer] = []
        if self.table is not None and top in self.table.modules:
            answers.append(self._mods([self.table.modules[top]]))
        elif self.table is not None and top in self.table.others:
            answers.append(self._mods([OpenModule(top, f"the table does not list {top}", Origin("stdlib", top))]))
        sure, others = self.after.roots_for(top, importer.path)
        answers += [self._mods([self._part(c, root) for c in self.at(_joined(root, top), self.after)]) for root in sure]
        answers += [self._mods(self.at(_joined(root, top), self.stubs)) for root in self.stubs.tops.get(top, ())]
        if top in self.lists:
            answers.append(self._mods([self.lists[top]]))
        if top in self.declared and top not in self.stubs.tops and top not in self.lists:
            answers.append(
                self._mods([OpenModule(top, f"{top} is a declared package, without a stub", Origin("declared", top))])
            )
        if not answers and others:
            why = f"found under {others[0]}/, which may not be on the path"
            answers.append(self._mods([OpenModule(top, why, Origin("repository", f"{others[0]}/{top}"))]))
        return join(answers) if answers else self._unknown_top(top)

    def _part(self, container: Container, root: str) -> Container:
        """A folder beside a program is not surely the package of that name; one in a usual place is."""
        if isinstance(container, FolderModule) and root not in USUAL_ROOTS:
            why = (
                f"{container.name} is a folder without __init__.py and may be one part of {container.name} among others"
            )
            return OpenFolder(self, container.files, container.base, container.where, why)
        return container

    def _unknown_top(self, top: str) -> Answer:
        before = "" if self.effort.limited else self._imported_before(top)
        if before:
            why = f"{top} is imported by the repository already, its content is not known"
            return self._mods([OpenModule(top, why, Origin("repository", before))])
        if top in TEST_TOOLS:
            return self._mods([OpenModule(top, f"{top} runs tests, no part of a solution", Origin("declared", top))])
        why = self._why_open()
        return Open(f"{NOBODY} {top}: {why}") if why else Missing("the modules that a program can import here")

    def _why_open(self) -> str:
        """Why a module that is nowhere may exist after all, or ""."""
        if self.table is None:
            return f"no table of the standard library for Python {self.inputs.python}"
        if self.effort.limited or not self.inputs.closed:
            return self.effort.limited or "the task does not say which packages may be used"
        return f"{min(self.open_declared)} may bring it: its modules are not declared" if self.open_declared else ""

    def _imported_before(self, top: str) -> str:
        """Where a file from before the patch imports it, or ""."""
        pattern = re.compile(rb"^[ \t]*(?:import|from)[ \t]+" + re.escape(top.encode()) + rb"\b", re.M)
        for path in sorted(self.inputs.repository):
            data = self.inputs.repository[path] if path.endswith((".py", ".pyi")) else b""
            self.effort.scan(len(data))
            found = pattern.search(data)
            if found:
                return f"{path}:{data.count(NEWLINE, 0, found.start()) + 1}"
        return ""

    def star(self, star: Binding, name: str) -> Answer:
        """What a star import brings under a name."""
        key = (id(star), name)
        if key in self._stars:
            return Missing("a circle of star imports")
        self._stars.add(key)
        try:
            importer = star.scope.top.module
            assert isinstance(importer, SourceModule)
            module = self.imported(star.target, star.level, importer)
            if not isinstance(module, Found):
                return Open(f"from {'.' * star.level}{star.target} import * brings names that are not known")
            return join([v.container.member(name) for v in module.values if isinstance(v, Mod)])
        finally:
            self._stars.discard(key)

    def builtin(self, name: str) -> Answer:
        """A builtin name."""
        if self.table is None:
            return Open(f"no table of the standard library for Python {self.inputs.python}")
        return self.table.modules["builtins"].member(name)


def _joined(root: str, top: str) -> str:
    return f"{root}/{top}" if root else top


def origin_of(container: Container) -> Origin:
    """Who defines a module."""
    if isinstance(container, OpenModule):
        return container.origin
    if isinstance(container, SourceModule):
        whole = container.where == "repository" and container.path not in container.world.inputs.repository
        return Origin("patch" if whole else container.where, container.path)
    if isinstance(container, FolderModule):
        return Origin(container.where, container.name)
    at = getattr(container, "at", "")
    return Origin("spec", at) if at else Origin("stdlib", container.name)
