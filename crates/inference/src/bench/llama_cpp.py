"""The other side of `nearside bench llm --against llama.cpp`: llama.cpp through xllamacpp, on request.

Reads one JSON object a line, answers one a line. {"model", "threads", "context"} loads; {"prompt": [ids],
"decode": N} measures; the end of the input ends it.
"""
import json
import sys

import xllamacpp

ask = json.loads(sys.stdin.readline())
params = xllamacpp.CommonParams()
params.model.path = ask["model"]
params.n_ctx = ask["context"]
params.n_parallel = 1
params.cpuparams.n_threads = ask["threads"]
params.cpuparams_batch.n_threads = ask["threads"]
server = xllamacpp.Server(params)
print(json.dumps({"engine": "llama.cpp in xllamacpp " + xllamacpp.__version__}), flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    answer = server.handle_completions({
        "prompt": ask["prompt"], "n_predict": ask["decode"], "temperature": 0.0,
        "cache_prompt": False, "ignore_eos": True,
    })
    if isinstance(answer, (str, bytes)):
        answer = json.loads(answer)
    timings = answer["timings"]
    print(json.dumps({
        "prefill_tokens_per_s": timings["prompt_per_second"],
        "decode_tokens_per_s": timings["predicted_per_second"],
        "prompt": timings["prompt_n"], "decode": timings["predicted_n"],
    }), flush=True)
