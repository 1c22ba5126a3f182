"""Invoice lines for subscriptions."""
