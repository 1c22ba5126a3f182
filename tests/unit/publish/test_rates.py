"""How the numbers of a card read: the headline's block first, no drowning, no absence unsaid."""

from __future__ import annotations

import re

from denominator.judge import judge
from denominator.metrics import METRICS
from denominator.publish import make_card, render_card
from denominator.records.rows import CallRow, Usage
from judging_data import by_outcome, key, ledger, own, terms

SPENT = Usage(prompt=900, completion=100, calls=2, complete=True)


def text_of(made, full=False, **stated):
    given = terms(**stated)
    return render_card(make_card(made, given, judge(made, given)), 100, full=full)


def section(text, title):
    lines = text.splitlines()
    if title not in lines:
        return []
    after = lines[lines.index(title) + 1 :]
    return after[: after.index("")] if "" in after else after


def test_without_usage_calls_or_repeats_one_line_each_says_so():
    rows, labels = by_outcome(**{"pass": 12, "fail": 4})
    text = text_of(ledger(rows, labels))
    assert section(text, "RATES")[0].split() == ["headline", "12/16", "0.750", "[0.505,", "0.898]", "draws"]
    for title in ("BOUNDS", "REPEATS", "SPEND", "SPEED", "SLICES", "CLASSES"):
        assert not section(text, title), title
    absent = section(text, "NOT MEASURED")
    assert "  repeats: one repeat cannot show how much repeats differ" in absent
    assert "  spend: usage was not recorded" in absent
    assert "tokens_per_accepted" not in text
    assert text[text.index("RATES") : text.index("CONTROLS")].count("\n") < 32


def test_bounds_stand_there_only_where_something_is_unseen():
    rows, labels = by_outcome(**{"pass": 29, "unscoreable": 3, "fail": 8})
    lines = section(text_of(ledger(rows, labels)), "BOUNDS")
    assert [line.split()[:2] for line in lines] == [["headline_bounds", "29/40"], ["headline_outer", "29/40"]]
    assert "[0.725, 0.800]" in lines[0]
    assert "[0.572, 0.895]" in lines[1]


def test_spend_without_retries_is_short_and_amounts_have_no_zeros_behind_the_point():
    rows = [own(f"t{n:02}", "green" if n < 12 else "red", usage=SPENT) for n in range(16)]
    rows.append(own("n1", "red", slice="negative", control="must_fail", usage=SPENT))
    lines = section(text_of(ledger(rows), origin="seal"), "SPEND")
    assert lines[0].split() == ["total_tokens", "16/16", "16000", "tokens"]
    assert [line.split()[0] for line in lines if not line.startswith("   ")] == [
        "total_tokens", "tokens_per_accepted", "retry_tax", "dead_spend", "tokens_per_solved_median", "bytes_changed",
    ]  # fmt: skip


def test_repeats_show_both_estimands_and_the_curve():
    rows = [own(f"t{n}", "green" if k <= n % 4 else "red", key=key(f"t{n}", k)) for n in range(9) for k in (1, 2, 3)]
    rows.append(own("n1", "red", slice="negative", control="must_fail"))
    lines = section(text_of(ledger(rows), origin="seal", repeats=3), "REPEATS")
    told = " ".join(" ".join(lines).split())
    assert "headline_these_tasks" in told
    assert "pairs of repeats" in told
    assert "(1 0.444444, 2 " in told


def test_an_open_end_says_why_and_lost_calls_stand_beside_it():
    rows = [own(f"t{n}", usage=SPENT, invalid_calls={"no_answer": 1}) for n in range(12)]
    calls = tuple(CallRow(key=row.key, seq=1, outcome="ok", last_byte_ms=1000 + n) for n, row in enumerate(rows))
    rows.append(own("n1", "red", slice="negative", control="must_fail", usage=Usage(calls=0)))
    told = " ".join(text_of(ledger(rows, calls=calls), origin="seal", invalid_ceiling="1").split())
    assert re.search(r"latency_p95 12/24 \S+ \[1009, -\] ms .*upper bound", told)
    assert "(without_valid_answer 12)" in told
    assert "(no_answer 12)" in told


def test_what_is_withheld_is_named_short_and_in_full_on_request():
    rows = [own("neg", slice="negative", control="must_fail"), *[own(f"t{n}", usage=SPENT) for n in range(9)]]
    short = " ".join(text_of(ledger(rows), origin="seal").split())
    assert "first_complete_pass_rate and" in short
    assert "more (card -v)" in short
    assert "tokens_per_accepted" not in short
    full = text_of(ledger(rows), full=True, origin="seal")
    assert all(metric.entry.name in full for metric in METRICS)
