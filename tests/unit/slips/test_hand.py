"""A slip by hand: what can be refuted is refused, all of it in one pass; what is not said is a gap."""

from __future__ import annotations

from dataclasses import replace

import pytest

from denominator.errors import InputError, Problem
from denominator.records.boxes import Box
from denominator.records.hand_slips import HandBox, HandBudget, HandHarness, HandModel, HandPack, HandSlip
from denominator.records.slips import RawOutput, Slip
from denominator.records.values import NotMeasured
from denominator.slips.hand import Beside, hand_slip, percent_of, refuse_impossible
from denominator.slips.lineage import with_lineage
from denominator.slips.making import task_ids_sha256
from denominator.slips.tiers import tier_of
from denominator.slips.words import number_words
from slip_data import entry

RAW = RawOutput(path="../logs/run.log", sha256="a" * 64)
NOW = "2026-11-30T08:00:00.000Z"
UNREAD = NotMeasured("not given")
HERE = Box(
    host="here", kernel="k", machine="m", python="3.11", cpu_count="2", cpu_model="c", memory_bytes="1", cgroup_version="v2",
    cgroup_cpu_limit="unlimited", cgroup_memory_limit=NotMeasured("no control group"), load_1m="0", disk_free_bytes="1",
    ntp_synchronised="yes", timezone="UTC", harness_version="1", harness_commit="c", container_image="i", git_version="g",
    toolchain_python="p", toolchain_digest="t",
)  # fmt: skip


def hand(**over) -> HandSlip:
    return HandSlip(**({"metric": "pass_rate", "n": 14, "k": 10, "raw": "run.log"} | over))


def made(given: HandSlip, box: Box | None = None):
    return hand_slip(given, Beside(raw=RAW, made_at=NOW, folder_digest=UNREAD, box=box))


@pytest.mark.parametrize(
    "over",
    [
        {},
        {"k": 0},
        {"k": 14},
        {"printed": "71.4%"},
        {"printed": "71,4 %"},
        {"printed": "0.714"},
        {"printed": "71"},
        {"k": UNREAD, "score": "0.714"},
        {"k": UNREAD, "score": "71.4"},
        {"k": UNREAD, "score": "0.713", "counts": False},
        {"k": UNREAD, "score": "0.625", "n": 8, "printed": "62.5%"},
        {"k": UNREAD, "score": "0.125", "n": 8, "printed": "12%"},
        {"k": UNREAD, "score": "0.125", "n": 8, "printed": "13%"},
    ],
)
def test_numbers_that_can_be(over):
    refuse_impossible(hand(**over), "hand.toml")


@pytest.mark.parametrize(
    ("over", "word"),
    [
        ({"printed": "71.3%"}, "71.3% is not 10 of 14 at its precision"),
        ({"printed": "0.72"}, "0.72 is not 10 of 14"),
        ({"k": UNREAD, "score": "0.713"}, "no count of 14 prints as 0.713"),
        ({"k": UNREAD, "score": "-0.5"}, "no count of 14"),
        ({"k": UNREAD}, "neither k nor score"),
        ({"k": 15}, "15 of 14 is no count"),
        ({"k": -1}, "-1 of 14 is no count"),
        ({"n": 0, "k": 0}, "0 is no number of draws"),
        ({"n": -3, "k": 0}, "-3 is no number of draws"),
        ({"metric": " "}, "is empty or a placeholder"),
        ({"raw": ""}, "is empty or a placeholder"),
        ({"raw": "TODO"}, "is empty or a placeholder"),
        ({"raw": "a\0b"}, "holds a control character"),
        ({"metric": "m\x1b[31m"}, "holds a control character"),
        ({"arm": "two\nlines"}, "holds a control character"),
        ({"printed": "most"}, "'most' is no number"),
        ({"pack": HandPack(task_ids=("a", "a"))}, "an id is there twice"),
        ({"pack": HandPack(task_ids=("a", "b"), tasks=3)}, "says 3, 2 ids are listed"),
        ({"pack": HandPack(task_ids=("a", "b"), task_ids_sha256="0" * 64)}, "is not the digest of the ids"),
        ({"pack": HandPack(task_ids_sha256="xyz")}, "is no sha256"),
        ({"budget": HandBudget(tokens_used=-1)}, "-1 is no count of tokens"),
    ],
)
def test_numbers_that_cannot_be(over, word):
    with pytest.raises(InputError) as error:
        refuse_impossible(hand(**over), "hand.toml")
    assert word in str(error.value)


def test_every_mistake_in_one_pass():
    bad = hand(metric="", k=15, printed="most", pack=HandPack(task_ids=("a", "a")), budget=HandBudget(tokens_limit=-1))
    with pytest.raises(InputError) as error:
        refuse_impossible(bad, "hand.toml")
    assert len(error.value.problems) == 5
    bad = hand(printed="71.5%", harness=HandHarness(digest="abc"))
    with pytest.raises(InputError) as error:
        refuse_impossible(bad, "hand.toml", [Problem("hand.toml raw", "no such file: run.log")])
    told = str(error.value)
    assert all(word in told for word in ("71.5% is not 10 of 14", "is no sha256", "no such file: run.log")), told


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        ("0.714", "71.4"),
        ("0.7", "70"),
        ("1", "100"),
        ("0", "0"),
        ("0.7143", "71.43"),
        ("71.4%", "71.4"),
        ("0.5%", "0.5"),
        ("14", "14"),
    ],
)
def test_a_share_and_a_percentage_have_the_same_digits(text, percent):
    assert percent_of(text) == percent


def test_what_is_not_declared_is_a_gap_and_holds_the_tier_down():
    one = made(hand())
    assert {
        "harness.name: not given",
        "model.id: not given",
        "pack.id: not given",
        "budget.tokens_limit: not given",
    } <= set(one.gaps)
    assert "days: nobody said on which days it ran" in one.gaps
    assert tier_of(entry(one), []).tier == "internal"
    assert number_words(one) == "71.4% (10/14)" and one.numbers[0].declared and one.gate.status == "declared"
    assert one.numbers[0].lo == "0.453509" and one.numbers[0].hi == "0.882786"


def test_the_digest_of_task_ids_is_that_of_the_manifest():
    one = made(hand(pack=HandPack(task_ids=("b", "a"))))
    assert one.pack.task_ids_sha256 == task_ids_sha256(["a", "b"]) and one.pack.tasks == 2
    # sha256 of "a\nb", from coreutils
    assert task_ids_sha256(["b", "a"]) == "7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78"


def test_a_box_that_is_here_is_read_and_what_was_declared_stands():
    one = made(hand(box=HandBox(here=True, host="there", shared=False)), HERE)
    assert (one.box.host, one.box.kernel, one.box.shared) == ("there", "k", False)
    assert one.box.cgroup_memory_limit == NotMeasured("no control group")
    assert isinstance(made(hand(box=HandBox(here=False)), HERE).box.kernel, NotMeasured)


BOX = {name: "x" for name in HandBox.__dataclass_fields__ if name not in ("here", "shared", "reclaimable")}
WHOLE = hand(
    budget=HandBudget(tokens_used=5, tokens_limit=10),
    harness=HandHarness(folder="h"),
    model=HandModel(id="big"),
    box=HandBox(**BOX),
    days=("2026-11-02",),
)


def declared(given: HandSlip) -> Slip:
    return with_lineage(hand_slip(given, Beside(raw=RAW, made_at=NOW, folder_digest="d" * 64)))


def test_a_whole_declaration_is_external():
    found = tier_of(entry(declared(WHOLE)), [])
    assert found.tier == "external" and "declared by hand, judged by no gate" in found.footnote
    budget = declared(WHOLE).budget
    assert budget.ratio == "0.500000" and budget.over_budget is False


@pytest.mark.parametrize(
    "over",
    [
        {"harness": HandHarness()},  # a digest is taken of a folder that was named, or as it is declared
        {"model": HandModel()},
        {"budget": HandBudget(tokens_limit=10)},
        {"budget": HandBudget(tokens_used=5)},
        {"budget": HandBudget(tokens_used=11, tokens_limit=10)},
        *({"box": HandBox(**(BOX | {name: UNREAD}))} for name in BOX),
    ],
)
def test_one_field_that_is_not_declared_or_not_kept_makes_it_internal(over):
    assert tier_of(entry(declared(replace(WHOLE, **over))), []).tier == "internal"


def test_numbers_of_sampling_are_held_by_value():
    one, two = (made(hand(model=HandModel(sampling={"temperature": text, "seed": "none"}))) for text in ("0", "0.0"))
    assert one.model.sampling == two.model.sampling == {"temperature": "0", "seed": "none"}
