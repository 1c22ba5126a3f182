"""Real servers for real agents, each a process of its own on loopback, from the environment `servers`."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from e2e.environment import environment

HERE = Path(__file__).parent / "servers"
READY_S = 120
TINY = "tiny-random"


@contextmanager
def llama_cpp(folder: Path) -> Iterator[str]:
    """llama.cpp's own server with a model of random weights; gives its base address, with /v1."""
    python = environment("servers") / "bin" / "python"
    model = folder / "tiny.gguf"
    subprocess.run([python, HERE / "tiny_gguf.py", model], check=True, capture_output=True)
    port = free_port()
    command = [str(python), str(HERE / "llama_server.py"), str(model), str(port), TINY]
    with _process(command, folder / "llama.log", f"http://127.0.0.1:{port}/health"):
        yield f"http://127.0.0.1:{port}/v1"


@contextmanager
def litellm_proxy(folder: Path, model: str, upstream: str, provider: str = "openai") -> Iterator[str]:
    """A litellm proxy that passes one model on to an OpenAI-compatible server; gives its base address, with /v1."""
    with litellm_models(
        folder, {model: {"model": f"{provider}/{model}", "api_base": upstream, "api_key": "none"}}
    ) as url:
        yield url


@contextmanager
def litellm_models(folder: Path, models: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """A litellm proxy with these models, each as litellm's own parameters; gives its base address, with /v1."""
    terms = {
        "model_list": [{"model_name": name, "litellm_params": dict(params)} for name, params in models.items()],
        "litellm_settings": {"telemetry": False, "num_retries": 0},
        "general_settings": {"dangerously_permit_weak_or_unset_master_key": True},
    }
    # JSON is YAML too.
    (folder / "litellm.yaml").write_text(json.dumps(terms), "utf-8")
    port = free_port()
    program = environment("servers") / "bin" / "litellm"
    command = [str(program), "--config", str(folder / "litellm.yaml"), "--host", "127.0.0.1", "--port", str(port)]
    with _process(command, folder / "litellm.log", f"http://127.0.0.1:{port}/health/liveliness"):
        yield f"http://127.0.0.1:{port}/v1"


def free_port() -> int:
    """A port of loopback that nobody has just now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def _process(command: Sequence[str], log: Path, ready: str) -> Iterator[None]:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(log.parent), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=log.parent)
    try:
        _wait(process, ready, log)
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], ready: str, log: Path) -> None:
    """Until it answers; a process that ends first says why."""
    until = time.monotonic() + READY_S
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text("utf-8", "replace")[-2000:]
        try:
            with urllib.request.urlopen(ready, timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise AssertionError(f"no answer from {ready}: {log.read_text('utf-8', 'replace')[-2000:]}")
