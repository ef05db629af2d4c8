//! Countries, Chinese provinces and cities, nationalities and forms of address (all Tier B). Places come
//! from lists: a name that is no list's is the name model's work.

use nearside_types::EntityType;

use super::{place_world, place_world_zh};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

pub(super) const PROVINCES: &[&str] = &[
    "北京",
    "天津",
    "上海",
    "重庆",
    "河北",
    "山西",
    "辽宁",
    "吉林",
    "黑龙江",
    "江苏",
    "浙江",
    "安徽",
    "福建",
    "江西",
    "山东",
    "河南",
    "湖北",
    "湖南",
    "广东",
    "海南",
    "四川",
    "贵州",
    "云南",
    "陕西",
    "甘肃",
    "青海",
    "台湾",
    "内蒙古",
    "广西",
    "西藏",
    "宁夏",
    "新疆",
    "香港",
    "澳门",
];

const CITY_LIST: &str = "\
石家庄 唐山 秦皇岛 邯郸 邢台 保定 张家口 承德 沧州 廊坊 衡水 太原 大同 阳泉 \
长治 晋城 朔州 晋中 运城 忻州 临汾 吕梁 呼和浩特 包头 乌海 赤峰 通辽 \
鄂尔多斯 呼伦贝尔 沈阳 大连 鞍山 抚顺 本溪 丹东 锦州 营口 阜新 辽阳 盘锦 \
铁岭 葫芦岛 长春 四平 通化 延边 哈尔滨 齐齐哈尔 鸡西 鹤岗 大庆 佳木斯 牡丹江 \
黑河 绥化 南京 无锡 徐州 常州 苏州 南通 连云港 淮安 盐城 扬州 镇江 泰州 \
宿迁 杭州 宁波 温州 嘉兴 湖州 绍兴 金华 衢州 舟山 台州 丽水 合肥 芜湖 蚌埠 \
淮南 马鞍山 淮北 铜陵 安庆 黄山 滁州 阜阳 宿州 六安 亳州 池州 宣城 福州 \
厦门 莆田 三明 泉州 漳州 南平 龙岩 宁德 南昌 景德镇 萍乡 九江 新余 鹰潭 \
赣州 吉安 宜春 抚州 上饶 济南 青岛 淄博 枣庄 东营 烟台 潍坊 济宁 泰安 威海 \
日照 临沂 德州 聊城 滨州 菏泽 郑州 开封 洛阳 平顶山 安阳 鹤壁 新乡 焦作 \
濮阳 许昌 漯河 三门峡 南阳 商丘 信阳 周口 驻马店 武汉 黄石 十堰 宜昌 襄阳 \
鄂州 荆门 孝感 荆州 黄冈 咸宁 随州 恩施 长沙 株洲 湘潭 衡阳 邵阳 岳阳 常德 \
张家界 益阳 郴州 永州 怀化 娄底 湘西 广州 韶关 深圳 珠海 汕头 佛山 江门 \
湛江 茂名 肇庆 惠州 梅州 汕尾 河源 阳江 清远 东莞 中山 潮州 揭阳 云浮 南宁 \
柳州 桂林 梧州 北海 防城港 钦州 贵港 玉林 百色 贺州 河池 来宾 崇左 海口 \
三亚 儋州 成都 自贡 攀枝花 泸州 德阳 绵阳 广元 遂宁 内江 乐山 南充 眉山 \
宜宾 广安 达州 雅安 巴中 资阳 贵阳 六盘水 遵义 安顺 毕节 铜仁 昆明 曲靖 \
玉溪 保山 昭通 丽江 普洱 临沧 大理 西双版纳 拉萨 日喀则 西安 铜川 宝鸡 咸阳 \
渭南 延安 汉中 榆林 安康 商洛 兰州 嘉峪关 金昌 白银 天水 武威 张掖 平凉 \
酒泉 庆阳 定西 西宁 海东 银川 石嘴山 吴忠 固原 中卫 乌鲁木齐 克拉玛依 吐鲁番 \
哈密 喀什 伊犁";

/// Prefectures and larger cities, without 市.
pub(super) fn cities() -> impl Iterator<Item = &'static str> {
    CITY_LIST.split_ascii_whitespace()
}

const COUNTRIES: &[&str] = &[
    "afghanistan",
    "albania",
    "algeria",
    "andorra",
    "angola",
    "argentina",
    "armenia",
    "australia",
    "austria",
    "azerbaijan",
    "bahamas",
    "bahrain",
    "bangladesh",
    "barbados",
    "belarus",
    "belgium",
    "belize",
    "benin",
    "bhutan",
    "bolivia",
    "bosnia",
    "bosnia and herzegovina",
    "botswana",
    "brazil",
    "brunei",
    "bulgaria",
    "burkina faso",
    "burundi",
    "cambodia",
    "cameroon",
    "canada",
    "cape verde",
    "chile",
    "china",
    "colombia",
    "comoros",
    "costa rica",
    "croatia",
    "cuba",
    "cyprus",
    "czech republic",
    "czechia",
    "denmark",
    "djibouti",
    "dominica",
    "dominican republic",
    "ecuador",
    "egypt",
    "el salvador",
    "eritrea",
    "estonia",
    "eswatini",
    "ethiopia",
    "fiji",
    "finland",
    "france",
    "gabon",
    "gambia",
    "germany",
    "ghana",
    "greece",
    "greenland",
    "grenada",
    "guatemala",
    "guinea",
    "guyana",
    "haiti",
    "honduras",
    "hungary",
    "iceland",
    "india",
    "indonesia",
    "iran",
    "iraq",
    "ireland",
    "israel",
    "italy",
    "jamaica",
    "japan",
    "kazakhstan",
    "kenya",
    "kiribati",
    "kosovo",
    "kuwait",
    "kyrgyzstan",
    "laos",
    "latvia",
    "lebanon",
    "lesotho",
    "liberia",
    "libya",
    "liechtenstein",
    "lithuania",
    "luxembourg",
    "madagascar",
    "malawi",
    "malaysia",
    "maldives",
    "mali",
    "malta",
    "mauritania",
    "mauritius",
    "mexico",
    "moldova",
    "monaco",
    "mongolia",
    "montenegro",
    "morocco",
    "mozambique",
    "myanmar",
    "namibia",
    "nauru",
    "nepal",
    "netherlands",
    "new zealand",
    "nicaragua",
    "niger",
    "nigeria",
    "north korea",
    "north macedonia",
    "norway",
    "oman",
    "pakistan",
    "palau",
    "panama",
    "papua new guinea",
    "paraguay",
    "peru",
    "philippines",
    "poland",
    "portugal",
    "qatar",
    "romania",
    "russia",
    "rwanda",
    "samoa",
    "san marino",
    "saudi arabia",
    "senegal",
    "serbia",
    "seychelles",
    "sierra leone",
    "singapore",
    "slovakia",
    "slovenia",
    "somalia",
    "south africa",
    "south korea",
    "south sudan",
    "spain",
    "sri lanka",
    "sudan",
    "suriname",
    "sweden",
    "switzerland",
    "syria",
    "taiwan",
    "tajikistan",
    "tanzania",
    "thailand",
    "togo",
    "tonga",
    "trinidad and tobago",
    "tunisia",
    "turkmenistan",
    "tuvalu",
    "uganda",
    "ukraine",
    "united arab emirates",
    "united kingdom",
    "united states",
    "united states of america",
    "uruguay",
    "uzbekistan",
    "vanuatu",
    "venezuela",
    "vietnam",
    "yemen",
    "zambia",
    "zimbabwe",
    "hong kong",
    "england",
    "scotland",
    "wales",
    "usa",
    "u.s.",
    "u.s.a.",
    "u.k.",
    "uae",
];

/// Whether this is the name of a country, in any case, or its usual letters.
pub(crate) fn is_country(name: &str) -> bool {
    matches!(
        name,
        "USA"
            | "UK"
            | "UAE"
            | "US"
            | "Deutschland"
            | "España"
            | "Italia"
            | "Österreich"
            | "Schweiz"
            | "Suisse"
            | "Nederland"
            | "Belgique"
            | "België"
            | "Sverige"
            | "Norge"
            | "Danmark"
            | "Suomi"
            | "Polska"
            | "Brasil"
            | "México"
            | "England"
            | "Scotland"
            | "Wales"
            | "Northern Ireland"
            | "Great Britain"
    ) || COUNTRIES.contains(&name.to_lowercase().as_str())
}

/// Whether this is the name of a people, in any case.
pub(crate) fn is_nationality(name: &str) -> bool {
    NATIONALITIES.contains(&name.to_lowercase().as_str())
}

const NATIONALITIES: &[&str] = &[
    "american",
    "british",
    "chinese",
    "french",
    "german",
    "italian",
    "spanish",
    "portuguese",
    "russian",
    "japanese",
    "korean",
    "indian",
    "mexican",
    "canadian",
    "australian",
    "irish",
    "scottish",
    "dutch",
    "belgian",
    "swiss",
    "austrian",
    "swedish",
    "norwegian",
    "danish",
    "finnish",
    "polish",
    "czech",
    "hungarian",
    "greek",
    "turkish",
    "israeli",
    "egyptian",
    "iranian",
    "iraqi",
    "saudi",
    "thai",
    "vietnamese",
    "indonesian",
    "malaysian",
    "filipino",
    "brazilian",
    "argentine",
    "argentinian",
    "chilean",
    "colombian",
    "peruvian",
    "venezuelan",
    "cuban",
    "nigerian",
    "kenyan",
    "ethiopian",
    "ghanaian",
    "moroccan",
    "algerian",
    "tunisian",
    "ukrainian",
    "romanian",
    "bulgarian",
    "croatian",
    "serbian",
    "slovenian",
    "slovak",
    "icelandic",
    "estonian",
    "latvian",
    "lithuanian",
    "pakistani",
    "bangladeshi",
    "afghan",
    "muslim",
    "christian",
    "jewish",
    "buddhist",
    "hindu",
    "catholic",
    "protestant",
    "democrat",
    "republican",
    "asian",
    "african",
    "european",
    "hispanic",
    "latino",
];

const TIER_B: Recognizer = Recognizer {
    kind: EntityType::Location,
    edges: Edges::Free,
    score: 52,
    in_context: 52,
    ..Recognizer::BASE
};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "country",
        trigger: Trigger::Words(COUNTRIES),
        edges: Edges::Word,
        check: |c| {
            // "turkey", "chad" and "jordan" in small letters are something else; in a text without capitals
            // nothing is.
            let small = c.text().starts_with(char::is_lowercase);
            Verdict::plausible_if(!small || !c.whole.chars().any(char::is_uppercase))
        },
        ..TIER_B
    },
    Recognizer {
        name: "country_letters",
        pattern: r"(?:USA|US|UK|UAE|U\.S\.A\.|U\.S\.|U\.K\.)",
        trigger: Trigger::Words(&["us", "uk", "uae", "u.s", "u.k"]),
        reach: Some((1, 6)),
        edges: Edges::Word,
        check: |c| {
            // In a text in capitals "US" is a pronoun; "US$" and "US-12" are no country.
            let small = c.whole.chars().any(char::is_lowercase);
            Verdict::plausible_if(
                small
                    && !c.after().starts_with(['$', '-', '/', '_'])
                    && !c.before().ends_with(['-', '/', '_']),
            )
        },
        ..TIER_B
    },
    Recognizer {
        name: "city_or_region",
        trigger: Trigger::Words(place_world::CITIES),
        edges: Edges::Word,
        check: |c| Verdict::plausible_if(c.text().starts_with(char::is_uppercase)),
        ..TIER_B
    },
    Recognizer {
        name: "place_zh",
        trigger: Trigger::Words(place_world_zh::CHINESE),
        check: place_zh,
        ..TIER_B
    },
    Recognizer {
        name: "cn_place",
        pattern: r"(?:\p{Han}{2,3}(?:省|自治区|特别行政区))?(?:\p{Han}{2,4}(?:市|自治州|地区))?(?:\p{Han}{1,4}(?:区|县|旗))?",
        trigger: Trigger::Words(&["省", "市", "县", "区"]),
        reach: Some((24, 36)),
        check: |c| {
            let known = PROVINCES.iter().any(|p| c.text().starts_with(p))
                || cities().any(|p| c.text().starts_with(p));
            Verdict::plausible_if(known)
        },
        score: 54,
        ..TIER_B
    },
    Recognizer {
        name: "cn_city",
        pattern: r"(?:北京|天津|上海|重庆|广州|深圳|杭州|南京|武汉|成都|西安|苏州|青岛|大连|厦门|长沙|郑州|沈阳|济南|哈尔滨|昆明|福州|合肥|南昌|贵阳|太原|兰州|宁波|无锡|佛山|东莞|珠海|温州|石家庄|乌鲁木齐|呼和浩特|漳州|泉州|绍兴|嘉兴|徐州|洛阳|桂林|三亚|海口|拉萨|西宁|银川|伊犁|大理|丽江|浙江|江苏|山东|山西|河北|河南|湖北|湖南|广东|广西|四川|云南|贵州|福建|江西|安徽|辽宁|黑龙江|陕西|甘肃|青海|新疆|西藏|内蒙古|宁夏)市?",
        trigger: Trigger::Always,
        check: place_zh,
        ..TIER_B
    },
    Recognizer {
        name: "nationality",
        kind: EntityType::Nrp,
        trigger: Trigger::Words(NATIONALITIES),
        ..TIER_B
    },
];

/// 法国人 is a people, 南京大学 a body, 中国移动 a firm: no place. What kind of place it is belongs to its name.
fn place_zh(c: &Candidate<'_>) -> Verdict {
    let after = c.after();
    let people = [
        "人", "语", "籍", "军", "队", "裔", "大学", "银行", "电台", "移动", "联通", "电信", "日报",
        "制造", "话", "菜",
    ];
    if people.iter().any(|p| after.starts_with(p)) {
        return Verdict::No;
    }
    let kind = ["特别行政区", "自治区", "地区", "省", "市", "州", "岛", "湖", "城", "内地"]
        .iter()
        .find(|k| after.starts_with(**k));
    Verdict::Part {
        range: c.range.start..c.range.end + kind.map_or(0, |k| k.len()),
        sure: false,
        why: "a known place",
    }
}
