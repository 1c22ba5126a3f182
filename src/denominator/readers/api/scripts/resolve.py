"""Where the specifier of an import leads: a file of the tree, a declared package, Node itself, or nowhere."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from denominator.readers.api.packages import split_entry
from denominator.readers.api.world import NOBODY, World

TRIED = ("", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte", ".node")
INDEXES = tuple(f"/index{suffix}" for suffix in TRIED if suffix)
SOURCES = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
    ".jsx": (".tsx",),
}
NODE = frozenset(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http "  # noqa: SIM905
    "http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys "
    "timers tls trace_events tty url util v8 vm wasi worker_threads zlib".split()
)
GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "bundledDependencies")
BUILT = frozenset(("dist", "build", "out", "lib", "generated", "gen", "node_modules", ".next", "coverage"))
PACKAGE = re.compile(r"(@[a-z0-9~][\w.~-]*/)?[a-z0-9~][\w.~-]*(?=/|\Z)")


@dataclass(frozen=True, slots=True)
class Led:
    """`path` in the tree; else `where` and `at` of what is known; else `why` it is open; nothing of them: it leads nowhere."""

    path: str = ""
    where: str = ""
    at: str = ""
    why: str = ""


class Resolver:
    """Specifiers against one tree."""

    def __init__(self, world: World) -> None:
        self.world = world

    def lead(self, specifier: str, importer: str) -> Led:
        """Where a specifier leads from a file."""
        if "?" in specifier or "!" in specifier or ":" in specifier.removeprefix("node:"):
            return Led(why="a tool gives it a meaning of its own")
        if specifier.startswith((".", "/")):
            return self._file(specifier, importer)
        if specifier.startswith("node:") or specifier.partition("/")[0] in NODE:
            return Led(where="stdlib", at="Node")
        return self._package(specifier)

    def _file(self, specifier: str, importer: str) -> Led:
        if specifier.startswith("/"):
            return Led(why="an absolute path is a matter of the server or the tool")
        base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))
        if base == ".." or base.startswith("../"):
            return Led(why="goes above the repository")
        files = self.world.after.files
        stem, dot, suffix = base.rpartition(".")
        others = [f"{stem}{new}" for new in SOURCES.get(f"{dot}{suffix}", ())]
        base = "" if base == "." else base
        found = next(
            (
                p
                for p in (*(base + s for s in TRIED), *others, *((base + i).lstrip("/") for i in INDEXES))
                if p in files
            ),
            "",
        )
        if found:
            return Led(path=found)
        if BUILT & set(base.split("/")):
            return Led(why="it may be made by a build")
        return Led()

    def _package(self, specifier: str) -> Led:
        made = PACKAGE.match(specifier)
        if made is None:
            return Led(why="a tool gives it a meaning of its own")
        name = made.group(0)
        if name in self.declared:
            return Led(where="declared", at=self.declared[name])
        if self.aliases:
            return Led(why=f"{self.aliases} may give it a meaning of its own")
        before = self._imported_before(specifier)
        if before:
            return Led(where="repository", at=before)
        if self.world.effort.limited:
            return Led(why=self.world.effort.limited)
        if not self.manifests:
            return Led(why=f"{NOBODY} {name}: no package.json, and the task's packages do not name it")
        added = set(self._stated(self.world.after.files)) - set(self._stated(self.world.inputs.repository))
        return Led(why=f"{NOBODY} {name}: the patch itself adds packages") if added else Led()

    @cached_property
    def manifests(self) -> list[str]:
        """Every package.json of the tree that is not an installed package's."""
        files = self.world.after.files
        return sorted(p for p in files if p.rpartition("/")[2] == "package.json" and "node_modules" not in p.split("/"))

    @cached_property
    def declared(self) -> dict[str, str]:
        """Packages that the repository's package.json files require, those that they are, and the task's own."""
        return self._stated(self.world.inputs.repository) | {
            split_entry(entry)[0]: "packages" for entry in self.world.inputs.declared
        }

    @cached_property
    def aliases(self) -> str:
        """A configuration by which tools may find modules elsewhere, or ""."""
        files = self.world.after.files
        for path in sorted(files):
            name = path.rpartition("/")[2]
            if name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json"):
                if re.search(rb'"(?:paths|baseUrl|extends|typeRoots)"\s*:', files[path]):
                    return path
            elif re.match(
                r"(?:vite|webpack|rollup|jest|vitest|babel|metro|next|nuxt|svelte|astro)\.config\.|\.babelrc|deno\.json|import.?map",
                name,
            ):
                return path
        return ""

    @staticmethod
    def _stated(files: Mapping[str, bytes]) -> dict[str, str]:
        found: dict[str, str] = {}
        for path in sorted(
            p for p in files if p.rpartition("/")[2] == "package.json" and "node_modules" not in p.split("/")
        ):
            try:
                document = json.loads(files[path])
            except (ValueError, RecursionError):
                continue
            for group in GROUPS if isinstance(document, dict) else ():
                named = document.get(group)
                found |= dict.fromkeys(map(str, named if isinstance(named, dict | list) else ()), path)
            own = document.get("name") if isinstance(document, dict) else None
            found |= {own: path} if isinstance(own, str) else {}
        return found | {name.removeprefix("@types/"): at for name, at in found.items()}

    def _imported_before(self, specifier: str) -> str:
        """A script from before the patch that imports the same."""
        wanted = re.compile(rb"[\"'`]" + re.escape(specifier.encode("utf-8", "surrogatepass")) + rb"[\"'`]")
        repository = self.world.inputs.repository
        for path in sorted(
            p for p in repository if p.endswith((".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts"))
        ):
            if self.world.effort.limited:
                return ""
            self.world.effort.scan(len(repository[path]))
            if wanted.search(repository[path]):
                return path
        return ""
