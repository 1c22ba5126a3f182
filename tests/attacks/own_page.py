"""The page docs/evidence/attacks.md, from what a whole run of our own attacks said."""

from pathlib import Path

from attacks import own_bench

EVIDENCE = Path(__file__).parents[2] / "docs/evidence/attacks.md"
ROWS: dict[str, tuple[str, str, str]] = {}
"""Attack -> level, grade of the attack, grade of its twin."""
PARTS = (
    (
        "On the channel of level G3, and what lies beside it",
        ("calls", "tool", "app", "stubs"),
        "Each solution is wrong and attacks the channel between tests and solution: to pass, or to leave the denominator by a fault\n"
        "that looks like the harness's. The bench: tasks of calls, a command line, an HTTP service and a test's stub.",
    ),
    (
        "On runners below G3",
        ("unittest", "values", "report"),
        "Tests and solution share a process (G2), or the pack's own command grades (G1). `green` is a win: 121 shows what a G2\n"
        "number may lose to beside a forged report. Whoever runs in the tests' process can read what they hold in memory.",
    ),
    (
        "From the agent's phase",
        ("agent",),
        "Through whole runs: what an agent leaves, the repository it leaves, its log, its end, its endpoint. `fail` is a row that counts\n"
        "against the model: none of them is excused as a fault of harness or endpoint.",
    ),
)


def page() -> str:
    """The text of the page."""
    lines = [
        "# Attacks of our own",
        "",
        "Written by `tests/attacks/test_own_page.py` from a whole run of `tests/attacks/test_own*.py` in one process (set",
        "`DENOMINATOR_EVIDENCE=write`); the same test fails when a run differs from this page. The twin of an attack does the honest",
        "thing of the same look (prints, forks, nests, writes, serves) and is right. *Gets past*: the careless design of a grader or",
        "harness (`own/_task/careless.py`, listed at the end) with which the attack was seen to pass, or to be excused, in a throw-away",
        "sandbox that holds both; with the same design its twin passes.",
    ]
    for title, tasks, words in PARTS:
        lines += ["", f"## {title}", "", words, ""]
        lines += [
            "| attack | what it does | how | gets past | level | attack | twin |",
            "|---|---|---|---|---|---|---|",
        ]
        for name, entry in own_bench.attacks().items():
            if entry["task"] in tasks:
                row = (name, entry["title"], entry["how"], entry["careless"], *ROWS[name])
                lines.append(f"| {' | '.join(row)} |")
    lines += ["", "## The careless designs", "", "| design | what is careless about it |", "|---|---|"]
    lines += [f"| {name} | {words} |" for name, words in own_bench.designs().items()]
    return "\n".join(lines) + "\n"
