// Invented conversations, models and files for development in a plain browser and for tests. No real data.
import type {
  Adapter, Conversation, Decision, Footer, IndexedFile, LedgerItem, Message, ModelInfo, Route, Settings,
} from "../bindings";

export type Words = typeof EN;

const EN = {
  lease: "Lease renewal, three offers",
  site: "Minutes, site visit",
  warranty: "Where did we store the warranty?",
  regex: "Regex for invoice numbers",
  audit: "Summary of the 2025 audit",
  ask: "Which of the three is cheapest over five years, and what can we not cancel?",
  answer:
    "Offer A is cheapest over five years at 412,800, mostly because its service charge is capped at 3% a year.[1] Offer C starts lower but rises with the index from year two.[2]\n\n- **A**: no break clause before month 36.[3]\n- **B**: the parking lease is separate and cannot be cancelled.[4]\n\n| Offer | Year 1 | Five years |\n| :-- | --: | --: |\n| A | 79,200 | 412,800 |\n| B | 81,000 | 431,550 |\n| C | 74,400 | 428,100 |\n",
  ask2: "Draft a reply to Ms Chen at Harbour Estates asking for a break at month 24.",
  answer2:
    "Dear Ms Chen,\n\nThank you for the revised terms of 14 May. Before we sign, we would ask for a tenant break at month 24, on six months' notice. In return we could accept the indexed rent from year three.\n\nKind regards",
  code: "Here is a pattern for numbers such as `INV-2025-0042`:\n\n```python\nimport re\n\nINVOICE = re.compile(r\"\\bINV-(\\d{4})-(\\d{4,6})\\b\")\n\n# Year and number of each invoice in the text\ndef invoices(text: str) -> list[tuple[int, int]]:\n    return [(int(y), int(n)) for y, n in INVOICE.findall(text)]\n```\n\nIt costs $59 to $100 a month elsewhere; the chance of a clash among $n$ draws is\n\n$$p \\approx 1 - e^{-n^2 / 2N}$$\n",
  streamed:
    "I read the document on this PC. In short:\n\n1. The tenant may end the lease at month 36, on six months' notice.[1]\n2. The service charge is capped at **3% a year**.[2]\n3. Repairs above 5,000 are the landlord's.\n\n> Nothing in the file mentions month 24.\n\nShall I draft a request for an earlier break?",
  quote: "The service charge shall not rise by more than three per cent in any year.",
  language: "en",
  said: [
    "Good morning, and thank you for coming to the site.",
    "Let us begin with the roof: two of the panels leak, and the repair is planned for May.",
    "Who pays for the scaffolding?",
    "The landlord does, as long as it stays below five thousand.",
    "Then please put that into the minutes.",
  ],
};

const ZH: Words = {
  lease: "续租，三份报价",
  site: "现场考察纪要",
  warranty: "保修单放在哪里？",
  regex: "发票号码的正则",
  audit: "2025 年审计摘要",
  ask: "三份里哪份五年总价最低？哪些条款不能解约？",
  answer:
    "五年总价最低的是报价 A，共 412,800 元，主要因为物业费每年涨幅不超过 3%。[1] 报价 C 起价更低，但从第二年起随指数上涨。[2]\n\n- **A**：第 36 个月前没有解约条款。[3]\n- **B**：车位另签合同，不能取消。[4]\n\n| 报价 | 第一年 | 五年合计 |\n| :-- | --: | --: |\n| A | 79,200 | 412,800 |\n| B | 81,000 | 431,550 |\n| C | 74,400 | 428,100 |\n",
  ask2: "给海港置业的陈女士写封回信，要求第 24 个月可以解约。",
  answer2:
    "陈女士您好：\n\n感谢您 5 月 14 日发来的修订条款。签约之前，我们希望增加第 24 个月的租户解约权，提前六个月通知。作为交换，我们可以接受从第三年起按指数调整租金。\n\n此致敬礼",
  code: "可以用下面的正则匹配 `INV-2025-0042` 这样的编号：\n\n```python\nimport re\n\nINVOICE = re.compile(r\"\\bINV-(\\d{4})-(\\d{4,6})\\b\")\n```\n\n别处每月要 $59 到 $100；$n$ 次抽取发生冲突的概率为\n\n$$p \\approx 1 - e^{-n^2 / 2N}$$\n",
  streamed:
    "我在本机读完了这份文件。要点如下：\n\n1. 租户可在第 36 个月解约，需提前六个月通知。[1]\n2. 物业费每年涨幅**不超过 3%**。[2]\n3. 超过 5,000 元的维修由房东承担。\n\n> 文件里没有提到第 24 个月。\n\n要我起草一份提前解约的请求吗？",
  quote: "物业费每年涨幅不得超过百分之三。",
  language: "zh",
  said: [
    "大家早上好，感谢各位来现场。",
    "先看屋顶：有两块板漏水，计划五月维修。",
    "脚手架的费用由谁承担？",
    "只要不超过五千元，由房东承担。",
    "那请写进会议纪要。",
  ],
};

export const wordsFor = (locale: string): Words => (locale.startsWith("zh") ? ZH : EN);

export const SETTINGS: Settings = {
  language: "system", theme: "system", zoom: 100, font_size: 14, local_only: false, default_route: "auto",
  chat_model: "qwen2.5-0.5b", device: "auto", privacy: "balanced", actions: {},
  provider: {
    name: "cloud", base_url: "https://api.example.com/v1", model: "large-1", context_length: 65536,
    price_in: null, price_out: null, currency: null, has_key: true,
  },
  proxy: "", hub_endpoint: "", global_shortcut: "CommandOrControl+Shift+Space", autostart: false,
  close_to_tray: true, notifications: true, welcome_done: true, max_tokens: 1024, temperature_milli: 700,
  voice: { microphone: null, language: "auto", chinese: "simplified", vocabulary: [], shortcut: "CommandOrControl+Alt+Space" },
};

export function decision(route: Route): Decision {
  const local = route === "local";
  return {
    chosen: route,
    score: local ? 0.21 : 0.84,
    reasons: [local ? { code: "local_suffices", score: 0.21, threshold: 0.5, text: "" } : { code: "user_chose_cloud", text: "" }],
    discarded: [
      { route: "joint", reason: { code: "not_divisible", text: "" } },
      local
        ? { route: "cloud", reason: { code: "local_suffices", score: 0.21, threshold: 0.5, text: "" } }
        : { route: "local", reason: { code: "user_chose_cloud", text: "" } },
    ],
  };
}

export function footer(route: Route, change: Partial<Footer> = {}): Footer {
  return {
    model: route === "local" ? "qwen2.5-0.5b" : "large-1",
    device: route === "local" ? "cpu" : "api.example.com",
    route: decision(route),
    tokens: { prompt: 3120, reused: 2048, generated: 187 },
    timings: { load_ms: 0, prefill_ms: 2100, first_token_ms: 2240, decode_tokens_per_s: 34.2 },
    citations: [], coverage: null, files: [], outbound: null, cost: null, notices: [],
    ...change,
  };
}

const HOUR = 3_600_000;

export function message(change: Partial<Message> & Pick<Message, "id" | "role" | "content">): Message {
  return { parent: null, branches: [change.id], files: [], state: "complete", created_ms: Date.now() - HOUR, footer: null, ...change };
}

export function conversations(words: Words): Conversation[] {
  const now = Date.now();
  const summary = (id: string, title: string, ago: number, route: Route, pinned = false) => ({
    id, title, pinned, updated_ms: now - ago, route, snippet: null,
  });
  const cite = (file: string, page: number) => ({ file, page, section: null, quote: words.quote });
  const outbound = {
    destination: "api.example.com", bytes: 412, sha256: "9c1f".padEnd(60, "4b7e20d8a6135cf9") + "d3a1",
    entities: [{ type: "PERSON" as const, count: 1 }, { type: "ORG" as const, count: 1 }],
  };
  return [
    {
      summary: summary("c1", words.lease, 0.2 * HOUR, "joint", true),
      messages: [
        message({ id: "m1", role: "user", content: words.ask, files: ["/home/you/offer-a.pdf", "/home/you/扫描件 B.pdf"] }),
        message({
          id: "m2", parent: "m1", role: "assistant", content: words.answer,
          footer: footer("local", {
            citations: [cite("offer-a.pdf", 3), cite("offer-c.pdf", 2), cite("offer-a.pdf", 9), cite("扫描件 B.pdf", 5)],
            coverage: { pages_read: 31, pages_total: 36, tokens_read: 18230 },
            files: [
              { file: "offer-a.pdf", status: "ok", pages: 12, warnings: [] },
              { file: "扫描件 B.pdf", status: "partial", pages: 12, warnings: [] },
            ],
          }),
        }),
        message({ id: "m3", parent: "m2", role: "user", content: words.ask2 }),
        message({
          id: "m4", parent: "m3", role: "assistant", content: words.answer2,
          footer: footer("joint", { outbound, cost: { currency: "USD", amount: 0.0021 } }),
        }),
      ],
      tokens: 3120,
    },
    { summary: summary("c2", words.site, 3 * HOUR, "local"), messages: [], tokens: 0 },
    { summary: summary("c3", words.warranty, 26 * HOUR, "local"), messages: [], tokens: 0 },
    {
      summary: summary("c4", words.regex, 75 * HOUR, "cloud"),
      messages: [
        message({ id: "m5", role: "user", content: words.regex }),
        message({ id: "m6", parent: "m5", role: "assistant", content: words.code, state: "truncated", footer: footer("cloud", { outbound }) }),
      ],
      tokens: 410,
    },
    { summary: summary("c5", words.audit, 120 * HOUR, "local"), messages: [], tokens: 0 },
  ];
}

function model(change: Partial<ModelInfo> & Pick<ModelInfo, "name" | "title" | "purpose" | "size">): ModelInfo {
  return {
    version: "1", previous: null, sha256: "74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
    licence: "Apache-2.0", state: "available", source: "hub", done: 0, languages: [], fit: "good",
    recommended: false, path: null, ...change,
  };
}

export function models(): ModelInfo[] {
  return [
    model({ name: "qwen2.5-0.5b", title: "Qwen2.5 0.5B", purpose: "chat", size: 491_400_032, state: "installed", recommended: true, languages: ["en", "zh"], previous: "2024-09", version: "2024-11", path: "/home/you/.cache/nearside/models/qwen.gguf" }),
    model({ name: "smollm2-135m", title: "SmolLM2 135M", purpose: "chat", size: 144_811_872, state: "installed", languages: ["en"], path: "/home/you/.cache/nearside/models/smollm2.gguf" }),
    model({ name: "qwen2.5-1.5b", title: "Qwen2.5 1.5B", purpose: "chat", size: 1_117_320_736, state: "partial", done: 402_653_184, languages: ["en", "zh"], fit: "tight" }),
    model({ name: "qwen3-30b", title: "Qwen3 30B A3B", purpose: "chat", size: 18_556_686_912, languages: ["en", "zh"], fit: "too_big" }),
    model({ name: "e5-small", title: "Multilingual E5 small", purpose: "embedding", size: 235_512_000, state: "broken", licence: "MIT", path: "/home/you/.cache/nearside/models/e5" }),
    model({ name: "whisper-base", title: "Whisper base", purpose: "speech", size: 147_951_465, licence: "MIT", languages: ["en", "zh"] }),
    model({ name: "silero-vad", title: "Silero voice activity", purpose: "voice_activity", size: 885_098, licence: "MIT", languages: ["multilingual"] }),
  ];
}

export const DEVICES: Adapter[] = [
  { name: "Intel Xeon, 2 cores", kind: "cpu", backend: "flex", memory: 25_000_000_000, features: ["avx512vnni", "amx"], chosen: true, why: { code: "no_gpu_built", text: "" } },
  { name: "llvmpipe", kind: "software_gpu", backend: "vulkan", memory: null, features: [], chosen: false, why: { code: "rasteriser", text: "" } },
];

export function library(): IndexedFile[] {
  const file = (path: string, change: Partial<IndexedFile> = {}): IndexedFile => ({
    path, status: "ok", pages: 12, chunks: 48, bytes: 812_000, warnings: [], ...change,
  });
  return [
    file("/home/you/Contracts/offer-a.pdf"),
    file("/home/you/Contracts/扫描件 B.pdf", { status: "needs_ocr", pages: 12, chunks: 0, bytes: 5_400_000 }),
    file("/home/you/Contracts/lease-2021.docx", { pages: 31, chunks: 120, bytes: 96_400 }),
    file("/home/you/Contracts/payroll.xlsx", { status: "encrypted", pages: 0, chunks: 0 }),
    file("/home/you/Notes/site-visit.md", { pages: 4, chunks: 9, bytes: 8_100 }),
  ];
}

export function ledger(): LedgerItem[] {
  const item = (sequence: number, change: Partial<LedgerItem>): LedgerItem => ({
    sequence, time: new Date(Date.now() - (9 - sequence) * 7 * HOUR).toISOString(), kind: "request",
    destination: "api.example.com", bytes: 412, sha256: `${sequence}c1f4b7e20d8a613`.padEnd(64, "5cf94b7e20d8a613"),
    entities: [], outcome: "sent", ...change,
  });
  return [
    item(1, { kind: "housekeeping", destination: "hub", bytes: 491_400_032 }),
    item(2, { bytes: 1204, entities: [{ type: "PERSON", count: 2 }, { type: "PHONE", count: 1 }] }),
    item(3, { entities: [{ type: "PERSON", count: 1 }, { type: "ORG", count: 1 }] }),
    item(4, { outcome: "refused", bytes: 980, entities: [{ type: "SECRET", count: 1 }] }),
    item(5, { bytes: 2210, entities: [{ type: "NATIONAL_ID", count: 1 }, { type: "ADDRESS", count: 1 }, { type: "EMAIL", count: 2 }] }),
  ];
}
