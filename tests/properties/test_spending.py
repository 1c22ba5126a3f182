"""A cap is never passed: what the ledger shows of a run stays within it, whatever calls use, overlap and lose."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from denominator.records.keys import AttemptKey
from denominator.records.rows import CallRow, Usage
from denominator.records.values import NotMeasured
from denominator.run.spending import RUN_CAP, TOKENS, Caps, Spending
from denominator.wire.providers import is_free

ATTEMPTS = [AttemptKey("r", f"t{n}") for n in range(4)]
NO_ANSWER = NotMeasured("no answer")


def shown(rows, *, reserved: bool) -> int:
    """Tokens that the ledger shows: used, and for unknown spend what was reserved (or nothing)."""
    total = 0
    for row in rows:
        if isinstance(row.usage.prompt, int) and isinstance(row.usage.completion, int):
            total += row.usage.prompt + row.usage.completion
        elif reserved and not is_free(row):
            total += row.reserved_tokens
    return total


class Machine(RuleBasedStateMachine):
    """A runner and its attempts; `journal` is what survives a crash of either."""

    def __init__(self) -> None:
        super().__init__()
        self.journal: dict[tuple[AttemptKey, int, int], CallRow] = {}
        self.flying: list[CallRow] = []
        self.incarnation = 1

    @initialize(tokens=st.integers(0, 400), run=st.integers(0, 900), honest=st.booleans())
    def begin(self, tokens: int, run: int, honest: bool) -> None:
        self.caps = Caps(tokens=tokens, run_tokens=run, calls=12, tool_calls=9)
        self.honest = honest
        self.spending = Spending(self.caps)
        self.worst = 0

    @rule(key=st.sampled_from(ATTEMPTS), reserved=st.integers(1, 200))
    def call(self, key: AttemptKey, reserved: int) -> None:
        # Without honest providers calls run one by one: then a cap is passed by one call at most.
        if self.flying and not self.honest:
            return
        seq = 1 + sum(row.key == key and row.incarnation == self.incarnation for row in self.journal.values())
        row = CallRow(key=key, incarnation=self.incarnation, seq=seq, reserved_tokens=reserved)
        row = self.spending.ask(row)
        word = row.cap_state
        if word:
            assert (row.outcome, row.sent) == ("gave_up", False)
            self.spending.settle(row)
            mine = [r for r in self.journal.values() if r.key == key and r.incarnation == self.incarnation]
            if word == TOKENS:
                assert shown(mine, reserved=True) + reserved > self.caps.tokens
            if word == RUN_CAP:
                assert shown(self.journal.values(), reserved=True) + reserved > self.caps.run_tokens
        else:
            self.flying.append(row)
        self.journal[key, self.incarnation, seq] = row

    @rule(data=st.data(), kind=st.sampled_from(["known", "known", "unknown", "refused", "unsent"]))
    def settle(self, data: st.DataObject, kind: str) -> None:
        if not self.flying:
            return
        row = self.flying.pop(data.draw(st.integers(0, len(self.flying) - 1)))
        most = row.reserved_tokens if self.honest else 3 * row.reserved_tokens
        used = data.draw(st.integers(0, most))
        prompt = data.draw(st.integers(0, used))
        result = {
            "known": replace(
                row, outcome="ok", status=200, usage=Usage(prompt=prompt, completion=used - prompt), sent=True
            ),
            "unknown": replace(row, outcome="gave_up", status=NO_ANSWER, sent=True),
            "refused": replace(row, outcome="gave_up", status=429, sent=True),
            "unsent": replace(row, outcome="gave_up", sent=False),
        }[kind]
        self.journal[row.key, row.incarnation, row.seq] = result
        self.worst = max(self.worst, used if kind == "known" else 0)
        self.spending.settle(result)

    @rule()
    def gateway_dies(self) -> None:
        """Calls in flight stay open for ever; the runner goes on with the next incarnation of everything."""
        self.flying = []
        self.incarnation += 1

    @rule()
    def runner_dies(self) -> None:
        before = self.spending.run_tokens
        self.gateway_dies()
        self.spending = Spending(self.caps, self.journal.values())
        assert self.spending.run_tokens == before

    @invariant()
    def the_caps_hold(self) -> None:
        if not hasattr(self, "spending"):
            return
        over = 0 if self.honest else self.worst
        rows = list(self.journal.values())
        assert shown(rows, reserved=True) <= self.caps.run_tokens + over
        assert self.spending.run_tokens == shown(rows, reserved=True)
        for key in ATTEMPTS:
            for incarnation in range(1, self.incarnation + 1):
                mine = [r for r in rows if r.key == key and r.incarnation == incarnation]
                assert shown(mine, reserved=True) <= self.caps.tokens + over
                assert self.spending.tokens_of(key, incarnation) == shown(mine, reserved=True)
                assert sum(r.cap_state == "" for r in mine) <= self.caps.calls

    @invariant()
    def the_cap_that_was_reached_is_remembered(self) -> None:
        if hasattr(self, "spending"):
            assert self.spending.capped == any(r.cap_state == RUN_CAP for r in self.journal.values())


TestCaps = Machine.TestCase
TestCaps.settings = settings(max_examples=120, stateful_step_count=40, deadline=None)


def word(spending: Spending, seq: int, **fields) -> str:
    return spending.ask(CallRow(key=ATTEMPTS[0], seq=seq, **fields)).cap_state


@given(st.lists(st.integers(0, 4), max_size=20), st.integers(0, 8))
def test_tool_calls_are_counted_from_answers(answers: list[int], cap: int) -> None:
    spending, made = Spending(Caps(tool_calls=cap)), 0
    for seq, tools in enumerate(answers, 1):
        row = spending.ask(CallRow(key=ATTEMPTS[0], seq=seq, reserved_tokens=1))
        assert row.cap_state == ("tool_calls" if made >= cap else "")
        if row.cap_state:
            continue
        spending.settle(replace(row, outcome="ok", sent=True, tool_calls=("bash:0",) * tools))
        made += tools


def test_a_transport_retry_is_no_call_of_the_agent_but_costs_tokens() -> None:
    spending = Spending(Caps(calls=1, tokens=25))
    assert word(spending, 1, reserved_tokens=10) == ""
    assert word(spending, 2, reserved_tokens=10, retry_of=1) == ""
    assert word(spending, 3, reserved_tokens=5) == "calls"
    assert word(spending, 3, reserved_tokens=6, retry_of=2) == "tokens"


def test_a_call_that_nobody_can_bound_takes_all_that_is_left_of_its_attempt() -> None:
    hidden = NotMeasured("the prompt holds previous_response_id")
    spending = Spending(Caps(tokens=100, run_tokens=150))
    assert word(spending, 1, reserved_tokens=30) == ""
    row = spending.ask(CallRow(key=ATTEMPTS[0], seq=2, reserved_tokens=hidden))
    assert (row.cap_state, row.reserved_tokens) == ("", 70)
    assert word(spending, 3, reserved_tokens=1) == "tokens"
    assert word(spending, 4, reserved_tokens=hidden) == "tokens"
    assert spending.ask(CallRow(key=ATTEMPTS[1], seq=1, reserved_tokens=hidden)).cap_state == "run_cap"
    spending.settle(replace(row, outcome="ok", sent=True, usage=Usage(prompt=40, completion=40)))
    assert spending.tokens_of(ATTEMPTS[0], 1) == 110
    assert word(spending, 5, reserved_tokens=1) == "tokens"


def test_without_a_token_cap_an_unbounded_call_fits_no_cap_of_the_run() -> None:
    hidden = NotMeasured("the prompt holds previous_response_id")
    assert word(Spending(Caps(run_tokens=10**12)), 1, reserved_tokens=hidden) == "run_cap"
    assert word(Spending(Caps()), 1, reserved_tokens=hidden) == ""
    assert word(Spending(Caps(tokens=0, calls=0)), 1, purpose="listing") == ""
