"""Imports modules from a table of bytes."""

import importlib.abc
import importlib.util
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from types import CodeType
from typing import Any


class Importer(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finder and loader of the files of one table; `get_data` and resources work for data files beside them."""

    def __init__(self, files: Mapping[str, bytes], root: str) -> None:
        self.files, self.root = files, root

    def path_of(self, name: str) -> str | None:
        base = name.replace(".", "/")
        for path in (f"{base}/__init__.py", f"{base}.py"):
            if path in self.files:
                return path
        folder = any(path.startswith(f"{base}/") and path.endswith(".py") for path in self.files)
        return f"{base}/" if folder else None

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        found = self.path_of(name)
        if found is None:
            return None
        package = found.endswith(("/__init__.py", "/"))
        spec = ModuleSpec(name, self, origin=f"{self.root}/{found}", is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = []
        return spec

    def get_source(self, name: str) -> str:
        return importlib.util.decode_source(self.files.get(self.path_of(name) or "", b""))

    def get_code(self, name: str) -> CodeType:
        path = self.path_of(name) or ""
        code: CodeType = compile(self.files.get(path, b""), f"{self.root}/{path}", "exec", dont_inherit=True)
        return code

    def is_package(self, name: str) -> bool:
        return (self.path_of(name) or "").endswith(("/__init__.py", "/"))

    def get_data(self, path: str) -> bytes:
        try:
            return self.files[path.removeprefix(f"{self.root}/")]
        except KeyError:
            raise OSError(f"no such hidden file: {path}") from None
