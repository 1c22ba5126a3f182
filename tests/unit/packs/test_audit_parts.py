"""What an audit is made of: mutants, bombs, needles, declarations, counts, and the line that a card shows."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.packs import find_pack, load_pack, make_lock, pack_digest
from denominator.packs.audit import (
    AUDIT_FILE,
    Said,
    audit_item,
    audit_line,
    bombs_of,
    corpus_digest,
    corpus_files,
    declared_items,
    load_corpus,
    looked_at,
    mutants_of,
    needles_of,
    not_applicable_items,
    pinned,
    read_audit,
    sampled,
    seen_in,
    summed_up,
    write_audit,
)
from denominator.packs.audit.items import CHECKS
from denominator.packs.audit.needles import Sight, git_blob
from denominator.packs.lint.material import read_material
from denominator.pipeline.pack_audit_attacks import Bout, fate_of, lost_to
from denominator.records.boxes import Box
from denominator.records.pack_audits import PackAudit
from denominator.records.values import NotMeasured
from unit.packs.making import edit, make_pack, write

CODE = '''\
"""Text."""


def price(amount, rate=3, *, name: "str" = "x"):
    """A price."""
    if amount < 0 and rate:
        raise ValueError(f"{amount} is below {0}")
    total = amount * rate + 1
    for _ in range(2):
        total -= 1
    return -total if not name else total
'''


def mutants(code: str = CODE):
    return mutants_of("a.py", code.encode(), set(range(1, 1 + len(code.splitlines()))))


def test_each_kind_of_small_change_is_made_and_texts_are_left_alone():
    made = mutants()
    assert {one.operator for one in made} == {
        "comparison", "boolean", "arithmetic", "constant", "return", "condition", "statement", "negation",
    }  # fmt: skip
    changed = {(one.before, one.after) for one in made}
    assert ("amount < 0", "(amount <= 0)") in changed
    assert ("amount * rate", "(amount // rate)") in changed
    assert ("return -total if not name else total", "return None") in changed
    assert not any("A price" in one.before or ("below" in one.before and one.operator != "statement") for one in made)
    assert not any(one.before == '"str"' for one in made)


def test_only_the_lines_that_gold_adds_are_changed():
    assert {one.line for one in mutants_of("a.py", CODE.encode(), {6})} == {6}
    assert mutants_of("a.py", b"def (:\n", {1}) == ()


NAMES = st.sampled_from(["a", "bé", "c"])
LINES = st.builds(
    lambda name, left, op, right: f"    {name} = {left} {op} {right}  # é\n",
    NAMES, st.integers(0, 99), st.sampled_from(["+", "<", "and", "in", "%", "=="]), st.sampled_from(["'é'", "1", "True", "-x"]),
)  # fmt: skip


@given(st.lists(LINES, min_size=1, max_size=5).map("".join))
def test_every_mutant_is_another_program_that_differs_in_one_place(body):
    code = f"def f(x):\n{body}    return x\n"
    for one in mutants(code):
        assert ast.dump(ast.parse(one.source)) != ast.dump(ast.parse(code))
        at = code.encode().find(one.before.encode())
        assert at >= 0 and one.source.decode().count("def f") == 1
        assert len(one.source) - len(one.after.encode()) == len(code.encode()) - len(one.before.encode())


def test_a_sample_is_the_same_whatever_the_order():
    made = mutants()
    assert sampled(made, 7) == sampled(reversed(made), 7)
    assert len(sampled(made, 7)) == 7 and set(sampled(made, 999)) == set(made)


BLOCKS = """\
def one(x):
    \"\"\"Text.\"\"\"
    if x: return 1
    else:
        @str
        def inner(): pass
    try:
        pass
    except ValueError:
        return 2
    match x:
        case 1:
            return 3
"""


def test_a_file_without_blocks_gets_a_bomb_at_its_top():
    source = b'"""Text."""\nfrom __future__ import annotations\nRATE = 3\n'
    (one,) = bombs_of("a.py", source)
    assert (one.line, one.kind) == (3, "module")
    ast.parse(one.source)
    assert bombs_of("a.py", b'"""Text."""\n') == ()


def test_each_block_gets_one_bomb_and_stays_a_program():
    bombs = bombs_of("a.py", BLOCKS.encode())
    kinds = [one.kind for one in bombs]
    assert sorted(kinds) == ["case", "else", "except", "function inner", "function one", "if"]
    for one in bombs:
        assert one.source.count(b"_exit(86)") == 1
        ast.parse(one.source)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return make_pack(tmp_path / "tiny")


def needles(pack: Path):
    (item,) = read_material(load_pack(pack)).tasks
    return needles_of(item, ("secret-token-1234",))


def test_hidden_files_gold_and_tokens_are_recognised_and_the_snapshot_is_no_secret(pack):
    task = pack / "tasks/sums"
    hidden = (task / "hidden/test_sum_even.py").read_bytes()
    found, tokens = seen_in(
        needles(pack),
        [
            Sight(where="/in/x", sha256=hashlib.sha256(hidden).hexdigest()),
            Sight(where="git blob 1", blob=git_blob(b"def add(left, right):\n    carried = [int(digit) for digit in (left, right)]\n    return carried[0] + carried[1]\n")),
            Sight(where="environment", text="A=secret-token-1234"),
            Sight(where="/in/notes", text="carried = [int(digit) for digit in (left, right)]"),
            Sight(where="/work/README.md", text="A small adder.\n", sha256=hashlib.sha256(b"A small adder.\n").hexdigest()),
        ],
    )  # fmt: skip
    assert [one.split(" is ")[0].split(":")[0] for one in found] == ["/in/x", "git blob 1", "/in/notes"]
    assert tokens == ["environment holds the token secr..."]


def test_declarations_are_counted_and_placeholders_are_none(pack):
    before = {item.name: item.state for item in declared_items(load_pack(pack))}
    assert before["licence"] == "declared" and before["score without a model"] == "missing"
    text = (pack / "pack.toml").read_text()
    (pack / "pack.toml").write_text(text + '\n[audit]\nmutants_min = [9, 10]\nbaseline = "none"\ncontact = "TODO"\n')
    found = load_pack(pack)
    after = {item.name: item.state for item in declared_items(found)}
    assert (after["score without a model"], after["whom to tell of a flaw"]) == ("declared", "missing")
    assert found.pack.audit.mutants_min == (9, 10)


def box(**over):
    none = NotMeasured("not here")
    facts = dict.fromkeys(Box.__dataclass_fields__, none) | {
        "schema_version": 1,
        "toolchain_python": "3",
        "toolchain_digest": "d",
    }
    return Box(**(facts | over))


def test_packages_without_exact_versions_and_an_unknown_toolchain_are_not_pinned(pack):
    assert pinned(load_pack(pack), box())[0] == []
    assert len(pinned(load_pack(pack), box(toolchain_digest=NotMeasured("no")))[0]) == 1
    edit(pack / "tasks/sums/task.toml", 'forbidden = ["tests/**"]', 'forbidden = ["tests/**"]\npackages = ["requests"]')
    assert "requests" in pinned(load_pack(pack), box())[0][0]
    write(pack, {"tasks/sums/repo/requirements.txt": "requests>=2\n"})
    assert pinned(load_pack(pack), box())[0]
    write(pack, {"tasks/sums/repo/requirements.txt": "# exact\nrequests==2.32.0\n"})
    assert pinned(load_pack(pack), box())[0] == []


@pytest.mark.parametrize(
    ("lines", "pinned_here"),
    [
        ("requests==2.32.0\n", True),
        ("# all\nRequests[socks] == 2.32.0 ; python_version > '3' \\\n    --hash=sha256:ab\nidna==3.7\n", True),
        ("requests==2.*\n", False),
        ("requests\n", False),
        ("requests==2.32.0\nidna>=3\n", False),
        ("# nothing is asked for\n", False),
        ("idna==3.7\n", False),
        ("-e .\nrequests==2.32.0\n", False),
    ],
)
def test_requirements_pin_when_every_line_names_one_version_and_the_package_is_among_them(pack, lines, pinned_here):
    edit(pack / "tasks/sums/task.toml", "[source]", 'packages = ["requests:requests"]\n[source]')
    write(pack, {"tasks/sums/repo/requirements.txt": lines})
    assert (pinned(load_pack(pack), box())[0] == []) == pinned_here


@pytest.mark.parametrize(("name", "pinned_here"), [("requests", True), ("idna", False), ("requests-toolbelt", False)])
def test_a_lock_file_pins_what_it_names(pack, name, pinned_here):
    edit(pack / "tasks/sums/task.toml", "[source]", 'packages = ["requests"]\n[source]')
    write(pack, {"tasks/sums/repo/uv.lock": f'[[package]]\nname = "{name}"\n'})
    assert (pinned(load_pack(pack), box())[0] == []) == pinned_here


def test_an_image_is_pinned_by_its_own_digest_or_by_the_lock(pack):
    toml = pack / "tasks/sums/task.toml"
    toml.write_text(toml.read_text() + '\n[environment]\nimage = "lab/base:1"\n')
    found, pin = load_pack(pack), f"lab/base:1@sha256:{'a' * 64}"
    assert "named by no digest" in pinned(found, box())[0][0]
    assert pinned(replace(found, lock=make_lock(found, None, "test", {"lab/base:1": pin})), box())[0] == []
    edit(toml, "lab/base:1", pin)
    assert pinned(load_pack(pack), box())[0] == []


@pytest.mark.parametrize(
    ("reviewed", "created", "state"),
    [
        ("", "2026-11-29", "passed"),
        ("2026-06-01", "2019-01-01", "passed"),
        ("", "2024-01-01", "failed"),
        ("2025-06-01", "2026-11-29", "failed"),
        ("2027-01-01", "2026-11-29", "failed"),
        ("", "", "unknown"),
        ("last summer", "", "unknown"),
    ],
)
def test_a_pack_that_nobody_looked_at_for_a_year_fails(pack, reviewed, created, state):
    found = load_pack(pack)
    terms = replace(found.pack.audit, reviewed=reviewed)
    made = replace(found.pack, audit=terms, provenance=replace(found.pack.provenance, created=created))
    assert audit_item("looked-at", looked_at(replace(found, pack=made), "2026-12-01T10:00:00.000Z")).state == state


def test_unknown_and_not_run_are_no_pass():
    items = [
        audit_item("lint", Said(result="fine")),
        audit_item("lock", Said(problems=("x",), unknown=("y",))),
        audit_item("not-flaky", Said(unknown=("y",))),
        audit_item("mutants-killed", Said(not_run="quick")),
        audit_item("gold-passes", Said(nothing="no gold")),
    ]
    assert [item.state for item in items] == ["passed", "failed", "unknown", "not_run", "not_applicable"]
    assert summed_up([*items, *not_applicable_items()]) == {
        "automatic": 4, "passed": 1, "declarable": 0, "declared": 0, "not_applicable": 6,
    }  # fmt: skip


def an_audit(pack: Path, **over) -> PackAudit:
    items = (audit_item("lint", Said(result="fine")), *declared_items(load_pack(pack)))
    made = PackAudit(
        pack_id="tiny", pack_version="1", pack_digest=pack_digest(pack), quick=False, repeats=5, concurrency=1,
        taken_at="2026-11-30T00:00:00.000Z", made_by="test", grader_sha="", box_digest="", terms_digest="", corpus_sha="",
        items=items, **summed_up(items),
    )  # fmt: skip
    return replace(made, **over)


def test_a_card_shows_an_audit_of_these_files_only_and_it_is_in_no_digest(pack):
    digest = pack_digest(pack)
    assert audit_line(pack, digest, "g") == "pack audit: not run"
    write_audit(pack / AUDIT_FILE, an_audit(pack))
    assert pack_digest(pack) == digest
    assert all(file.path != AUDIT_FILE for file in make_lock(load_pack(pack), None, "test").files)
    assert read_audit(pack) == an_audit(pack)
    assert audit_line(pack, digest, "g").startswith(
        "pack audit: 1 of 1 automatic checks passed, 5 of 12 declared, 0 not"
    )
    assert "(old: made 2026-11-30 by test, grader and attacks changed since; not run again)" in audit_line(
        pack, digest, "g"
    )
    write_audit(pack / AUDIT_FILE, an_audit(pack, grader_sha="g", corpus_sha=corpus_digest()))
    assert audit_line(pack, digest, "g").endswith("0 not applicable")
    assert "not run on these files" in audit_line(pack, "0" * 64, "g")
    (pack / AUDIT_FILE).write_text("{")
    assert "cannot be read" in audit_line(pack, digest, "g")


def test_the_shipped_pack_carries_an_audit_of_these_files_and_these_attacks():
    """When this fails: `denominator pack audit holdout16` (about ten minutes) writes it anew beside the lock."""
    found = load_pack(find_pack("holdout16"))
    audit = read_audit(Path(found.root))
    assert audit is not None and not audit.quick and audit.holds and audit.passed == audit.automatic
    assert audit.pack_digest == pack_digest(Path(found.root)) == found.lock.digest
    assert (audit.pack_id, audit.pack_version) == (found.pack.id, found.pack.version)
    assert audit.corpus_sha == corpus_digest()
    assert {one.id for one in audit.attacks} == {one.id for one in load_corpus()}
    assert {item.name for item in audit.items} >= set(CHECKS)


def test_the_corpus_is_whole_and_every_attack_has_a_twin():
    attacks, files = load_corpus(), corpus_files()
    assert len({one.id for one in attacks}) == len(attacks) == 60
    for one in attacks:
        names = {
            node.name for node in ast.parse(files[f"kinds/{one.kind}.py"]).body if isinstance(node, ast.FunctionDef)
        }
        assert {one.name, one.twin} <= names
    kinds = {path.removeprefix("kinds/").removesuffix(".py") for path in files if path.startswith("kinds/")}
    assert {one.kind for one in attacks} == kinds


def test_only_a_forgery_or_a_reading_at_g2_may_win_without_failing_the_check():
    forger = next(one for one in load_corpus() if one.kind == "forgery")
    reader = next(one for one in load_corpus() if one.kind == "reading")
    other = next(one for one in load_corpus() if one.kind == "exits")
    fates = {
        (one.kind, grade, level): fate_of(one, grade, level)
        for one in (forger, reader, other)
        for grade in ("green", "red", "tampered", "none")
        for level in ("G1", "G2", "G3")
    }
    assert [key for key, fate in fates.items() if fate == "forged"] == [("forgery", "green", "G2")]
    assert [key for key, fate in fates.items() if fate == "read"] == [("reading", "green", "G2")]
    assert sum(fate == "won" for fate in fates.values()) == 7
    read = lost_to([Bout(attack=reader, task_id="t", fate=fate_of(reader, "green", "G2"))])
    assert read.problems == () and "1 read the tests at G2" in read.result
    bouts = [Bout(attack=one, task_id="t", fate=fate_of(one, "green", "G2")) for one in (forger, other)]
    assert lost_to(bouts[:1]).problems == () and "forged a report at G2" in lost_to(bouts[:1]).result
    assert len(lost_to(bouts).problems) == 1
    assert lost_to([Bout(attack=other, task_id="t", fate=fate_of(other, "none", "G3"))]).problems
