"""What each protection is for, in a sentence for people who read `doctor`."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MEANINGS"]

MEANINGS: Mapping[str, str] = {
    "no_network": "an agent can fetch no fix, and reaches no service of this machine",
    "pid_namespace": "it sees no process of the harness, and so no environment, key or open file of one",
    "private_proc": "it can change no setting of this kernel",
    "separate_uids": "agent and grader of each worker may not read each other's files",
    "no_capabilities": "it has no right of root, whatever its uid",
    "no_new_privileges": "no program that it starts can gain rights",
    "seccomp": "calls that most escapes begin with are refused",
    "userns_closed": "it cannot make a namespace in which it is root",
    "memory_limit": "all its processes together get the memory that the envelope says",
    "process_limit": "a fork bomb ends at the number that the envelope says",
    "disk_limit": "it cannot fill this machine's disk",
    "file_size_limit": "no single file grows beyond what the envelope says",
    "output_cap": "endless output takes no endless memory here",
    "open_files": "it cannot use up this machine's open files",
    "no_core_dumps": "a crash writes no memory to disk, and hands it to nobody",
    "all_dead_at_end": "nothing that it started is alive when its patch is read",
    "dies_with_harness": "a killed harness leaves no agent running",
    "files_outside": "it reads, writes and makes nothing of this machine but what its job was given",
    "signals_outside": "it cannot stop the harness, its supervisor or anything else of this user",
    "metadata_outside": "it changes no mode or time of a file that it cannot read",
    "toolchain_executable": "the declared Python runs under the sandbox's uid",
}
