"""Writes golden values of a GGUF model with llama.cpp (pip install xllamacpp gguf), teacher-forced.

    python make.py MODEL.gguf OUT.json

For 20 fixed texts (English, Chinese, code): the first 48 tokens as llama.cpp reads them; after every
prefix the two likeliest next tokens with their logprobs; after all 48 the ten likeliest.

Twice: "quantised" from the file as it is, and "exact" from the same weights decoded to F32. llama.cpp
rounds activations to 8 bits for quantised weights but not for F32 ones. That rounding is chaotic: a sum
that is taken in another order flips a code, and the logprobs of a small model move by tenths, in llama.cpp
itself too (with and without flash attention, by instruction set). Only the exact values can be held to
hundredths.
"""
import json
import os
import sys
import tempfile
import urllib.request

import gguf
import xllamacpp

TEXTS = [
    "The lighthouse keeper climbed the stairs every evening before sunset, carrying a small can of oil and a cloth. He had done so for thirty years, and he knew which of the steps would creak and which would hold in silence. On clear nights he could see the lamps of the fishing boats far out.",
    "Photosynthesis is the process by which green plants turn sunlight, water and carbon dioxide into sugar and oxygen. It takes place in the chloroplasts, which contain a green pigment called chlorophyll that absorbs light. Most of this happens in the leaves, whose pores let the gases in and out.",
    "Dear Ms Harper, thank you for your letter of 3 May. We have looked into the delay of your order and found that the parcel was held at the depot because the address label had come off during the journey. We are sorry for this and have sent it on by express.",
    "Question: A train leaves the station at 9:15 and arrives at 11:40. How long does the journey take? Answer: From 9:15 to 11:15 there are two hours, and from 11:15 to 11:40 there are 25 minutes, so the journey takes",
    "The treaty was signed in the autumn of that year. Its first article fixed the border along the river, its second returned the prisoners of both sides, and its third, which was kept secret, divided the income of the port between the two crowns for ninety years.",
    "To bake the bread, mix flour, water, salt and yeast in a large bowl. Knead the dough for ten minutes until it is smooth, cover it with a damp towel and let it rise for an hour in a warm place before shaping. Bake it at 220 degrees until the crust is brown.",
    "In statistics, the median is the value that separates the higher half of a data set from the lower half. Unlike the mean, it is not much affected by a few very large or very small values, which makes it useful for incomes, house prices and waiting times.",
    "\"I do not think we should go in there,\" said Tom, looking at the broken door. His sister had already taken the lamp from the hook and was holding it up. Somewhere below them, water was dripping slowly onto stone, and a smell of wet earth came up.",
    "人工智能正在改变我们的生活方式。从手机上的语音助手到医院里的影像诊断，越来越多的工作可以由机器来协助完成。不过，专家们也提醒大家，在享受便利的同时，应当重视个人隐私和数据安全的问题，不要随意上传身份证和银行卡的照片。",
    "春天来了，公园里的花都开了。小明和爷爷一起去散步，看见湖面上有几只野鸭在游水。爷爷说，他小的时候，这里还是一片稻田，夏天的晚上可以听见青蛙的叫声，一直到天亮。那时候没有电灯，大家坐在门口乘凉，听老人讲过去的故事。",
    "会议纪要：一、上季度销售额比去年同期增长百分之十二，主要来自华东地区。二、新产品的测试推迟两周，由张工负责协调。三、下次会议定于十月八日下午三点，在二楼会议室举行，请各部门准时参加，并提前准备书面材料。",
    "水在标准大气压下的沸点是一百摄氏度，冰点是零摄氏度。当海拔升高时，气压降低，水的沸点也会随之降低，所以在高原地区煮饭需要使用高压锅，否则米饭不容易煮熟。同样的道理，飞机上的热水也比地面上的凉一些，泡出来的茶味道就淡。",
    "请将下面的句子翻译成英文：这家书店虽然不大，但是里面有很多旧书，老板对每一本书的来历都很清楚。翻译：Although this bookstore is not large, it holds many old books, and the owner knows the story of every one",
    "合同双方经友好协商，就房屋租赁事宜达成如下协议：甲方将位于本市的一套两居室住宅出租给乙方使用，租期为一年，月租金为人民币四千五百元，押金为两个月租金，于签约当日一次付清，水电燃气费用由乙方自行承担。",
    "def binary_search(items, target):\n    low, high = 0, len(items) - 1\n    while low <= high:\n        middle = (low + high) // 2\n        if items[middle] == target:\n            return middle\n        if items[middle] < target:\n            low = middle + 1\n        else:\n            high = middle - 1\n    return -1\n",
    "fn fibonacci(n: u32) -> u64 {\n    let (mut a, mut b) = (0, 1);\n    for _ in 0..n {\n        (a, b) = (b, a + b);\n    }\n    a\n}\n\nfn main() {\n    for i in 0..10 {\n        println!(\"{}\", fibonacci(i));\n    }\n}\n",
    "SELECT customer.name, COUNT(*) AS orders, SUM(item.price * item.quantity) AS total\nFROM customer\nJOIN purchase ON purchase.customer_id = customer.id\nJOIN item ON item.purchase_id = purchase.id\nWHERE purchase.created_at >= '2024-01-01'\nGROUP BY customer.name\nORDER BY total DESC\nLIMIT 10;\n",
    "#include <stdio.h>\n\nint main(void) {\n    int sum = 0;\n    for (int i = 1; i <= 100; i++) {\n        if (i % 3 == 0 || i % 5 == 0) {\n            sum += i;\n        }\n    }\n    printf(\"%d\\n\", sum);\n    return 0;\n}\n",
    "import { readFile } from 'node:fs/promises';\n\nexport async function loadConfig(path) {\n  const text = await readFile(path, 'utf8');\n  const config = JSON.parse(text);\n  if (!config.version) {\n    throw new Error('The config has no version');\n  }\n  return config;\n}\n",
    "<!doctype html>\n<html lang=\"en\">\n  <head>\n    <meta charset=\"utf-8\">\n    <title>Opening hours</title>\n  </head>\n  <body>\n    <h1>Opening hours</h1>\n    <ul>\n      <li>Monday to Friday: 9 to 18</li>\n      <li>Saturday: 10 to 14</li>\n    </ul>\n  </body>\n</html>\n",
]
LENGTH = 48


def decode(model, out):
    """The same model with every tensor in F32."""
    reader = gguf.GGUFReader(model)
    writer = gguf.GGUFWriter(out, reader.fields["general.architecture"].contents())
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        kind = field.types[0]
        element = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=element)
    for tensor in reader.tensors:
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        writer.add_tensor(tensor.name, values.astype("<f4"))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def measure(model):
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = 512
    params.n_parallel = 1
    params.cpuparams.n_threads = 1  # the same values, and no spinning threads on a busy machine
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    # Flash attention on the CPU adds up in half precision. Without it llama.cpp keeps keys, values, queries
    # and weights of attention in half precision, as we do, and adds up in single precision.
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    server = xllamacpp.Server(params)

    def ask(path, body):
        request = urllib.request.Request(
            server.listening_address + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        return json.load(urllib.request.urlopen(request))

    # What is drawn does not matter, but half a character or an end would be answered without logprobs; the
    # logprobs themselves are those of the logits before any bias.
    plain = ask("/tokenize", {"content": "a", "add_special": False})["tokens"][0]

    def top(tokens, count):
        answer = ask("/completion", {
            "prompt": tokens, "n_predict": 1, "n_probs": count, "temperature": 0.0,
            "cache_prompt": True, "post_sampling_probs": False, "logit_bias": [[plain, 1000.0]],
        })
        likely = answer["completion_probabilities"][0]["top_logprobs"][:count]
        return [[one["id"], round(one["logprob"], 5)] for one in likely]

    prompts = []
    for text in TEXTS:
        tokens = ask("/tokenize", {"content": text, "add_special": False})["tokens"][:LENGTH]
        assert len(tokens) == LENGTH, f"only {len(tokens)} tokens: {text}"
        # A context of one token only is a strange one, but the same for both sides.
        steps = [top(tokens[:count], 2) for count in range(1, LENGTH + 1)]
        prompts.append({"text": text, "tokens": tokens, "top2": steps, "top10": top(tokens, 10)})
        print(len(prompts), flush=True)
    return prompts


def main(model, out):
    quantised = measure(model)
    with tempfile.TemporaryDirectory() as folder:
        decoded = os.path.join(folder, "decoded.gguf")
        decode(model, decoded)
        exact = measure(decoded)
    prompts = [
        {
            "text": one["text"], "tokens": one["tokens"],
            "quantised": {"top2": one["top2"], "top10": one["top10"]},
            "exact": {"top2": two["top2"], "top10": two["top10"]},
        }
        for one, two in zip(quantised, exact, strict=True)
    ]
    head = {"made_by": f"xllamacpp {xllamacpp.__version__}", "length": LENGTH}
    with open(out, "w", encoding="utf-8") as file:
        lines = ",\n".join(json.dumps(prompt, ensure_ascii=False) for prompt in prompts)
        file.write(json.dumps(head)[:-1] + ', "prompts": [\n' + lines + "\n]}\n")


main(*sys.argv[1:])
