"""Names and paths of a trace: called minus the specification, own definitions, the language and declared packages."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.api import invented

BILLS = {"paths": ["/v1/bills", "/v1/bills/{id}"], "symbols": ["BillClient"]}
WIDE = {
    "paths": ["/v1/bills", "GET /v1/bills/{id}/items/:item", "/v1/files/{name}.json"],
    "symbols": ["BillClient", "Bill.pay", "Bill.id", "money.*"],
}
OPENAPI = {
    "openapi": "3.0.3",
    "servers": [{"url": "https://api.example/base"}],
    "paths": {"/bills": {"get": {}}, "/bills/{id}": {"get": {}, "delete": {}}},
}
KNOWN = (
    "/v1/bills?limit=3 /v1/bills/ POST_/v1/bills /v1/bills/4/items/7 /v1/files/a.json https://x.example/v1/bills json.dumps "
    "json.dumps(x) print Path Bill.pay money.any.thing parts.append requests.get yaml.safe_load self._page _page str.join os.environ.get"
)
INVENTED = (
    "POST_/v1/bills/4/items/7 /v1/bills/4/items /v1/files/a.xml https://x.example/v2/bills json.dumpz frobnicate "
    "Bill.refund client.frobnicate urllib3.PoolManager str.frob"
)


@pytest.mark.parametrize(
    ("called", "defined", "wrong"),
    [
        (["/v2/invoices", "BillClient"], [], ["/v2/invoices"]),
        (["/v1/bills", "BillClient", "json.dumps", "_page"], ["_page"], []),
        (["/v1/bills/417"], [], []),
        (["_page"], [], ["_page"]),
    ],
)
def test_called_minus_what_somebody_defines(called: list[str], defined: list[str], wrong: list[str]) -> None:
    for spec in (BILLS, json.dumps(BILLS).encode(), {"spec.json": json.dumps(BILLS).encode()}):
        found = invented(called, defined, spec)
        assert (list(found.invented), found.unchecked, found.used) == (wrong, (), len(called))


@pytest.mark.parametrize("name", KNOWN.split())
def test_known(name: str) -> None:
    found = invented([name.replace("_/", " /")], ["_page"], WIDE, ["requests>=2", "PyYAML"])
    assert (found.invented, found.unchecked) == ((), ())


@pytest.mark.parametrize("name", INVENTED.split())
def test_invented(name: str) -> None:
    name = name.replace("_/", " /")
    assert invented([name], ["_page"], WIDE, ["requests>=2", "PyYAML"]).invented == (name,)


@pytest.mark.parametrize("name", ["/api/v1/bills", "BillClient.list", "self.frob", "two words"])
def test_what_nobody_can_say_is_unchecked_with_the_reason(name: str) -> None:
    found = invented([name], [], WIDE)
    assert found.invented == () and found.unchecked[0].startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("/bills", False),
        ("/base/bills/4", False),
        ("https://api.example/base/bills", False),
        ("DELETE /bills/4", False),
        ("DELETE /bills", True),
        ("https://other.example/bills", True),
        ("/bills/4/pay", True),
    ],
)
def test_an_openapi_document(name: str, wrong: bool) -> None:
    found = invented([name], [], OPENAPI)
    assert (bool(found.invented), found.unchecked) == (wrong, ())


@pytest.mark.parametrize(
    "spec",
    [
        {"billing.symbols.txt": b"Client\nClient.get\n"},
        {"stubs/billing/__init__.pyi": b"class Client:\n    def get(self): ...\n"},
        {"spec.json": b'{"symbols": {"Client": ["get"]}}'},
    ],
)
def test_stubs_and_lists_close_their_classes(spec: dict[str, bytes]) -> None:
    found = invented(["Client", "Client.get", "Client.post"], [], spec)
    assert (found.invented, found.unchecked) == (("Client.post",), ())


def test_without_a_readable_specification_nothing_is_invented() -> None:
    for spec in (b"", b"{", b"[1]", b'{"example": ["/v1/x"]}', {"openapi.yaml": b"openapi: 3"}):
        found = invented(["/v9/x", "frobnicate", "json.dumps"], [], spec)
        assert (found.invented, len(found.unchecked)) == ((), 2)


@given(st.lists(st.text(max_size=20), max_size=5), st.lists(st.text(max_size=10), max_size=3), st.binary(max_size=40))
def test_any_text_gets_an_answer(called: list[str], defined: list[str], spec: bytes) -> None:
    found = invented(called, defined, spec)
    assert len(found.invented) + len(found.unchecked) <= found.used <= len(called)


@pytest.mark.parametrize("name", ["(" * 200_000, "a(" * 50_000 + ")" + " " * 50_000 + "x"])
def test_names_made_to_keep_the_reader_busy_are_soon_read(name: str) -> None:
    started = time.monotonic()
    assert invented([name], [name], {}, ()).unchecked
    assert time.monotonic() - started < 5
