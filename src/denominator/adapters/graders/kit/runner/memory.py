"""Imports hidden modules from a table of compiled code: their sources lie in no file and are forgotten."""

from __future__ import annotations

import io
import os
import sys
from importlib.machinery import ModuleSpec

# Neither typing nor importlib.abc: together they would cost a grading more than the rest of its start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType
    from typing import Any


class Importer:
    """Loads the modules of one table; `get_data` and resources work for data files beside them."""

    def __init__(self, codes: Mapping[str, CodeType], data: Mapping[str, bytes], root: str) -> None:
        self.codes, self.data, self.root = codes, data, root

    def install(self) -> None:
        """Serve `root` and the folders below it wherever they stand on a path."""
        sys.path_hooks.insert(0, self.finder)

    def finder(self, place: str) -> Finder:
        if place != self.root and not place.startswith(f"{self.root}/"):
            raise ImportError("not a place of hidden tests")
        return Finder(self, place[len(self.root) + 1 :])

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        exec(self.codes[module.__spec__.loader_state], vars(module))

    def get_source(self, fullname: str) -> None:
        return None

    def get_data(self, path: str) -> bytes:
        inside = path.removeprefix(f"{self.root}/")
        if inside in self.data:
            return self.data[inside]
        with open(path, "rb") as file:
            return file.read()

    def get_resource_reader(self, fullname: str) -> Reader:
        return Reader(self, vars(sys.modules[fullname])["__spec__"].submodule_search_locations[0])


class Reader:
    """The data files of one package, as importlib.resources asks for them."""

    def __init__(self, importer: Importer, folder: str) -> None:
        self.importer, self.folder = importer, folder

    def open_resource(self, resource: str) -> io.BytesIO:
        return io.BytesIO(self.importer.get_data(f"{self.folder}/{resource}"))

    def resource_path(self, resource: str) -> str:
        raise FileNotFoundError(resource)

    def is_resource(self, name: str) -> bool:
        return name in self.contents()

    def contents(self) -> list[str]:
        inside = f"{self.folder}/".removeprefix(f"{self.importer.root}/")
        known = [path[len(inside) :] for path in self.importer.data if path.startswith(inside)]
        names = known or (os.listdir(self.folder) if os.path.isdir(self.folder) else [])
        return [name for name in names if "/" not in name]


class Finder:
    """The modules of one folder."""

    def __init__(self, importer: Importer, folder: str) -> None:
        self.importer, self.folder = importer, folder

    def find_spec(self, name: str, target: Any = None) -> ModuleSpec | None:
        base = os.path.join(self.folder, name.rpartition(".")[2])
        known = self.importer.codes
        for path in (f"{base}/__init__.py", f"{base}.py"):
            if path in known:
                return self.spec(name, path, base)
        if any(path.startswith(f"{base}/") for path in known):
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [f"{self.importer.root}/{base}"]
            return spec
        return None

    def spec(self, name: str, path: str, base: str) -> ModuleSpec:
        package = path.endswith("/__init__.py")
        loader: Any = self.importer
        spec = ModuleSpec(name, loader, origin=f"{loader.root}/{path}", loader_state=path, is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [f"{self.importer.root}/{base}"]
        return spec
