"""The other side of `nearside bench speech`: whisper.cpp through pywhispercpp, on request.

Reads one JSON object a line, answers one a line. {"model", "threads"} loads; {"file", "language"} writes a 16 kHz
WAV down; the end of the input ends it.
"""
import json
import sys
import time
import wave

import numpy
import pywhispercpp
from importlib.metadata import version
from pywhispercpp.model import Model

ask = json.loads(sys.stdin.readline())
model = Model(ask["model"], redirect_whispercpp_logs_to=None, n_threads=ask["threads"],
              print_progress=False, print_realtime=False)
print(json.dumps({"engine": "whisper.cpp in pywhispercpp " + version("pywhispercpp")}), flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    with wave.open(ask["file"]) as sound:
        samples = numpy.frombuffer(sound.readframes(sound.getnframes()), dtype="<i2").astype(numpy.float32) / 32768
    began, busy = time.perf_counter(), time.process_time()
    parts = model.transcribe(samples, language=ask["language"])
    took, busy = time.perf_counter() - began, time.process_time() - busy
    print(json.dumps({"text": " ".join(part.text.strip() for part in parts), "seconds": took,
                      "cpu_seconds": busy}), flush=True)
