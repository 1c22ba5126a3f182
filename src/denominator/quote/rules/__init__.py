"""Quote rules, one file each. The list is explicit; a test finds a file that nobody listed."""

from denominator.quote.rules import (
    q001_rate_without_slip,
    q002_unusable_tag,
    q003_other_value,
    q004_low_tier,
    q005_stale_slip,
    q006_percent_without_counts,
    q007_missing_footnote,
    q008_comparison_without_pair,
    q009_broken_slip,
    q010_data_without_slip,
    q011_not_checked,
    q012_no_verdict,
    q013_no_signoff,
)
from denominator.quote.shape import Rule

RULES: tuple[Rule, ...] = (
    q001_rate_without_slip.RULE,
    q002_unusable_tag.RULE,
    q003_other_value.RULE,
    q004_low_tier.RULE,
    q005_stale_slip.RULE,
    q006_percent_without_counts.RULE,
    q007_missing_footnote.RULE,
    q008_comparison_without_pair.RULE,
    q009_broken_slip.RULE,
    q010_data_without_slip.RULE,
    q011_not_checked.RULE,
    q012_no_verdict.RULE,
    q013_no_signoff.RULE,
)
QUOTE_ENTRIES = tuple(rule.entry for rule in RULES)

__all__ = ["QUOTE_ENTRIES", "RULES"]
