"""Compares what `read-pictures` prints with RapidOCR on the same pictures.

    read-pictures MODEL_FOLDER PICTURE... > ours.jsonl
    python read-pictures.py ours.jsonl truth.json

`truth.json` names the text of each picture by its file name without the ending; pictures that it does not name
are only timed. RapidOCR (pip install rapidocr==3.9.2 onnxruntime) has the same networks. It reads no files but
the named ones and writes none. Errors are characters by edit distance, white space left out; times are of the processor, all threads together."""

import json
import os
import sys
import time

import cv2
from rapidocr import RapidOCR


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def plain(text):
    return "".join(text.split())


def main():
    ours = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    truth = json.load(open(sys.argv[2], encoding="utf-8"))
    engine = RapidOCR(params={"Global.log_level": "critical"})
    engine(cv2.imread(ours[0]["file"]))
    errors, letters, spent = [0, 0], 0, [0, 0]
    print(f"{'picture':24} {'letters':>7}  ours: errors     ms   theirs: errors     ms")
    for page in ours:
        name = os.path.splitext(os.path.basename(page["file"]))[0]
        picture = cv2.imread(page["file"])
        begun = time.process_time()
        theirs = engine(picture)
        times = [page["cpu_ms"], round((time.process_time() - begun) * 1000)]
        texts = ["".join(line["text"] for line in page["lines"]), "".join(theirs.txts or ())]
        spent = [a + b for a, b in zip(spent, times)]
        wrong = ["", ""]
        if name in truth:
            expected = plain(truth[name])
            wrong = [distance(plain(text), expected) for text in texts]
            letters += len(expected)
            errors = [a + b for a, b in zip(errors, wrong)]
        count = len(plain(truth.get(name, "")))
        print(f"{name[:24]:24} {count:7}  {wrong[0]:>12} {times[0]:6}  {wrong[1]:>14} {times[1]:6}")
    shares = [f"{100 * e / max(letters, 1):.2f} %" for e in errors]
    print(f"all: {letters} letters, errors ours {shares[0]}, theirs {shares[1]}; ms ours {spent[0]}, theirs {spent[1]}")


main()
