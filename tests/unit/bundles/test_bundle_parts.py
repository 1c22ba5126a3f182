"""The pure parts of a bundle: sums, roots, chain, what may not travel, where documents differ."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from denominator.adapters.store.rows import place_event
from denominator.bundles.chain import FIRST, chain_breaks
from denominator.bundles.differing import differing
from denominator.bundles.layout import is_plain, strangers
from denominator.bundles.merkle import merkle_root
from denominator.bundles.redaction import private_places, private_values
from denominator.bundles.sums import held_against, read_sums, write_sums
from denominator.pipeline.bundle_packing import pack
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.wire.codec import to_json


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_sums_come_back_and_coreutils_takes_them(tmp_path: Path) -> None:
    files = {"a.json": b"1", "blobs/" + "0" * 64: b"", "B.md": b"x\n"}
    (tmp_path / "blobs").mkdir()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    written = write_sums({name: sha(data) for name, data in files.items()})
    read = read_sums(written, "SHA256SUMS")
    assert (read.faults, read.by_name) == ((), {name: sha(data) for name, data in files.items()})
    if shutil.which("sha256sum"):
        subprocess.run(
            ["sha256sum", "-c", "--strict", "-"], input=written, cwd=tmp_path, check=True, capture_output=True
        )


def test_the_form_of_other_writers_of_sums_is_read_too() -> None:
    digest = "AB" * 32
    for line in (f"{digest} *a.txt\n", f"{digest}  ./a.txt\n", f"{digest.lower()}  a.txt\n"):
        assert read_sums(line.encode(), "s").by_name == {"a.txt": digest.lower()}


@pytest.mark.parametrize(
    "line", ["", "x", "0" * 63 + "  a", "0" * 64 + " a", "0" * 64 + "  ", "0" * 64 + "  a/../b", "0" * 64 + "  .a", "\\" + "0" * 64 + "  a"]
)  # fmt: skip
def test_a_line_that_says_nothing_is_a_fault(line: str) -> None:
    read = read_sums(f"{'1' * 64}  fine\n{line}\n".encode(), "s")
    assert [one.where for one in read.faults] == ["s:2"] and [*read.by_name] == ["fine"]


def test_missing_changed_and_unlisted_are_told_apart() -> None:
    sums = read_sums(write_sums({"a": "0" * 64, "b": "1" * 64, "c": "2" * 64}), "s")
    found = [(one.kind, one.where) for one in held_against(sums, {"a": "0" * 64, "b": "9" * 64, "d": "3" * 64}, "s")]
    assert found == [("changed", "b"), ("missing", "c"), ("unlisted", "d")]


def test_the_root_is_that_of_the_standard() -> None:
    """The eight test leaves that certificate logs publish, and the root of the first three and of all."""
    leaves = [b"", b"\x00", b"\x10", b"\x20\x21", b"\x30\x31", b"\x40\x41\x42\x43"]
    leaves += [bytes(range(0x50, 0x58)), bytes(range(0x60, 0x70))]
    assert merkle_root([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert merkle_root(leaves[:1]) == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert merkle_root(leaves[:2]) == "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
    assert merkle_root(leaves[:3]) == "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"
    assert merkle_root(leaves[:7]) == "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"
    assert merkle_root(leaves) == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


class Clock:
    boot_id = "b"

    def mono_ns(self) -> int:
        return 7

    def wall(self) -> str:
        return "2026-11-30T00:00:00.000Z"

    def sleep(self, seconds: float) -> None:
        """No time passes."""


def test_the_chain_is_the_one_that_the_journal_writes() -> None:
    before, lines = FIRST, []
    for seq in range(1, 5):
        key = AttemptKey("r", "tâsk\n", 1, seq) if seq % 2 else None
        draft = Draft(
            kind="k", phase="run", writer="harness", key=key, payload={"a": [None, True, {"x": "é\u2028"}], "n": seq}
        )
        event, _ = place_event(draft, "r", Clock(), seq, before)
        before = event.sha
        line = to_json(event)
        assert isinstance(line, dict)
        lines.append(line)
    assert [*chain_breaks(lines)] == []
    assert next(chain_breaks(lines[:2] + lines[3:])) == "events 3 to 3 are missing"
    assert "event 2 was changed after it was written" in [
        *chain_breaks([lines[0], lines[1] | {"kind": "x"}, *lines[2:]])
    ]
    assert [*chain_breaks([lines[0] | {"more": 1}, *lines[1:]])] == ["event 1 was changed after it was written"]


def test_secrets_and_home_paths_are_named_by_line_and_never_shown() -> None:
    text = b'fine\nKEY = "sk-abcdefghij0123456789XYZ"\nsee /home/somebody/x and C:\\Users\\me\n-----BEGIN RSA PRIVATE KEY-----\n'
    found = [str(one) for one in private_places("blobs/x", text)]
    assert found == [
        "blobs/x:4: a private key", "blobs/x:2: an access key", "blobs/x:3: a home folder", "blobs/x:3: a home folder",
    ]  # fmt: skip
    assert not [*private_places("x", b'{"sha256":"' + b"ab12" * 16 + b'","t_mono_ns":82108955852575}')]
    assert len([*private_places("x", b"/home/a/b\n" * 50)]) == 6


def test_a_value_that_is_known_is_passed_over_wherever_it_stands_and_no_other_is() -> None:
    known = frozenset(private_values(b'redact("user=root password=hunter2 ok")\nsee /home/user/x\n'))
    assert not [*private_places("x", b"# PASSWORD: hunter2\n'password': 'hunter2'\n/home/user/other", known)]
    for other in (b"password=hunter23", b"password=Hunter2", b"/home/somebody/x", b"://root:hunter2@host"):
        assert len([*private_places("x", b"password=hunter2\n" + other, known)]) == 1, other


def test_a_private_key_is_known_by_all_of_it() -> None:
    key = b"-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----\n"
    known = frozenset(private_values(key % b"AAAA"))
    assert not [*private_places("x", b"text\n" + key % b"AAAA" + b"more\n", known)]
    for other in (key % b"BBBB", (key % b"AAAA")[:-30], b"-----BEGIN RSA PRIVATE KEY-----"):
        assert len([*private_places("x", other, known)]) == 1, other


def test_a_word_of_the_next_line_is_no_password() -> None:
    assert not [*private_places("x", b"if name not in secret:\n    return match[0]\n")]
    assert len([*private_places("x", b'{"password":\n  "hunter2-x"}\npassword = hunter2\n')]) == 2


def test_documents_differ_by_path_and_no_value_is_shown() -> None:
    one = {"verdict": {"sentence": "a"}, "estimates": [{"metric": "m", "n": 1}, {"metric": "o"}], "flag": True}
    other = {"verdict": {"sentence": "b"}, "estimates": [{"metric": "m", "n": 2}], "flag": 1, "new": None}
    assert [*differing(one, other)] == ["estimates[m].n", "estimates[o]", "flag", "new", "verdict.sentence"]
    assert [*differing(one, one)] == [] and [*differing([], {})] == ["the whole document"]


def test_names() -> None:
    assert all(map(is_plain, ("a", "blobs/" + "0" * 64, "SHA256SUMS.sig", "_x/1")))
    assert not any(
        map(is_plain, ("", "/a", "a/", "a//b", "../a", "a/..", ".a", "-a", "a b", "a\n", "ä", "a" * 200, "a\\b"))
    )
    assert strangers(["bundle.json", "SHA256SUMS", "blobs/" + "0" * 64, "blobs/x", "run.sh"]) == ["blobs/x", "run.sh"]


def test_an_archive_is_its_files_and_nothing_else(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, order in zip(folders, (1, -1), strict=True):
        (folder / "blobs").mkdir(parents=True)
        for name in ("a", "blobs/b", "c")[::order]:
            (folder / name).write_bytes(name.encode())
    folders[1].joinpath("a").chmod(0o700)
    for end in ("x.tar.gz", "x.tgz", "x.zip"):
        one, two = (pack(folder, tmp_path / end) for folder in folders)
        assert one == two
