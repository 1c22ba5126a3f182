"""The shell reader: what it lets through must really hand a failure on; a real shell is the judge."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.packs.lint.shell import find_masks
from denominator.packs.lint.shell.tokens import ShellError, tokenize, unquoted
from denominator.packs.lint.shell.tree import parse

MASKED = {
    "run-tests --all | tee out.txt": "pipe",
    "run-tests |& tee out.txt": "pipe",
    "cd x && run-tests | tee out.txt": "pipe",
    "(run-tests | tee out.txt)": "pipe",
    "{ run-tests | tee out.txt; }": "pipe",
    "set -e; run-tests | tee out.txt": "pipe",
    "set -o pipefail; set +o pipefail; run-tests | tee x": "set",
    "sh -c 'run-tests | tee out.txt'": "pipe",
    'bash -lc "run-tests || true"': "or",
    "env A=1 bash -c 'run-tests; true'": "tail",
    "run-tests || true": "or",
    "run-tests || :": "or",
    "run-tests || echo failed": "or",
    "run-tests || exit 0": "or",
    "run-tests || exit 256": "or",
    "run-tests || { echo failed; exit $?; }": "or",
    "run-tests; true": "tail",
    "run-tests; echo done": "tail",
    "run-tests\necho done": "tail",
    "run-tests ; exit 0": "exit",
    "run-tests; rc=$?; run-more; exit $rc": "tail",
    "run-tests; R=$?; R=0; exit $R": "tail",
    "run-tests &": "background",
    "run-tests & wait": "background",
    "run-tests && other & third": "background",
    "! run-tests": "negation",
    "if run-tests; then echo ok; fi": "compound",
    "for t in a b; do run $t; done": "compound",
    "while run-tests; do :; done": "compound",
    "trap 'exit 0' EXIT; run-tests": "trap",
    "eval run-tests": "eval",
    "echo $(run-tests)": "constant",
    "true": "constant",
    "x=1": "constant",
    "": "empty",
    "# run-tests": "empty",
    "set -e; a && b; c": "tail",
    "set -e; { a && b; }; c": "tail",
    "set -e; ( a; b ) && c": "tail",
    "( set -e; a; b ) && c": "tail",
    "run-tests 'open": "unreadable",
    "run-tests $(open": "unreadable",
    "run-tests |": "unreadable",
    "run-tests && ": "unreadable",
    "cat <<EOF\nnever ends": "unreadable",
    "( run-tests": "unreadable",
    "f() { run-tests; }": "unreadable",
    "run-tests )": "unreadable",
    "cat <<E; run-tests\n| || true\nE\necho": "tail",
}
CLEAN = [
    "run-tests",
    "run-tests --all > out.txt 2>&1",
    "run-tests &> out.txt",
    "run-tests 2>/dev/null",
    "run-tests '| tee' \"|| true\" a\\;b \\| x",
    "run-tests # | tee out.txt",
    "run-tests a#b",
    "cd repo && run-tests",
    "cd repo; run-tests",
    "export A='x; y'\nrun-tests",
    "A=1 B='a | b' run-tests",
    "set -eo pipefail; run-tests | tee out.txt",
    "set -euo pipefail\nprepare\nrun-tests | tee out.txt\necho done",
    "set -o pipefail; run-tests | tee out.txt",
    "bash -o pipefail -c 'run-tests | tee out.txt'",
    "bash -eo pipefail -c 'run-tests | tee out.txt; echo done'",
    "run-tests; exit $?",
    'run-tests; exit "$?"',
    "run-tests; rc=$?; echo finished; exit $rc",
    'run-tests; rc=$?; echo finished; exit "${rc}"',
    "run-tests | tee out.txt; exit ${PIPESTATUS[0]}",
    "run-tests || exit 1",
    "run-tests || false",
    "run-tests || exit",
    "run-tests || { echo failed; exit 3; }",
    "prepare || exit 1\nrun-tests",
    "prepare && run-tests && echo fine",
    "echo start; run-tests",
    "run-tests > >(tee out.txt)",
    "run-tests `nproc` $(nproc | head -1) ${X:-a;b}",
    "run-tests <<EOF\n| || true ; &\nEOF",
    "run-tests <<-'EOF'\n\t`\n\tEOF",
    "run-tests <<< 'a | b'",
    "exec run-tests",
    "(cd x && run-tests)",
    "set -e; ( a && b ); { c; }; d",
    "run-tests \\\n  --all",
    "run-tests $'a\\'|b'",
    "timeout 5 run-tests",
    "python3 -m unittest discover -s hidden",
]


@pytest.mark.parametrize(("line", "kind"), MASKED.items())
def test_a_mask_is_named(line, kind):
    assert kind in {mask.kind for mask in find_masks(line)}


@pytest.mark.parametrize("line", CLEAN)
def test_a_trustworthy_line_is_let_through(line):
    assert find_masks(line) == []


@pytest.mark.parametrize("kind", sorted({"pipe", "or", "background", "tail"}))
def test_a_mask_points_into_the_text(kind):
    line = {"pipe": "cd x; aa | bb", "or": "aa || bb", "background": "cd x; aa &", "tail": "aa; bb"}[kind]
    (mask,) = [mask for mask in find_masks(line) if mask.kind == kind]
    assert line[mask.at :].startswith("bb" if kind == "or" else "aa")


@given(st.text(alphabet="ab |&;(){}<>$`'\"\\\n#!=?0-", max_size=40))
@settings(max_examples=400)
def test_any_text_gives_an_answer(text):
    find_masks(text)


WORDS = st.text(alphabet="ab c|&;'\"$`\\#\n", max_size=12)


@given(WORDS)
def test_quoting_a_word_hides_nothing_and_loses_nothing(word):
    quoted = "'" + word.replace("'", "'\\''") + "'"
    (only,) = tokenize(quoted)
    assert unquoted(only.text) == word


def test_double_quotes_and_escapes():
    (only,) = tokenize('"a\\"b\\$c\\d"\\ e')
    assert unquoted(only.text) == 'a"b$c\\d e'


@pytest.mark.parametrize("bad", ["<", "a < ;", "{ }", "a ( b )", "& a", "; ;; a"])
def test_what_is_no_command_line_is_refused(bad):
    with pytest.raises(ShellError):
        parse(bad)


SIMPLE = st.sampled_from(
    [
        "T",
        "T",
        "T",
        "T",
        "T && T",
        "T || exit 1",
        "T; R=$?",
        "cd .",
        "echo x",
        "A=1",
        "R=0",
        "exit 1",
        "exit $?",
        "false",
        "exit $R",
    ]
)
HEADS = st.sampled_from(["", "", "set -e; ", "set -o pipefail; ", "set -eo pipefail; ", "set -eo pipefail\n", "cd .; "])
LINES = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.tuples(
            st.lists(inner, min_size=2, max_size=4),
            st.lists(st.sampled_from([" | ", " && ", " || ", "; ", "\n"]), min_size=3, max_size=3),
        ).map(
            lambda parts: "".join(
                line + (parts[1][at] if at < len(parts[0]) - 1 else "") for at, line in enumerate(parts[0])
            )
        ),
        inner.map(lambda line: f"( {line} )"),
        inner.map(lambda line: f"{{ {line}; }}"),
        inner.map(lambda line: f"! {line}"),
    ),
    max_leaves=5,
)
LINES = st.tuples(HEADS, LINES).map("".join)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@settings(max_examples=120, deadline=None)
@given(LINES)
def test_a_real_shell_agrees_with_what_is_let_through(line):
    """Each T is a command that may be the tests. If the reader calls a line clean, a failing T must not end in status 0.

    Only a T that is reached can fail; lines in which none is reached, or that fail anyway, prove nothing and are let go.
    """
    if "T" not in line or find_masks(line.replace("T", "run-tests")):
        return
    for failing in range(line.count("T")):
        parts = line.split("T")
        script = parts[0] + "".join(
            ("{ touch hit; false; }" if at == failing else "/bin/true") + part for at, part in enumerate(parts[1:])
        )
        probe = (
            "cd $(mktemp -d) || exit 9\nset +e\n(" + script + "\n)\ns=$?\n[ -e hit ] && [ $s = 0 ] && exit 77\nexit 0"
        )
        done = subprocess.run(["bash", "-c", probe], capture_output=True, text=True, timeout=20)
        assert done.returncode != 77, f"{line!r}: the {failing + 1}. command failed and nobody saw it"
