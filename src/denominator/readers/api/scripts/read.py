"""The surfaces of the scripts of a patch: what they import, which names they take, where they send requests."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from denominator.readers.api.found import Collector, Place
from denominator.readers.api.routes import Routes
from denominator.readers.api.scripts.grammar import GRAMMARS, Node, parse
from denominator.readers.api.scripts.resolve import Resolver
from denominator.readers.api.scripts.uses import DEFAULT, Import, Uses
from denominator.readers.api.shape import INVENTED, NOT_EVALUATED, Origin, Surface
from denominator.readers.api.source import NEWLINE, Parsed, added_lines
from denominator.readers.api.templates import NAMED, fits_end, matches
from denominator.readers.api.world import World

SUFFIXES = tuple(GRAMMARS)
ONLY = "of scripts only imports, exported names and requests are looked at"
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
SERVING = re.compile(
    rb"\b(?:app|router|server|fastify|routes?|api)\.(?:get|post|put|patch|delete|all|use|route)\(\s*[\"'`](/[^\"'`]*)"
)
STARS_MAX = 20


@dataclass(eq=False)
class Script:
    """One file as the collector of surfaces sees it."""

    world: World
    path: str
    parsed: Parsed
    added: frozenset[int]


class Scripts:
    """Judges scripts; other files are read only when an import leads to them."""

    def __init__(self, world: World, routes: Routes) -> None:
        self.world, self.routes, self.resolver = world, routes, Resolver(world)
        self._uses: dict[str, Uses | None] = {}

    def read(self, path: str) -> list[Surface]:
        """All surfaces of one file, and one more that says what of it was not looked at."""
        data = self.world.after.files[path]
        if path.endswith(DECLARATIONS):
            return [_whole(path, "declarations, which no program runs")]
        root, why = parse(path, data)
        if root is None:
            return [_whole(path, why)]
        lines = data.decode("utf-8", "replace")
        parsed = Parsed(lines, tuple(NEWLINE.split(lines)), ast.Module([], []))
        script = Script(self.world, path, parsed, added_lines(self.world.before(path), parsed))
        uses = Uses.of(root)
        out = Collector(script)
        for one in uses.imports:
            self._import(one, script, out)
        for request in uses.requests:
            if _added(request.node, script):
                self._request(request.method, request.text, request.node, out)
        return [*out.surfaces.values(), _whole(path, ONLY)]

    def _import(self, one: Import, script: Script, out: Collector) -> None:
        led = self.resolver.lead(one.specifier, script.path)
        if _added(one.node, script):
            place = _place(one.node)
            if led.path or led.where:
                out.known("import", one.specifier, Origin(led.where or "repository", led.at or led.path), place)
            elif led.why or one.guarded:
                out.not_evaluated("import", one.specifier, led.why or "the code expects that it may be absent", place)
            else:
                out.invented("import", one.specifier, "the files and packages that a script can import here", place)
        for name, node in one.names if led.path else ():
            if _added(node, script):
                self._name(led.path, name, one.specifier, _place(node), out)

    def _name(self, path: str, name: str, specifier: str, place: Place, out: Collector) -> None:
        shown = f"{specifier} {{{name}}}"
        answer = self.exported(path, name) or self._typed(path, out.module.path)
        if answer is True:
            out.known("import", shown, Origin("repository", path), place)
        elif answer is False:
            out.invented("import", shown, f"the exports of {path}", place)
        else:
            out.not_evaluated("import", shown, str(answer), place)

    def _typed(self, path: str, importer: str) -> bool | str:
        """May types that stand elsewhere have the name: beside a script in declarations, or in its comments?"""
        stem, _, suffix = path.rpartition(".")
        beside = next((p for p in (f"{stem}{end}" for end in DECLARATIONS) if p in self.world.after.files), "")
        if beside:
            return f"{beside} declares its types"
        typed = importer.endswith((".ts", ".tsx", ".mts", ".cts")) and suffix in ("js", "jsx", "mjs", "cjs")
        return f"{path} may have types in its comments" if typed else False

    def exported(self, path: str, name: str, depth: int = 0) -> bool | str:
        """Does a file export a name; a text says why nobody can tell."""
        uses = self._of(path)
        if uses is None:
            return f"{path} is not read"
        if name in uses.exports:
            return True
        if uses.open_why or not uses.module or depth > STARS_MAX:
            return uses.open_why or f"{path} is no module of the newer kind"
        if name == DEFAULT:
            return False
        for star in uses.stars:
            led = self.resolver.lead(star, path)
            below = self.exported(led.path, name, depth + 1) if led.path else f"{path} exports all of {star}"
            if below is not False:
                return below
        return False

    def _of(self, path: str) -> Uses | None:
        if path not in self._uses:
            self._uses[path] = None
            if path.endswith(SUFFIXES) and not path.endswith(DECLARATIONS) and not self.world.effort.limited:
                data = self.world.after.files[path]
                self.world.effort.parse(len(data))
                root, _ = parse(path, data)
                self._uses[path] = Uses.of(root) if root is not None else None
        return self._uses[path]

    # --- requests

    def _request(self, method: str, text: str, node: Node, out: Collector) -> None:
        place = _place(node)
        mine = Collector(out.module)
        self.routes.said(method, text, place, mine)
        for surface in mine.surfaces.values():
            served = self._served(surface.name.partition(" ")[2]) if surface.state == INVENTED else ""
            if served:
                out.not_evaluated("route", surface.name, f"{served} may serve it", place)
            else:
                out.surfaces.setdefault((surface.kind, surface.name, surface.state, surface.why), surface)

    def _served(self, path: str) -> str:
        """A script or a folder of the tree that may serve a path, or ""."""
        files = self.world.after.files
        for name in sorted(p for p in files if p.endswith(SUFFIXES)):
            if path.startswith("/api/") and re.search(r"(?:\A|/)(?:pages|app|server|functions|routes)/", name):
                return name
            self.world.effort.scan(len(files[name]))
            for found in SERVING.finditer(files[name]):
                template = re.sub(r":\w+", "{}", found.group(1).decode("utf-8", "replace"))
                if (
                    matches(template, NAMED.sub("x", path))
                    or fits_end(template, NAMED.sub("x", path))
                    or template == "/"
                ):
                    return name
        return ""


def _added(node: Node, script: Script) -> bool:
    return any(line in script.added for line in range(node.start_point[0] + 1, node.end_point[0] + 2))


def _place(node: Node) -> Place:
    return Place(node.start_point[0] + 1, node.start_point[1])


def _whole(path: str, why: str) -> Surface:
    return Surface(kind="file", name=path, state=NOT_EVALUATED, why=why, path=path, line=0, column=0, text="")
