"""The page docs/evidence/docker.md, from what a whole run of the tests here said."""

from __future__ import annotations

from pathlib import Path

from attacks import own_bench, own_page
from attacks.test_attacks import ATTACKS, MAY_WIN_AT_G2
from attacks.test_probes import PROBES
from denominator.adapters.sandboxes.facts import NAMES
from e2e import cases_page

EVIDENCE = Path(__file__).parents[3] / "docs/evidence/docker.md"
HONEST = {"00-honest-gold": {"green"}, "00-honest-wrong": {"red"}}
ENGINES = ("dockerd", "podman")
ROWS: dict[str, tuple[str, str]] = {}
"""Shared attack -> grade at G2, grade at G3."""
OWN: dict[tuple[str, str], tuple[str, str]] = {}
"""Our own attack and the level -> grade or exit of the attack, of its twin."""
CONTAINED: dict[tuple[str, str], str] = {}
HELD: dict[str, dict[str, str]] = {}
CASES: dict[str, cases_page.Want] = {}
"""Case -> what became of its row."""
CHANNEL = [name for name, entry in own_bench.attacks().items() if entry["task"] in own_page.PARTS[0][1]]
HEAD = """\
# Attacks, probes and cases in containers

Written by `tests/e2e/docker/test_the_page.py` from a whole run of `tests/e2e/docker` (`DENOMINATOR_EVIDENCE=write`); the same test
fails when a run differs from this page. The engines are private ones of the system's packages (dockerd; Podman with runc), the
base image is made of chosen folders of the host, without any registry. Attacks and cases ran under dockerd.

## Attacks on graders

That every attack wins against a careless grader, and what each does, is on [the page of bubblewrap](attacks-g2.md); the same two
phases run here.
"""
OURS = """
## Attacks of our own

What each does is on [its page](attacks.md). The twin does the honest thing of the same look. An attack on the channel of G3 is
graded at G2 too, where tests and solution share a sandbox and no channel is between them to defend: `green` there is a win, and why
a number of G2 says less.
"""
FROM_AGENTS = """
From the agent's phase, through whole runs; `fail` is a row that counts against the model.
"""
PLAYED = """
## Cases

The public cases that concern a sandbox, played in containers; what each tells is on [the page of cases](cases-real.md), with the same
outcome. Played here: 025, 054, 057 to 060, 062, 063, 069, 070, 086 (its ids
with a colon, a backslash, other letters), 092. Not here, for no sandbox has a part in them: 055,
056 and 094 (a pack's check and its lock), 061 (what a control's number does to the gate), 064 (files of the seal, edited on the host),
093 (a token in a patch or log, looked for outside).
"""


def complete() -> str:
    """What a whole run lacks, "" when it is there."""
    lacking = {
        "attacks": ATTACKS.keys() - ROWS.keys(),
        "own": {*own_bench.attacks()} - {name for name, _ in OWN},
        "own at G2": {(name, "G2") for name in CHANNEL} - OWN.keys(),
        "probes": {(each, name) for each in ENGINES for name in PROBES} - CONTAINED.keys(),
        "protections": {*ENGINES} - HELD.keys(),
        "cases": {*cases_page.BILL, *cases_page.BROKEN} - CASES.keys(),
    }
    return ", ".join(name for name, left in lacking.items() if left)


def text() -> str:
    """The page."""
    lines = [HEAD, "| attack | required | G2, all paths | G3, all paths |", "|---|---|---|---|"]
    for name in ATTACKS:
        required = "green" if name == "00-honest-gold" else "red" if name in HONEST else "red or tampered"
        note = " (possible at G2)" if name in MAY_WIN_AT_G2 and ROWS[name][0] == "green" else ""
        lines.append(f"| {name} | {required} | {ROWS[name][0]}{note} | {ROWS[name][1]} |")
    lines += [OURS, *_own()]
    lines += ["", "## Probes and protections", "", "| probe | " + " | ".join(ENGINES) + " |", "|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(CONTAINED[each, name] for each in ENGINES) + " |" for name in PROBES]
    lines += ["", "| protection, tried | " + " | ".join(ENGINES) + " |", "|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(HELD[each][name] for each in ENGINES) + " |" for name in NAMES]
    lines += [PLAYED, "| case | exit | whose | bucket or reason | tags |", "|---|---|---|---|---|"]
    for name, said in CASES.items():
        tags = ", ".join(said.tags) or "-"
        lines.append(f"| {name} | {said.exit} | {said.origin} | {said.reason or said.mix or '-'} | {tags} |")
    return "\n".join(lines) + "\n"


def _own() -> list[str]:
    agents = [name for name, entry in own_bench.attacks().items() if entry["task"] == "agent"]
    lines = ["| attack | G1 | G2 | G3 | twin |", "|---|---|---|---|---|"]
    for name in own_bench.attacks():
        if name not in agents:
            cells = [OWN[name, level][0] if (name, level) in OWN else "-" for level in ("G1", "G2", "G3")]
            twins = {grades[1] for (one, _), grades in OWN.items() if one == name}
            lines.append(f"| {name} | {' | '.join(cells)} | {', '.join(sorted(twins))} |")
    lines += [FROM_AGENTS, "| attack | exit | twin |", "|---|---|---|"]
    return lines + [f"| {name} | {OWN[name, 'G2'][0]} | {OWN[name, 'G2'][1]} |" for name in agents]
