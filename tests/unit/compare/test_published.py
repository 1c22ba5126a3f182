"""A published score beside ours: which of the five verdicts, in which order, on which numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from denominator.compare.published import Claimed, fingerprint, moved, of_published, set_beside
from denominator.compare.published.checks import problems_of, without_placeholders
from denominator.compare.published.fields import FIELDS, host_of, plain
from denominator.compare.published.noise import PAIRED, REPEATED, UNPAIRED, noise
from denominator.records.envelopes import EMPTY
from denominator.records.published import (
    Published,
    PublishedConditions,
    PublishedOutcomes,
    PublishedPack,
    PublishedScore,
    Told,
)
from denominator.records.values import NotMeasured
from denominator.stats import mover, newcombe, repeat_mean, wilson

WHOLE = {name: f"{name}-1" for name in FIELDS}
IDS = tuple(f"t{n}" for n in range(20))


def side(k: int, n: int = 20, most: int | None = None, *, tasks: Any = IDS, **more: Any) -> Claimed:
    """One score with a whole fingerprint."""
    told = Told(name="side", n=n, least=k, most=k if most is None else most)
    prints = {**WHOLE, **more.pop("prints", {})}
    return Claimed(told=told, fingerprint=prints, tasks=None if tasks is None else frozenset(tasks), **more)


def outcomes(passed: int, *, skip: int = 0) -> Mapping[str, bool]:
    """`passed` tasks pass, after `skip` that do not."""
    return {task: skip <= place < skip + passed for place, task in enumerate(IDS)}


def test_inside_noise_at_this_n() -> None:
    found = set_beside(side(12), side(9))
    assert (found.verdict, found.exit, found.directional) == ("inside_noise", 0, False)
    interval = newcombe(9, 20, 12, 20)
    assert found.lo == f"{interval.lo:.6f}" and found.hi == f"{interval.hi:.6f}" and found.difference == "-0.150000"
    assert found.method == UNPAIRED and "add tasks" in found.next and found.sentence.startswith("Inside noise")


def test_outside_noise_names_the_moved_fields_in_order_of_known_effect() -> None:
    prints = {"python": "3.12", "model_id": "other", "seed": NotMeasured("?")}
    found = set_beside(side(18), side(3, prints=prints))
    assert (found.verdict, found.exit, found.directional) == ("outside_noise", 3, True)
    assert found.likely == ("the model (moved)", "the Python version (moved)", "the seed (not known)")
    assert "one at a time" in found.next and "the model (moved)" in found.sentence
    plain_one = set_beside(side(18), side(3))
    assert plain_one.exit == 0 and plain_one.likely == () and "no field of the fingerprint" in plain_one.sentence


@pytest.mark.parametrize(
    "field", ["max_attempts", "retries", "budget_tokens_per_task", "wall_cap_s", "pack_digest", "pack_version"]
)
def test_budget_attempts_or_tasks_differ(field: str) -> None:
    found = set_beside(side(18), side(3, prints={field: "other"}, red=("t1",), blocked=("GL000 x",)))
    assert (found.verdict, found.exit) == ("not_the_same_benchmark", 3)
    assert all(isinstance(value, NotMeasured) for value in (found.difference, found.lo, found.hi, found.p))
    assert isinstance(found.ours.least, NotMeasured) and FIELDS[field] in found.sentence


def test_other_task_ids_are_another_benchmark() -> None:
    found = set_beside(side(18), side(3, tasks=(*IDS[1:], "new")))
    assert found.verdict == "not_the_same_benchmark" and "t0" in found.sentence and "new" in found.sentence


@pytest.mark.parametrize(
    "field", ["model_id", "endpoint_host", "harness_commit", "seed", "python", "platform", "verify_cmd", "repeats"]
)
def test_any_other_field_that_moves_leaves_it_directional(field: str) -> None:
    found = set_beside(side(12), side(11, prints={field: "other"}))
    assert (found.verdict, found.exit, found.directional) == ("inside_noise", 3, True)
    assert found.sentence.endswith("Directional only.")


def test_no_task_list_is_directional_context() -> None:
    theirs = side(18, tasks=None, prints={"pack_digest": NotMeasured("not stated")})
    found = set_beside(theirs, side(3))
    assert (found.verdict, found.exit) == ("unverifiable", 3) and "no task list" in found.sentence
    assert isinstance(found.lo, NotMeasured)
    by_digest = set_beside(side(18, tasks=None), side(3))
    assert by_digest.verdict == "outside_noise"


def test_red_on_the_clean_checkout_goes_before_every_number() -> None:
    found = set_beside(side(18), side(3, red=("t2", "t5"), blocked=("GL030 flaky",)))
    assert (found.verdict, found.exit, found.censor) == ("red_on_the_clean_checkout", 1, ("t2", "t5"))
    assert "t2, t5" in found.sentence and isinstance(found.lo, NotMeasured) and "censor" in found.next


def test_our_own_gate_goes_before_the_noise() -> None:
    found = set_beside(side(18), side(3, blocked=("GL011 violated-control",)))
    assert (found.verdict, found.exit) == ("withheld", 1)
    assert isinstance(found.ours.least, NotMeasured) and "GL011" in found.sentence and " 3 of" not in found.sentence


def test_published_rows_that_are_blocked_are_not_told() -> None:
    found = set_beside(side(18, blocked=("GL002 unbalanced-ledger",)), side(3))
    assert found.verdict == "unverifiable" and isinstance(found.published.least, NotMeasured)


def test_counts_only_gives_no_difference() -> None:
    found = set_beside(side(18), side(3, counts_only=True))
    assert found.verdict == "outside_noise" and all(
        isinstance(one, NotMeasured) for one in (found.difference, found.lo, found.p)
    )
    assert "3 of 20" in found.sentence and "between" not in found.sentence


def test_pairs_where_both_sides_state_every_task() -> None:
    theirs, mine = side(16, outcomes=outcomes(16)), side(8, outcomes=outcomes(8))
    found = noise(theirs, mine)
    assert (found.method, found.sign) == (PAIRED, -1)
    assert noise(mine, theirs).sign == 1
    few = noise(side(16, outcomes=outcomes(16)), side(11, outcomes=outcomes(11)))
    assert few.sign == 0  # five discordant tasks can establish nothing
    other = noise(side(16, outcomes=dict.fromkeys(IDS[:19], True)), mine)
    assert other.method == UNPAIRED


def test_what_has_no_verdict_counts_both_ways() -> None:
    theirs = side(16, outcomes=outcomes(16))
    mine = side(8, most=12, outcomes=outcomes(8), unseen=IDS[8:12])
    assert noise(theirs, mine).sign == 0 and isinstance(noise(theirs, mine).difference, NotMeasured)
    assert noise(side(19), side(2, most=3)).sign == -1
    assert noise(side(19), side(2, most=19)).sign == 0


def test_a_percent_that_several_counts_give_must_hold_for_all() -> None:
    theirs = of_published(Published(score=PublishedScore(percent="50", tasks=400), pack=PublishedPack(task_ids=())))
    assert (theirs.told.least, theirs.told.most) == (198, 202)
    assert isinstance(noise(theirs, side(3)).difference, NotMeasured)


def test_repeats_of_ours_widen_by_what_tasks_differ() -> None:
    passes = tuple([5] * 5 + [0] * 15)
    mine = side(25, n=100, passes=passes, most_passes=passes, repeats=5)
    found = noise(side(12), mine)
    mean = repeat_mean(passes, 5)
    wanted = mover(float(mean.mean), mean.interval, 12 / 20, wilson(12, 20))
    assert (found.method, found.lo, found.hi) == (REPEATED, wanted.lo, wanted.hi)
    most = (*passes[:19], 5)
    open_one = noise(
        side(12), replace(mine, unseen=("t19",), most_passes=most, told=Told(name="s", n=100, least=25, most=30))
    )
    above = repeat_mean(most, 5)
    assert (
        open_one.lo == found.lo and open_one.hi == mover(float(above.mean), above.interval, 12 / 20, wilson(12, 20)).hi
    )
    assert set_beside(side(12), replace(mine, ragged="tasks have 2 or 5 repeats")).verdict == "unverifiable"


@pytest.mark.parametrize(
    ("score", "ids", "told", "refuted"),
    [
        (PublishedScore(passed=29, tasks=40), (), (29, 29, 40), False),
        (PublishedScore(percent="72.5", tasks=40), (), (29, 29, 40), False),
        (PublishedScore(percent="71", tasks=40), (), None, True),
        (PublishedScore(passed=29, percent="71", tasks=40), (), (29, 29, 40), True),
        (PublishedScore(passed=29, percent="72.5", tasks=40), (), (29, 29, 40), False),
        (PublishedScore(percent="50"), IDS, (10, 10, 20), False),
        (PublishedScore(percent="50"), (), None, False),
    ],
)
def test_what_a_published_score_amounts_to(
    score: PublishedScore, ids: tuple[str, ...], told: Any, refuted: bool
) -> None:
    found = of_published(Published(score=score, pack=PublishedPack(task_ids=ids)))
    assert found.impossible is refuted
    if told is None:
        assert isinstance(found.told.least, NotMeasured)
    else:
        assert (found.told.least, found.told.most, found.told.n) == told


def test_an_impossible_percent_is_said() -> None:
    theirs = of_published(Published(score=PublishedScore(percent="71", tasks=40), pack=PublishedPack(task_ids=IDS)))
    found = set_beside(replace(theirs, fingerprint=WHOLE), side(3))
    assert found.verdict == "unverifiable" and "impossible: no such count out of 40" in found.sentence


def test_a_percent_without_n_is_context() -> None:
    theirs = of_published(Published(score=PublishedScore(percent="71"), pack=PublishedPack(digest="d")))
    found = set_beside(theirs, side(3, prints={"pack_digest": "d"}))
    assert found.verdict == "unverifiable" and "without its n" in found.sentence


@pytest.mark.parametrize(
    ("one", "where"),
    [
        (Published(), "score"),
        (Published(score=PublishedScore(passed=5, tasks=4)), "score.passed"),
        (Published(score=PublishedScore(passed=-1, tasks=4)), "score.passed"),
        (Published(score=PublishedScore(passed=0, tasks=0)), "score.tasks"),
        (Published(score=PublishedScore(percent="101", tasks=4)), "score.percent"),
        (Published(score=PublishedScore(percent="-1", tasks=4)), "score.percent"),
        (Published(score=PublishedScore(percent="100.1", tasks=4)), "score.percent"),
        (Published(score=PublishedScore(passed=1, tasks=3), pack=PublishedPack(task_ids=("a", "b"))), "pack.task_ids"),
        (Published(score=PublishedScore(passed=1, tasks=1), pack=PublishedPack(task_ids=("a", "a"))), "pack.task_ids"),
        (Published(outcomes=PublishedOutcomes(passed=("a",), failed=("a",))), "outcomes"),
        (
            Published(
                score=PublishedScore(passed=2, tasks=2), outcomes=PublishedOutcomes(passed=("a",), failed=("b",))
            ),
            "score.passed",
        ),
        (
            Published(
                pack=PublishedPack(task_ids=("a", "c")), outcomes=PublishedOutcomes(passed=("a",), failed=("b",))
            ),
            "outcomes",
        ),
    ],
)
def test_what_cannot_be_used(one: Published, where: str) -> None:
    assert where in {problem.where for problem in problems_of(one)}


def test_a_score_that_can_be_used() -> None:
    assert problems_of(Published(score=PublishedScore(percent="100.0", tasks=4))) == []
    assert problems_of(Published(outcomes=PublishedOutcomes(passed=("a",), failed=("b",)))) == []


def test_placeholders_are_unknown() -> None:
    one = Published(name="REPLACE: it", source="TODO", pack=PublishedPack(digest="sha256:", task_ids=("a", "<id>")))
    found = without_placeholders(one)
    assert (found.name, found.source, found.pack.digest, found.pack.task_ids) == (EMPTY, EMPTY, EMPTY, ("a",))
    assert found.conditions == PublishedConditions()


@pytest.mark.parametrize(
    ("field", "value", "read"),
    [
        ("endpoint_host", "https://user:secret@API.example/v1?key=abc", "api.example"),
        ("endpoint_host", '"api.example:8443/x"', "api.example:8443"),
        ("retries", '{"rate_limited":0,"server_error":0,"backoff_s":[]}', "0"),
        ("retries", '{"rate_limited":2,"server_error":0}', '{"rate_limited":2,"server_error":0}'),
        ("retries", "none", "0"),
        ("max_attempts", "1.0", "1"),
        ("temperature", '"0.0"', "0.0"),
        ("python", "3.10", "3.10"),
        ("python", '"3.10"', "3.10"),
        ("harness_commit", "1e5", "1e5"),
        ("pack_digest", "sha256:ab", "ab"),
    ],
)
def test_one_value_of_a_fingerprint(field: str, value: str, read: str) -> None:
    assert plain(field, value) == read


@pytest.mark.parametrize("value", ["", "null", "REPLACE", "<x>", "sha256:", "unknown"])
def test_a_value_that_says_nothing(value: str) -> None:
    assert isinstance(plain("seed", value), NotMeasured)


def test_unknown_equals_nothing_and_no_key_stays() -> None:
    found = fingerprint(
        [("endpoint", "https://u:k@h/v1"), ("model", "m"), ("python_version", "3.11"), ("colour", "red")]
    )
    assert (found["endpoint_host"], found["model_id"], found["python"]) == ("h", "m", "3.11")
    assert {one.state for one in moved(fingerprint([]), fingerprint([]))} == {"unknown"}
    assert "repeats" not in {one.name for one in moved(fingerprint([]), fingerprint([]))}
    assert host_of("http://a@b@c/d") == "c"


def test_without_a_model_what_only_a_model_has_is_none_on_both_sides() -> None:
    one, other = (
        fingerprint([("model_id", "none")]),
        fingerprint([("model_id", "none"), ("seed", "none"), ("temperature", "none")]),
    )
    states = {each.name: each.state for each in moved(one, other)}
    assert states["seed"] == states["temperature"] == states["endpoint_host"] == "same"
