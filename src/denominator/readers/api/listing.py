"""Symbol lists of a frozen specification: `NAME.symbols.txt`, and the `symbols` of a small spec.json."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.readers.api.modules import ListedModule

SUFFIX = ".symbols.txt"


def read_lists(spec: Mapping[str, bytes]) -> dict[str, ListedModule]:
    """Top name -> module. The file's name says which module it lists in full; a line is a dotted name inside it.

    A line may also begin with the module's own name. `name.*` leaves everything below a name open; `#` is a comment.
    """
    tops: dict[str, ListedModule] = {}
    for path in sorted(spec):
        if path.endswith(SUFFIX):
            module = path.rpartition("/")[2][: -len(SUFFIX)]
            text = spec[path].decode("utf-8", "replace")
            for number, line in enumerate(text.splitlines(), 1):
                symbol = line.partition("#")[0].strip().partition("(")[0].strip()
                if symbol:
                    _add(tops, _full(module, symbol), f"{path}:{number}")
            _add(tops, module, path)
    return tops


def _full(module: str, symbol: str) -> str:
    return symbol if symbol == module or symbol.startswith(f"{module}.") else f"{module}.{symbol}"


def _add(tops: dict[str, ListedModule], symbol: str, at: str) -> None:
    parts = symbol.split(".")
    wild = parts[-1] == "*"
    parts = parts[:-1] if wild else parts
    here = tops
    made: ListedModule | None = None
    for index, part in enumerate(parts):
        if part not in here:
            here[part] = ListedModule(".".join(parts[: index + 1]), at)
        made = here[part]
        here = made.below
    if made is not None and wild:
        made.wild = True
