"""What must hold for any program: own names are never invented, one wrong name is one finding, nothing raises."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.readers.api import INVENTED, ApiInputs, read_api, surfaces
from denominator.records.keys import AttemptKey
from denominator.wire.canonical import canonical

WORDS = st.sampled_from(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "omega",
        "load",
        "save",
        "fetch",
        "items",
        "total",
        "price",
        "shop",
        "cart",
        "order",
        "json",
        "os",
        "list",
        "str",
        "name",
        "path",
    ]
)
NAMES = st.lists(WORDS, min_size=5, max_size=8, unique=True)
KEY = AttemptKey("run", "task")


def invented(repo: dict[str, bytes], patch: dict[str, bytes]) -> list[str]:
    found = surfaces(ApiInputs(repository=repo, patch=patch))
    return [s.name for s in found if s.state == INVENTED]


@st.composite
def modules(draw: st.DrawFn) -> str:
    """A module that defines functions, classes, attributes and variables, and then uses them in random ways."""
    function, klass, method, attribute, *others = draw(NAMES)
    k = klass.title()
    lines = [
        f"def {function}({', '.join(others)}, *, last=None):",
        f"    {attribute} = {others[0]}",
        f"    return {attribute}",
    ]
    lines += [f"class {k}:", "    def __init__(self, first=0):", f"        self.{attribute} = first"]
    lines += [f"    def {method}(self, n=1):", f"        return self.{attribute}, self.{method}(n=n), {function}"]
    uses = [
        f"{k}(first=1).{method}(n=2)",
        f"{k}().{attribute}",
        f"one = {k}()\none.{attribute}, one.{method}()",
        f"{function}({', '.join(f'{o}=1' for o in others)}, last=2)",
        f"[{others[0]} for {others[0]} in {function}(*[1])]",
        f"def use(x: {k}):\n    x.{method}()\n    del x.{attribute}",
        f"class Sub({k}):\n    def run(self):\n        return self.{attribute}, super().{method}()",
        f"try:\n    {function}()\nexcept {k}.{method} as error:\n    print(error)",
        f"for {others[0]} in ():\n    print({others[0]}, f'{{{others[0]}!r}}')",
        f"{others[0]} = {k}\n{others[0]}().{method}()",
        f"with open('x') as {others[0]}, {function}() as (p, [q]):\n    p, q, {others[0]}",
        f"if ({others[0]} := {function}()) and (lambda z={k}: z)():\n    {others[0]}",
        f"async def go():\n    async for i in {function}():\n        yield i.{method}",
    ]
    return "\n".join(lines + draw(st.lists(st.sampled_from(uses), min_size=1, max_size=6))) + "\n"


@settings(max_examples=120, deadline=None)
@given(modules())
def test_code_that_uses_only_its_own_names_invents_nothing(text: str) -> None:
    compile(text, "made", "exec")
    assert invented({}, {"made.py": text.encode()}) == []


@settings(max_examples=60, deadline=None)
@given(modules(), st.data())
def test_code_of_the_repository_is_known_from_another_file(text: str, data: st.DataObject) -> None:
    function = text.partition("(")[0].removeprefix("def ")
    good = f"import made\nfrom made import {function}\nmade.{function}()\n{function}()\n"
    assert invented({"made.py": text.encode()}, {"use.py": good.encode()}) == []
    wrong = data.draw(WORDS.map(lambda w: f"{w}_zz"))
    uses = {
        f"import made\nmade.{wrong}()\n": f"made.{wrong}",
        f"from made import {wrong}\n{wrong}()\n": f"made.{wrong}",
        f"from made import {function}\n{wrong}()\n": wrong,
    }
    for use, name in uses.items():
        assert invented({"made.py": text.encode()}, {"use.py": use.encode()}) == [name]


@settings(max_examples=60, deadline=None)
@given(
    modules(), st.integers(0, 400), st.integers(0, 40), st.sampled_from(["", "(", "\0", "é", "\r", "\x0c", "'", "\\"])
)
def test_broken_files_never_raise(text: str, start: int, size: int, put: str) -> None:
    broken = text[:start] + put + text[start + size :]
    for found in surfaces(ApiInputs(repository={"made.py": text.encode()}, patch={"made.py": broken.encode()})):
        assert found.state in ("known", "invented", "not_evaluated")


@settings(max_examples=30, deadline=None)
@given(modules(), modules())
def test_facts_are_the_same_whatever_the_order_of_the_files(one: str, two: str) -> None:
    files = {"a.py": one.encode(), "b/c.py": two.encode(), "b/__init__.py": b""}
    straight = read_api(KEY, ApiInputs(repository={}, patch=files), ("b", "a"))
    turned = read_api(KEY, ApiInputs(repository={}, patch=dict(reversed(files.items()))), ("a", "b"))
    assert canonical(straight) == canonical(turned)
    assert json.loads(canonical(straight))["data"]["counts"]["invented"] == 0


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["a.py", "spec.json", "b.symbols.txt", "s.pyi"]))
def test_any_bytes_are_read_without_raising(data: bytes, path: str) -> None:
    surfaces(
        ApiInputs(
            repository={},
            patch={"a.py": data, "u.py": b"import b\nb.x\ndef f(client):\n    client.get('/a')\n"},
            spec={path: data},
        )
    )
