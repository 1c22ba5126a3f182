"""Every use on an added line of a Python file: known, invented, or not evaluated and why."""

from __future__ import annotations

import ast

from denominator.readers.api.doubts import Doubts, Step
from denominator.readers.api.found import Collector, Place
from denominator.readers.api.guards import Guard
from denominator.readers.api.infer import Infer
from denominator.readers.api.modules import SourceModule
from denominator.readers.api.routes import Routes
from denominator.readers.api.scopes import Binding, Use, visible
from denominator.readers.api.shape import Origin
from denominator.readers.api.signatures import Signature, signature
from denominator.readers.api.values import Answer, Found, Missing, Open, Values, join
from denominator.readers.api.world import World

LOCAL_KINDS = frozenset(("param", "value", "opaque", "annotated", "self", "cls"))
OF_PROPERTIES = frozenset(("setter", "getter", "deleter", "register"))
ABSENT = "its import leads nowhere"


class Judge:
    """Judges one module."""

    def __init__(self, world: World, doubts: Doubts, routes: Routes, module: SourceModule) -> None:
        self.world = world
        self.infer: Infer = world.infer
        self.doubts = doubts
        self.routes = routes
        self.module = module
        self.out = Collector(module)

    def run(self) -> Collector:
        """All surfaces of the added lines."""
        for use in self.module.walk.uses:
            node = use.node
            if not self._touched(use):
                continue
            if isinstance(node, ast.Import):
                self._import(node, use)
            elif isinstance(node, ast.ImportFrom):
                self._import_from(node, use)
            elif isinstance(node, ast.Name):
                self._name(node, use, use.node)
            elif isinstance(node, ast.Attribute):
                self._chain(node, use)
            elif isinstance(node, ast.Call):
                self._call(node, use)
        return self.out

    # --- what was added

    def _touched(self, use: Use) -> bool:
        whole = use.pin or use.node
        first, last = whole.lineno, whole.end_lineno or whole.lineno  # type: ignore[attr-defined]
        return any(line in self.module.added for line in range(first, last + 1))

    def _added(self, use: Use, *lines: int) -> bool:
        """Is one of these lines added? Inside an f-string the whole string counts."""
        return use.pin is not None or any(line in self.module.added for line in lines)

    def _place(self, use: Use, node: ast.AST, name: str = "") -> Place:
        """Where the last name of a node stands."""
        if use.pin is not None:
            return Place(use.pin.lineno, use.pin.col_offset)  # type: ignore[attr-defined]
        if name:
            return Place(node.end_lineno, max(node.end_col_offset - len(name.encode()), 0))  # type: ignore[attr-defined]
        return Place(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    # Imports.

    def _import(self, node: ast.Import, use: Use) -> None:
        for alias in node.names:
            if self._added(use, alias.lineno):
                answer = self.world.imported(alias.name, 0, self.module)
                self._said("import", alias.name, answer, use, Place(alias.lineno, alias.col_offset), "import")

    def _import_from(self, node: ast.ImportFrom, use: Use) -> None:
        dotted = "." * node.level + (node.module or "")
        module = self.world.imported(node.module or "", node.level, self.module)
        if not isinstance(module, Found):
            if self._added(use, node.lineno, *(a.lineno for a in node.names)):
                self._said("import", dotted, module, use, self._place(use, node), "import")
            return
        for alias in node.names:
            if not self._added(use, node.lineno, alias.lineno):
                continue
            place = Place(alias.lineno, alias.col_offset)
            if alias.name == "*":
                self.out.known("import", f"{dotted}.*", module.origin, place)
                continue
            answer = join([self.infer.member(value, alias.name) for value in module.values])
            name = f"{dotted.rstrip('.')}.{alias.name}" if node.module else f"{dotted}{alias.name}"
            self._said("import", name, answer, use, place, "import", [Step(module.values, alias.name)])

    # --- names and chains

    def _name(self, node: ast.Name, use: Use, holder: ast.AST) -> Answer:
        """Judges a bare name; a name that only this file's own variables bind is no surface."""
        homes = list(visible(use.scope, node.id))[:1]
        made = homes[0].bindings[node.id] if homes else []
        imports = [b for b in made if b.kind in ("import", "from")]
        answer = self._imported(imports, made) if imports else self.infer.of_name(node.id, use.scope)
        local = bool(homes) and not imports and homes[0].kind != "module" and all(b.kind in LOCAL_KINDS for b in made)
        if holder is node and not local and self._added(use, node.lineno):
            if isinstance(answer, Missing):
                self._missing_name(node, answer, use)
            else:
                self._said("name", node.id, answer, use, self._place(use, node), "name")
        return answer

    def _imported(self, imports: list[Binding], made: list[Binding]) -> Answer:
        """What an imported name is; an import that leads nowhere was said at the import."""
        answers = [self.infer.import_answer(b) for b in imports]
        joined = join(answers)
        if isinstance(joined, Missing):
            return Open(ABSENT)
        if isinstance(joined, Found) and (len(made) > len(imports) or any(not isinstance(a, Found) for a in answers)):
            name_values = tuple(v for b in made for v in self.infer.of_binding(b))
            return Found(name_values, joined.origin)
        return joined

    def _missing_name(self, node: ast.Name, missing: Missing, use: Use) -> None:
        why = self._excuse("name", use.guard) or self.doubts.about_name(node.id, self.module)
        place = self._place(use, node)
        if node.id in self.doubts.symbols:
            self.out.known("name", node.id, Origin("spec", self.doubts.symbols[node.id]), place)
        elif why:
            self.out.not_evaluated("name", node.id, why, place)
        else:
            self.out.invented("name", node.id, f"{missing.container} or the builtins", place)

    def _chain(self, node: ast.Attribute, use: Use) -> None:
        attributes: list[ast.Attribute] = []
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            attributes.append(base)
            base = base.value
        attributes.reverse()
        lines = [base.end_lineno or 0, *(a.end_lineno or 0 for a in attributes)]
        if not self._added(use, *lines) or (use.decorator and node.attr in OF_PROPERTIES):
            return
        if isinstance(base, ast.Name):
            answer = self._name(base, use, node)
            if isinstance(answer, Missing):
                self._missing_name(base, answer, use)
                return
            values = answer.values if isinstance(answer, Found) else None
            why = answer.why if isinstance(answer, Open) else ""
        else:
            values, why = self.infer.of(base, use.scope), ""
        self._members(values, why, base, attributes, use)

    def _members(
        self, values: Values | None, why: str, base: ast.expr, attributes: list[ast.Attribute], use: Use
    ) -> None:
        text, steps, prefixes = short(base), [], [short(base), _text(base)]
        origin = Origin("", "")
        for attribute in attributes:
            text = f"{text}.{attribute.attr}"
            place = self._place(use, attribute, attribute.attr)
            if values is None:
                self.out.not_evaluated("attribute", text, why, place)
                return
            answer = join([self.infer.member(value, attribute.attr) for value in values])
            steps.append(Step(values, attribute.attr))
            if not isinstance(answer, Found):
                self._said("attribute", text, answer, use, place, "attribute", steps, prefixes)
                return
            values, origin = answer.values, answer.origin
            prefixes.append(text)
        self.out.known("attribute", text, origin, self._place(use, attributes[-1], attributes[-1].attr))

    # --- calls

    def _call(self, node: ast.Call, use: Use) -> None:
        self.routes.judge(node, use, self.out, self._added)
        named = [k for k in node.keywords if k.arg is not None]
        if not named:
            return
        values = self.infer.of(node.func, use.scope)
        signatures = [signature(value) for value in values]
        for keyword in named:
            if self._added(use, keyword.lineno, node.func.end_lineno or 0):
                self._keyword(keyword, node.func, signatures, use)

    def _keyword(self, keyword: ast.keyword, func: ast.expr, signatures: list[Signature], use: Use) -> None:
        called = short(func)
        name = f"{called}({keyword.arg}=)"
        place = self._place(use, keyword)
        takes = [s for s in signatures if not s.why and (s.any or keyword.arg in s.names)]
        unsure = [s for s in signatures if s.why]
        if takes:
            self.out.known("keyword", name, takes[0].origin, place)
        elif unsure or not signatures:
            why = unsure[0].why if unsure else "what is called is not tracked"
            self.out.not_evaluated("keyword", name, why, place)
        elif why := self._keyword_doubt(func, called, use):
            self.out.not_evaluated("keyword", name, why, place)
        else:
            self.out.invented("keyword", name, f"the parameters of {signatures[0].origin.at}", place)

    def _keyword_doubt(self, func: ast.expr, called: str, use: Use) -> str:
        """Why a parameter that is not in the definition may exist after all, or ""."""
        last = short_last(called)
        holders = self.infer.of(func.value, use.scope) if isinstance(func, ast.Attribute) else ()
        return (
            self._excuse("keyword", use.guard) or self.doubts.about_override(holders, last) or self.doubts.stored(last)
        )

    # --- words

    def _excuse(self, kind: str, guard: Guard) -> str:
        if kind in guard.caught:
            return "the code expects that it may be absent"
        return "behind a check of version or platform" if guard.platform else ""

    def _said(
        self,
        kind: str,
        name: str,
        answer: Answer,
        use: Use,
        place: Place,
        guarded: str,
        steps: list[Step] | None = None,
        prefixes: list[str] | None = None,
    ) -> None:
        if isinstance(answer, Found):
            self.out.known(kind, name, answer.origin, place)
        elif isinstance(answer, Open):
            excuse = self._excuse("import", use.guard) if kind == "import" else ""
            self.out.not_evaluated(kind, name, excuse or answer.why, place)
        elif steps and steps[-1].name in self.doubts.symbols:
            self.out.known(kind, name, Origin("spec", self.doubts.symbols[steps[-1].name]), place)
        else:
            why = self._excuse(guarded, use.guard) or self._typing(answer, use.guard)
            why = why or (self.doubts.about_member(steps, answer, prefixes or [], self.module) if steps else "")
            why = why or (self.doubts.about_import(name) if kind == "import" else "")
            if why:
                self.out.not_evaluated(kind, name, why, place)
            else:
                self.out.invented(kind, name, answer.container, place)

    def _typing(self, missing: Missing, guard: Guard) -> str:
        """For type checkers alone a module may exist that no program imports."""
        return "only for type checkers" if guard.typing and not missing.holders else ""


def short(node: ast.expr) -> str:
    """A short text of an expression, without going deep."""
    parts: list[str] = []
    for _ in range(12):
        if isinstance(node, ast.Attribute):
            parts.append(f".{node.attr}")
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("()")
            node = node.func
        else:
            break
    start = (
        node.id if isinstance(node, ast.Name) else type(node.value).__name__ if isinstance(node, ast.Constant) else "…"
    )
    return start + "".join(reversed(parts))


def short_last(text: str) -> str:
    """The last name of a short text."""
    return text.rpartition(".")[2].removesuffix("()")


def _text(node: ast.expr) -> str:
    """The full text of a small expression."""
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Subscript) else ""
