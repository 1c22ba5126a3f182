"""The files after the patch, and which of them are modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

SUFFIXES = (".py", ".pyi", ".pyw")
COMPILED = (".so", ".pyd", ".pyx", ".pxd")
USUAL_ROOTS = ("", "src", "lib", "python")


class After(Mapping[str, bytes]):
    """The files after a patch. Bytes are asked for only when they are needed: a repository may be large."""

    def __init__(self, before: Mapping[str, bytes], patch: Mapping[str, bytes | None]) -> None:
        self.before = before
        self.new = {path: data for path, data in patch.items() if data is not None}
        self.paths = (before.keys() - patch.keys()) | self.new.keys()

    def __getitem__(self, path: str) -> bytes:
        if path not in self.paths:
            raise KeyError(path)
        return self.new[path] if path in self.new else self.before[path]

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.paths))

    def __len__(self) -> int:
        return len(self.paths)


class Files:
    """Paths and bytes of a tree. A folder is a package when Python files are anywhere below it."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files

    @cached_property
    def folders(self) -> frozenset[str]:
        """Folders that hold Python, at any depth; "" is the root."""
        out = {""}
        for path in self.files:
            if path.endswith((*SUFFIXES, *COMPILED)):
                folder = path.rpartition("/")[0]
                while folder and folder not in out:
                    out.add(folder)
                    folder = folder.rpartition("/")[0]
        return frozenset(out)

    @cached_property
    def tops(self) -> Mapping[str, frozenset[str]]:
        """Top name -> folders that hold a module or package of that name."""
        found: dict[str, set[str]] = {}
        for path in self.files:
            if path.endswith((*SUFFIXES, *COMPILED)):
                folder, _, name = path.rpartition("/")
                found.setdefault(name.split(".")[0], set()).add(folder)
        for path in self.folders - {""}:
            folder, _, name = path.rpartition("/")
            found.setdefault(name, set()).add(folder)
        return {name: frozenset(folders) for name, folders in found.items()}

    def module_files(self, base: str) -> list[str]:
        """Files that make the module at a path without suffix, the package's own file first."""
        wanted = [f"{base}/__init__{s}" for s in SUFFIXES] + [f"{base}{s}" for s in SUFFIXES]
        return [path for path in wanted if path in self.files]

    def compiled(self, base: str) -> bool:
        """Is there an extension module at a path without suffix?"""
        return base in self._compiled

    @cached_property
    def _compiled(self) -> frozenset[str]:
        found = [path for path in self.files if path.endswith(COMPILED)]
        return frozenset(
            path[: -len(path.rpartition("/")[2])] + path.rpartition("/")[2].partition(".")[0] for path in found
        )

    def roots_for(self, top: str, importer: str) -> tuple[list[str], list[str]]:
        """Folders from which a top name may come: those likely on the path, and others (inside of packages, elsewhere)."""
        usual = set(USUAL_ROOTS)
        folder = importer.rpartition("/")[0]
        while folder:
            package = any(f"{folder}/__init__{suffix}" in self.files for suffix in SUFFIXES)
            usual |= set() if package else {folder}
            folder = folder.rpartition("/")[0]
        holding = self.tops.get(top, frozenset())
        return sorted(holding & usual), sorted(holding - usual)
