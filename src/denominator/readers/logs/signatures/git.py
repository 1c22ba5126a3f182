"""git: exit 128 is every fatal error at once, so only the sentence tells a dead network from a wrong address."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

sign = family("git")

SIGNATURES = (
    sign(
        "git_unreachable",
        "SV",
        "clone_failed",
        rb"fatal: unable to (?:access|connect).{0,300}?(?:could not resolve|failed to connect|timed out"
        rb"|connection (?:refused|reset)"
        rb"|unable to look up|couldn't connect|name or service not known|network is unreachable)",
        (b"fatal: unable to",),
        b"fatal: unable to access 'https://forge.invalid/x.git/': Could not resolve host: forge.invalid",
        b"fatal: unable to access 'https://forge.invalid/': Failed to connect to forge.invalid port 443 after 9 ms",
        network=True,
        misses=(b"fatal: unable to access '/etc/gitconfig': Permission denied", b"unable to access the network drive"),
    ),
    sign(
        "git_cut",
        "S",
        "clone_failed",
        rb"rpc failed; (?:curl|http|result)|fatal: (?:the remote end hung up|early eof)|\bearly eof\b"
        rb"|remote end hung up unexpectedly|unexpected disconnect while reading sideband"
        rb"|fetch-pack: invalid index-pack",
        (b"rpc failed", b"early eof", b"hung up", b"unexpected disconnect", b"invalid index-pack"),
        b"error: RPC failed; curl 56 recv failure",
        b"fatal: early EOF",
        b"fetch-pack: unexpected disconnect while reading sideband packet",
        misses=(b"the rpc failed because of a bad argument", b"eof reached early in the file"),
    ),
    sign(
        "git_refused",
        "S",
        "clone_refused",
        rb"(?:fatal|remote|error): .{0,200}?(?:repository .{0,200}?not found|authentication failed"
        rb"|could not read username"
        rb"|could not read password|access denied|does not appear to be a git repository)",
        (b"not found", b"authentication failed", b"could not read", b"access denied", b"does not appear to be"),
        b"fatal: repository 'https://forge.invalid/a/b.git/' not found",
        b"fatal: could not read Username for 'https://forge.invalid': terminal prompts disabled",
        misses=(b"the repository pattern is not found in this code", b"test authentication failed as it must"),
    ),
    sign(
        "git_gone",
        "S",
        "missing_artifact",
        rb"(?:fatal|error): .{0,200}?(?:reference is not a tree|not a tree object|bad object|couldn't find remote ref"
        rb"|unknown revision|not our ref|remote branch .{0,120}?not found)",
        (b"not a tree", b"bad object", b"find remote ref", b"unknown revision", b"not our ref", b"remote branch"),
        b"fatal: reference is not a tree: 0123abc",
        b"fatal: couldn't find remote ref refs/heads/gone",
        misses=(b"error handling of a bad objection", b"this is not a tree, it is a bush"),
    ),
    sign(
        "git_shared_tree",
        "SV",
        "sandbox_config",
        rb"detected dubious ownership in repository|index\.lock'?: file exists|unable to create .{0,200}?index\.lock",
        (b"dubious ownership", b"index.lock"),
        b"fatal: detected dubious ownership in repository at '/work'",
        b"fatal: Unable to create '/work/.git/index.lock': File exists.",
        misses=(b"index.lock is listed in .gitignore",),
    ),
    sign(
        "git_apply",
        "H",
        "apply_error",
        rb"error: (?:corrupt patch at|patch failed:|.{1,200}?: patch does not apply|no valid patches in input"
        rb"|patch fragment without header)",
        (b"patch",),
        b"error: corrupt patch at line 12",
        b"error: src/a.py: patch does not apply",
        misses=(b"the patch does not apply to windows", b"patch failed the review"),
    ),
)
