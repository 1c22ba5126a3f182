"""Pauses of a retry policy."""


def delays(policy):
    """The pauses before each retry."""
    pause, spent, found = policy["base_ms"], 0, []
    budget = policy.get("budget_ms")
    while len(found) < policy["retries"]:
        capped = min(pause, policy["cap_ms"])
        if budget is not None and spent + capped > budget:
            break
        found.append(capped)
        spent += capped
        pause = capped * policy["factor"]
    return found


def next_delay(policy, retry, retry_after_ms=None):
    """The pause before one retry, or None when the policy has no such retry."""
    planned = delays(policy)
    if not 1 <= retry <= len(planned):
        return None
    if retry_after_ms is None:
        return planned[retry - 1]
    return max(planned[retry - 1], retry_after_ms)
