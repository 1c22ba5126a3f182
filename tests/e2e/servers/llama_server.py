"""llama.cpp's own HTTP server on loopback: `llama_server.py MODEL PORT NAME`; it prints its address and serves until it is ended."""

import sys
import time

import xllamacpp


def main():
    """Two slots, no warm-up, answers cut at 64 tokens, one thread: noise needs no more, and threads that wait here spin."""
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.model_alias = {sys.argv[3]}
    params.hostnames = ["127.0.0.1"]
    params.port = int(sys.argv[2])
    params.n_ctx = 2 * 32_768
    params.n_parallel = 2
    params.n_predict = 64
    params.cpuparams.n_threads = 1
    params.use_jinja = True
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
