"""What one script imports, exports and requests, as its syntax says it."""

from __future__ import annotations

from dataclasses import dataclass, field

from denominator.readers.api.scripts.grammar import Node, text, walk
from denominator.readers.api.small import METHODS
from denominator.readers.api.templates import HOLE

DECLARED = frozenset(
    [
        "function_declaration",
        "generator_function_declaration",
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "function_signature",
        "internal_module",
        "module",
    ]
)
HANDLERS = frozenset(("arrow_function", "function_expression", "function"))
SENDERS = frozenset(("fetch", "$fetch", "axios", "got", "ky", "ofetch"))
CLIENTS = ("axios", "http", "client", "api", "got", "ky", "superagent", "session", "fetch")
DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Import:
    """One specifier with the names that are taken from it; `guarded`: in a `try`."""

    specifier: str
    names: tuple[tuple[str, Node], ...]
    node: Node
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A call that sends a request: method ("" unknown), the text of its path with holes, where."""

    method: str
    text: str
    node: Node


@dataclass(slots=True)
class Uses:
    """All of one file. `open_why`: why a name that is not in `exports` may be exported all the same."""

    imports: list[Import] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    exports: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)
    open_why: str = ""
    module: bool = False

    @staticmethod
    def of(root: Node) -> Uses:
        """Reads a whole file."""
        uses = Uses()
        for node in walk(root):
            if node.type == "import_statement":
                uses._import(node)
            elif node.type == "export_statement":
                uses._export(node)
            elif node.type == "call_expression":
                uses._call(node)
            elif node.type == "member_expression" and text(node) in ("module.exports", "Object.defineProperty"):
                uses.open_why = "it exports while it runs"
            elif node.type in ("export_assignment", "ambient_declaration"):
                uses.open_why = "it exports in another way"
        return uses

    def _import(self, node: Node) -> None:
        self.module = True
        source = _string(node.child_by_field_name("source"))
        clause = next((c for c in node.children if c.type == "import_clause"), None)
        if source is None:
            return
        names: list[tuple[str, Node]] = []
        for part in clause.children if clause is not None else ():
            if part.type == "identifier":
                names.append((DEFAULT, part))
            elif part.type == "named_imports":
                names += _specifiers(part, "import_specifier")
        self.imports.append(Import(source, tuple(names), node))

    def _export(self, node: Node) -> None:
        self.module = True
        source = _string(node.child_by_field_name("source"))
        clause = next((c for c in node.children if c.type == "export_clause"), None)
        spoken = {c.type for c in node.children}
        if source is not None:
            taken = tuple(_specifiers(clause, "export_specifier")) if clause is not None else ()
            self.imports.append(Import(source, taken, node))
            star = next((c for c in node.children if c.type == "namespace_export"), None)
            if star is not None:
                self.exports.add(text(star.children[-1]))
            elif clause is None:
                self.stars.append(source)
        if clause is not None:
            for one in clause.children:
                if one.type == "export_specifier":
                    self.exports.add(
                        text(one.child_by_field_name("alias") or one.child_by_field_name("name")).strip("\"'")
                    )
        elif "default" in spoken:
            self.exports.add(DEFAULT)
        elif source is None:
            self._declaration(node.child_by_field_name("declaration"))

    def _declaration(self, node: Node) -> None:
        if node is None:
            self.open_why = "it exports in another way"
        elif node.type in DECLARED:
            self.exports.add(text(node.child_by_field_name("name")))
        elif node.type in ("lexical_declaration", "variable_declaration"):
            for one in node.children:
                name = one.child_by_field_name("name") if one.type == "variable_declarator" else None
                if name is not None and name.type != "identifier":
                    self.open_why = "it exports parts of a value"
                elif name is not None:
                    self.exports.add(text(name))
        else:
            self.open_why = "it exports in another way"

    def _call(self, node: Node) -> None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        args = [a for a in arguments.children if a.is_named and a.type != "comment"]
        first = _string(args[0]) if args else None
        called = text(function)
        if called in ("require", "import", "require.resolve") and first is not None:
            self.imports.append(Import(first, (), node, _guarded(node)))
        elif args and not any(a.type in HANDLERS for a in args):
            self._request(function, called, args)

    def _request(self, function: Node, called: str, args: list[Node]) -> None:
        member = text(function.child_by_field_name("property")) if function.type == "member_expression" else ""
        holder = text(function.child_by_field_name("object")).lower() if member else ""
        if called in SENDERS or called.endswith(".fetch"):
            method = _method(args[1:])
        elif member in METHODS and any(word in holder.rpartition(".")[2] for word in CLIENTS):
            method = member
        else:
            return
        path = path_text(args[0])
        if path is not None:
            self.requests.append(Request(method, path, args[0]))


def path_text(node: Node) -> str | None:
    """A text with holes for what only the running program knows; nothing when it is no text."""
    if (plain := _string(node)) is not None:
        return plain
    if node.type == "template_string":
        parts = [c for c in node.children if c.type != "`"]
        return "".join(text(c) if c.type == "string_fragment" else HOLE for c in parts)
    if node.type == "binary_expression" and text(node.child_by_field_name("operator")) == "+":
        left, right = path_text(node.child_by_field_name("left")), path_text(node.child_by_field_name("right"))
        return None if left is None and right is None else (left or HOLE) + (right or HOLE)
    return None


def _string(node: Node) -> str | None:
    """The value of a plain string without escapes."""
    if node is None or node.type != "string":
        return None
    parts = [c for c in node.children if c.is_named]
    return None if any(c.type != "string_fragment" for c in parts) else "".join(text(c) for c in parts)


def _specifiers(node: Node, kind: str) -> list[tuple[str, Node]]:
    found = [c for c in node.children if c.type == kind]
    return [(text(c.child_by_field_name("name")).strip("\"'"), c) for c in found]


def _method(args: list[Node]) -> str:
    """The method of `fetch(path, {method: "POST"})`; get where there are no options; "" when they do not say."""
    if not args:
        return "get"
    for pair in args[0].children if args[0].type == "object" else ():
        if pair.type == "pair" and text(pair.child_by_field_name("key")).strip("\"'") == "method":
            value = (_string(pair.child_by_field_name("value")) or "").lower()
            return value if value in METHODS else ""
    closed = args[0].type == "object" and all(c.type in ("pair", "{", "}", ",", "comment") for c in args[0].children)
    return "get" if closed else ""


def _guarded(node: Node) -> bool:
    while node is not None:
        if node.type == "try_statement":
            return True
        node = node.parent
    return False
