"""Tests that rest on mocks or snapshots alone, and near misses that do not."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.tests import weak_in_diff, weak_tests

WEAK = {
    "a mock answers for itself": """
        from unittest.mock import Mock
        def test_get():
            client = Mock()
            client.get.return_value = {"id": 1}
            assert client.get("/v1/bills/1") == {"id": 1}
    """,
    "only the mock is asked afterwards": """
        from unittest import mock
        import bills
        def test_pay():
            client = mock.MagicMock(spec=["post"])
            bills.pay(client)
            client.post.assert_called_once_with("/v1/pay")
            assert client.post.call_count == 1
    """,
    "a decorator": """
        from unittest.mock import patch
        import bills
        @patch("bills.send")
        @patch.object(bills, "load")
        def test_send(load, send):
            bills.run()
            send.assert_called_once()
            load.assert_not_called()
    """,
    "with": """
        from unittest import mock
        def test_send():
            with mock.patch("bills.send") as send:
                send(1)
            send.assert_called_with(1)
    """,
    "a fixture of the mock library, and a class": """
        class TestBills:
            def test_send(self, mocker):
                send = mocker.patch("bills.send", return_value=3)
                total = send() + 1
                assert total == 4 and isinstance(send(), int)
    """,
    "set up once": """
        import unittest
        from unittest.mock import MagicMock
        class Bills(unittest.TestCase):
            def setUp(self):
                self.client = MagicMock()
            def test_one(self):
                self.client.get.return_value = 1
                self.assertEqual(self.client.get(), 1)
    """,
}
STRONG = {
    "the code's own answer": """
        from unittest.mock import Mock
        import bills
        def test_pay():
            client = Mock()
            assert bills.pay(client) == 3
    """,
    "one strong test among weak ones": """
        from unittest.mock import Mock
        import bills
        def test_weak():
            assert Mock().x
        def test_strong():
            assert bills.total([1, 2]) == 3
    """,
    "one strong assertion among weak ones": """
        from unittest.mock import Mock
        import bills
        def test_pay():
            client = Mock()
            result = bills.pay(client)
            client.post.assert_called_once()
            assert result == 3
    """,
    "an error is expected": """
        from unittest.mock import Mock
        import bills, pytest
        def test_pay():
            client = Mock()
            with pytest.raises(ValueError):
                bills.pay(client)
            client.post.assert_not_called()
    """,
    "a helper that may check anything": """
        from unittest.mock import Mock
        def test_pay():
            client = Mock()
            client.x.assert_called()
            check_bill(client)
    """,
    "a name that is a mock at first": """
        from unittest.mock import Mock
        import bills
        def test_pay():
            client = Mock()
            client = bills.Client()
            assert client.get() == 1
    """,
    "a patch with a value": """
        from unittest.mock import patch
        import bills
        @patch("bills.LIMIT", 3)
        def test_limit(bill):
            assert bill.total == 3
    """,
    "constants alone": "def test_one():\n    assert 1 == 1\n",
    "nothing is asserted": "from unittest.mock import Mock\ndef test_one():\n    Mock().x()\n",
    "no test": "x = 1\n",
    "not Python": "def test_(:\n",
}
SHOT = "from bills import page\ndef test_page(snapshot):\n    assert page() == snapshot\n"


@pytest.mark.parametrize("name", WEAK)
def test_weak(name: str) -> None:
    assert weak_tests({"tests/test_x.py": textwrap.dedent(WEAK[name]).encode(), "bills.py": b"x = 1\n"}) == ("mock",)


@pytest.mark.parametrize("name", STRONG)
def test_not_surely_weak(name: str) -> None:
    text = textwrap.dedent(STRONG[name]).encode()
    assert weak_tests({"tests/test_x.py": text}) == ()
    weak = textwrap.dedent(WEAK["with"]).encode()
    if b"def test" in text:
        assert weak_tests({"tests/test_a.py": weak, "tests/test_x.py": text}) == ()


def test_a_snapshot_counts_only_where_the_patch_brings_it() -> None:
    files = {"tests/test_page.py": SHOT.encode()}
    assert weak_tests(files) == ()
    assert weak_tests({**files, "tests/__snapshots__/test_page.ambr": b"x"}) == ("snapshot",)
    assert weak_tests({**files, "tests/__snapshots__/test_page.ambr": None}) == ()
    mixed = {**files, "a/x_test.py": textwrap.dedent(WEAK["with"]).encode(), "tests/page.snap": b"x"}
    assert weak_tests(mixed) == ("mock", "snapshot")


def test_tests_in_another_language_are_not_judged() -> None:
    weak = {"test_a.py": textwrap.dedent(WEAK["with"]).encode()}
    assert weak_tests(weak) == ("mock",)
    for path in ("a.test.js", "a_test.go", "BillTest.java", "spec/a.spec.ts"):
        assert weak_tests({**weak, path: b"x"}) == ()


def diff(path: str, text: str, *, new: bool = True) -> bytes:
    lines = text.splitlines()
    body = "".join(f"+{line}\n" for line in lines)
    head = f"new file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n"
    old = f"--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,{len(lines) + 1} @@\n old\n"
    return f"diff --git a/{path} b/{path}\n{head if new else old}{body}".encode()


def test_a_diff_says_it_of_new_test_files_only() -> None:
    weak = textwrap.dedent(WEAK["with"])
    assert weak_in_diff(diff("bills.py", "x = 1\n", new=False) + diff("tests/test_a.py", weak)) == ("mock",)
    assert weak_in_diff(diff("tests/test_a.py", weak) + diff("tests/test_b.py", weak, new=False)) == ()
    assert weak_in_diff(b"no diff") == () and weak_in_diff(b"") == ()


@given(st.binary(max_size=60), st.text(max_size=60))
def test_no_bytes_break_it(data: bytes, text: str) -> None:
    assert weak_in_diff(data) == ()
    assert set(weak_tests({"test_a.py": text.encode("utf-8", "surrogatepass")})) <= {"mock", "snapshot"}


@pytest.mark.parametrize("before", ["", "@x{}()\n"])
def test_a_name_that_is_nested_too_deeply_says_nothing(before: str) -> None:
    deep = ".a" * 1_500
    text = f"{before.format(deep)}def test_a(m):\n    with x{deep}() as y:\n        assert y\n"
    assert weak_tests({"test_a.py": text.encode()}) == ()


def test_a_hunk_with_an_impossible_size_says_nothing() -> None:
    head = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n"
    assert weak_in_diff(head + b"@@ -1," + b"9" * 5_000 + b" +1 @@\n-a\n") == ()
