//! Organisations by what they are called (Tier B): a legal form or a kind of body behind a name, or in front of one.
//! A firm that is only a name is the name model's work.

use nearside_types::EntityType;

use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const ORGANISATION: Recognizer = Recognizer {
    kind: EntityType::Org,
    edges: Edges::Free,
    score: 60,
    in_context: 60,
    ..Recognizer::BASE
};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "org_with_form",
        pattern: r"\b(?:(?:\p{Lu}[\p{Latin}\d.'’\-]*|&|and|of)\s){0,4}\p{Lu}[\p{Latin}\d.'’\-]*,?\s(?:Inc|Incorporated|LLC|Ltd|Limited|Corp|Corporation|GmbH|AG|PLC|plc|LLP|Holdings|Technologies|Laboratories|University|Institute|College|Hospital|Foundation|Association|Airlines|Airways|Pharmaceuticals|Ventures|Consulting|Associates|Enterprises|Bank|Museum|Ministry|Embassy|Orchestra|Party|Council|Committee)\b\.?",
        trigger: Trigger::Words(&[
            " inc",
            " llc",
            " ltd",
            " limited",
            " corp",
            " gmbh",
            " ag",
            " plc",
            " llp",
            " holdings",
            " technologies",
            " laboratories",
            " university",
            " institute",
            " college",
            " hospital",
            " foundation",
            " association",
            " airlines",
            " airways",
            " pharmaceuticals",
            " ventures",
            " consulting",
            " associates",
            " enterprises",
            " bank",
            " museum",
            " ministry",
            " embassy",
            " orchestra",
            " party",
            " council",
            " committee",
        ]),
        reach: Some((90, 20)),
        check: with_form,
        ..ORGANISATION
    },
    Recognizer {
        name: "org_of",
        pattern: r"\b(?:University|Bank|Ministry|Department|Institute|Academy|College|Museum|Council|Board|Bureau|Embassy)\sof\s(?:the\s)?\p{Lu}[\p{Latin}'’\-]*(?:(?:\s(?:and|of|for|the)){0,2}\s\p{Lu}[\p{Latin}'’\-]*){0,4}",
        trigger: Trigger::Words(&[" of "]),
        reach: Some((16, 100)),
        ..ORGANISATION
    },
    Recognizer {
        name: "org_zh",
        pattern: r"\p{Han}{2,24}?(?:股份有限公司|有限责任公司|有限公司|集团公司|集团|公司|大学|学院|研究院|研究所|医院|银行|出版社|基金会|委员会|理事会|协会|学会|俱乐部|电视台|电台|法院|检察院|公安局|派出所|教育局|税务局|中学|小学|幼儿园|事务所)",
        trigger: Trigger::Words(&[
            "公司",
            "集团",
            "大学",
            "学院",
            "研究",
            "医院",
            "银行",
            "出版社",
            "基金会",
            "委员会",
            "理事会",
            "协会",
            "学会",
            "俱乐部",
            "电视台",
            "电台",
            "法院",
            "检察院",
            "公安局",
            "派出所",
            "教育局",
            "税务局",
            "中学",
            "小学",
            "幼儿园",
            "事务所",
        ]),
        reach: Some((76, 24)),
        check: chinese,
        ..ORGANISATION
    },
];

/// "The University" and "Our Bank" name nobody.
fn with_form(c: &Candidate<'_>) -> Verdict {
    const OPEN: &[&str] = &[
        "The", "Our", "Your", "My", "A", "An", "This", "That", "Each", "Every", "His", "Her",
        "Their", "At", "In", "From", "For", "To", "Of", "And", "By", "With", "Dear", "Please",
        "If", "When", "As", "But", "New", "Local", "Central", "About", "I",
    ];
    let text = c.text();
    let mut start = 0;
    for word in text.split(' ') {
        if OPEN.contains(&word) || matches!(word, "of" | "and" | "&") {
            start += word.len() + 1;
        } else {
            break;
        }
    }
    let rest = text.get(start..).unwrap_or("");
    if rest.split_whitespace().count() < 2 {
        return Verdict::No;
    }
    Verdict::Part {
        range: c.range.start + start..c.range.end,
        sure: false,
        why: "a name and the form of a body",
    }
}

fn chinese(c: &Candidate<'_>) -> Verdict {
    const LEADS: &[char] = &[
        '在', '是', '于', '到', '从', '由', '和', '与', '及', '的', '为', '任', '被', '对', '向',
        '给', '去', '自', '入', '该', '本', '这', '那', '某', '各', '我', '你', '他', '她', '们',
        '家', '所', '了', '把', '让', '请', '问', '有', '至', '原', '前', '现', '等', '名', '个',
    ];
    const KINDS: &[&str] = &[
        "上市",
        "科技",
        "民营",
        "保险",
        "互联网",
        "外贸",
        "投资",
        "商业",
        "人民",
        "中心",
        "附属",
        "综合",
        "三甲",
        "大型",
        "私立",
        "公立",
        "重点",
        "国有",
        "跨国",
        "分",
        "子",
        "母",
        "总",
        "物业",
        "快递",
        "房地产",
        "律师",
        "会计师",
        "专科",
        "儿童",
        "高级",
        "初级",
        "当地",
        "开户",
        "知名",
        "著名",
        "一流",
        "贵",
        "全",
        "其他",
        "另一",
    ];
    let text = c.text();
    let forms = [
        "股份", "有限", "集团", "公司", "大学", "学院", "研究", "医院", "银行", "出版", "基金",
        "委员", "理事", "协会", "学会", "俱乐", "电视", "电台", "法院", "检察", "公安", "派出",
        "教育", "税务", "中学", "小学", "幼儿", "事务",
    ];
    let Some(form) = forms.iter().filter_map(|f| text.rfind(f)).min().filter(|at| *at > 0) else {
        return Verdict::No;
    };
    let form =
        forms.iter().filter_map(|f| text.find(f)).filter(|at| *at >= 6).min().unwrap_or(form);
    let lead = text[..form]
        .char_indices()
        .filter(|(at, ch)| LEADS.contains(ch) && form - at > ch.len_utf8())
        .map(|(at, ch)| at + ch.len_utf8())
        .max()
        .unwrap_or(0);
    let name = &text[lead..form];
    let before = c.before().chars().next_back();
    let led = text[..lead].chars().next_back().or(before);
    let vague = led.is_some_and(|ch| "该本这那某各我你他她们家所".contains(ch));
    if name.chars().count() < 2 || vague || KINDS.contains(&name) {
        return Verdict::No;
    }
    Verdict::Part {
        range: c.range.start + lead..c.range.end,
        sure: false,
        why: "a name and the kind of body",
    }
}
