//! Places and bodies in both languages, most of them made of parts: real towns and countries are no personal
//! data, and the companies are invented.

use super::Chooser;
use super::people::{self, capital};

const TOWNS: &str = "London Paris Berlin Madrid Rome Vienna Prague Warsaw Lisbon Dublin Oslo Stockholm Helsinki Athens \
Budapest Zurich Geneva Brussels Amsterdam Hamburg Munich Milan Naples Barcelona Seville Porto Lyon Marseille Manchester \
Leeds Bristol Glasgow Cardiff Belfast Boston Chicago Houston Dallas Denver Seattle Portland Austin Miami Atlanta Phoenix \
Detroit Cleveland Memphis Nashville Tampa Orlando Toronto Montreal Vancouver Calgary Ottawa Sydney Melbourne Brisbane \
Perth Auckland Wellington Tokyo Osaka Kyoto Seoul Busan Beijing Shanghai Shenzhen Guangzhou Chengdu Hangzhou Wuhan \
Nanjing Tianjin Chongqing Taipei Singapore Bangkok Hanoi Jakarta Manila Mumbai Delhi Bangalore Chennai Karachi Dhaka \
Dubai Doha Cairo Lagos Nairobi Accra Johannesburg Durban Casablanca Istanbul Ankara Moscow Kyiv Baghdad Tehran Jerusalem \
Lima Bogota Santiago Quito Havana Nantes Ghent Basel Graz Turku Aarhus Malmö Tartu Vilnius Riga Plovdiv Cork Galway";
const COUNTRIES: &[&str] = &[
    "China",
    "Japan",
    "France",
    "Germany",
    "Spain",
    "Italy",
    "Brazil",
    "India",
    "Canada",
    "Mexico",
    "Russia",
    "Ukraine",
    "Poland",
    "Turkey",
    "Egypt",
    "Kenya",
    "Nigeria",
    "South Africa",
    "Australia",
    "New Zealand",
    "the United States",
    "the United Kingdom",
    "Iraq",
    "Iran",
    "Israel",
    "Vietnam",
    "Thailand",
    "South Korea",
    "Argentina",
    "Chile",
    "Peru",
    "Sweden",
    "Norway",
    "Finland",
    "Denmark",
    "Hungary",
    "Portugal",
    "Switzerland",
    "Austria",
    "Belgium",
    "US",
    "UK",
    "USA",
    "California",
    "Texas",
    "Florida",
    "Ohio",
    "Bavaria",
    "Scotland",
    "Wales",
    "Europe",
    "Asia",
    "Africa",
];
const ENDINGS: &str =
    "ville ton ford burg stad heim bridge field haven mouth dale wick ham by sund grad";
const BRANDS: &str = "Nova Quant Blue Iron Green Bright North Sun Silver Peak Summit Delta Apex Orbit Pixel Vertex Cedar Harbor \
Lumen Terra Aero Nimbus Cobalt Falcon Granite Maple Onyx Prime Raven Sierra Titan Zephyr Helix Ember Fable Cirrus Marlin";
const TRADES: &str = "Systems Labs Technologies Logistics Foods Energy Capital Partners Consulting Media Health Robotics Motors \
Textiles Insurance Airlines Software Analytics Pharma Bank Industries Holdings Group Networks Solutions Design Studios";
const ZH_TOWNS: &str = "北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 青岛 大连 厦门 长沙 郑州 济南 合肥 福州 昆明 贵阳 南宁 \
海口 三亚 哈尔滨 长春 沈阳 石家庄 太原 兰州 西宁 银川 乌鲁木齐 拉萨 呼和浩特 无锡 宁波 温州 绍兴 东莞 佛山 珠海 中山 惠州 汕头 桂林 丽江 大理 洛阳 \
开封 扬州 镇江 嘉兴 金华 台州 烟台 威海 潍坊 徐州 常州 南通 香港 澳门 台北 高雄 海淀 朝阳 浦东 南山 余杭 天河 武侯 江宁 渝中 岳麓 中关村 陆家嘴";
const ZH_LANDS: &str = "中国 美国 英国 法国 德国 日本 韩国 俄罗斯 印度 加拿大 澳大利亚 意大利 西班牙 巴西 埃及 泰国 越南 新加坡 马来西亚 荷兰 瑞士 \
欧洲 亚洲 非洲 浙江 江苏 广东 四川 湖南 湖北 山东 河南 河北 福建 云南 伦敦 巴黎 纽约 东京 柏林 罗马 莫斯科 首尔 曼谷 悉尼";
const ZH_BRAND: &str = "华腾 鼎盛 瑞信 恒达 博远 智联 云启 星辰 金桥 东方 天元 嘉禾 宏图 光大 新源 海纳 中联 众合 优创 卓越 百川 蓝海 远景 启明 万通 \
长风 汇通 安泰 永辉 明德 德胜 广源 鸿运 立信 方正 盛世 锐捷 凌云 朗新 聚能";
const ZH_TRADE: &str = "科技有限公司 集团 贸易有限公司 网络科技 实业有限公司 银行 证券 物流 医药 食品有限公司 建筑工程有限公司 传媒 教育 保险公司 \
电子厂 设计院 律师事务所 会计师事务所 地产 能源 股份有限公司 研究院";
const ZH_BODY: &str = "大学 学院 第一中学 人民医院 中心医院 公安局 人民法院 图书馆 博物馆 教育局 税务局 实验小学 体育馆 检察院 民政局 火车站派出所";

pub(super) fn place(c: &mut Chooser) -> String {
    match c.below(10) {
        0..=4 => c.word(TOWNS).to_owned(),
        5..=7 => c.pick(COUNTRIES).trim_start_matches("the ").to_owned(),
        8 => format!("{}{}", people::made_up(c), c.word(ENDINGS)),
        _ => {
            let first = c.pick(&[
                "New", "North", "Lake", "Port", "Mount", "San", "Saint", "Fort", "East", "Upper",
            ]);
            format!("{first} {}", people::made_up(c))
        }
    }
}

pub(super) fn body(c: &mut Chooser) -> String {
    match c.below(10) {
        0 => format!("{} {}", c.word(BRANDS), c.word(TRADES)),
        1 => format!(
            "{}{}",
            c.word(BRANDS),
            c.word("soft tech works net ware flow hub ly base gen corp")
        ),
        2 => format!(
            "{} {} {}",
            people::made_up(c),
            c.word(TRADES),
            c.pick(&["Inc.", "Ltd", "LLC", "GmbH", "AG", "Corp."])
        ),
        3 => format!("University of {}", c.word(TOWNS)),
        4 => format!(
            "{} {}",
            c.word(TOWNS),
            c.pick(&[
                "University",
                "General Hospital",
                "City Council",
                "Police Department",
                "High School",
                "FC",
                "Chamber of Commerce"
            ])
        ),
        5 => format!("{}-{}", people::made_up(c), people::made_up(c)),
        6 => format!("{}, {} and {}", people::made_up(c), people::made_up(c), people::made_up(c)),
        7 => format!(
            "Ministry of {}",
            c.pick(&["Health", "Finance", "Education", "Justice", "Transport", "Defence"])
        ),
        8 => (0..2 + c.below(3)).map(|_| people::initial(c)).collect(),
        _ => format!(
            "{} & {}",
            people::made_up(c),
            c.pick(&["Sons", "Co.", "Partners", "Associates"])
        ),
    }
}

pub(super) fn street(c: &mut Chooser) -> String {
    let name = if c.chance(0.5) {
        people::made_up(c)
    } else {
        capital(c.word("oak maple mill church station king queen park hill lake elm"))
    };
    format!(
        "{} {name} {}",
        1 + c.below(900),
        c.pick(&["Street", "St", "Road", "Avenue", "Lane", "Drive", "Blvd", "Court"])
    )
}

pub(super) fn place_zh(c: &mut Chooser) -> String {
    match c.below(6) {
        0 | 1 => c.word(ZH_LANDS).to_owned(),
        2 => format!("{}{}", c.word(ZH_TOWNS), c.pick(&["市", "区", "", ""])),
        3 => people::foreign(c).replace('·', ""),
        _ => c.word(ZH_TOWNS).to_owned(),
    }
}

pub(super) fn body_zh(c: &mut Chooser) -> String {
    match c.below(6) {
        0 => format!("{}{}", c.word(ZH_TOWNS), c.word(ZH_BODY)),
        1 => format!("{}{}", c.word(ZH_BRAND), c.word(ZH_TRADE)),
        2 => format!("{}{}{}", c.word(ZH_TOWNS), c.word(ZH_BRAND), c.word(ZH_TRADE)),
        3 => format!(
            "{}{}",
            people::foreign(c).replace('·', ""),
            c.pick(&["公司", "集团", "大学", "银行", "俱乐部", "基金会"])
        ),
        4 => c
            .pick(&[
                "国务院",
                "教育部",
                "联合国",
                "世界卫生组织",
                "工商银行",
                "中国移动",
                "财政部",
                "最高人民法院",
                "外交部",
            ])
            .to_owned(),
        _ => format!(
            "{}{}",
            c.word(ZH_TOWNS),
            c.pick(&["队", "日报", "电视台", "地铁集团", "商会", "消防支队"])
        ),
    }
}
