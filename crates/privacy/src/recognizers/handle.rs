//! Accounts and handles (WeChat, QQ, Telegram, user names), and the numbers of employees and students: all
//! by the words that name them. An `@` before a word is no handle by itself, because code is full of them.

use nearside_types::EntityType;

use crate::recognizer::{Edges, Recognizer, Trigger, Verdict};

const HANDLE: Recognizer = Recognizer {
    kind: EntityType::Account,
    edges: Edges::Free,
    score: 86,
    in_context: 86,
    ..Recognizer::BASE
};
const NUMBER: Recognizer = Recognizer { kind: EntityType::EmployeeOrStudentId, ..HANDLE };

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "wechat",
        pattern: r"(?i)(?:微信|wechat|weixin|vx|wx)(?:号|id|账号|帐号|联系|加我|:|是|为|=|\s|同号){0,4}([a-z][\w\-]{5,19})\b",
        trigger: Trigger::Words(&["微信", "wechat", "weixin", "vx", "wx"]),
        check: |c| {
            let lower = c.text().to_ascii_lowercase();
            let named = c.before().ends_with([':', '号', '是', '信', '=', ' ', '为', 'D', 'd']);
            Verdict::plausible_if(
                named
                    && !matches!(
                        lower.as_str(),
                        "wechat" | "weixin" | "alipay" | "payment" | "official"
                    ),
            )
        },
        ..HANDLE
    },
    Recognizer {
        name: "wechat_id",
        pattern: r"\bwxid_[a-z0-9]{6,24}\b",
        trigger: Trigger::Words(&["wxid_"]),
        ..HANDLE
    },
    Recognizer {
        name: "qq",
        pattern: r"(?i)\bqq(?:号码?|账号|群|是|为|:|=|\s|number|id){0,4}\s?(\d{5,11})",
        trigger: Trigger::Words(&["qq"]),
        edges: Edges::Digit,
        ..HANDLE
    },
    Recognizer {
        name: "messenger",
        pattern: r"(?i)\b(?:telegram|tg|twitter|instagram|ig|github|discord|skype|line id|snapchat|tiktok|douyin|weibo|signal|username|user name|user id|userid|handle|微博|抖音号|小红书号|支付宝账号|用户名|淘宝账号)(?:\s(?:is|handle|id|name|account|user)|:|=|是|为|号|\s){1,3}\s?(@?[a-z][\w.\-]{3,31})\b",
        trigger: Trigger::Words(&[
            "telegram",
            "tg",
            "twitter",
            "instagram",
            "ig",
            "github",
            "discord",
            "skype",
            "line id",
            "snapchat",
            "tiktok",
            "douyin",
            "weibo",
            "signal",
            "username",
            "user",
            "handle",
            "微博",
            "抖音",
            "小红书",
            "支付宝",
            "用户名",
            "淘宝",
        ]),
        reach: Some((4, 90)),
        check: |c| {
            let text = c.text();
            let handle =
                text.starts_with('@') || text.bytes().any(|b| b.is_ascii_digit() || b == b'_');
            Verdict::plausible_if(
                handle && !text.ends_with(".com") && !c.after().starts_with(['(', '/', '@']),
            )
        },
        ..HANDLE
    },
    Recognizer {
        name: "at_handle",
        pattern: r"(?i)(?:telegram|twitter|instagram|tiktok|dm|follow|ping|message|tweet|微博|电报)(?:\s(?:me|us|him|her|on|at|is|handle))?[\s:]{1,3}(@[a-z_]\w{3,31})\b",
        trigger: Trigger::Words(&["@"]),
        ..HANDLE
    },
    Recognizer {
        name: "named_number",
        pattern: r"(?i)\b(?:employee|staff|worker|personnel|student|matriculation|badge|payroll|enrol?lment|faculty)(?:\s|_|-)?(?:id|no\.?|nr|number|num|code|#)?(?:\s(?:is|was|number)|:|=|#|\s|\x22){0,4}([a-z]{0,4}[\-/]?\d{2,6}[\-/]?\d{0,8})\b",
        trigger: Trigger::Words(&[
            "employee",
            "staff",
            "worker",
            "personnel",
            "student",
            "matriculation",
            "badge",
            "payroll",
            "enrol",
            "faculty",
        ]),
        reach: Some((4, 90)),
        check: |c| {
            let count = c.digits().len();
            let year = count == 4 && (c.text().starts_with("19") || c.text().starts_with("20"));
            Verdict::plausible_if(
                count >= 4 && !year && !c.after().starts_with(['%', '.', ',']) || (count >= 5),
            )
        },
        ..NUMBER
    },
    Recognizer {
        name: "named_number_zh",
        pattern: r"(?i)(?:工号|学号|员工编号|员工号|学生证号|学籍号|警号|教师编号|职工号|准考证号|考号|胸牌号)(?:码|是|为|:|=|\s){0,3}([a-z]{0,4}-?\d{4,16})",
        trigger: Trigger::Words(&[
            "工号",
            "学号",
            "编号",
            "员工号",
            "学生证",
            "学籍",
            "警号",
            "职工号",
            "准考证",
            "考号",
            "胸牌",
        ]),
        edges: Edges::Digit,
        ..NUMBER
    },
];
