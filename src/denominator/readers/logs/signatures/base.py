"""How a family writes its signatures down."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from denominator.readers.logs.shape import Signature

GAP = rb"[^\r\n]{"
Maker = Callable[..., Signature]


def family(name: str) -> Maker:
    """A maker of signatures of one family. In its patterns `.{a,b}` is a gap on one line."""

    def sign(
        signature: str,
        where: str,
        cause: str,
        pattern: bytes,
        needs: tuple[bytes, ...],
        *examples: bytes,
        setup_cause: str = "",
        unless: bytes = b"",
        network: bool = False,
        after: Mapping[str, str] | None = None,
        vague: bool = False,
        misses: tuple[bytes, ...] = (),
    ) -> Signature:
        return Signature(
            name=signature,
            family=name,
            pattern=pattern.replace(b".{", GAP),
            needs=needs,
            where=where,
            cause=cause,
            setup_cause=setup_cause,
            unless=unless,
            network=network,
            after=after or {},
            vague=vague,
            examples=examples,
            misses=misses,
        )

    return sign
