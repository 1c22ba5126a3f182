"""Where the work of an agent lies (a new file, a commit, another branch, the index): the patch is base tree against final tree."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from denominator.records.rows import AttemptRow, PatchFacts
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.skipif(not Path("/usr/bin/git").exists(), reason="no git for the sandbox"),
    pytest.mark.xdist_group("run-patches"),
]
COMMIT = "git add -A && git commit -qm done"
LEFT = "echo \"HEAD $(git rev-list --count HEAD)\"; echo \"INDEX $(git diff --cached --name-only | tr '\\n' ' ')\""
WAYS = {
    "new_file": "echo 'def low(n): return n' > low.py",
    "committed": f"{runs.SOLVE['clamp-low']} && {COMMIT}",
    "new_and_committed": f"echo 'def low(n): return n' > low.py && {COMMIT}",
    "committed_on_a_branch": f"git checkout -q -b fix && {runs.SOLVE['clamp-low']} && {COMMIT}",
    "history_gone": f"{runs.SOLVE['clamp-low']} && rm -rf .git",
    "staged": f"{runs.SOLVE['clamp-low']} && git add -A",
    "nothing": "cat README.md",
    "touched_only": "touch bounds.py && git status --porcelain",
    "committed_and_undone": f"echo x > low.py && {COMMIT} && git rm -q low.py && git commit -qm undo",
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, AttemptRow]]:
    """One run: repeat k goes way k."""
    folder = tmp_path_factory.mktemp("patches")
    runs.make_pack(folder, "clamp-low")
    ways = folder / "ways"
    ways.mkdir(mode=0o755)
    for number, script in enumerate(WAYS.values(), 1):
        (ways / f"{number}.sh").write_text(f"cd /work\n{script}\n[ ! -d .git ] || {{ {LEFT}; }}\n")
    agent = {
        "label": "ways",
        "agent": "command",
        "command": ["sh", "-c", "sh /opt/ways/$DENOMINATOR_SEED.sh"],
        "mounts": [f"{ways}=/opt/ways"],
    }
    seeds = list(range(1, len(WAYS) + 1))
    (folder / "envelope.toml").write_text(
        runs.envelope([agent], budget={"repeats": len(WAYS)}, run={"seeds": seeds, "concurrency": 2})
    )
    told = runs.cli(folder, "run", "envelope.toml", "--run-id", "p")
    assert told.code in (0, 1), told.err
    rows = runs.rows_of(folder, "p")
    return folder, {way: rows["clamp-low", number, 1] for number, way in enumerate(WAYS, 1)}


def patch(row: AttemptRow) -> PatchFacts:
    assert isinstance(row.patch, PatchFacts)
    return row.patch


@pytest.mark.parametrize(
    ("way", "touched"),
    [
        ("new_file", ("low.py",)),
        ("committed", ("bounds.py",)),
        ("new_and_committed", ("low.py",)),
        ("committed_on_a_branch", ("bounds.py",)),
        ("history_gone", ("bounds.py",)),
        ("staged", ("bounds.py",)),
        ("nothing", ()),
        ("touched_only", ()),
        ("committed_and_undone", ()),
    ],
)
def test_the_patch_is_what_the_tree_shows(
    done: tuple[Path, dict[str, AttemptRow]], way: str, touched: tuple[str, ...]
) -> None:
    found = patch(done[1][way])
    assert found.touched == touched
    assert isinstance(found.bytes, int) and (found.bytes > 0) == bool(touched)
    assert not any(path.startswith(".git") for path in found.touched)


def test_one_change_is_one_patch_wherever_it_lies(done: tuple[Path, dict[str, AttemptRow]]) -> None:
    rows = done[1]
    ways = ("committed", "committed_on_a_branch", "history_gone", "staged")
    assert len({patch(rows[way]).sha256 for way in ways}) == 1
    assert patch(rows["new_file"]).sha256 == patch(rows["new_and_committed"]).sha256
    assert {rows[way].grade for way in ways} == {"green"}


def test_the_commit_is_there_and_the_index_is_left_as_it_was(done: tuple[Path, dict[str, AttemptRow]]) -> None:
    """What the agent's own git says at its end: nobody added or reset anything for it."""
    said = {repeat: text.splitlines() for (_, repeat), text in runs.texts(runs.opened(done[0], "p"), "stdout").items()}
    order = {way: number for number, way in enumerate(WAYS, 1)}
    assert said[order["new_file"]] == ["HEAD 1", "INDEX "]
    assert said[order["committed"]] == ["HEAD 2", "INDEX "]
    assert said[order["staged"]] == ["HEAD 1", "INDEX bounds.py "]
