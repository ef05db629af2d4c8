//! Cheap signs of how hard a request is, read from its text: no model, microseconds, nothing kept but numbers.

use serde::{Deserialize, Serialize};

/// Signs of difficulty. All are counts or yes/no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Features {
    /// Words; a Chinese character counts as half a word.
    pub words: u32,
    /// Sentences that ask or order something.
    pub demands: u32,
    pub code: bool,
    pub mathematics: bool,
    /// Asks for reasons, proofs, comparisons, plans, several steps.
    pub reasoning: bool,
    /// A greeting, thanks, or a few words.
    pub small_talk: bool,
}

const REASONING: &[&str] = &[
    "why",
    "prove",
    "derive",
    "step by step",
    "compare",
    "trade-off",
    "tradeoff",
    "analyse",
    "analyze",
    "plan",
    "design",
    "strategy",
    "evaluate",
    "critique",
    "implications",
    "optimise",
    "optimize",
    "debug",
    "refactor",
    "为什么",
    "证明",
    "推导",
    "一步一步",
    "逐步",
    "比较",
    "对比",
    "分析",
    "规划",
    "方案",
    "设计",
    "评估",
    "优化",
    "论证",
    "权衡",
];
const CODE: &[&str] = &[
    "```",
    "fn ",
    "def ",
    "class ",
    "#include",
    "select ",
    "function ",
    "stack trace",
    "traceback",
    "segfault",
    "regex",
    "compile",
    "代码",
    "编程",
    "脚本",
    "报错",
    "函数",
];
const MATHEMATICS: &[&str] = &[
    "integral",
    "equation",
    "theorem",
    "probability",
    "calculate",
    "solve",
    "how many",
    "how much",
    "percent",
    "\\frac",
    "\\sum",
    "积分",
    "方程",
    "定理",
    "概率",
    "计算",
    "求解",
    "多少",
];
const SMALL_TALK: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "thanks",
    "thank you",
    "good morning",
    "你好",
    "您好",
    "谢谢",
    "早上好",
    "晚安",
    "在吗",
];

impl Features {
    /// Reads the signs; only the first 20,000 characters count.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let end = text.char_indices().nth(20_000).map_or(text.len(), |(i, _)| i);
        let text = text[..end].to_lowercase();
        let has = |list: &[&str]| list.iter().any(|sign| text.contains(sign));
        let han = text.chars().filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}')).count();
        let latin = text
            .split_whitespace()
            .filter(|w| {
                w.chars().any(|c| c.is_alphanumeric() && !matches!(c, '\u{4e00}'..='\u{9fff}'))
            })
            .count();
        let words = u32::try_from(latin + han / 2).unwrap_or(u32::MAX);
        let demands = text.chars().filter(|c| matches!(c, '?' | '？' | ';' | '；')).count()
            + text.lines().filter(|l| l.trim_start().starts_with(['-', '*', '•'])).count();
        let plain = text.trim().trim_end_matches(['!', '.', '?', '！', '。', '？', '~']);
        Self {
            words,
            demands: u32::try_from(demands).unwrap_or(u32::MAX),
            code: has(CODE),
            mathematics: has(MATHEMATICS),
            reasoning: has(REASONING),
            small_talk: words <= 6
                && SMALL_TALK.iter().any(|s| plain == *s || plain.starts_with(&format!("{s} "))),
        }
    }
}
