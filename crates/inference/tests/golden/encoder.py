#!/usr/bin/env python3
"""Golden values of the encoders, made by other implementations: token ids by Hugging Face `tokenizers`,
vectors by onnxruntime on a graph that is built here from the same safetensors, in f32.

    pip install numpy safetensors tokenizers onnx onnxruntime
    python encoder.py MODELS_DIR OUT.json              writes the golden file
    python encoder.py MODELS_DIR --time TEXTS.json     texts a second, 2 threads, for the speed test
"""
import json, os, sys, time
import numpy as np
import onnx, onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors import safe_open
from tokenizers import Tokenizer

TEXTS = [
    "how much protein should a female eat",
    "As a general guideline, the CDC's average requirement of protein for women ages 19 to 70 is 46 grams per day.",
    "南瓜的家常做法",
    "1.清炒南瓜丝 原料:嫩南瓜半个 调料:葱、盐、白糖、鸡精 做法: 1、南瓜用刀薄薄的削去表面一层皮,用勺子刮去瓤",
    "近端把原始数据留在本机。 The raw data stays on this machine.",
    "Ｆｕｌｌ　ｗｉｄｔｈ ﬁne ① ½ ㎏ ｶﾞｷﾞ 한국어 각",
    "naïve café Zoë Ångström İstanbul ĞÜŞ",
    "emoji 😀👩‍👩‍👧‍👦🏳️‍🌈 and ✈️",
    "עברית مرحبا بالعالم ‏RTL",
    "  leading   and\ttabs\n\nnew lines  ",
    "a▁b ▁▁ c",
    "x" * 150 + " short",
    "fn main() { println!(\"{}\", 0x1F << 3); } // 注释",
    "I can't don't we'll — “quotes” … 3.14 1,000,000 $5 50%",
    "\u0000\u0001\u200b\u200d\u00ad\ufeff\ufffdcontrol\u007f",
    "ꙮ 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ᚠᛇᚻ 𓀀 ",
    " " * 10000,
    "中" * 40 + "文",
    "",
]
LONG = "The quick brown fox jumps over the lazy dog. 敏捷的棕色狐狸跳过了懒狗。" * 12


def build(folder):
    """The encoder as ONNX with onnxruntime's own fused operators, which is its fastest form."""
    config = json.load(open(os.path.join(folder, "config.json")))
    width, heads, layers = (config[k] for k in ("hidden_size", "num_attention_heads", "num_hidden_layers"))
    weights, nodes = [], []
    with safe_open(os.path.join(folder, "model.safetensors"), "np") as file:
        get = lambda name: file.get_tensor(name).astype(np.float32)
        def keep(name, value):
            weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
            return name
        def node(op, inputs, outputs, domain="com.microsoft", **attributes):
            nodes.append(helper.make_node(op, inputs, outputs, domain=domain, **attributes))
        e = "embeddings."
        eps = float(config["layer_norm_eps"])
        node("EmbedLayerNormalization",
             ["ids", "kinds", keep("word", get(e + "word_embeddings.weight")),
              keep("position", get(e + "position_embeddings.weight")),
              keep("kind", get(e + "token_type_embeddings.weight")),
              keep("norm_w", get(e + "LayerNorm.weight")), keep("norm_b", get(e + "LayerNorm.bias")), "mask"],
             ["x0", "mask_index"], epsilon=eps)
        x = "x0"
        for i in range(layers):
            p, q = f"encoder.layer.{i}.", f"l{i}_"
            parts = ["query", "key", "value"]
            w = np.concatenate([get(f"{p}attention.self.{n}.weight").T for n in parts], 1)
            b = np.concatenate([get(f"{p}attention.self.{n}.bias") for n in parts])
            node("Attention", [x, keep(q + "qkv", w), keep(q + "qkv_b", b), "mask_index"], [q + "a"], num_heads=heads)
            def dense(name, source, target, k):
                node("MatMul", [source, keep(q + k, get(f"{p}{name}.weight").T)], [target], domain="")
            def norm(name, source, skip, target, bias, k):
                node("SkipLayerNormalization",
                     [source, skip, keep(q + k + "w", get(f"{p}{name}.weight")), keep(q + k + "b", get(f"{p}{name}.bias")),
                      keep(q + k + "s", get(f"{p}{bias}.bias"))], [target], epsilon=eps)
            dense("attention.output.dense", q + "a", q + "ao", "aow")
            norm("attention.output.LayerNorm", q + "ao", x, q + "h", "attention.output.dense", "an")
            dense("intermediate.dense", q + "h", q + "f", "fw")
            node("BiasGelu", [q + "f", keep(q + "fb", get(f"{p}intermediate.dense.bias"))], [q + "g"])
            dense("output.dense", q + "g", q + "o", "ow")
            norm("output.LayerNorm", q + "o", q + "h", q + "y", "output.dense", "on")
            x = q + "y"
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT32, ["b", "s"]) for n in ("ids", "kinds", "mask")]
    graph = helper.make_graph(nodes, "encoder", inputs,
                              [helper.make_tensor_value_info(x, TensorProto.FLOAT, ["b", "s", width])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)],
                             ir_version=9)


def session(model, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def tokenizer(folder):
    it = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    it.no_padding()
    it.enable_truncation(512)
    return it


def embed(run, encoded):
    longest = max(len(e.ids) for e in encoded)
    ids, mask = (np.zeros((len(encoded), longest), np.int32) for _ in range(2))
    for row, e in enumerate(encoded):
        ids[row, : len(e.ids)] = e.ids
        mask[row, : len(e.ids)] = 1
    states = run.run(None, {"ids": ids, "kinds": np.zeros_like(ids), "mask": mask})[0]
    mean = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def current(models, name):
    folder = os.path.join(models, name)
    return next(os.path.join(folder, v) for v in sorted(os.listdir(folder))
                if os.path.exists(os.path.join(folder, v, "model.safetensors")))


def main():
    models = sys.argv[1]
    if sys.argv[2] == "--time":
        job = json.load(open(sys.argv[3]))
        folder = current(models, job["model"])
        run, cut = session(build(folder), job["threads"]), tokenizer(folder)
        rounds, batch = [], job["batch"]
        embed(run, cut.encode_batch(job["texts"][:2]))
        for _ in range(job["rounds"]):
            begun, used = time.perf_counter(), time.process_time()
            encoded = sorted(cut.encode_batch(job["texts"]), key=lambda e: len(e.ids))
            for at in range(0, len(encoded), batch):
                embed(run, encoded[at : at + batch])
            rounds.append((time.perf_counter() - begun, time.process_time() - used))
        seconds, processor = sorted(rounds)[len(rounds) // 2]
        print(json.dumps({"seconds": seconds, "processor": processor}))
        return
    out = {}
    for name, prefix in (("multilingual-e5-small", "query: "), ("minilm-l6", "")):
        folder = current(models, name)
        run, cut = session(build(folder), 2), tokenizer(folder)
        tokens = [cut.encode(text).ids for text in TEXTS]
        texts = [text for text in TEXTS[:10] + TEXTS[12:14]] + [LONG]
        vectors = [embed(run, [cut.encode(prefix + text)])[0] for text in texts]
        out[name] = {"tokens": [{"text": t, "ids": i} for t, i in zip(TEXTS, tokens)],
                     "vectors": [{"text": t, "vector": [round(float(x), 5) for x in v]} for t, v in zip(texts, vectors)]}
    json.dump(out, open(sys.argv[2], "w"), ensure_ascii=False, separators=(",", ":"))


main()
