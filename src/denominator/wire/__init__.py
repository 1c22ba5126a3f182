"""Bytes <-> records: strict JSON and JSONL, TOML that people write, digests, safe names, schemas."""
