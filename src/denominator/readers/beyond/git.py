"""What git is asked for beyond what is checked out: every ref, the reflog, loose objects, other repositories."""

from __future__ import annotations

import re
from collections.abc import Iterator

from denominator.readers.beyond.paths import path_reaches
from denominator.readers.beyond.shape import HISTORY, SHOWN, UPSTREAM, Places, Reach

FLAGS = {
    "log": ("--all", "--reflog", "--branches", "--remotes", "-g", "--walk-reflogs", "--glob"),
    "show": ("--all", "--reflog", "-g"),
    "rev-list": ("--all", "--reflog", "--branches", "--remotes"),
    "shortlog": ("--all",),
    "whatchanged": ("--all",),
    "grep": (),
    "diff": (),
    "reflog": ("",),
    "fsck": ("--lost-found", "--unreachable", "--dangling", "--full"),
    "cat-file": ("--batch-all-objects",),
    "fetch": ("",),
    "pull": ("",),
    "clone": (),
    "ls-remote": ("",),
    "unpack-objects": ("",),
    "verify-pack": ("",),
}
"""Git's commands that show more than what is checked out, and what makes each do so ("": always)."""
FAR = re.compile(r"(?:^|[.:])(?:refs/remotes/|remotes/)?(?:origin|upstream)/[\w./-]+|FETCH_HEAD|@\{u(?:pstream)?\}")


def git_reaches(words: list[str], cwd: str, places: Places) -> Iterator[Reach]:
    """What the words behind `git` look at."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        takes = rest[0] in ("-C", "-c", "--git-dir", "--work-tree")
        if rest[0] == "-C" and len(rest) > 1:
            yield from path_reaches(rest[1], cwd, places)
        rest = rest[2 if takes else 1 :]
    if not rest:
        return
    verb, given = rest[0], rest[1:]
    shown = " ".join(["git", verb, *given])[:SHOWN]
    if verb == "remote" and given[:1] in (["add"], ["set-url"], ["update"]):
        yield UPSTREAM, shown
        return
    if (verb == "submodule" and "update" in given) or (
        verb == "clone" and any("://" in one or "@" in one for one in given)
    ):
        yield UPSTREAM, shown
        return
    if verb == "clone":
        for one in given:
            yield from path_reaches(one, cwd, places)
    wanted = FLAGS.get(verb)
    if wanted is not None and any(
        not flag or any(one == flag or one.startswith(f"{flag}=") for one in given) for flag in wanted
    ):
        yield (UPSTREAM if verb in ("fetch", "pull", "ls-remote") else HISTORY), shown
    elif verb not in ("commit", "push", "config", "branch", "remote") and any(
        FAR.search(one) for one in given if " " not in one
    ):
        yield HISTORY, shown
    if verb in ("show", "diff", "grep", "apply", "am", "archive"):
        for one in given:
            if one.startswith("/"):
                yield from path_reaches(one, cwd, places)
