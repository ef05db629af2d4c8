"""Starts the llama.cpp server of the xllamacpp wheel on a free loopback port, for a test.

Usage: llama_server.py WEIGHTS.gguf
Prints "listening on port N" when it answers, and ends when its standard input closes.
"""

import os
import socket
import sys

import xllamacpp


def main():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = 2048
    params.n_parallel = 1
    # One, because several wait for each other in a spin, and on a busy machine for whole time slices.
    params.cpuparams.n_threads = 1
    params.model_alias = {"smollm2-135m"}
    params.warmup = False
    server = xllamacpp.Server(params)
    print(f"\nlistening on port {port}", flush=True)
    sys.stdin.read()
    # The server's own threads would keep the process.
    del server
    os._exit(0)


if __name__ == "__main__":
    main()
