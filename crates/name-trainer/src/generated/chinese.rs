//! Chinese templates. `{p}` is a whole name, `{c}` what a chat calls somebody, `{x}` a foreign or minority name,
//! `{r}` a romanised one, `{l}` a place, `{o}` a body, `{n}` a number, `{d}` a date, `{w}` a word that is no name.

use super::people;
use super::{Chooser, fill, places};
use crate::sentence::{LOCATION, ORGANISATION, PERSON, Sentence};

const TEMPLATES: &[&str] = &[
    "客户{p}（身份证号：{n}）于{d}在{l}办理了开户。",
    "姓名：{p}，电话：{n}，地址：{l}",
    "姓名:{p} 性别:男 民族:汉 出生日期:{d}",
    "姓名 {p}\n单位 {o}\n联系电话 {n}",
    "收件人：{p}，{n}，{l}",
    "收件人{p}，{n}，放门口就行",
    "下单人：{p}；电话：{n}；备注：不要辣",
    "乘车人：{p} 证件：{n} 车次：G{n} {l}-{l}",
    "户名 {p} 金额 {n} 元",
    "持卡人{p}的卡号是{n}。",
    "租客{p}的押金已经退了，房东{p}确认。",
    "原告{p}与被告{o}劳动争议一案，由审判员{p}审理。",
    "被告{p}，男，{d}出生，住{l}。",
    "证人{p}称，{d}晚在{l}见过{p}。",
    "请帮我给{p}写一封邮件，说明{w}的情况。",
    "请问{c}今天在吗？",
    "{c}，麻烦把{w}发我一下",
    "{c}说{c}明天不来了",
    "我和{c}约在{l}见面",
    "你问一下{c}，{w}做完没有",
    "@{p} 请在{d}前提交{w}",
    "{p}、{p}两人的入职材料请打印",
    "参会人员：{p}、{p}、{p}",
    "{p}：收到了吗？\n{p}：收到，谢谢",
    "{c}：在吗\n{c}：在的",
    "{p}同志的联系电话是{n}",
    "{x}同志在{l}工作多年。",
    "{p}先生您好，您的快递已到{l}。",
    "{p}女士，您在{o}的预约已确认。",
    "患者{p}，女，{n}岁，{d}入住{o}。",
    "主治医师{p}建议三天后复查。",
    "学生{p}，学号{n}，就读于{o}。",
    "{p}毕业于{o}，现任{o}总经理。",
    "{o}董事长{p}在{l}宣布了新的{w}。",
    "{d}，{p}在{l}出生。",
    "{p}是{l}人，{d}加入{o}。",
    "{x}出生于{l}，后移居{l}。",
    "{x}是{l}的一名作家。",
    "导演{x}与演员{p}合作拍摄了这部电影。",
    "据{o}报道，{p}当选为{l}市长。",
    "总统{x}访问了{l}，并会见了{p}。",
    "{x}在比赛中攻入两球，{o}以三比一击败{o}。",
    "该书由{x}所著，{p}翻译。",
    "{p}的父亲{p}曾在{o}任教。",
    "{p}和妻子{p}住在{l}。",
    "我叫{p}，今年{n}岁，来自{l}。",
    "我姓{f}，叫{p}。",
    "我女儿{p}在{o}上学，班主任是{c}。",
    "{p}把钱转给了{p}，备注写的是{w}。",
    "转账给{p}，账号{n}",
    "驾驶人{p}，联系方式{n}",
    "经办人：{p}　审核人：{p}　日期：{d}",
    "负责人{p}，{o}",
    "联系人：{p}（{o}）",
    "员工{p}的工号是{n}，部门{w}",
    "{\"name\":\"{p}\",\"mobile\":\"{n}\",\"company\":\"{o}\"}",
    "{\"姓名\":\"{p}\",\"城市\":\"{l}\"}",
    "user={p} phone={n} ip=10.0.0.{n}",
    "姓名,电话,城市\n{p},{n},{l}",
    "| {p} | {n} | {l} |",
    "token = \"{n}\"  # {p}的令牌",
    "// 作者：{p}，修改于{d}",
    "My name is {p}, my number is {n}.",
    "{r}（{p}）下周来{l}出差",
    "请联系{r}，邮箱{n}@example.org",
    "紧急联系人手机:{n},{p}收。",
    "{o}与{o}签署了合作协议。",
    "我在{o}上班，公司在{l}。",
    "从{l}到{l}的高铁要多久？",
    "{l}明天天气怎么样？",
    "他去了{l}，又转道{l}。",
    "{l}位于{l}北部。",
    "{o}位于{l}，成立于{d}。",
    "{d}，{o}在{l}成立。",
    "{p}总结了{w}，{p}补充。",
    "感谢{p}老师的指导。",
    "{p}教授团队与{o}合作。",
    "陪{c}去{l}看{w}",
    "{c}你好，我是{o}的{p}",
    "这件事{p}知道，别告诉{c}。",
    "{p}；{p}；{p}",
    "台湾同胞{p}，证件号{n}",
    "家长{p}您好，{p}同学今天没有到校。",
    "{p}（左）与{x}（右）在{l}合影。",
    "由{p}作词，{p}作曲。",
    "{p}等人因{w}被{o}调查。",
    // Text that holds no name, though it looks as if.
    "请总结下面这段话，分成{n}点。",
    "这个{w}怎么用？",
    "{w}在第{n}行报错了。",
    "高兴的是{w}终于上线了，{d}发布。",
    "明天{w}的时候记得带伞。",
    "黄色和白色的{w}各买{n}个。",
    "江边的{w}很多，安全第一。",
    "请把{w}改成{w}，谢谢。",
    "方便的话，{d}之前给我{w}。",
    "张开双手，深呼吸{n}次。",
    "王牌{w}，限时{n}折。",
    "周末和{w}都可以，时间不限。",
    "温度{n}度，湿度适中，马上出发。",
];

const WORDS: &str = "方案 合同 报告 会议纪要 预算 周报 发票 清单 简历 项目 系统 接口 数据库 代码 文档 表格 手机 电脑 苹果 白菜 面条 牛奶 电影 \
作业 考试 论文 比赛 活动 培训 面试 体检 春节 中秋节 国庆 元旦 星期一 周五 上午 高等数学 物理 化学 李子 石榴 黄瓜 马路 公交车 程序 金融 安装 \
毛衣 江湖 水平 常识 温泉 向导 万一 方法 时候 管理 严重 关系 明白 高度 平均 成功 文章 康复 武器 童年 包裹 白天 单位 宁静 路线 和平 解决 应用";
const MINORITY: &[&str] = &[
    "古丽米热·买买提",
    "阿依古丽·库尔班",
    "艾力·吐尔逊",
    "扎西顿珠",
    "卓玛央金",
    "次仁多吉",
    "格桑·旺堆",
    "巴特尔",
    "乌兰其其格",
    "木合塔尔·依明",
    "热依汗·阿不都",
    "丹增·罗布",
    "索朗·白玛",
    "哈斯额尔敦",
    "玛依拉·艾则孜",
    "努尔兰·叶尔肯",
];

pub(super) fn sentence(c: &mut Chooser) -> Sentence {
    let template = TEMPLATES[c.below(TEMPLATES.len())];
    let mut sentence = fill(template, |key| value(c, key));
    if c.chance(0.1) {
        // Without punctuation, as chats are written; letter for letter, so that places stay.
        sentence.text =
            sentence.text.chars().map(|x| if "，。；".contains(x) { ' ' } else { x }).collect();
    }
    sentence
}

fn value(c: &mut Chooser, key: &str) -> (String, Option<usize>) {
    match key {
        "p" if c.chance(0.04) => (c.pick(MINORITY).to_owned(), Some(PERSON)),
        "p" => {
            let (family, given) = people::chinese(c);
            (format!("{family}{given}"), Some(PERSON))
        }
        "f" => (people::chinese(c).0, Some(PERSON)),
        "c" => (people::called(c), Some(PERSON)),
        "x" if c.chance(0.25) => (c.pick(MINORITY).to_owned(), Some(PERSON)),
        "x" => (people::foreign(c), Some(PERSON)),
        "r" => (people::latin(c).full, Some(PERSON)),
        "l" => (places::place_zh(c), Some(LOCATION)),
        "o" => (places::body_zh(c), Some(ORGANISATION)),
        "d" => {
            let (year, month, day) = (1950 + c.below(80), 1 + c.below(12), 1 + c.below(28));
            let forms = [
                format!("{year}年{month}月{day}日"),
                format!("{month}月{day}日"),
                format!("{year}年"),
                format!("{year}-{month}-{day}"),
            ];
            (forms[c.below(forms.len())].clone(), None)
        }
        "n" => {
            let size = [10, 100, 10_000, 10_000_000][c.below(4)];
            (c.below(size).to_string(), None)
        }
        "w" => (c.word(WORDS).to_owned(), None),
        other => (format!("{{{other}}}"), None),
    }
}
