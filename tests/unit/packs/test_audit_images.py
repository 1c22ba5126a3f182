"""An image is searched layer by layer as a stream: what a lower layer holds, its configuration, git objects, packed files."""

from __future__ import annotations

import base64
import bz2
import contextlib
import gzip
import hashlib
import importlib.util
import io
import json
import lzma
import py_compile
import random
import subprocess
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.packs import load_pack
from denominator.packs.audit import gitpack, needles_of
from denominator.packs.audit.image import FILE_BYTES_MAX, search_image
from denominator.packs.audit.needles import seen_in, sights_of
from denominator.packs.audit.sieve import Sieve
from denominator.packs.audit.tarstream import TarError, members
from denominator.packs.audit.unpacked import PIECE_BYTES_MAX, pieces
from denominator.packs.lint.material import read_material
from unit.packs.making import make_pack

TOKEN = "secret-token-1234"
GOLD = "    carried = [int(digit) for digit in (left, right)]\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return make_pack(tmp_path / "tiny")


@pytest.fixture
def needles(pack):
    (item,) = read_material(load_pack(pack)).tasks
    return needles_of(item, (TOKEN,))


@pytest.fixture
def hidden(pack) -> bytes:
    return (pack / "tasks/sums/hidden/test_sum_even.py").read_bytes()


@pytest.fixture
def sieve(needles) -> Sieve:
    return Sieve({"sums": needles})


def tar(files: dict[str, bytes], **more) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", **more) as made:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    return out.getvalue()


def image(*layers: bytes, history=(), named=None, pack=lambda data: data, **config) -> io.BytesIO:
    """What `docker save` writes: layers and a configuration that names them."""
    digests = [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]
    told = {"config": config, "history": [{"created_by": one} for one in history]}
    told["rootfs"] = {"type": "layers", "diff_ids": digests if named is None else named}
    files = {f"{number}/layer.tar": pack(layer) for number, layer in enumerate(layers)}
    return io.BytesIO(tar({**files, "abc.json": json.dumps(told).encode(), "manifest.json": b"[]"}))


def test_a_clean_image_has_nothing(sieve):
    got = search_image(image(tar({"usr/bin/x": b"\x7fELF" * 100, "etc/passwd": b"root\n"}), bytes(1024)), sieve)
    assert (got.found, got.tokens, got.unread, got.layers, got.files) == ([], [], [], 1, 2)


def test_a_file_that_a_later_layer_deletes_is_found_with_its_layer(sieve, hidden):
    lower, upper = tar({"build/test_sum_even.py": hidden}), tar({"build/.wh.test_sum_even.py": b""})
    got = search_image(image(lower, upper), sieve)
    place = f"layer sha256:{hashlib.sha256(lower).hexdigest()[:12]} /build/test_sum_even.py"
    assert got.found == [f"{place} is hidden file test_sum_even.py of sums"]
    assert got.unread == []


@pytest.mark.parametrize("path", ["srv/notes.md", "usr/lib/x.py", "opt/app/core.py"])
def test_lines_of_gold_are_found_in_text(sieve, path):
    (one,) = search_image(image(tar({path: f"x = 1\n{GOLD}{GOLD}".encode()})), Sieve(sieve._needles)).found[:1] or [""]
    assert ("holds a line of gold" in one) == path.endswith(".md")


def test_what_the_snapshot_shows_is_no_secret(needles):
    data = image(tar({"srv/notes.md": GOLD.encode()}))
    assert search_image(data, Sieve({"sums": needles}, frozenset([GOLD.strip()]))).found == []


@pytest.mark.parametrize(
    "config",
    [{"Env": [f"KEY={TOKEN}"]}, {"Labels": {"note": TOKEN}}, {"Labels": {TOKEN: "note"}}, {"Cmd": ["sh", "-c", TOKEN]}],
    ids=["Env", "value", "key", "Cmd"],
)
def test_the_configuration_is_searched(sieve, config):
    (found,) = search_image(image(tar({"a": b"a"}), **config), sieve).tokens
    assert f"image configuration.config.{next(iter(config))}" in found


def test_the_history_is_searched_with_its_escapes_undone(sieve):
    (found,) = search_image(image(tar({"a": b"a"}), history=["x", f'RUN echo "a\n{GOLD}" > y']), sieve).found
    assert "image configuration.history[1].created_by" in found and "gold" in found


def test_layers_packed_with_gzip_are_read_and_others_are_told(sieve, hidden):
    layer = tar({"x.py": hidden})
    assert len(search_image(image(layer, pack=gzip.compress), sieve).found) == 1
    got = search_image(image(layer, pack=lambda data: b"\x28\xb5\x2f\xfd" + data), sieve)
    assert got.found == [] and "zstd, which is not read" in got.unread[0]
    assert "was not found in it" in got.unread[1]
    broken = search_image(image(layer, pack=lambda data: gzip.compress(data)[:-20]), sieve)
    assert any("ends too early" in one for one in broken.unread)


def test_a_layer_that_is_not_what_the_image_names_is_told(sieve):
    layer = tar({"x": b"x"})
    assert "is named by the image" in search_image(image(layer, named=["sha256:" + "0" * 64]), sieve).unread[0]
    assert search_image(io.BytesIO(tar({"0/layer.tar": layer})), sieve).unread == [
        "the image: no configuration names its layers"
    ]


@pytest.mark.parametrize("cut", [100, 700, 3000])
def test_an_image_that_breaks_off_is_undecided(sieve, cut):
    whole = image(tar({"x": bytes(9000)})).getvalue()
    assert search_image(io.BytesIO(whole[:cut]), sieve).unread


def test_hostile_names_and_links_are_words(sieve, hidden, tmp_path):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for kind, name, to in (
            (tarfile.SYMTYPE, "a", "/etc/passwd"),
            (tarfile.LNKTYPE, "b", "../../etc/shadow"),
            (tarfile.CHRTYPE, "c", ""),
            (tarfile.FIFOTYPE, "d", ""),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, to
            made.addfile(info)
        info = tarfile.TarInfo("../" * 40 + "tmp/escaped" + "x" * 150)
        info.size = len(hidden)
        made.addfile(info, io.BytesIO(hidden))
    got = search_image(image(out.getvalue()), sieve)
    assert all("escapedxxx" in one for one in got.found) and got.found and got.files == 1 and not got.unread
    assert not Path("/tmp/escaped" + "x" * 150).exists()


def test_a_member_that_claims_more_than_there_is_breaks_off(sieve):
    header = bytearray(tar({"x": b"x"})[:512])
    header[124:136] = b"77777777777\0"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    got = search_image(image(bytes(header) + bytes(512)), sieve)
    assert any("before its last member does" in one for one in got.unread)


def test_large_files_are_searched_in_windows(sieve, pack, hidden):
    big = b"y = 0\n" * (FILE_BYTES_MAX // 6 + 9) + f"{TOKEN}\n".encode()
    assert len(search_image(image(tar({"srv/big": big})), sieve).tokens) == 1
    (pack / "tasks/sums/hidden/data.bin").write_bytes(big)
    (item,) = read_material(load_pack(pack)).tasks
    found = search_image(image(tar({"usr/lib/big": big})), Sieve({"sums": needles_of(item)})).found
    assert "is hidden file data.bin" in found[0]


def git(folder: Path, *words: str) -> None:
    own = ("-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "gc.auto=0")
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, hidden: bytes, message: str) -> dict[str, bytes]:
    """A repository in which a hidden file was committed and removed again, as files of a layer."""
    folder.mkdir()
    git(folder, "init", "-q", ".")
    text = "".join(f"line {number} of the file\n" for number in range(200))
    for number in range(3):
        (folder / "long.txt").write_text(text + f"more {number}\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"step {number}")
    (folder / "t.py").write_bytes(hidden)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
    git(folder, "rm", "-q", "t.py")
    git(folder, "commit", "-q", "-m", "removed")
    return folder


def as_files(folder: Path) -> dict[str, bytes]:
    return {f"src/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("how", ["loose", "packed"])
def test_git_objects_of_a_layer_are_read_without_git(sieve, hidden, tmp_path, how):
    repo = repository(tmp_path / "r", hidden, f"with {TOKEN}")
    if how == "packed":
        git(repo, "repack", "-adq", "--depth=50", "--window=50")
        git(repo, "prune-packed")
    listed = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch-check"], cwd=repo, capture_output=True, check=True
    )
    got = search_image(image(tar(as_files(repo))), sieve)
    assert got.objects == len(listed.stdout.splitlines())
    assert any("(git blob" in one and "is hidden file" in one for one in got.found)
    assert any("(git commit" in one for one in got.tokens)
    assert got.unread == []


def test_every_object_of_a_pack_has_the_name_that_git_gives_it(tmp_path, hidden):
    repo = repository(tmp_path / "r", hidden, "x")
    git(repo, "repack", "-adq", "--depth=50", "--window=50")
    (pack,) = (repo / ".git/objects/pack").glob("*.pack")
    listed = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch-check"], cwd=repo, capture_output=True, check=True
    )
    names = {line.split()[0][:12] for line in listed.stdout.decode().splitlines()}
    assert {one.where[-13:-1] for one in gitpack.packed("p", pack.read_bytes())} == names


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_a_damaged_pack_is_told_and_never_raised(seed, many):
    data = bytearray(damaged_base())
    rng = random.Random(seed)
    for _ in range(many):
        data[rng.randrange(len(data))] = rng.randrange(256)
    for one in gitpack.packed("p", bytes(data)):
        assert one.unread or one.where


def damaged_base() -> bytes:
    blob = zlib.compress(b"a line of text\n" * 3)
    delta = zlib.compress(bytes([45, 45, 0x91, 0, 45]))
    return b"PACK" + (2).to_bytes(4, "big") + (2).to_bytes(4, "big") + bytes([0xBD, 0x02]) + blob + bytes([0x65, len(blob) + 2]) + delta + bytes(20)  # fmt: skip


@given(
    st.dictionaries(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=300).filter(
            lambda name: not name.endswith("/")
        ),
        st.binary(max_size=2000),
        max_size=6,
    ),
    st.sampled_from([tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]),
)
def test_the_reader_sees_what_python_wrote(files, how):
    told = {one.name: one.body.read() if one.size else b"" for one in members(io.BytesIO(tar(files, format=how)))}
    assert told == files


@given(st.binary(max_size=3000))
def test_bytes_that_are_no_tar_are_refused_or_empty(data):
    with contextlib.suppress(TarError):
        assert all(one.size <= len(data) for one in members(io.BytesIO(data)))


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


PACKED = {
    "gzip": gzip.compress,
    "tar": lambda data: tar({"a/b.py": data}),
    "tar in gzip": lambda data: gzip.compress(tar({"a/b.py": data})),
    "zip": lambda data: zipped(x=data),
    "base64": lambda data: b"key = '" + base64.b64encode(data) + b"'\n",
    "base64 in lines": base64.encodebytes,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
}


@pytest.mark.parametrize("how", PACKED)
def test_a_hidden_file_is_found_in_its_packing_and_an_honest_one_is_not(needles, hidden, how):
    sights, unread = sights_of("/work/x.bin", PACKED[how](hidden))
    assert unread == []
    assert any("is hidden file" in one for one in seen_in(needles, sights)[0])
    sights, unread = sights_of(
        "/work/x.bin", PACKED[how](b"def nothing():\n    return 'to see here, and nothing more'\n" * 3)
    )
    assert (seen_in(needles, sights), unread) == (([], []), [])


@pytest.mark.parametrize("mode", list(py_compile.PycInvalidationMode), ids=lambda mode: mode.name)
def test_bytecode_tells_of_its_source(needles, hidden, tmp_path, mode):
    source = tmp_path / "test_sum_even.py"
    for data, wanted in ((hidden, 1), (hidden + b"# other\n", 0)):
        source.write_bytes(data)
        made = Path(
            py_compile.compile(str(source), str(tmp_path / "test_sum_even.cpython-311.pyc"), invalidation_mode=mode)
        )
        sights, _ = sights_of(f"/work/__pycache__/{made.name}", made.read_bytes())
        assert len([one for one in seen_in(needles, sights)[0] if "is compiled from hidden file" in one]) == wanted
    assert importlib.util.source_hash(hidden).hex() in needles.compiled


def test_what_cannot_be_opened_is_told():
    bomb = gzip.compress(bytes(PIECE_BYTES_MAX + 10))
    assert [one.unread for one in pieces("x", bomb) if one.unread] == ["holds more than 8 MiB"]
    assert "zstd" in next(pieces("x", b"\x28\xb5\x2f\xfdabc")).unread
    assert next(pieces("x", zipped(x=b"x")[:-9])).unread
    deep = b"x" * 100
    for _ in range(5):
        deep = gzip.compress(deep)
    assert [one.unread for one in pieces("x", deep) if one.unread] == ["packed more than 3 times"]
