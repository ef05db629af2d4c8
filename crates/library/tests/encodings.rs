//! One small text in each encoding comes back as it was, under the encoding's name.

use crate::support::{read, text_of};
use encoding_rs::Encoding;
use nearside_types::FileStatus;

const SIMPLIFIED: &str =
    "客户张伟于2026年3月14日签订合同，金额为12,345元。\n请在月底之前付款，联系电话13800138000。";
const TRADITIONAL: &str =
    "這份租賃合同從三月開始，每個月的租金是四千元。\n請在月底之前付款給業主，謝謝。";
const JAPANESE: &str =
    "この契約書は三月から有効です。毎月の家賃は八万円です。\nよろしくお願いいたします。";
const KOREAN: &str = "이 계약서는 삼월부터 유효합니다. 매월 임대료는 팔십만 원입니다.\n감사합니다.";
const RUSSIAN: &str = "Договор аренды начинается в марте, и каждый месяц нужно платить сорок тысяч рублей.\nСпасибо за внимание.";
const FRENCH: &str =
    "Le contrat a été signé à l'hôtel. Le loyer s'élève à 800 €, payable dès le début du mois.";
const POLISH: &str = "Umowa najmu zaczyna się w marcu, a czynsz należy płacić każdego miesiąca. Dziękuję, miło świeci słońce.";
const GREEK: &str = "Η σύμβαση μίσθωσης αρχίζει τον Μάρτιο και το ενοίκιο πληρώνεται κάθε μήνα.";
const ARABIC: &str = "يبدأ عقد الإيجار في شهر مارس ويجب دفع الإيجار كل شهر في موعده.";
const HEBREW: &str = "חוזה השכירות מתחיל במרץ ויש לשלם את שכר הדירה בכל חודש.";

fn check(label: &str, text: &str, named: &str) {
    let encoding = Encoding::for_label(label.as_bytes()).expect("a known label");
    let (bytes, _, lossy) = encoding.encode(text);
    assert!(!lossy, "{label} cannot hold the text");
    check_bytes(label, &bytes, text, named);
}

fn check_bytes(label: &str, bytes: &[u8], text: &str, named: &str) {
    let extracted = read("note.txt", bytes);
    assert_eq!(text_of(&extracted), text, "{label}");
    assert_eq!(extracted.status, FileStatus::Ok, "{label}");
    assert_eq!(extracted.encoding.as_deref(), Some(named), "{label}");
}

#[test]
fn two_byte_encodings_of_east_asia() {
    check("gb18030", SIMPLIFIED, "gb18030");
    check("big5", TRADITIONAL, "Big5");
    check("shift_jis", JAPANESE, "Shift_JIS");
    check("euc-jp", JAPANESE, "EUC-JP");
    check("iso-2022-jp", JAPANESE, "ISO-2022-JP");
    check("euc-kr", KOREAN, "EUC-KR");
}

#[test]
fn short_texts() {
    check("gbk", "合同编号：HT-2026-07", "gb18030");
    check("gbk", "张伟,13800138000\n李娜,13912345678", "gb18030");
    check("big5", "維基百科的條目", "Big5");
    check("shift_jis", "佐藤様 090-1234-5678", "Shift_JIS");
}

#[test]
fn one_byte_encodings() {
    check("windows-1251", RUSSIAN, "windows-1251");
    check("koi8-r", RUSSIAN, "KOI8-R");
    check("ibm866", RUSSIAN, "IBM866");
    check("iso-8859-5", RUSSIAN, "ISO-8859-5");
    check("windows-1252", FRENCH, "windows-1252");
    check("windows-1250", POLISH, "windows-1250");
    check("windows-1253", GREEK, "windows-1253");
    check("windows-1256", ARABIC, "windows-1256");
    check("windows-1255", HEBREW, "windows-1255");
}

#[test]
fn unicode_with_and_without_a_mark() {
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    };
    for text in [SIMPLIFIED, RUSSIAN, FRENCH, JAPANESE, "plain ASCII, no more than that"] {
        check_bytes("utf-8", text.as_bytes(), text, "UTF-8");
        let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
        check_bytes("utf-8 with mark", &marked, text, "UTF-8");
        let little = wide(text, u16::to_le_bytes);
        let big = wide(text, u16::to_be_bytes);
        check_bytes("utf-16le", &little, text, "UTF-16LE");
        check_bytes("utf-16be", &big, text, "UTF-16BE");
        check_bytes("utf-16le with mark", &[b"\xFF\xFE", &little[..]].concat(), text, "UTF-16LE");
        check_bytes("utf-16be with mark", &[b"\xFE\xFF", &big[..]].concat(), text, "UTF-16BE");
    }
    let only_han =
        "这是我们在中国的第一个大的合同，他们不了解上面的条款。有人来了，我就说这是他的。";
    check_bytes("utf-16le Han alone", &wide(only_han, u16::to_le_bytes), only_han, "UTF-16LE");
}

#[test]
fn a_log_of_two_programs() {
    let (gbk, _, _) = encoding_rs::GBK.encode("警告：磁盘空间不足\n");
    let bytes = ["信息：服务已经启动\n".as_bytes(), &gbk, "信息：完成\n".as_bytes()].concat();
    check_bytes(
        "mixed",
        &bytes,
        "信息：服务已经启动\n警告：磁盘空间不足\n信息：完成",
        "UTF-8 + gb18030",
    );
}

#[test]
fn a_log_of_two_programs_in_french() {
    let (old, _, _) = encoding_rs::WINDOWS_1252.encode("Le début a été signé à l'hôtel.\n");
    let bytes = ["Après l'été, le service a redémarré.\n".as_bytes(), &old].concat();
    let text = "Après l'été, le service a redémarré.\nLe début a été signé à l'hôtel.";
    check_bytes("mixed French", &bytes, text, "UTF-8 + windows-1252");
}

#[test]
fn what_cannot_be_decoded_is_said() {
    let mut bytes = SIMPLIFIED.as_bytes().to_vec();
    bytes.extend_from_slice(b"\xFF\xFF\n");
    let extracted = read("note.txt", &bytes);
    assert_eq!(extracted.status, FileStatus::Partial, "{:?}", extracted.warnings);
    assert!(text_of(&extracted).contains("13800138000"));
    assert!(extracted.warnings[0].text.contains("places"), "{:?}", extracted.warnings);
}

#[test]
fn bytes_that_are_no_text_are_not_shown() {
    let noise: Vec<u8> =
        (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let extracted = read("data.txt", &noise);
    assert_eq!(extracted.status, FileStatus::Unsupported);
    assert!(extracted.pages.is_empty());
}
