"""The pack states until when it holds, and that day is over, near, or no date.

Why: a fixture with a date in it turns red one day, for the gold patch and for every agent alike. Rows of such a task say
nothing of anybody (`pack_expired`), and a run that starts after the last day only describes the calendar.
Bad: `expires = "2026-12-31"` in January 2027; `expires = "next year"`.
Good: `expires = "2031-12-31"`, or no such key where no test looks at a date.
Fix: make the tests independent of the day, or look at them again, set a later date, raise the version and lock.
"""

from collections.abc import Iterator

from denominator.packs.expiry import days_left, expiry_problem
from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

NEAR_DAYS = 30


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """The form of the date, then how far it is away."""
    fix = "look at the tests, set a later date, raise the version and lock again"
    if problem := expiry_problem(pack.pack):
        yield rule.finding(pack.pack.id, problem, where="pack.toml", fix="write a date: year-month-day")
    elif pack.now and (left := days_left(pack.pack, pack.now)) is not None and left <= NEAR_DAYS:
        over, last = left < 0, pack.pack.expires
        what = f"pack_expired: it holds until {last}" if over else f"holds until {last}, {left} days more"
        yield rule.finding(pack.pack.id, what, where="pack.toml", fix=fix, severity="block" if over else "note")


RULE = Rule("PL023", "expired-pack", __doc__, check)
