"""Imports modules from a table of bytes."""

import importlib.abc
import importlib.util


class Importer(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finder and loader of the files of one table; `get_data` and resources work for data files beside them."""

    def __init__(self, files, root):
        self.files, self.root = files, root

    def path_of(self, name):
        base = name.replace(".", "/")
        for path in (f"{base}/__init__.py", f"{base}.py"):
            if path in self.files:
                return path
        folder = any(path.startswith(f"{base}/") and path.endswith(".py") for path in self.files)
        return f"{base}/" if folder else None

    def find_spec(self, name, path=None, target=None):
        found = self.path_of(name)
        if found is None:
            return None
        package = found.endswith(("/__init__.py", "/"))
        spec = importlib.util.spec_from_loader(name, self, origin=f"{self.root}/{found}", is_package=package)
        spec.has_location = True
        if package:
            spec.submodule_search_locations = []
        return spec

    def get_source(self, name):
        return importlib.util.decode_source(self.files.get(self.path_of(name), b""))

    def get_code(self, name):
        path = self.path_of(name)
        return compile(self.files.get(path, b""), f"{self.root}/{path}", "exec", dont_inherit=True)

    def is_package(self, name):
        return self.path_of(name).endswith(("/__init__.py", "/"))

    def get_data(self, path):
        try:
            return self.files[path.removeprefix(f"{self.root}/")]
        except KeyError:
            raise OSError(f"no such hidden file: {path}") from None
