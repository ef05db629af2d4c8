"""Writes the golden blocks of `dequantize` with the `gguf` package (pip install gguf numpy).

For each type: random but valid blocks, and the f32 values that the package decodes them to.
Layout of TYPE.bin: the blocks, then the values, both little-endian. Run it in this folder.
"""
import numpy as np
from gguf import GGMLQuantizationType as T, GGML_QUANT_SIZES, quants

BLOCKS = 3
HALVES = {  # byte offsets of half-precision scales within one block
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82],
    "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}
random = np.random.default_rng(20)
for name, offsets in HALVES.items():
    kind = T[name]
    _, size = GGML_QUANT_SIZES[kind]
    blocks = random.integers(0, 256, (BLOCKS, size), dtype=np.uint8)
    for offset in offsets:  # scales of a real size: random bits would be mostly NaN and infinity
        scale = (random.standard_normal(BLOCKS) * 0.1).astype(np.float16)
        blocks[:, offset:offset + 2] = scale.view(np.uint8).reshape(BLOCKS, 2)
    values = quants.dequantize(blocks, kind).astype("<f4")
    with open(f"{name}.bin", "wb") as out:
        out.write(blocks.tobytes())
        out.write(values.tobytes())
for name in ("F16", "BF16"):
    numbers = (random.standard_normal(64) * 3).astype(np.float32)
    kind = T[name]
    blocks = quants.quantize(numbers, kind)
    values = quants.dequantize(blocks, kind).astype("<f4")
    with open(f"{name}.bin", "wb") as out:
        out.write(blocks.tobytes())
        out.write(values.tobytes())
