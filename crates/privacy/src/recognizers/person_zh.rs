//! People in Chinese, by rule: a surname of the list, one or two characters of a given name, and something
//! beside it that says it is a person: a label before, a title or a role behind, or punctuation on both sides.
//! 高兴 and 黄河 begin with surnames too; a list of such words keeps the rule honest, and a model does better.

use std::collections::HashSet;
use std::sync::LazyLock;

use nearside_types::EntityType;

use super::person_zh_words::{
    COMPOUND, DOUBTFUL, GIVEN, NOT_IN_NAMES, SOUNDS, SOUNDS_LIKE_A_PLACE, SURNAMES, WORDS,
};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const PERSON: Recognizer = Recognizer {
    kind: EntityType::Person,
    edges: Edges::Free,
    score: 80,
    in_context: 84,
    when_sure: 84,
    ..Recognizer::BASE
};

macro_rules! surname {
    () => {
        r"(?:欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|夏侯|南宫|端木|轩辕|独孤|长孙|宇文|百里|呼延|\p{Han})"
    };
}

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "labelled_name_zh",
        pattern: r#"(?:姓名|名字|户名|收件人|寄件人|联系人|负责人|经办人|申请人|持卡人|收款人|付款人|法定代表人|法人代表|法人|患者|病人|家属|客户|用户|会员|原告|被告|第三人|上诉人|被上诉人|委托人|受托人|代理人|证人|当事人|乘车人|乘客|旅客|驾驶人|驾驶员|司机|车主|业主|房东|租客|租户|承租人|出租人|甲方|乙方|下单人|购买人|投保人|被保险人|受益人|员工|同事|同学|学生|家长|老师|医生|护士|教授|律师|经理|主任|院长|校长|局长|书记|董事长|总裁|朋友|老公|老婆|丈夫|妻子|儿子|女儿|父亲|母亲|爸爸|妈妈|哥哥|弟弟|姐姐|妹妹|亲属|监护人|发件人|收信人|作者|记者|签字|签名|打印|我叫|我是|叫做|名叫|本人|致电|转告|通知|告诉|联系|感谢|同胞|居民|村民|职工|教师|选手|嫌疑人|死者|伤者|失主|候选人|应聘者|求职者|导演|演员|歌手|作家|诗人|(?i:name|user|customer|username|realname|fullname|owner|name is))["'”]?\s{0,2}(?:是|为|叫|:|=|-|\||\s){0,3}["'“]?(\p{Han}{2,4}(?:[·•.]\p{Han}{2,6}){0,3})"#,
        trigger: Trigger::Always,
        check: |c| name_zh(c, true),
        ..PERSON
    },
    Recognizer {
        name: "titled_name_zh",
        pattern: concat!(
            r"(",
            surname!(),
            r"\p{Han}{0,2})(?:先生|女士|小姐|太太|同志|老师|教授|医生|大夫|律师|经理|总监|主任|院长|校长|局长|处长|科长|书记|董事长|董事|总裁|总经理|工程师|博士|警官|法官|护士|师傅|阿姨|叔叔|爷爷|奶奶|同学|老板)"
        ),
        trigger: Trigger::Words(&[
            "先生",
            "女士",
            "小姐",
            "太太",
            "同志",
            "老师",
            "教授",
            "医生",
            "大夫",
            "律师",
            "经理",
            "总监",
            "主任",
            "院长",
            "校长",
            "局长",
            "处长",
            "科长",
            "书记",
            "董事",
            "总裁",
            "工程师",
            "博士",
            "警官",
            "法官",
            "护士",
            "师傅",
            "阿姨",
            "叔叔",
            "爷爷",
            "奶奶",
            "同学",
            "老板",
        ]),
        reach: Some((24, 12)),
        check: titled,
        score: 76,
        ..PERSON
    },
    Recognizer {
        name: "owning_name_zh",
        pattern: r"(\p{Han}{2,4}?(?:[·•]\p{Han}{2,6}){0,2})(?:同志)?(?:的|,)?(?:电话|手机|联系方式|联系电话|邮箱|身份证|银行卡|卡号|令牌|账号|密码|住址|地址|微信|生日|工号|学号|护照|车牌|押金|简历|病历|合同|工资|体检|快递|账户|户口|两人|三人|本人|男|女)",
        trigger: Trigger::Always,
        check: |c| name_zh(c, false),
        score: 72,
        ..PERSON
    },
    Recognizer {
        name: "set_off_name_zh",
        pattern: r"\p{Han}{2,4}(?:[·•]\p{Han}{2,6}){0,3}",
        trigger: Trigger::Words(&["、", "|", "(", "\t", ",", "\""]),
        reach: Some((36, 36)),
        check: set_off,
        score: 62,
        ..PERSON
    },
    Recognizer {
        name: "dotted_name_zh",
        pattern: r"\p{Han}{1,12}(?:[·•‧・]\p{Han}{1,12}){1,3}",
        trigger: Trigger::Words(&["·", "•", "‧", "・"]),
        reach: Some((48, 96)),
        check: dotted,
        score: 74,
        ..PERSON
    },
    Recognizer {
        name: "plain_name_zh",
        pattern: r"(?:欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|夏侯|南宫|端木|轩辕|独孤|长孙|宇文|呼延|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱江尹薛闫段雷侯龙陶黎贺顾毛郝龚邵万钱严覃武戴莫孔汤康施樊葛邢安齐伍庞颜倪庄聂章鲁岳翟殷詹申欧耿兰焦俞柳甘祝包宁阮纪梅童凌毕单裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶牟艾尤阳穆农])\p{Han}{2}",
        trigger: Trigger::Always,
        check: plain,
        score: 58,
        ..PERSON
    },
    Recognizer {
        name: "addressed_name_zh",
        pattern: r"[,:;!?。、\s(\n](\p{Han}{2,4})(?:收|亲启|启|敬上|谨上|拜上|敬启|谨启|代收|签收)",
        trigger: Trigger::Words(&["收", "启", "上"]),
        reach: Some((24, 12)),
        check: |c| {
            let closed =
                c.after().trim_start_matches(is_han).starts_with(|ch: char| !ch.is_alphanumeric())
                    || c.after().chars().count() <= 2;
            if closed && length(c.text(), "", false) == Some(c.text().len()) {
                Verdict::Plausible
            } else {
                Verdict::No
            }
        },
        score: 66,
        ..PERSON
    },
    Recognizer {
        // 张总, 李工, 王姐: the surname is the name, what follows is how one speaks to somebody.
        name: "short_title_zh",
        pattern: r"([王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范廖贾夏韦邹孟熊秦邱江尹薛闫段雷侯龙陶黎贺顾毛郝龚邵万钱严覃武戴莫孔汤康施])(?:总|工|哥|姐|叔|姨|婶|嫂|董|导|局|队|所|处|校|院)",
        trigger: Trigger::Words(&[
            "总", "工", "哥", "姐", "叔", "姨", "婶", "嫂", "董", "导", "局", "队", "所", "处",
            "校", "院",
        ]),
        reach: Some((6, 6)),
        check: |c| {
            let before = c.before().chars().next_back();
            let next = c.after().chars().nth(1);
            let apart = before.is_none_or(|ch| {
                !is_han(ch) || "和与给让请把被由找问跟对向的是叫约见陪".contains(ch)
            });
            let follows = next.is_none_or(|ch| {
                !is_han(ch) || "说的在和让给来去今昨明打您好请吗呢吧也是要".contains(ch)
            });
            Verdict::plausible_if(apart && follows)
        },
        score: 62,
        ..PERSON
    },
    Recognizer {
        // 阿强, 小芳: a nickname of one character of a given name.
        name: "pet_name_zh",
        pattern: r"[小阿]\p{Han}",
        trigger: Trigger::Words(&["小", "阿"]),
        reach: Some((4, 8)),
        check: |c| {
            let last = c.text().chars().next_back();
            let before = c.before().chars().next_back();
            let next = c.after().chars().next();
            let apart = before.is_none_or(|ch| {
                !is_han(ch) || "和与给让请把被由找问跟对向叫是约见陪".contains(ch)
            });
            let follows = next.is_none_or(|ch| {
                !is_han(ch) || "说的在和让给来去今昨明打您好请也是要想有".contains(ch)
            });
            let word = [
                "小心",
                "小学",
                "小时",
                "小米",
                "小说",
                "小区",
                "小组",
                "小型",
                "小麦",
                "小数",
                "小红",
                "小雪",
                "小雨",
                "小杰",
                "小平",
                "小山",
                "小英",
                "小勇",
                "小文",
                "小波",
                "小宁",
                "小安",
                "小华为",
                "阿里",
                "阿姨",
            ];
            let given = last.is_some_and(|ch| GIVEN.contains(ch));
            Verdict::plausible_if(given && apart && follows && !word.contains(&c.text()))
        },
        score: 54,
        ..PERSON
    },
    Recognizer {
        name: "nickname_zh",
        pattern: r"(?:[小老阿][王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金廖贾夏韦方邹孟熊秦邱江尹薛闫段雷侯史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔])",
        trigger: Trigger::Words(&["小", "老", "阿"]),
        check: |c| {
            let next = c.after().chars().next();
            let before = c.before().chars().next_back();
            let apart = before.is_none_or(|ch| !is_han(ch) || "和跟给让请问找叫对是".contains(ch));
            let follows =
                next.is_none_or(|ch| !is_han(ch) || "说的在和让给来去今昨明打".contains(ch));
            Verdict::plausible_if(apart && follows)
        },
        score: 56,
        ..PERSON
    },
];

/// 安德里亚·皮萨诺 in running text: from both sides of the points, as far as the signs are sounds.
fn dotted(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let dot = |ch: char| matches!(ch, '·' | '•' | '‧' | '・');
    let sounds = |part: &str| {
        part.chars().take_while(|ch| SOUNDS.contains(*ch)).map(char::len_utf8).sum::<usize>()
    };
    let Some(first) = text.find(dot) else { return Verdict::No };
    let from: usize =
        text[..first].chars().rev().take_while(|ch| SOUNDS.contains(*ch)).map(char::len_utf8).sum();
    let mut end = first;
    while let Some(point) = text[end..].chars().next().filter(|ch| dot(*ch)) {
        let behind = end + point.len_utf8();
        let to = sounds(&text[behind..]);
        if to == 0 {
            break;
        }
        end = behind + to;
    }
    // A plate (京·A) and a title (第一章·总则) have no sounds on both sides.
    if from < 3 || end == first || text[first - from..end].chars().count() < 5 {
        return Verdict::No;
    }
    let start = c.range.start + first - from;
    Verdict::Part {
        range: start..c.range.start + end,
        sure: false,
        why: "sounds of a foreign name",
    }
}

/// A surname and two characters of given names where a name may begin, with nothing that makes it a word.
fn plain(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let Some(family) = surname(text) else { return Verdict::No };
    let given: Vec<char> = text[family..].chars().collect();
    let before = c.before().chars().next_back();
    let after = c.after().chars().next();
    let begins = before.is_none_or(|ch| {
        !is_han(ch) || "和与跟给请让叫找问对向把被由是的在及同陪见约替为".contains(ch)
    });
    let ends = after.is_none_or(|ch| {
        !is_han(ch)
            || "说是在的和与去来给把被对要会想让请有不也都已正将从向为于就又先后出进回到做写提问告打买看听认获当任因很没能可曾还再并而则及等今昨明负住毕考生".contains(ch)
    });
    let named = given.len() == 2 && given.iter().all(|ch| GIVEN.contains(*ch));
    if named
        && begins
        && ends
        && !is_word(text)
        && !SOUNDS_LIKE_A_PLACE.iter().any(|p| text.starts_with(p))
    {
        Verdict::Plausible
    } else {
        Verdict::No
    }
}

fn is_han(ch: char) -> bool {
    matches!(ch, '\u{3400}'..='\u{9fff}')
}

/// The bytes of a surname at the start, if there is one.
pub(crate) fn surname(text: &str) -> Option<usize> {
    if let Some(double) = COMPOUND.iter().find(|c| text.starts_with(**c)) {
        return Some(double.len());
    }
    let first = text.chars().next()?;
    SURNAMES.contains(first).then(|| first.len_utf8())
}

/// Whether these characters are an everyday word, alone or with the beginning of the next one.
pub(crate) fn is_everyday_chinese(name: &str) -> bool {
    let length = name.chars().count();
    let next = name.chars().nth(2).is_none_or(|c| NOT_IN_NAMES.contains(c));
    (length == 2 || length == 3 && next) && is_listed(name)
}

fn is_word(text: &str) -> bool {
    is_listed(text) || text.chars().any(|ch| "省市县区镇乡村路街".contains(ch))
}

/// Whether the text begins with a word that only looks like a name.
fn is_listed(text: &str) -> bool {
    static SET: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| WORDS.split_ascii_whitespace().collect());
    let begins = |count: usize| {
        let end = text.char_indices().nth(count).map_or(text.len(), |(i, _)| i);
        SET.contains(&text[..end])
    };
    begins(2) || begins(3)
}

/// How long the name at the start of `text` is, in bytes; `text` may run on.
fn length(text: &str, after: &str, labelled: bool) -> Option<usize> {
    if text.contains(['·', '•']) {
        let end =
            text.char_indices().filter(|(_, ch)| NOT_IN_NAMES.contains(*ch)).map(|(i, _)| i).next();
        let end = end.filter(|e| text[..*e].contains(['·', '•'])).unwrap_or(text.len());
        return Some(end);
    }
    let family = surname(text)?;
    if is_word(text) {
        return None;
    }
    let given: Vec<(usize, char)> = text[family..].char_indices().collect();
    let (_, first) = *given.first()?;
    if DOUBTFUL.contains(&text[..family])
        && !given.iter().take(2).all(|(_, ch)| GIVEN.contains(*ch))
    {
        return None;
    }
    if NOT_IN_NAMES.contains(first) && !(labelled && "文成明安平生向前和应来".contains(first))
    {
        return None;
    }
    let one = family + first.len_utf8();
    let Some((at, second)) = given.get(1).copied() else { return Some(one) };
    let two = family + at + second.len_utf8();
    let whole = given.len() == 2 && !after.starts_with(is_han);
    // "薛鹏于…": a second character that begins the next word is none of the name, unless the name ends here.
    if NOT_IN_NAMES.contains(second) && !whole { Some(one) } else { Some(two) }
}

fn name_zh(c: &Candidate<'_>, labelled: bool) -> Verdict {
    let text = c.text();
    if !labelled {
        // The name ends where the owned thing begins; where it begins, a surname says.
        let starts: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        for start in starts {
            let part = &text[start..];
            let chars = part.chars().filter(|ch| is_han(*ch)).count();
            let apart = start > 0
                || c.before()
                    .chars()
                    .next_back()
                    .is_none_or(|ch| !is_han(ch) || "是和与给让请把被由找问跟对向,".contains(ch));
            if chars >= 2 && apart && length(part, "", false) == Some(part.len()) && chars <= 4 {
                return accept(c, start, part.len());
            }
        }
        return Verdict::No;
    }
    match length(text, c.after(), true) {
        Some(end) => accept(c, 0, end),
        None => Verdict::No,
    }
}

fn accept(c: &Candidate<'_>, start: usize, length: usize) -> Verdict {
    let start = c.range.start + start;
    Verdict::Part {
        range: start..start + length,
        sure: false,
        why: "surname and given name beside a word for people",
    }
}

fn titled(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    for (start, _) in text.char_indices() {
        let part = &text[start..];
        let Some(family) = surname(part) else { continue };
        // 和李先生: the connective is a surname too, and what follows begins a name of its own.
        let connective = part.starts_with(['和', '于', '应', '向', '从', '与', '时', '由']);
        if connective && surname(&part[family..]).is_some() {
            continue;
        }
        let given = part[family..].chars().count();
        let good = !is_word(part)
            && given <= 2
            && !part[family..].chars().any(|ch| NOT_IN_NAMES.contains(ch));
        let before = if start > 0 {
            text[..start].chars().next_back()
        } else {
            c.before().chars().next_back()
        };
        let named = given >= 1
            && !DOUBTFUL.contains(&part[..family])
            && part[family..].chars().all(|ch| GIVEN.contains(ch));
        let apart = named
            || before
                .is_none_or(|ch| !is_han(ch) || "是和与给让请把被由找问跟对向的及".contains(ch));
        if good && apart {
            return accept(c, start, part.len());
        }
    }
    Verdict::No
}

/// A name between punctuation, in a list or a table: nothing but a surname speaks for it, so it must be short.
fn set_off(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let chars = text.chars().count();
    let edge = |ch: Option<char>| ch.is_none_or(|ch| "、,，;；()（）|\t\n:：\"'“”[]".contains(ch));
    let before = edge(c.before().chars().next_back());
    let after = edge(c.after().chars().next());
    let listed = c.after().starts_with(['、', '|', '(', '\t', ',', '"'])
        || c.before().ends_with(['、', '|', '\t', '"', ',']);
    let beside = c
        .after()
        .trim_start_matches([',', ' ', '(', '"', '|', '\t', ':'])
        .starts_with(|ch: char| ch.is_ascii_digit() || ch == '+')
        || c.after().starts_with("、")
        || c.before().ends_with('、');
    let fits =
        (2..=3).contains(&chars) || (chars == 4 && COMPOUND.iter().any(|n| text.starts_with(n)));
    // 张三、李四 are nobody, and are written like somebody.
    let counted = chars == 2 && text.ends_with(['三', '四', '五', '六', '七', '八', '九', '十']);
    let named = surname(text)
        .is_some_and(|family| text[family..].chars().all(|ch| GIVEN.contains(ch)) || counted);
    let foreign = text.chars().all(|ch| SOUNDS.contains(ch)) && chars >= 3;
    let fits = fits && named && !foreign;
    if before && after && listed && beside && fits && length(text, "", false) == Some(text.len()) {
        Verdict::Plausible
    } else {
        Verdict::No
    }
}

/// Whether a Chinese sentence can hold a name: a surname with a given name behind it, a word for a body or a
/// place behind another word, or a transliteration. For the first stage before the name model.
pub(crate) fn names_in_chinese(text: &str) -> bool {
    const BODIES: &[char] = &[
        '国', '省', '市', '县', '区', '镇', '乡', '村', '州', '岛', '山', '河', '江', '湖', '海',
        '洲', '路', '街', '港', '院', '校', '社', '司', '局', '部', '行', '会', '队', '党', '团',
        '厂', '店', '馆', '站', '台', '寺', '城', '集',
    ];
    const SOUNDS: &str = "阿埃艾奥巴班贝本比宾波伯布查德迪蒂杜多尔凡菲费弗福戈格古哈汉赫华霍基吉加杰卡凯坎科克肯库拉莱兰朗勒雷里利林隆卢鲁伦罗洛马玛曼梅蒙米密莫姆穆纳奈内尼宁诺帕佩皮普奇切琼丘萨塞瑟森沙莎史斯丝舒朔苏索塔泰坦唐特汤廷图托瓦万威维韦温沃乌西希夏辛雅亚耶伊因英尤约泽扎詹佐娜娅琳";
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let mut sounds = 0;
    for (index, (at, character)) in characters.iter().enumerate() {
        if *character == '·' {
            return true;
        }
        let second = characters.get(index + 1).map(|(_, ch)| *ch);
        let earlier = index.checked_sub(1).and_then(|i| characters.get(i)).map(|(_, ch)| *ch);
        sounds = if SOUNDS.contains(*character) { sounds + 1 } else { 0 };
        if sounds >= 3 || (BODIES.contains(character) && earlier.is_some_and(is_han)) {
            return true;
        }
        if surname(&text[*at..]).is_some() && second.is_some_and(is_han) && !is_word(&text[*at..]) {
            return true;
        }
        if matches!(character, '小' | '老' | '阿') && second.is_some_and(|ch| SURNAMES.contains(ch))
        {
            return true;
        }
    }
    false
}
