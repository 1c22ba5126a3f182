"""The shipped attacks win against careless commands: an attack that wins nowhere would prove nothing where it loses."""

from __future__ import annotations

import pytest

from attacks.shipped_careless import CHECK
from unit.packs.making import edit, write
from unit.pipeline import test_pack_audit_real as real
from unit.pipeline.test_pack_audit_real import attacked

bench, pack = real.bench, real.pack

pytestmark = [*real.pytestmark, pytest.mark.e2e]

IN_PLACE = "PYTHONPATH=/work:$HIDDEN python3 -m unittest -q test_check"
COMMANDS = {
    "trusts the exit status": IN_PLACE,
    "reads the log": f"{IN_PLACE.replace('-q ', '')} 2>&1 | grep -q '^OK'",
    "reads a file of the tree": f"{IN_PLACE}; sleep 0.3; grep -qs 1 reward.txt",
    "lets the tree say how": "make -s test",
}
WINS = {
    "trusts the exit status": {
        "exits.sys_exit", "exits.os_exit", "exits.at_exit", "hooks.start_up_files", "hooks.shadowed_modules",
        "hooks.shadowed_packages", "patching.soft_checks", "patching.soft_results", "patching.skip_in_solution",
        "patching.exit_codes", "values.equal_to_all", "values.equal_number", "values.equal_text", "values.equal_dict",
        "values.false_class", "reading.test_files", "reading.parents_memory", "reading.live_objects", "reading.callers_stack",
    },
    "reads the log": {"results.loud_output"},
    "reads a file of the tree": {"results.result_files", "results.child_that_stays"},
    "lets the tree say how": {"hooks.own_makefile"},
}  # fmt: skip


@pytest.mark.parametrize("how", COMMANDS)
def test_attacks_win_where_a_command_is_careless(how, pack, bench):
    toml = pack / "tasks/sums/task.toml"
    edit(toml, 'runner = "unittest"', f"runner = \"command\"\ncommand = '''{COMMANDS[how]}'''")
    edit(toml, 'level = "G2"', 'level = "G1"')
    edit(toml, 'expected_tests = ["test_sum_even.SumTest.test_big_numbers"]', "")
    edit(toml, 'counter_tests = ["test_opposite.OppositeTest.test_wrong_sum"]', "")
    edit(toml, 'allowed = ["adder/*.py"]', 'allowed = ["**"]')
    edit(toml, 'forbidden = ["tests/**"]', "")
    makefile = "test:\n\tPYTHONPATH=/work:$(HIDDEN) python3 -m unittest -q test_check\n"
    write(pack / "tasks/sums", {"hidden/test_check.py": CHECK, "repo/Makefile": makefile})
    said, lines = attacked(pack, bench, *WINS[how], "trivial.same_none")
    assert {line.id for line in lines if line.won} == WINS[how]
    assert len(said.problems) == len(WINS[how])
