"""YAML as results are kept in: plain values only, exact numbers, and no way to make much of little.

Refused: tags that make objects, merge keys, many aliases, deep nesting, more than one document. A key that stands twice with
two values is refused, or told where somebody listens: then the last one counts.
Times, hashes with a leading zero, octal, hexadecimal and sexagesimal numbers stay the text that they were; keys are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from denominator.errors import InputError
from denominator.wire.sources.loose import number, whole_number, whole_text

YAML_BYTES = 16 << 20
"""A value of YAML takes a hundred times the memory of its text until it is read."""
NODES_MAX = 1_000_000
ALIASES_MAX = 200
YAML_DEPTH_MAX = 64
TAG = "tag:yaml.org,2002:"
PLAIN_TAGS = frozenset(TAG + name for name in ("map", "seq", "str", "int", "float", "bool", "null"))
WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
FRACTION = re.compile(r"[-+]?[0-9]*\.[0-9]*([eE][-+]?[0-9]+)?\Z")
NAMED = re.compile(r"[-+]?\.(inf|nan)\Z", re.IGNORECASE)


def loose_yaml(data: bytes, where: str, doubled: list[str] | None = None) -> Any:
    """One YAML document. InputError, in words, for all that is refused.

    `doubled` is filled with a sentence for each key that stands twice in one mapping with two values.
    """
    import yaml

    if len(data) > YAML_BYTES:
        raise InputError(f"holds more than {YAML_BYTES} bytes of YAML", where=where)
    try:
        text = data.decode("utf-8-sig")
        _look(text, where)
        return whole_text(_load(text, where, doubled))
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=where) from None
    except (yaml.YAMLError, ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())[:300]
        raise InputError(f"is no YAML that is read here: {what}", where=where) from None


def _load(text: str, where: str, doubled: list[str] | None) -> Any:
    loader = _loader()(text)
    loader.doubled = doubled
    try:
        root = loader.get_single_node()
        _few(root, where)
        return None if root is None else loader.construct_document(root)
    finally:
        loader.dispose()


def _look(text: str, where: str) -> None:
    """What the document is made of, before anything is made of it."""
    import yaml

    depth = aliases = 0
    for nodes, event in enumerate(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))):
        aliases += isinstance(event, yaml.AliasEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if aliases > ALIASES_MAX or depth > YAML_DEPTH_MAX or nodes > NODES_MAX:
            raise InputError("holds more aliases, values or deeper nesting than any result", where=where)


def _few(root: Any, where: str) -> None:
    """With every alias written out, are there no more values than a document may have? One inside of itself never ends."""
    import yaml

    sizes: dict[int, int] = {}
    work = [(root, False)]
    while work:
        node, inside_done = work.pop()
        if not isinstance(node, yaml.CollectionNode) or (id(node) in sizes and not inside_done):
            if isinstance(node, yaml.CollectionNode) and not sizes[id(node)]:
                raise InputError("holds a value that is inside of itself", where=where)
            continue
        inside = [each for one in node.value for each in (one if isinstance(one, tuple) else (one,))]
        sizes[id(node)] = 1 + sum(sizes.get(id(each), 1) for each in inside) if inside_done else 0
        if sizes[id(node)] > NODES_MAX:
            raise InputError("grows without measure where its aliases are written out", where=where)
        if not inside_done:
            work.extend(((node, True), *((each, False) for each in inside)))


@cache
def _loader() -> Any:
    import yaml

    class Plain(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """The safe loader without what results never need."""

        yaml_constructors: ClassVar[dict[str | None, Any]] = {
            tag: made for tag, made in yaml.SafeLoader.yaml_constructors.items() if tag in PLAIN_TAGS or tag is None
        }
        doubled: list[str] | None = None

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Any]:  # noqa: ARG002
            if not isinstance(node, yaml.MappingNode):
                raise yaml.constructor.ConstructorError(None, None, "no mapping", node.start_mark)
            found: dict[str, Any] = {}
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode) or key.tag == f"{TAG}merge":
                    raise yaml.constructor.ConstructorError(None, None, "a key that is no plain text", key.start_mark)
                made = self.construct_object(value, deep=True)
                if key.value in found and found[key.value] != made:
                    what = f"the key {key.value[:80]!r} stands twice with two values"
                    if self.doubled is None:
                        raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
                    self.doubled.append(f"line {key.start_mark.line + 1}: {what}")
                found[key.value] = made
            return found

        def flatten_mapping(self, node: Any) -> None:
            """Merge keys are refused where the mapping is made."""

    for name, make in (("int", _whole), ("float", _fraction), ("timestamp", str), ("value", str), ("merge", str)):
        Plain.add_constructor(TAG + name, _scalar(make))
    return Plain


def _scalar(make: Callable[[str], Any]) -> Callable[[Any, Any], Any]:
    return lambda loader, node: make(loader.construct_scalar(node))


def _whole(text: str) -> Any:
    return whole_number(text) if WHOLE.match(text) else text


def _fraction(text: str) -> Any:
    return number(text) if FRACTION.match(text) else None if NAMED.match(text) else text
