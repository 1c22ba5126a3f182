"""Memory and process limits in the verifier: the solution's own hunger, or a limit of the host."""

from __future__ import annotations

from denominator.readers.logs.signatures.base import family

sign = family("memory")

SIGNATURES = (
    sign(
        "memory_in_tests",
        "V",
        "solution_memory",
        rb"(?:(?<=\| )|(?<![^\r\n]))MemoryError(?:: .{0,200})?(?=[\r\n]|$)"
        rb"|terminate called after throwing .{0,40}?bad_alloc|JavaScript heap out of memory"
        rb"|java\.lang\.OutOfMemoryError"
        rb"|fatal error: runtime: out of memory|memory allocation of \d+ bytes failed",
        (
            b"memoryerror",
            b"bad_alloc",
            b"heap out of memory",
            b"outofmemoryerror",
            b"runtime: out of memory",
            b"memory allocation of",
        ),
        b"MemoryError: Unable to allocate 8.00 GiB",
        b"terminate called after throwing an instance of 'std::bad_alloc'",
        b"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        misses=(b"catch MemoryError in the loader", b"except MemoryError:"),
    ),
    sign(
        "host_limit",
        "VB",
        "host_limit",
        rb"fork: .{0,60}?(?:resource )?temporarily unavailable|fork: cannot allocate memory|can't start new thread"
        rb"|unable to create (?:new )?native thread|too many open files|pthread_create failed|cannot fork\b",
        (b"fork", b"start new thread", b"native thread", b"too many open files", b"pthread_create"),
        b"bash: fork: retry: Resource temporarily unavailable",
        b"RuntimeError: can't start new thread",
        b"OSError: [Errno 24] Too many open files",
        misses=(b"fork this repository", b"too many files are open"),
    ),
)
