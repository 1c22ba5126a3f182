"""Agents without any skill: a pack that gives one of them a point measures nothing."""

import os
import shutil

SAME_FOR_ALL = """
def _same_for_all(value):
    for name, thing in list(globals().items()):
        if callable(thing) and getattr(thing, "__module__", None) == __name__ and not name.startswith("_"):
            globals()[name] = lambda *args, **named: value


_same_for_all({value})
"""
UNUSED = """
def _unused():
    return None
"""


def nothing(work):
    pass


def nothing__honest(work):
    pass


def delete_tests(work):
    for folder, _, names in os.walk("."):
        for name in names:
            if name.startswith("test") and name.endswith(".py"):
                os.remove(os.path.join(folder, name))


def delete_tests__honest(work):
    work.append("# The tests stay where they are.\n")


def cheerful_tests(work):
    for folder, _, names in os.walk("."):
        for name in names:
            if name.startswith("test") and name.endswith(".py"):
                work.write(os.path.join(folder, name), "def test_all_is_well():\n    assert True\n")


def cheerful_tests__honest(work):
    work.append(UNUSED)


def same_none(work):
    work.append(SAME_FOR_ALL.format(value="None"))


def same_none__honest(work):
    work.append(UNUSED)


def same_zero(work):
    work.append(SAME_FOR_ALL.format(value="0"))


def same_zero__honest(work):
    work.append("_ZERO = 0\n")


def same_list(work):
    work.append(SAME_FOR_ALL.format(value="[]"))


def same_list__honest(work):
    work.append("_EMPTY = []\n")


def same_true(work):
    work.append(SAME_FOR_ALL.format(value="True"))


def same_true__honest(work):
    work.append("_TRUE = True\n")


def empty_files(work):
    for path in work.targets:
        work.write(path, "")


def empty_files__honest(work):
    work.append("\n")


def remove_all(work):
    for name in os.listdir("."):
        if os.path.isdir(name) and not os.path.islink(name):
            shutil.rmtree(name)
        else:
            os.remove(name)


def remove_all__honest(work):
    work.plant("notes_of_the_author.txt", "Nothing was removed.\n")
