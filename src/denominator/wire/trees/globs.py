"""Path globs of allow-lists: anchored at the root, case-sensitive; `*` stays in one folder, `**` goes deep."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(globs: Iterable[str], path: str) -> bool:
    """Does any of the globs match the whole POSIX path?

    `*`, `?`, `[abc]` and `[!abc]` never match "/", and do match a leading dot. `**` as a whole component
    matches any number of components, none included (but `a/**` does not match `a`). A trailing "/" means
    everything below that folder.
    """
    parts = tuple(path.split("/"))
    return any(_match(_components(glob), parts) for glob in globs)


@lru_cache(maxsize=1024)
def _components(glob: str) -> tuple[re.Pattern[str] | None, ...]:
    """The glob's components as patterns; None stands for `**`."""
    text = f"{glob}**" if glob.endswith("/") else glob
    return tuple(None if part == "**" else re.compile(_component(part), re.DOTALL) for part in text.split("/"))


def _component(part: str) -> str:
    out, at = "", 0
    while at < len(part):
        char = part[at]
        end = part.find("]", at + 2 + part.startswith("!", at + 1)) if char == "[" else -1
        if end > 0:
            out += _char_class(part[at + 1 : end])
            at = end
        else:
            out += {"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char))
        at += 1
    return re.sub(r"(\[\^/\]\*)+", lambda _: "[^/]*", out)


def _char_class(body: str) -> str:
    negated = body.startswith("!")
    text = body[negated:].replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^").replace("]", "\\]")
    text = text.replace("&&", "&\\&").replace("~~", "~\\~").replace("||", "|\\|")
    return f"(?!/)[{'^' if negated else ''}{text}]"


def _match(pattern: tuple[re.Pattern[str] | None, ...], parts: tuple[str, ...]) -> bool:
    """Component-wise; `reach` holds the numbers of leading parts that the pattern so far can consume."""
    reach = {0}
    for number, component in enumerate(pattern):
        if component is None:
            least = 1 if number == len(pattern) - 1 else 0
            reach = set(range(min(reach) + least, len(parts) + 1)) if reach else reach
        else:
            reach = {at + 1 for at in reach if at < len(parts) and component.fullmatch(parts[at])}
    return len(parts) in reach
