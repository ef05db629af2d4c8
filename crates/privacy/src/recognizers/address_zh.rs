//! Chinese addresses down to the room: a road, lane, estate or village with a number of a house, building,
//! unit or room behind it. Cities, districts and roads without a number stay: that is as coarse as what
//! generalising would leave.

use nearside_types::EntityType;

use super::place::{PROVINCES, cities};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const WAYS: &[&str] = &[
    "路", "街", "道", "巷", "弄", "胡同", "里", "园", "城", "苑", "村", "庄", "庭", "府", "湾",
    "座", "大厦", "广场", "小区", "公寓", "花园", "家园", "新村", "寨", "屯", "坊", "镇", "乡",
    "中心", "大楼", "宿舍", "区", "县", "院", "居", "轩", "阁", "郡", "墅", "国际", "线", "桥",
    "社区", "街道", "名都", "广场", "楼", "段", "期", "东", "西", "南", "北", "组", "队",
];
const NAMED: &[&str] = &[
    "地址", "住址", "户籍", "居住", "住", "收货", "寄到", "寄往", "送到", "家住", "位于", "住所",
    "籍贯", "现居", "address", "收件", "门牌",
];

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "cn_address",
        kind: EntityType::Address,
        pattern: r"\p{Han}{2,40}?\s?(?:[0-9A-Za-z一二三四五六七八九十百]{1,6}(?:[\-~之][0-9A-Za-z]{1,5}){0,2}\s?(?:号楼|号院|号|弄|栋|幢|座|单元|层|楼|室|房|户|门|组|支弄|巷|区|#)(?:[\s,]?[0-9A-Za-z一二三四五六七八九十百]{1,6}(?:[\-~之][0-9A-Za-z]{1,5}){0,2}\s?(?:号楼|号院|号|弄|栋|幢|座|单元|层|楼|室|房|户|门|组|支弄|巷|#)){0,6})(?:[\p{Han}]{2,10}(?:大厦|小区|花园|公寓|广场|苑|园|中心)(?:[0-9A-Za-z]{1,5}(?:号楼|号|栋|幢|座|单元|层|楼|室|房)){0,5})?(?:\d[0-9A-Za-z]{1,4}(?:-\d{1,4}){0,2}(?:室|房|号)?)?",
        trigger: Trigger::Words(&[
            "号", "弄", "栋", "幢", "座", "单元", "室", "A区", "B区", "C区", "D区", "E区", "F区",
        ]),
        edges: Edges::Free,
        check: address,
        context: NAMED,
        score: 60,
        in_context: 90,
        when_sure: 90,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "tw_address",
        kind: EntityType::Address,
        pattern: r"(?:[台臺]北|新北|桃園|[台臺]中|[台臺]南|高雄|基隆|新竹|嘉義)[市縣]\p{Han}{1,4}[區鄉鎮市]\p{Han}{1,8}(?:路|街|大道)(?:[一二三四五六七八九十\d]{1,2}段)?(?:\d{1,4}巷)?(?:\d{1,4}弄)?\d{1,5}號(?:之\d{1,3})?(?:\d{1,3}樓)?(?:之\d{1,3})?",
        trigger: Trigger::Words(&["號"]),
        edges: Edges::Free,
        score: 92,
        ..Recognizer::BASE
    },
];

fn address(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    // Where the numbers begin.
    let Some(numbers) = first_unit(text) else { return Verdict::No };
    let prefix = &text[..numbers];
    let start = begin(prefix);
    let name = prefix[start..].trim_end();
    let way = WAYS.iter().any(|w| name.ends_with(w));
    let placed = ["省", "市", "区", "县", "镇", "乡", "州", "旗"].iter().any(|u| name.contains(u));
    let road =
        ["路", "街", "道", "巷", "弄", "胡同", "村", "园", "苑", "城", "小区", "花园", "新村"]
            .iter()
            .any(|u| name.ends_with(u));
    // An estate may be called anything; behind a district, its building says that it is one.
    let building =
        ["栋", "幢", "单元", "号楼", "室", "座"].iter().any(|unit| text[numbers..].contains(unit))
            || text[numbers..].starts_with(|ch: char| ch.is_ascii_uppercase());
    let way = way || (placed && building && begins_with_a_place(name));
    let characters = name.chars().count();
    // 3号线 and 8号楼 alone, 第5号, 体育西路上的3号: no address.
    let line = c.after().starts_with(['线', '令', '文', '召', '公'])
        || name.ends_with(['第', '月', '日', '年', '号']);
    if characters < 2 || !way || line {
        return Verdict::No;
    }
    let range = c.range.start + start..c.range.start + text.trim_end_matches([' ', ',']).len();
    let sure = placed && characters >= 4;
    if sure || road {
        Verdict::Part {
            range,
            sure,
            why: if sure { "district, road and number" } else { "road and number" },
        }
    } else {
        Verdict::No
    }
}

fn begins_with_a_place(name: &str) -> bool {
    PROVINCES.iter().any(|p| name.starts_with(p)) || cities().any(|c| name.starts_with(c))
}

/// The byte at which the first number of a house, building or room begins.
fn first_unit(text: &str) -> Option<usize> {
    let mut start: Option<usize> = None;
    for (i, ch) in text.char_indices() {
        let counting = ch.is_ascii_alphanumeric()
            || matches!(
                ch,
                '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' | '百'
            );
        if counting {
            start.get_or_insert(i);
        } else if matches!(
            ch,
            '号' | '弄'
                | '栋'
                | '幢'
                | '座'
                | '单'
                | '层'
                | '楼'
                | '室'
                | '房'
                | '户'
                | '门'
                | '组'
                | '#'
                | '巷'
                | '支'
        ) || (ch == '区'
            && start.is_some_and(|s| text[s..i].bytes().all(|b| b.is_ascii_uppercase())))
        {
            if let Some(start) = start {
                return Some(start);
            }
        } else if !matches!(ch, '-' | '~' | '之' | ' ') {
            start = None;
        }
    }
    None
}

/// The byte at which the place begins: a province or a city that is known, else a word that leads to it.
fn begin(prefix: &str) -> usize {
    // Of "浙江省杭州市", the province; of two addresses in a row, the last one.
    let province = PROVINCES
        .iter()
        .filter_map(|n| prefix.rfind(n).map(|i| (i, n.len())))
        .filter(|(i, n)| {
            let rest = &prefix[i + n..];
            rest.starts_with(['省', '市', '自', '特', '壮', '回', '维'])
                || cities().any(|c| rest.starts_with(c))
                || rest.chars().take(4).any(|ch| matches!(ch, '市' | '区' | '县'))
        })
        .map(|(i, _)| i)
        .max();
    if let Some(start) = province {
        return start;
    }
    let city = cities()
        .filter_map(|n| prefix.rfind(n).map(|i| (i, n.len())))
        .filter(|(i, n)| {
            let rest = &prefix[i + n..];
            rest.starts_with('市')
                || rest.chars().take(4).any(|ch| matches!(ch, '区' | '县' | '镇'))
        })
        .map(|(i, _)| i)
        .max();
    if let Some(start) = city {
        return start;
    }
    let cues = [
        "地址是",
        "地址为",
        "地址",
        "住址",
        "住在",
        "家住",
        "现住",
        "居住于",
        "居住在",
        "位于",
        "寄到",
        "寄往",
        "送到",
        "送至",
        "搬到",
        "住",
        "在",
        "到",
        "于",
        "为",
        "是",
        "至",
        "和",
        "与",
        "往",
        "去",
        "从",
        "的",
        "址",
    ];
    cues.iter().filter_map(|c| prefix.rfind(c).map(|i| i + c.len())).max().unwrap_or(0)
}
