"""Who may say what of a slip: a score keeper one verdict line, a quote reviewer yes or no, anybody named that it falls."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import BlockedError, InputError, Problem
from denominator.records.slips import Role, SlipLine, SlipStanding, Tier
from denominator.records.values import is_placeholder
from denominator.slips.fields import held
from denominator.slips.tiers import ORDER, REJECTION, REVOKED, SIGNOFF, VERDICT, lower
from denominator.slips.words import REFUSED, binds

CAVEAT_CHARS = 240
MEANING: Mapping[Role, str] = {
    Role.RUN_OWNER: "runs, makes the slip, keeps the raw log",
    Role.SCORE_KEEPER: "one verdict line: tier, slip id, the shortest honest caveat",
    Role.QUOTE_REVIEWER: "signs a quote off, or rejects it and names the missing field",
}


def verdict_line(standing: SlipStanding, tier: str, caveat: str, who: str, at: str) -> SlipLine:
    """A score keeper's verdict. One above the computed tier is refused (exit 1)."""
    _standing(standing)
    if binds(tier):
        raise BlockedError(REFUSED, where="--tier", fix="a tier: none, internal, external or quotable")
    if tier not in ORDER:
        raise InputError(f"{tier!r} is no tier", where="--tier", fix=f"one of: {', '.join(ORDER)}")
    _texts((("--who", who), ("--caveat", caveat)))
    computed = standing.tier.tier
    if lower(tier, computed) != Tier(tier):
        why = "; ".join(standing.tier.why)
        what = f"its tier is {computed}, which is computed and never typed: {why}"
        raise BlockedError(what, where=f"slip {standing.id[:8]}", fix="; ".join(standing.tier.lifts))
    return SlipLine(
        what=VERDICT,
        slip=standing.id,
        role=str(Role.SCORE_KEEPER),
        who=who.strip(),
        at=at,
        tier=tier,
        caveat=caveat.strip(),
    )


def signoff_line(standing: SlipStanding, who: str, at: str) -> SlipLine:
    """A quote reviewer's yes: after a verdict, at a tier that leaves the team."""
    _standing(standing)
    _texts((("--who", who),))
    if not any(line.what == VERDICT for line in standing.lines):
        fix = f"denominator slip verdict {standing.id[:8]} --tier {standing.tier.tier} --caveat ... --who ..."
        raise BlockedError("no score keeper has given a verdict yet", where=f"slip {standing.id[:8]}", fix=fix)
    answers = [line.what for line in standing.lines if line.what in (SIGNOFF, REJECTION)]
    rejected = answers[-1:] == [REJECTION]
    if not rejected and lower(standing.tier.tier, Tier.INTERNAL) == Tier(standing.tier.tier):
        what = f"its tier is {standing.tier.tier}: there is no quote to sign off"
        raise BlockedError(what, where=f"slip {standing.id[:8]}", fix="; ".join(standing.tier.lifts))
    return SlipLine(what=SIGNOFF, slip=standing.id, role=str(Role.QUOTE_REVIEWER), who=who.strip(), at=at)


def rejection_line(standing: SlipStanding, missing: str, who: str, at: str) -> SlipLine:
    """A quote reviewer's no; it names the field that is missing."""
    _standing(standing)
    _texts((("--who", who), ("--reject", missing)))
    known = known_fields(standing)
    if missing not in known:
        from difflib import get_close_matches

        near = get_close_matches(missing, known, 1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else "a field as `slip show` names it, such as model.id or budget.tokens_used"
        )
        raise InputError(f"no field of a slip is called {missing!r}", where="--reject", fix=hint)
    return SlipLine(
        what=REJECTION, slip=standing.id, role=str(Role.QUOTE_REVIEWER), who=who.strip(), at=at, field=missing
    )


def revocation_line(standing: SlipStanding, why: str, who: str, at: str) -> SlipLine:
    """The end of a slip, and why. It stays in the store: documents that cite it have to be found."""
    _standing(standing)
    _texts((("--who", who), ("--revoke", why)))
    return SlipLine(
        what=REVOKED, slip=standing.id, role=str(Role.SCORE_KEEPER), who=who.strip(), at=at, caveat=why.strip()
    )


def known_fields(standing: SlipStanding) -> tuple[str, ...]:
    """What a rejection may name: the fields of this slip, and what a quote may lack."""
    more = (
        "raw.path", "raw.sha256", "budget.tokens_used", "budget.ratio", "numbers.k", "numbers.lo", "numbers.hi", "days", "owner",
        "lineage", "re_run_spread", "gate.sentence", "notes", "verdict", "caveat", "footnote",
    )  # fmt: skip
    return tuple(dict.fromkeys((*(one.name for one in held(standing.slip)), *more)))


def several_hats(standing: SlipStanding) -> tuple[str, ...]:
    """People who hold two roles of one slip. That is not refused; it is said."""
    owner = standing.slip.owner if isinstance(standing.slip.owner, str) else ""
    hats: dict[str, set[str]] = {owner: {str(Role.RUN_OWNER)}} if owner else {}
    for line in standing.lines:
        hats.setdefault(line.who, set()).add(line.role)
    return tuple(
        f"{who} is {' and '.join(sorted(roles)).replace('_', ' ')}"
        for who, roles in sorted(hats.items())
        if len(roles) > 1
    )


def _standing(standing: SlipStanding) -> None:
    if standing.revoked:
        raise BlockedError(
            f"it was revoked: {standing.revoked}", where=f"slip {standing.id[:8]}", fix="make a new slip"
        )


def _texts(given: tuple[tuple[str, str], ...]) -> None:
    """Every text must be there, on one line, and short."""
    found = []
    for name, text in given:
        if is_placeholder(text):
            found.append(Problem(name, "is empty or a placeholder", "say it in a few words"))
        elif len(text) > CAVEAT_CHARS or not text.isprintable():
            found.append(Problem(name, f"is no line of at most {CAVEAT_CHARS} characters", "the shortest honest words"))
    if found:
        raise InputError("the line cannot be written", problems=found)
