"""Slips as pure functions: what a number is pinned to, whether two of them are the same measurement, who may be shown one."""
