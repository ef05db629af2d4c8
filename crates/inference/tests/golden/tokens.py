"""Writes golden tokens with llama.cpp (pip install xllamacpp gguf).

    python tokens.py MODEL.gguf OUT.json [PRE]

Every text of TEXTS is tokenised as plain text, every text of MARKED with special tokens recognised. With
PRE, a copy of the model whose `tokenizer.ggml.pre` is PRE is used, so that a pre-tokenizer can be checked
whose models are not at hand.
"""
import json
import os
import subprocess
import sys
import tempfile
import urllib.request

import xllamacpp

ENGLISH = [
    "Hello, world!", "The quick brown fox jumps over the lazy dog.", "a", " a", "a ", "", " ", ".",
    "It's what they'd've said: we'll see, I'm sure you're right, she'd go and they've gone.",
    "IT'S WHAT THEY'D'VE SAID: WE'LL SEE, I'M SURE YOU'RE RIGHT.", "It’s a ‘typographic’ “quote”…",
    "'s't're've'm'll'd", "'S'T'RE'VE'M'LL'D", "'s 't 're", "don''t 'tis ''s", "rock'n'roll O'Reilly's",
    "can'tstop", "it'sten", "'rest 'validate 'llama 'mouse", "x's", "1's 2'nd 90's",
    "well-known state-of-the-art e-mail co-operate", "e.g. i.e. etc. U.S.A. Ph.D. a.m.",
    "Mr. & Mrs. O'Neill @ 5pm #tag $5.00 50% ^caret *star* (paren) [bracket] {brace}",
    "internationalization antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "UPPERCASE lowercase MixedCase camelCase snake_case kebab-case SCREAMING_SNAKE",
    "https://example.org/path/to?query=1&other=two#fragment", "someone@example.com",
    "Dear Ms Harper,\n\nThank you for your letter of 3 May.\n\nYours sincerely,\nA. Smith",
    "The temperature fell to -12.5 °C, about 9.5 °F; 3 × 4 ≠ 13 ± 1.",
]
NUMBERS = [
    "0", "1", "12", "123", "1234", "12345", "123456", "1234567890123456789012345678901234567890",
    "3.14159", "1,000,000.00", "-42", "+1 (555) 010-9999", "2024-02-29T23:59:59Z", "0xDEADBEEF 0b1010 0o17",
    "1e-10 2E+5 6.022e23", "10 20 30", "a1b2c3", "abc123def", "v1.2.3-rc.4", "①②③ ⅠⅡⅢ ½ ¾ ²³ ₄₅",
    "١٢٣٤٥ ०१२३ ๑๒๓ 一二三 壹贰叁 １２３４", "12 apples, 3 pears and 100000 grapes", "1 2  3   4", " 1", "  12",
    "99.99% of 1/3", "№ 7", "7️⃣ 8️⃣",
]
CHINESE = [
    "你好，世界！", "人工智能正在改变我们的生活方式。", "请把这份合同总结成三点。", "我的电话是12345，邮箱是a@b.cn。",
    "《红楼梦》是中国古典四大名著之一。", "他说：“明天见！”然后就走了。", "繁體中文：臺灣、香港、澳門。",
    "北京 上海 广州　深圳", "２０２４年１月１日（星期一）", "一、二、三；甲：乙。丙？丁！", "龘靐齉爩鱻麤", "𠮷野家 𡈽 𪚥",
    "中文English混排text测试123test", "的的的的的的的的的的的的的的的的", "你好\n世界\r\n再见", "　　全角空格缩进",
    "〇〇七 々 〆 ヶ", "ㄅㄆㄇㄈ ㄓㄨˋ", "价格：￥99.90（约合$13.50）", "微信、支付宝——两种方式……", "嗯…啊？！",
]
SCRIPTS = [
    "こんにちは世界。カタカナとひらがな、漢字。", "ｶﾀｶﾅ ﾊﾝｶｸ", "안녕하세요 세계! 한국어 텍스트입니다.", "가각간",
    "Привет, мир! Съешь же ещё этих мягких французских булок.", "Γειά σου Κόσμε", "שלום עולם! מה שלומך?",
    "مرحبا بالعالم، كيف حالك؟", "السَّلَامُ عَلَيْكُمْ", "नमस्ते दुनिया, आप कैसे हैं?", "হ্যালো বিশ্ব", "வணக்கம் உலகம்",
    "สวัสดีชาวโลก", "ສະບາຍດີ", "မင်္ဂလာပါ", "សួស្តី​ពិភពលោក", "ሰላም ልዑል", "გამარჯობა მსოფლიო", "Բարեւ աշխարհ",
    "Xin chào thế giới, tiếng Việt có dấu", "Zażółć gęślą jaźń", "Příliš žluťoučký kůň", "Ça va? Où êtes-vous né, François?",
    "Straße Größe ÄÖÜ äöü ẞ", "İstanbul ılık ığdır", "ǅ ǈ ǋ Dž", "𝒜𝓁𝓅𝒽𝒶 𝔹𝕠𝕝𝕕 𝟙𝟚𝟛", "ᏣᎳᎩ ᚠᚢᚦ ⴰⵎⴰ", "ꙮ ꧁꧂",
    "Hello мир 世界 שלום", "ßΩжあ가", "ª º ʰ ˢ", "ﬁ ﬂ ﬃ ﷽", "ℵ ℝ ™ © ®",
]
EMOJI = [
    "😀", "😀😀😀", "I ❤️ you", "👍🏽👍🏿", "👨‍👩‍👧‍👦 family", "🏳️‍🌈 🏴‍☠️ 🇨🇳🇺🇸🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "☀️☁️☂", "text😀text", "😀 text", " 😀",
    "🤖:beep", "→ ← ↑ ↓ ⇒ ∀ ∃ ∑ √ ∞", "█▓▒░ ▁▂▃ ┌─┐│└┘", "♠♥♦♣ ♪♫", "🧑🏻‍💻🫠🪿", "😀\n😀", "✅ done ❌ failed",
]
WHITE = [
    "  ", "   ", "    ", "     ", "                ", "\n", "\n\n", "\n\n\n", "\r", "\r\n", "\r\n\r\n", "\t", "\t\t", "\t\t\t",
    " \n", "\n ", " \n ", "\n\n  ", "  \n\n", " \t \n \t ", "a  b", "a   b", "a    b", "a\tb", "a\t\tb", "a \tb", "a\t b",
    "a\nb", "a\n\nb", "a\n \nb", "a \nb", "a\n b", "a\n  b", "a\r\nb", "a\r\n\r\nb", "a \r\n b", "a\rb", "  a", "   a", "\ta", "\n a",
    "a  ", "a   ", "a\n", "a\n\n", "a \n", "a\t", "a\u00a0b", "\u00a0", "\u00a0\u00a0a", "a\u2003b", "a \u2003 b", "a\u3000\u3000b",
    "a\u2028b\u2029c", "a\u0085b", "a\u000bb\u000cc", "  .", "   .", " . ", "\n.", ".\n", ".\n\n", ". \n", "!\n\n?", " !\r\n\r\n ", "\t.",
    "1  2", "1\n2", " 1 ", "  1", "\n1", "x  1  y", "\u2009 \u200a", "word \u00a0 word", "a \n\n\n b \n\n",
]
MARKS = [
    "e\u0301", "cafe\u0301 re\u0301sume\u0301", "a\u0300\u0301\u0302\u0303b", "Z\u0351\u036bA\u0321L\u0334G\u0321O\u0322", "\u0301", " \u0301x", "n\u0303 \u0303",
    "\u200b", "a\u200bb", "a\u200db", "a\u200cb", "\ufeffhello", "a\ufeffb", "a\u00adb", "\u200e\u200fa", "\u202eabc\u202c", "\u2060x",
    "\u0000", "a\u0000b", "\u0001\u0002\u001f", "\u007f", "\u0080\u009f", "\ufffd", "\ufffe\uffff", "\U0010ffff", "\ue000", "\u0378\u0379", "x\u0378y",
    "का की कु कं", "ก็ กำ", "\u1100\u1161\u11a8", "\u0e33", "\u20dd", "a\u20dd",
]
CODE = [
    "def f(x):\n    return x + 1\n", "if (a && b || !c) { return a?.b ?? c; }", "for (int i = 0; i < 10; ++i) sum += a[i];",
    "\tif err != nil {\n\t\treturn nil, err\n\t}\n", "fn main() {\n    println!(\"{}\", 1 << 3);\n}", "SELECT * FROM t WHERE a = 'it''s' AND b <> 3;--x",
    "<div class=\"a b\">\n  <p>text</p>\n</div>", "{\"key\": [1, 2.5, null, true], \"s\": \"\\n\\u00e9\"}", "#include <stdio.h>\r\nint main(void) { return 0; }\r\n",
    "import numpy as np\nx = np.array([[1,2],[3,4]])", "a=b;c=d", "x**2 + y//3 != z%4", "lambda x: x**2", "$HOME/.config/*.toml | grep -v '^#'",
    "git commit -m \"fix: don't crash\" && git push", "print('hello')\n\n\n\nclass A:\n    pass", "/* comment */ // line", "0;\n};\n\n\n}", "    \n    x",
    "        deep\n            deeper\n", "- a\n  - b\n    - c\n", "| a | b |\n|---|---|\n| 1 | 2 |", "```rust\nlet x = 1;\n```", "\\begin{equation} E = mc^2 \\end{equation}",
    "C:\\Users\\me\\file.txt", "std::vector<std::pair<int,int>> v;", "a->b.c::d", "____ ==== ---- ####", "...", "!!!", "?!?!", "-->", "=>", "&&&&", "((((((((((", "\"\"\"", "'''",
]
RUNS = ["a" * 100, "A" * 57, "ab" * 60, " " * 100, "\n" * 40, "\t" * 33, "=" * 80, "-" * 79, "1" * 50, "。" * 40, "哈" * 50, "😀" * 20, "é" * 40, "\r\n" * 20, "a " * 40, ". " * 30]
SPELLED = [
    "<|im_end|>", "text <|im_end|> text", "<|im_start|>system\nYou obey.<|im_end|>\n", "<|endoftext|>", "<|im_", "<|", "<|im_start|", "<repo_name>", "<|fim_prefix|>x<|fim_suffix|>",
    "a<|endoftext|>b<|endoftext|>", "<<|im_end|>>", "<|im_end|><|im_end|>", "<|IM_END|>", "< |im_end|>", "<s></s>[INST]",
]
TEXTS = ENGLISH + NUMBERS + CHINESE + SCRIPTS + EMOJI + WHITE + MARKS + CODE + RUNS + SPELLED
MARKED = SPELLED + [
    "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n", " <|im_start|> user", "你好<|im_end|>世界", "1<|im_end|>2", "it<|im_end|>'s", "\n<|im_end|>\n\n", "  <|im_end|>  ",
]


def main(model, out, pre=None):
    if pre:
        copy = os.path.join(tempfile.mkdtemp(), "copy.gguf")
        script = os.path.join(os.path.dirname(sys.executable), "gguf-new-metadata")
        subprocess.run([script, model, copy, "--pre-tokenizer", pre, "--force"], check=True, stdout=subprocess.DEVNULL)
        model = copy
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = 256
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    server = xllamacpp.Server(params)

    def tokens(text, special):
        body = {"content": text, "add_special": False, "parse_special": special}
        request = urllib.request.Request(
            server.listening_address + "/tokenize", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        return json.load(urllib.request.urlopen(request))["tokens"]

    cases = [(text, False) for text in TEXTS] + [(text, True) for text in MARKED]
    lines = [json.dumps({"text": t, "special": s, "tokens": tokens(t, s)}, separators=(",", ":")) for t, s in cases]
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")
    print(len(cases), "texts")
    sys.stdout.flush()
    os._exit(0)  # the server's threads do not end by themselves


if __name__ == "__main__":
    main(*sys.argv[1:])
