"""A new published.toml. What is not known is deleted or left as it is: it then counts as unknown, never as agreed."""

TEMPLATE = """\
# A published score, described so that it can be reproduced. Nothing here is fetched: addresses are text.
# Delete what is not known. An unknown field makes the result directional only.
schema_version = 1
name = "REPLACE: whose score, on what"
source = "REPLACE: where it is printed"
# date = 2026-01-31
# verify_cmd = "pytest -q"      # what decides a task

[score]
# passed = 29                   # passed and tasks, or percent and tasks; a percent without its n is context only
# tasks = 40
# percent = 72.5
# metric = "pass@1"

[pack]
# name = "the-task-set"
# version = "1.0"
# digest = "..."                # of the task set, as its publisher or `denominator pack show` gives it
# task_ids = ["a", "b"]         # without ids or a digest nothing can be verified

[conditions]
# budget_tokens = 200000        # of one attempt
# wall_s = 600
# attempts = 1
# retries = 0
# repeats = 1
# seed = "7"
# temperature = 0.0

[harness]
# name = "the-agent"
# commit = "..."
# python = "3.11.9"
# platform = "Linux x86_64"

[model]
# id = "the-model"
# snapshot = "the-model-2026-01-15"
# endpoint_host = "api.example.com"   # a host; never a key

[outcomes]                      # where each task's outcome is published
# passed = ["a"]
# failed = ["b"]
"""
