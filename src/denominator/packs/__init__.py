"""Task packs: reading, listing, digests, lock, lint (docs/formats/pack.md)."""

from denominator.packs.digests import pack_digest
from denominator.packs.expiry import days_left, refuse_expired
from denominator.packs.find import builtin_packs, find_pack
from denominator.packs.layout import LOCK_FILE, PACK_FILE, TaskPaths, task_paths
from denominator.packs.load import load_pack, read_lock
from denominator.packs.locking import make_lock
from denominator.packs.new import init_pack
from denominator.packs.trees import copy_frozen, copy_pack, frozen_tree
from denominator.packs.verify_lock import LockCheck, require_locked, verify_lock

__all__ = [
    "LOCK_FILE",
    "PACK_FILE",
    "LockCheck",
    "TaskPaths",
    "builtin_packs",
    "copy_frozen",
    "copy_pack",
    "days_left",
    "find_pack",
    "frozen_tree",
    "init_pack",
    "load_pack",
    "make_lock",
    "pack_digest",
    "read_lock",
    "refuse_expired",
    "require_locked",
    "task_paths",
    "verify_lock",
]
