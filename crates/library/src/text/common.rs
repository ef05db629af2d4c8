//! The commonest characters of written Chinese, Japanese and Russian, by which a decoding is judged.
//! Compiled from general knowledge of the languages; order does not matter.

/// Simplified Chinese, and characters that both scripts share.
pub(super) const SIMPLIFIED: &str = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔号手机户份证址阳区街室签订合同金额备注联系邮箱姓客址李王刘陈杨赵黄周吴徐孙胡朱林何郭罗钱付款租赁甲乙条款费用";

/// Traditional Chinese, where it differs, with the shared ones repeated by the caller.
pub(super) const TRADITIONAL: &str = "這個們來為國說時會對於著後裡過發種經麼學現當沒動還進樣開從實軍與長機民關點業將兩間問應戰頭體見產話給門兒東聲員論處義幾認條係氣題爾別變總電數報結務場計資許統區隊決治馬書則聽卻達強難權設記類據邊張該規萬覺術領確傳師觀讓識帶導爭運筆號戶證陽簽訂額備註聯絡郵箱劉陳楊趙黃吳孫錢租賃維基典眾誌網頁語漢繁簡轉換歷史臺灣當選舉與";

/// Kanji of everyday Japanese.
pub(super) const KANJI: &str = "日本人大年一国中会事者出行上東京生時分自後間前社手内氏部見場学高業方地長合最小金今対政家動同力目理月新発思通全回現問体立要成強主気作代明実開期数性関下度定点取第用当取話都市区県名住所電話様円田山川木藤佐高橋鈴渡辺伊中村小林加吉松井太郎子美三二四五六七八九十百千万齢歳男女阪名古屋願致株式";

/// The ten commonest letters of Russian; about two thirds of any Russian text.
pub(super) const RUSSIAN: &str = "оеаинтсрвл";
