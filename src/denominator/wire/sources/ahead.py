"""Work that leaves the interpreter to others while it runs (unpacking, digesting), done one step ahead of who looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from denominator.errors import InputError

T = TypeVar("T")
S = TypeVar("S")


def ahead(do: Callable[[T], S], given: Iterable[T]) -> Iterator[S]:
    """`do` of each, in order, while the one before it is looked at: two are held, never more. An error comes where it belongs:
    what was given before it comes first."""
    from concurrent.futures import ThreadPoolExecutor

    source = iter(given)
    with ThreadPoolExecutor(1) as other:
        coming, broken = None, None
        while broken is None:
            try:
                after = other.submit(do, next(source))
            except (StopIteration, InputError) as error:
                after, broken = None, error
            if coming is not None:
                yield coming.result()
            coming = after
    if isinstance(broken, InputError):
        raise broken
