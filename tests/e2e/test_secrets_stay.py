"""Made-up secrets around a run: an agent that looks everywhere finds none, and none is in anything that the run leaves."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from denominator.wire.tokens import token_hits
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("secrets-stay"),
]
MARK = "planted" + "-5d1e"  # never whole in this file's own bytes, or a search would find the search
CANARIES = {name: f"{MARK}-{name}-77c0" for name in ("key", "config", "beside", "home", "above")}
OWN = f"{MARK}-own-77c0"
LOOK = """\
mark=planted; mark=$mark-5d1e
{
  env
  cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'
  cat /proc/self/mountinfo
  find / -xdev -not -path '/usr/*' -not -path '/proc/*' -not -path '/sys/*' 2>/dev/null
  for at in /work /in /out /run /tmp /home /root /etc /opt /srv /var /mnt /media /proc/$PPID/cwd; do
    grep -rIs "$mark" $at
  done
} > /tmp/seen 2>/dev/null
grep -a "$mark" /tmp/seen
(ulimit -c unlimited; sh -c 'kill -SEGV $$') 2>/dev/null; sh -c 'kill -ABRT $$' 2>/dev/null
echo "cores: $(find /work /tmp /home -name 'core*' | wc -l) $(ulimit -c)"
wc -l < /tmp/seen | sed 's/^/searched lines: /'
sed -i 's/return n$/return n + n/' twice.py
"""
LEAK = """\
sed -i 's/return n$/return n + n/' twice.py
base64 -w0 /opt/leak/key.txt | sed 's/^/# /' >> twice.py
cat /opt/leak/key.txt
echo '{"seq": 1, "name": "sh", "args": {"command": "curl -H '"$(cat /opt/leak/key.txt)"'"}}' > $DENOMINATOR_TOOLS
exit 0
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs under planted secrets: `a-looks` searches, `a-leaks` was handed one and writes it everywhere."""
    folder = tmp_path_factory.mktemp("secrets")
    runs.make_pack(folder, "double-it")
    (folder / "home").mkdir()
    for name, path in (("beside", "canary.txt"), ("home", "home/.netrc"), ("above", "runs/canary.txt")):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(f"token {CANARIES[name]}\n")
    (folder / "denominator.toml").write_text(f"# {CANARIES['config']}\n")
    for name, text in (("look", LOOK), ("leak", LEAK)):
        (folder / name).mkdir(mode=0o755)
        (folder / name / "act.sh").write_text(text)
    (folder / "leak" / "key.txt").write_text(CANARIES["key"])
    arms = [
        {
            "label": label, "agent": "command", "command": ["bash", f"/opt/{label[:4]}/act.sh"],
            "mounts": [f"{folder}/{label[:4]}=/opt/{label[:4]}"], "env": {"SHOWN": OWN} if label == "looks" else {},
        }
        for label in ("looks", "leaks")
    ]  # fmt: skip
    (folder / "envelope.toml").write_text(runs.envelope([{k: v for k, v in arm.items() if v} for arm in arms]))
    process = runs.start(folder, "run", "envelope.toml", "--run-id", "a", env=environment(folder))
    lines = set()
    while process.poll() is None:
        lines |= command_lines()
        time.sleep(0.02)
    assert runs.Done(process).code in (0, 1)
    (folder / "ps.txt").write_bytes(b"\n".join(sorted(lines)))
    return folder


def environment(folder: Path) -> dict[str, str]:
    return {"CANARY_API_KEY": CANARIES["key"], "HOME": str(folder / "home")}


def command_lines() -> set[bytes]:
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.add(path.read_bytes())
        except OSError:
            continue
    return found


def verb(place: Path, *args: str) -> runs.Done:
    return runs.cli(place, *args, env=environment(place))


def bytes_of(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def held(places: dict[str, bytes]) -> list[str]:
    """Where a canary is, in any easy encoding; large files as it stands."""
    hits = [
        hit
        for value in CANARIES.values()
        for hit in token_hits(value, {k: v for k, v in places.items() if len(v) < 99_999})
    ]
    return hits + [path for path, data in places.items() if any(value.encode() in data for value in CANARIES.values())]


def blobs_of(place: Path, run_id: str) -> dict[str, bytes]:
    run = runs.opened(place, run_id)
    return {
        f"{e.kind} {e.stream} {e.seq}": run.blobs.get(e.blob)
        for e in run.journal.events()
        if e.blob and run.blobs.has(e.blob)
    }


def test_an_agent_that_looks_everywhere_finds_its_own_and_nothing_else(place: Path) -> None:
    (said,) = runs.texts(runs.opened(place, "a-looks"), "stdout").values()
    assert OWN in said and "searched lines: " in said, said
    assert "cores: 0 0" in said
    assert int(said.partition("searched lines: ")[2].split()[0]) > 50
    assert held({"stdout": said.encode()}) == []


def test_no_secret_is_in_the_run_or_in_a_command_line(place: Path) -> None:
    ps = (place / "ps.txt").read_bytes()
    assert b"denominator" in ps and held({"ps": ps}) == []
    assert held(blobs_of(place, "a-looks")) == []
    assert held(bytes_of(place / "runs" / "a-looks")) == []


@pytest.mark.e2e
def test_no_secret_is_in_anything_that_leaves(place: Path, tmp_path: Path) -> None:
    wanted = (
        ("bundle", "a-looks", "-o", f"{tmp_path}/b"), ("report", "a-looks", "-o", f"{tmp_path}/r.html"),
        ("export", "junit", "a-looks", "-o", f"{tmp_path}/j.xml"), ("export", "atif", "a-looks", "-o", f"{tmp_path}/atif"),
    )  # fmt: skip
    for words in wanted:
        assert verb(place, *words).code in (0, 1)
    made = bytes_of(tmp_path)
    assert {Path(path).relative_to(tmp_path).parts[0] for path in made} == {"b", "r.html", "j.xml", "atif"}
    said = verb(place, "show", "double-it", "--run", "a-looks", "--json")
    assert held(made | {"show": said.out.encode(), "notes": said.err.encode()}) == []


@pytest.mark.e2e
def test_a_secret_that_an_agent_was_handed_does_not_leave(place: Path, tmp_path: Path) -> None:
    """By value, for it has no form: covered where it is shown, in the way of what travels whole."""
    bundle = verb(place, "bundle", "a-leaks", "-o", f"{tmp_path}/b")
    assert bundle.code == 1 and "the value of CANARY_API_KEY (base64" in " ".join(bundle.err.split())
    assert not (tmp_path / "b").exists()
    assert verb(place, "bundle", "a-leaks", "--thin", "-o", f"{tmp_path}/thin").code == 0
    assert verb(place, "report", "a-leaks", "-o", f"{tmp_path}/r.html").code in (0, 1)
    assert verb(place, "export", "atif", "a-leaks", "-o", f"{tmp_path}/atif").code == 0
    shown = verb(place, "show", "double-it", "--run", "a-leaks")
    assert "(left out: the value of CANARY_API_KEY)" in shown.out
    plain = CANARIES["key"].encode()
    made = bytes_of(tmp_path) | {"show": shown.out.encode(), "bundle": bundle.err.encode()}
    assert plain not in b"".join(made.values())
    assert held({path: data for path, data in made.items() if "/thin/" not in path}) == []
