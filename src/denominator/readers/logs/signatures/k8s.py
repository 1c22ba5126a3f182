"""Cluster schedulers. Their reasons are fields of an API object (see `REASONS`); in running text the bare words mean nothing."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.readers.logs.signatures.base import family

sign = family("k8s")

REASONS: Mapping[str, str] = {
    "evicted": "evicted",
    "preempted": "evicted",
    "preempting": "evicted",
    "preemptscheduled": "evicted",
    "preemptionbyscheduler": "evicted",
    "nodelost": "evicted",
    "nodenotready": "evicted",
    "nodeshutdown": "evicted",
    "nodeaffinity": "evicted",
    "shutdown": "evicted",
    "terminationbykubelet": "evicted",
    "taintmanagereviction": "evicted",
    "deletionbytaintmanager": "evicted",
    "evictionbyevictionapi": "evicted",
    "spotinterruption": "evicted",
    "deletionbypodgc": "evicted",
    "failedscheduling": "sandbox_unreachable",
    "failedmount": "sandbox_unreachable",
    "failedcreatepodsandbox": "sandbox_start",
    "networknotready": "sandbox_unreachable",
    "errimagepull": "image_unavailable",
    "imagepullbackoff": "image_unavailable",
    "errimageneverpull": "image_missing",
    "invalidimagename": "image_missing",
    "createcontainerconfigerror": "sandbox_config",
    "createcontainererror": "sandbox_start",
    "runcontainererror": "sandbox_start",
    "oomkilled": "oom_sandbox",
    "oomkilling": "oom_sandbox",
    "systemoom": "oom_sandbox",
    "deadlineexceeded": "harness_timeout",
}
"""Reason of a pod event or status (lower case) -> cause. An image that answers 403 or 404 is `image_missing` instead."""

SIGNATURES = (
    sign(
        "pod_evicted",
        "B",
        "evicted",
        rb"the node was low on resource: \w+|pod .{1,120}? (?:was|has been) (?:evicted|preempted)"
        rb"|preempted by .{0,80}?pod\b|node .{1,120}? is shutting down",
        (b"low on resource", b"evicted", b"preempted", b"is shutting down"),
        b"The node was low on resource: memory. Container main was using 3Gi",
        b"pod eval-7 was evicted",
        misses=(b"the tenant was evicted", b"reason=Evicted"),
    ),
)
