"""ssh: 255 can be its own failure or the remote command's status, so only its own sentences count."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

sign = family("ssh")

SIGNATURES = (
    sign(
        "ssh_unreachable",
        "SB",
        "sandbox_unreachable",
        rb"ssh: (?:could not resolve hostname|connect to host .{1,200}?(?:refused|timed out|unreachable|no route))"
        rb"|kex_exchange_identification: .{0,80}|ssh_exchange_identification: .{0,80}|ssh_dispatch_run_fatal",
        (b"ssh: ", b"exchange_identification", b"ssh_dispatch"),
        b"ssh: connect to host box.invalid port 22: Connection timed out",
        b"kex_exchange_identification: Connection closed by remote host",
        setup_cause="clone_failed",
        misses=(b"see ssh: it could not be simpler", b"connect to host and port"),
    ),
    sign(
        "ssh_cut",
        "SB",
        "sandbox_unreachable",
        rb"client_loop: send disconnect|packet_write_wait: .{0,120}?(?:broken pipe|closed)|write failed: broken pipe"
        rb"|connection to .{1,200}? closed by remote host",
        (b"client_loop", b"packet_write_wait", b"write failed: broken pipe", b"closed by remote host"),
        b"client_loop: send disconnect: Broken pipe",
        b"Connection to 10.0.0.7 closed by remote host.",
        setup_cause="clone_failed",
        misses=(b"BrokenPipeError is caught here", b"connection to the database closed"),
    ),
    sign(
        "ssh_refused",
        "SB",
        "clone_refused",
        rb"permission denied \((?:publickey|password|keyboard)[^)\r\n]{0,80}\)|host key verification failed"
        rb"|too many authentication failures",
        (b"permission denied (", b"host key verification", b"authentication failures"),
        b"git@forge.invalid: Permission denied (publickey).",
        b"Host key verification failed.",
        misses=(b"permission denied (os error 13)",),
    ),
)
