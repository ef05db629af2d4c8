//! Names of invented people: lists of given and family names of many origins, and syllables from which names
//! that are on no list are made. Everyone here is made up; a list holds single names, never a person's.

use super::Chooser;

const GIVEN: &str = "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan \
Joseph Jessica Thomas Sarah Karen Charles Lisa Daniel Nancy Matthew Betty Anthony Sandra Mark Ashley Donald Emily \
Steven Kimberly Andrew Margaret Paul Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Melissa George Deborah \
Timothy Stephanie Ronald Rebecca Jason Laura Edward Sharon Jeffrey Cynthia Ryan Kathleen Jacob Amy Nicholas Angela \
Gary Shirley Eric Anna Jonathan Brenda Stephen Pamela Larry Emma Justin Nicole Scott Helen Brandon Samantha Benjamin \
Katherine Samuel Christine Gregory Debra Alexander Rachel Frank Carolyn Patrick Janet Raymond Maria Jack Olivia \
Dennis Heather Jerry Ruth Tyler Julie Aaron Hannah Jose Virginia Nathan Megan Adam Andrea Henry Zachary Grace Peter \
Chloe Ethan Noah Lucy Oliver Harriet Felix Imogen Rupert Beatrice Callum Fiona Hamish Isla Declan Aoife Siobhan \
Niamh Gareth Rhys Ffion Kai Zoe Max Theo Leo Mia Ava Ella Freya Alfie Archie Bob Bill Jim Tom Dan Sam Liz Kate Meg \
Ahmed Mohammed Fatima Aisha Omar Yusuf Khalid Layla Noor Hassan Hussein Zainab Mariam Ibrahim Tariq Samira Bilal \
Priya Rahul Anjali Vikram Arjun Deepa Sanjay Kavita Rohan Neha Amit Pooja Suresh Lakshmi Ravi Divya Krishnan Meera \
Hiroshi Yuki Kenji Sakura Takeshi Haruka Daichi Aiko Ren Naoko Kazuo Emi Minjun Seoyeon Jiho Hana Jisoo Taeyang \
Nguyen Linh Thanh Huong Minh Trang Quang Mai Somchai Malee Arif Dewi Budi Siti Putri Agus Jomar Maricel Rodel \
Juan Carlos Lucia Sofia Diego Valentina Mateo Camila Javier Ines Pablo Marta Alejandro Rocio Joaquin Pilar Thiago \
Joao Beatriz Rafael Luiza Gustavo Fernanda Pierre Camille Luc Amelie Jean-Pierre Chantal Antoine Margaux Etienne \
Giovanni Giulia Luca Chiara Matteo Francesca Paolo Elena Hans Greta Jürgen Anneliese Klaus Ingrid Dieter Heike \
Stefan Sabine Wolfgang Lars Astrid Björn Sigrid Mikkel Freja Søren Ingeborg Aino Eero Jussi Kaisa Piotr Agnieszka \
Krzysztof Malgorzata Tomasz Zofia Jan Tereza Vaclav Jana Zoltan Eszter Gabor Katalin Laszlo Ildiko Mihai Ioana \
Radu Elena Dragan Milica Goran Jelena Luka Ana Matej Nika Dimitri Svetlana Ivan Olga Sergei Natasha Boris Tatiana \
Oleksandr Oksana Taras Halyna Giorgos Eleni Kostas Despina Mehmet Ayse Emre Zeynep Mustafa Elif David Miriam Yael \
Avi Noa Kwame Ama Kofi Abena Chidi Ngozi Emeka Adaeze Tunde Folake Sipho Thandiwe Lerato Themba Wanjiru Otieno \
Hiwot Dawit Selam Tesfaye Rangi Aroha Moana Sione Mele Leilani Keoni Xochitl Itzel Quetzal Nayeli";

const FAMILY: &str = "Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Thomas Moore Jackson Martin \
Thompson White Harris Clark Lewis Robinson Walker Hall Allen Young King Wright Scott Green Baker Adams Nelson Carter \
Mitchell Roberts Turner Phillips Campbell Parker Evans Edwards Collins Stewart Morris Rogers Reed Cook Morgan Bell \
Murphy Bailey Cooper Richardson Cox Howard Ward Peterson Gray Ramsey Brooks Kelly Sanders Price Bennett Wood Barnes \
Ross Henderson Coleman Jenkins Perry Powell Long Hughes Butler Simmons Foster Bryant Alexander Russell Griffin \
Hayes Whitfield Ashworth Pemberton Blackwood Hawthorne Kingsley Thornbury MacLeod McAllister O'Brien O'Connor \
Fitzgerald Gallagher Llewellyn Pritchard Garcia Rodriguez Martinez Hernandez Lopez Gonzalez Perez Sanchez Ramirez \
Torres Flores Rivera Gomez Diaz Morales Ortiz Castillo Vargas Delgado Silva Santos Oliveira Pereira Costa Almeida \
Carvalho Dubois Lefebvre Moreau Girard Rousseau Fontaine Beaumont Laurent Rossi Bianchi Ferrari Esposito Romano \
Colombo Ricci Marino Müller Schmidt Schneider Fischer Weber Becker Hoffmann Schäfer Koch Bauer Richter Krüger \
Hartmann Zimmermann Jansen Visser Bakker de Vries van den Berg van der Meer Hansen Johansen Olsen Larsen Andersson \
Karlsson Lindqvist Bergström Nieminen Korhonen Virtanen Kowalski Nowak Wisniewski Zielinski Novak Svoboda Dvorak \
Horvath Szabo Nagy Toth Kovacs Popescu Ionescu Petrov Ivanov Sokolov Volkov Kuznetsov Shevchenko Kovalenko \
Papadopoulos Nikolaidis Yilmaz Demir Kaya Celik Cohen Levy Mizrahi Friedman Rosenberg Khan Ahmed Hussain Malik Shah \
Patel Sharma Gupta Singh Kumar Reddy Iyer Nair Chatterjee Banerjee Desai Mehta Rao Fernando Perera Rahman Chowdhury \
Tanaka Suzuki Takahashi Watanabe Yamamoto Nakamura Kobayashi Sato Ito Kim Lee Park Choi Jung Kang Yoon Tran Pham \
Hoang Vu Dang Bui Le Suharto Wijaya Santoso Reyes Cruz Bautista Aquino Mensah Owusu Boateng Okafor Adeyemi Okonkwo \
Balogun Nwosu Dlamini Nkosi Mthembu Mokoena Kamau Odhiambo Mwangi Abebe Haile Tadesse El-Sayed Al-Farsi Haddad \
Mansour Nasser Khoury Bensalem Te-Rangi Faleolo Kealoha Begay Yellowhorse";

/// Syllables of romanised Mandarin, surname and given.
const PINYIN_FAMILY: &str = "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng \
Liang Xie Song Tang Deng Han Feng Cao Peng Zeng Xiao Tian Dong Pan Yuan Cai Jiang Yu Du Ye Cheng Wei Su Lu Ding Ren \
Shen Yao Jin Tan Qian Fan Shi Jia Xia Fu Bai Zou Meng Qin Qiu Hou Xiong Ouyang Sima Zhuge Shangguan Situ Wong Chan \
Cheung Lam Leung Ng Ho Kwok Yeung Chow";
const PINYIN_GIVEN: &str = "wei fang na xiu min jing li qiang lei jun yang yong yan jie juan tao ming chao xia ping gang \
gui ying hua yu ting xin mei lan bo bin kai hao ran yi zi han rui ze chen xuan qi jia le si cong dan feng guang hai \
hong jian kun liang long peng qing rong shan sheng tian wen xiang yue zhen zhi zhong xiao meng yuan ai cui die";

const ZH_FAMILY: &str = "王王王李李李张张张刘刘陈陈杨杨黄黄赵赵吴吴周周徐徐孙孙马马朱朱胡胡郭郭何何高高林林罗罗郑郑梁梁谢谢宋宋唐唐许许韩韩冯冯邓邓曹曹彭彭曾曾\
肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁房屈饶解牟艾尤时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕楚鄢劳谌奚皮粟冼蔺楼盘满闻位厉伊仝区郜海阚花权强帅屠豆朴盖练廉禹井";
const ZH_COMPOUND: &str = "欧阳 上官 司马 诸葛 司徒 夏侯 皇甫 尉迟 公孙 慕容 令狐 东方 独孤 宇文 长孙 端木 南宫 轩辕 西门 百里 呼延 拓跋 闻人 澹台 钟离 申屠 太史 赫连";
const ZH_GIVEN: &str = "伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂玉萍红鹏飞波辉斌健华建文宁国庆志海燕亮琳颖慧雪梅兰竹菊松柏林森子涵欣怡梓轩浩宇诗雨佳琪俊熙雅婷思远博天翊若曦晨阳昊然嘉懿煜城彤语嫣可馨诺瑶安琪蕾薇倩茜月莹洁云凤琴素珍莲真环爱妹香春菊兰凤洁梅琳素云莲真环雪荣爱妹霞香月莺媛艳瑞凡佳嘉琼勤珍贞莉桂娣叶璧璐娅琦晶妍茜秋珊莎锦黛青倩婷姣婉娴瑾颖露瑶怡婵雁蓓纨仪荷丹蓉眉君琴蕊薇菁梦岚苑婕馨瑗琰韵融园艺咏卿聪澜纯毓悦昭冰爽琬茗羽希伊宏峰山仁生龙元全胜学祥才发武新利清彬富顺信子昌成康星光天达安岩中茂进有坚和彪博诚先敬震振壮会思群豪心邦承乐绍功善厚裕河哲江超浩亮政谦亨奇固之轮翰朗伯言若鸣朋梁栋维启克伦翔旭泽晨辰士以家致树炎德行时泰盛雄琛钧冠策腾楠榕风航弘尧舜禹皓睿铭韬略";
/// Characters that foreign names are written with.
const ZH_FOREIGN: &str = "阿埃艾安奥巴贝比伯博布查达戴德迪蒂丁杜多恩尔法菲费佛弗夫福盖戈格古哈海汉赫亨胡霍基吉加杰金卡凯康科克肯库拉莱兰朗劳雷里利莉林琳卢鲁路罗洛马玛麦曼梅门蒙米明莫默姆纳奈南内尼诺欧帕潘佩彭皮蒲普奇乔切琼萨塞桑沙莎舍史舒斯苏索塔泰坦汤唐特图托瓦威韦维温沃乌西希夏肖谢辛休雅亚延扬耶叶伊因尤约泽詹珍朱佐兹森顿逊";

/// A whole name in Latin letters, and how else a text may call that person.
pub(super) struct Person {
    pub(super) full: String,
    pub(super) given: String,
    pub(super) family: String,
}

pub(super) fn latin(c: &mut Chooser) -> Person {
    if c.chance(0.16) {
        return pinyin(c);
    }
    let given = if c.chance(0.12) { made_up(c) } else { c.word(GIVEN).to_owned() };
    let family = if c.chance(0.25) { made_up(c) } else { family(c) };
    let full = match c.below(12) {
        0 => format!("{given} {}. {family}", initial(c)),
        1 => format!("{given} {} {family}", c.word(GIVEN)),
        2 => format!("{given} {family}-{}", c.word(FAMILY)),
        _ => format!("{given} {family}"),
    };
    Person { full, given, family }
}

/// A surname, particles and all.
fn family(c: &mut Chooser) -> String {
    match c.below(40) {
        0 => format!("van der {}", c.word("Meer Berg Linden Velde Heijden Wal")),
        1 => format!("de {}", c.word("Vries Souza Groot Jong Luca Angelis")),
        2 => format!("von {}", c.word("Hagen Stein Braun Lindau Ahlefeld")),
        3 => format!("Mc{}", c.word("Kenna Bride Leish Carron Gowan Tavish")),
        4 => format!("O'{}", c.word("Dowd Malley Rourke Shea Keefe Toole")),
        _ => loop {
            let family = c.word(FAMILY);
            if family.starts_with(char::is_uppercase) {
                break family.to_owned();
            }
        },
    }
}

fn pinyin(c: &mut Chooser) -> Person {
    let family = c.word(PINYIN_FAMILY).to_owned();
    let mut given = capital(c.word(PINYIN_GIVEN));
    if c.chance(0.7) {
        let joint = c.pick(&["", "", "-", " "]);
        let second = c.word(PINYIN_GIVEN);
        given = match joint {
            " " => format!("{given} {}", capital(second)),
            joint => format!("{given}{joint}{second}"),
        };
    }
    let full = match c.below(5) {
        0 | 1 => format!("{given} {family}"),
        2 => format!("{} {family}", c.word(GIVEN)),
        _ => format!("{family} {given}"),
    };
    Person { full, given, family }
}

/// A name that is on no list.
pub(super) fn made_up(c: &mut Chooser) -> String {
    const ONSET: &str =
        "b br c ch d dr f fr g gr h j k kl kr l m n p r s sh sk st sv t th tr v w y z";
    const VOWEL: &str = "a e i o u a e i o aa ai ea ei ia io ou á é í ö ü å ø";
    const CODA: &str = "l n r s m t k nd rt ld ng x nt st _ _ _ _ _ _";
    const TAIL: &str = "son sen ez ov ova ski ska ic ini etti elli er mann berg ström nen ian yan oglu ou a o i is us wala pour zadeh";
    let mut name = String::new();
    for _ in 0..2 + c.below(2) {
        name.push_str(c.word(ONSET));
        name.push_str(c.word(VOWEL));
        name.push_str(c.word(CODA).trim_matches('_'));
    }
    if c.chance(0.5) {
        name.push_str(c.word(TAIL));
    }
    capital(&name)
}

pub(super) fn initial(c: &mut Chooser) -> char {
    char::from(b'A' + u8::try_from(c.below(25)).unwrap_or(0))
}

pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Surname and given name in Chinese.
pub(super) fn chinese(c: &mut Chooser) -> (String, String) {
    let family = if c.chance(0.08) {
        c.word(ZH_COMPOUND).to_owned()
    } else {
        c.letter(ZH_FAMILY).to_string()
    };
    let mut given = c.letter(ZH_GIVEN).to_string();
    if c.chance(0.72) {
        given.push(c.letter(ZH_GIVEN));
    }
    (family, given)
}

/// A foreign name in Chinese writing.
pub(super) fn foreign(c: &mut Chooser) -> String {
    let part =
        |c: &mut Chooser| (0..2 + c.below(3)).map(|_| c.letter(ZH_FOREIGN)).collect::<String>();
    let first = part(c);
    if c.chance(0.5) { format!("{first}·{}", part(c)) } else { first }
}

/// What a Chinese chat or form calls somebody.
pub(super) fn called(c: &mut Chooser) -> String {
    const ROLES: &str = "总 经理 老师 主任 医生 教授 律师 局长 处长 科长 工 哥 姐 叔 阿姨 师傅 校长 护士 会计 董 队 博士 院长 书记";
    let (family, given) = chinese(c);
    match c.below(14) {
        0 => format!("小{}", family),
        1 => format!("老{}", family),
        2 => format!("阿{}", c.letter(ZH_GIVEN)),
        3 | 4 => format!("{family}{}{}", super::TITLE, c.word(ROLES)),
        6 => given.chars().last().map_or_else(String::new, |last| format!("{last}{last}")),
        5 => foreign(c),
        _ => format!("{family}{given}"),
    }
}
