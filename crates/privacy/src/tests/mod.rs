//! What the room promises: the way back is exact, a stream restores like a whole text, the gate is closed
//! when it should be, and nothing of content shows in `Debug`.

use std::sync::Arc;

use nearside_types::{
    Action, EntityEdit, EntityType, Failure, FailureKind, Name, NameModel, OwnEntry, OwnList,
    PrivacyPreset, Role, Turn, UserText,
};

use crate::*;

mod found;
mod properties;

fn mobile() -> String {
    format!("138{}8000", "0013")
}

fn resident_id() -> String {
    format!("11010519491231{}02X", '0')
}

#[test]
fn numbers_and_keys_are_found_as_people_write_them() {
    let number = mobile();
    let (a, b, c) = (&number[..3], &number[3..7], &number[7..]);
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQ";
    for (text, hidden) in [
        (format!("Call me: {a}\n{b}\n{c}"), "[PHONE_1]"),
        (format!("电话 {a}{b}\n{c} 谢谢"), "[PHONE_1]"),
        (format!("wx{number}"), "[PHONE_1]"),
        (format!("加我vx:{number}。"), "[PHONE_1]"),
        ("write to john(at)gmail.com soon".to_owned(), "[EMAIL_1]"),
        ("22 Baker Street, London. Salary 54,000.".to_owned(), "[ADDRESS_1]. Salary 54,000."),
        (format!("-----BEGIN {} KEY-----\n{key}", "PRIVATE"), "[SECRET_1]"),
    ] {
        let redacted = once(&text).0.text;
        assert!(redacted.contains(hidden), "{text}: {}", &*redacted);
        assert!(![c, "john", key].iter().any(|part| redacted.contains(part)), "{}", &*redacted);
    }
}

fn once(text: &str) -> (nearside_types::Redaction, PseudonymMap) {
    let mut map = PseudonymMap::new();
    let redaction = redact(text, &Policy::default(), &mut map).unwrap();
    (redaction, map)
}

fn turn(role: Role, text: &str) -> Turn {
    Turn { role, content: UserText::from(text) }
}

fn request(texts: &[&str]) -> RawRequest {
    RawRequest {
        turns: texts.iter().map(|t| turn(Role::User, t)).collect(),
        model: "far".to_owned(),
        params: Params::default(),
        destination: "api.example.com".to_owned(),
    }
}

fn adapter(proposed: &Proposed) -> Vec<u8> {
    let texts: Vec<&str> = proposed.messages().iter().map(Message::text).collect();
    serde_json::to_vec(&texts).unwrap()
}

#[test]
fn one_value_has_one_placeholder() {
    let mobile = mobile();
    let spaced = format!("{} {} {}", &mobile[..3], &mobile[3..7], &mobile[7..]);
    let text = format!("电话{mobile}，再说一遍：{mobile}，或写作 +86 {spaced}。");
    let (redaction, map) = once(&text);
    assert_eq!(&*redaction.text, "电话[PHONE_1]，再说一遍：[PHONE_1]，或写作 [PHONE_1b]。");
    assert_eq!(restore(&redaction.text, &map).text.0, text);
    let mut map = map;
    let later = redact(&format!("还是{mobile}吗？"), &Policy::default(), &mut map).unwrap();
    assert_eq!(&*later.text, "还是[PHONE_1]吗？");
}

#[test]
fn a_text_that_looks_like_a_placeholder_comes_back() {
    let mobile = mobile();
    for text in [
        "write [PERSON_1] and [phone 2] or PERSON_3 please".to_owned(),
        format!("[PHONE_1] is not {mobile}"),
        format!("[{mobile}] \\[{mobile}\\] 【{mobile}】 PHONE_{mobile}"),
        format!("[PHONE_1]{mobile}[PHONE_1]"),
        "%5BPERSON_1%5D".to_owned(),
        // One look-alike that begins in one entity and ends in the next.
        format!("person001@example.com\u{200b}PERSON_{mobile}"),
    ] {
        let (redaction, map) = once(&text);
        assert!(!redaction.text.contains(&mobile), "{}", &*redaction.text);
        let back = restore(&redaction.text, &map);
        assert_eq!(back.text.0, text);
        assert!(back.unknown.is_empty());
    }
}

#[test]
fn answers_restore_however_they_are_written() {
    let mobile = mobile();
    let (_, map) = once(&format!("call {mobile}"));
    let check = |answer: &str, expected: &str| {
        assert_eq!(restore(answer, &map).text.0, expected.replace("NUMBER", &mobile), "{answer}");
    };
    check("**[PHONE_1]**", "**NUMBER**");
    check("[**PHONE_1**]'s", "NUMBER's");
    check("{\"phone\": \"[phone_1]\"}", "{\"phone\": \"NUMBER\"}");
    check("| [PHONE\\_1] | x |", "| NUMBER | x |");
    check("`[PHONE_1]`、【PHONE_1】", "`NUMBER`、NUMBER");
    check("[PHONE_1][PHONE_1]", "NUMBERNUMBER");
    check("[PHONE_\n1] [ PHONE 1 ]", "NUMBER NUMBER");
    check("PHONE_1, phone_1, PHONE_12", "NUMBER, phone_1, PHONE_12");
    check("[PHONE_1s]", "NUMBERs");
    let unknown = restore("[PHONE_7] and [person_2]", &map);
    assert_eq!(unknown.text.0, "[PHONE_7] and [person_2]");
    assert_eq!(unknown.unknown, ["[PHONE_7]", "[PERSON_2]"]);
}

#[test]
fn the_gate_asks_for_the_exact_body() {
    let gate = Gate::new(Policy::default(), None);
    gate.check().unwrap();
    let (mobile, id) = (mobile(), resident_id());
    let first = format!("我的手机是{mobile}，身份证号{id}。");
    let second = format!("把{mobile}写进信里");
    let mut map = PseudonymMap::new();
    let draft = gate.prepare(request(&[&first, &second]), &mut map, &[]).unwrap();
    let (body, sha256) = draft.render(adapter);
    let body = String::from_utf8(body).unwrap();
    assert!(!body.contains(&mobile) && !body.contains(&id), "{body}");
    assert_eq!(draft.entities().len(), 2);
    assert_eq!(draft.proposed().messages()[1].text(), "把[PHONE_1]写进信里");
    let again = gate.prepare(request(&[&first, &second]), &mut map, &[]).unwrap();
    assert_eq!(again.render(adapter).1, sha256, "the same request has the same body");
    assert_eq!(again.approve("00", adapter).unwrap_err(), Error::NotApproved);
    let outbound = draft.approve(&sha256.to_uppercase(), adapter).unwrap();
    assert_eq!(outbound.body(), body.as_bytes());
    assert_eq!(outbound.sha256(), sha256);
}

#[test]
fn an_edit_holds_for_the_value_everywhere() {
    let gate = Gate::new(Policy::default(), None);
    let mobile = mobile();
    let texts = [format!("手机{mobile}"), format!("再打{mobile}，邮箱 a{}b.example.com", '@')];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut map = PseudonymMap::new();
    let keep = EntityEdit { block: 0, span: 0, action: Action::Keep, replacement: None };
    let draft = gate.prepare(request(&texts), &mut map, std::slice::from_ref(&keep)).unwrap();
    assert_eq!(*draft.blocks()[1].outgoing, *format!("再打{mobile}，邮箱 [EMAIL_1]"));
    assert_eq!(draft.blocks()[1].spans[0].action, Action::Keep);
    let edit = EntityEdit { action: Action::Edit, replacement: Some("the number".into()), ..keep };
    let draft = gate.prepare(request(&texts), &mut map, std::slice::from_ref(&edit)).unwrap();
    assert_eq!(&*draft.blocks()[1].outgoing, "再打the number，邮箱 [EMAIL_1]");
    let lost = EntityEdit { span: 9, ..edit.clone() };
    assert!(matches!(
        gate.prepare(request(&texts), &mut map, &[lost]),
        Err(Error::UnknownEntity { block: 0, span: 9 })
    ));
    let bare = EntityEdit { replacement: None, ..edit };
    assert_eq!(
        gate.prepare(request(&texts), &mut map, &[bare]).unwrap_err(),
        Error::MissingReplacement
    );
}

#[test]
fn policies() {
    let text =
        format!("她1990-05-03出生，住北京市朝阳区建国路8号，IP {}", ["198.51.100", "7"].join("."));
    let mut map = PseudonymMap::new();
    let coarse = Policy::default()
        .with(EntityType::Address, Action::Generalise)
        .with(EntityType::DateOfBirth, Action::Generalise);
    let redaction = redact(&text, &coarse, &mut map).unwrap();
    assert_eq!(&*redaction.text, "她1990出生，住北京市朝阳区，IP [IP_1]");
    assert!(!coarse.is_reversible());
    let never = Policy::default().with(EntityType::Ip, Action::Refuse);
    assert_eq!(redact(&text, &never, &mut map).unwrap_err(), Error::Refused(EntityType::Ip));
    let strict = Policy::preset(PrivacyPreset::Strict);
    assert!(redact("we moved to Norway", &strict, &mut map).unwrap().text.contains("[LOCATION_1]"));
    let (kept, _) = once("we moved to Norway");
    assert_eq!(&*kept.text, "we moved to Norway");
    assert_eq!(kept.spans[0].action, Action::Keep, "kept entities are listed too");
}

#[test]
fn invented_values_are_nobodys_and_come_back() {
    let mobile = mobile();
    let fake = Policy::named("balanced, PHONE=fake, PERSON=fake, SECRET=fake, EMAIL=fake").unwrap();
    let text = format!(
        "Dr. Ann Lee ({mobile}, a{}b.example.net), +1 202-555-0100 is taken; the wifi password is Tr0ub4dor{}3",
        '@', '&'
    );
    let mut map = PseudonymMap::new();
    let redaction = redact(&text, &fake, &mut map).unwrap();
    assert_eq!(
        &*redaction.text,
        "Dr. John Doe (+1 202-555-0101, person001@example.com), +1 202-555-0102 is taken; the wifi password is [SECRET_1]"
    );
    assert_eq!(redaction.map["[PHONE_1]=+1 202-555-0101"].0, mobile);
    assert!(
        redaction.spans.iter().any(|s| s.why.contains("no invented value")),
        "the password is masked"
    );
    assert_eq!(restore(&redaction.text, &map).text.0, text);
    let stored: PseudonymMap = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
    assert_eq!(
        restore("Tell John Doe: 202-555-0101", &stored).text.0,
        "Tell Ann Lee: 202-555-0101"
    );
    let mut stream = StreamRestorer::new(stored);
    assert_eq!(stream.push("Tell John ").0, "Tell ");
    assert_eq!(stream.push("Doe.").0, "Ann Lee.");
    // The user's own text that looks like an invented value is escaped first.
    let later =
        redact("who is John Doe?", &Policy::named("balanced,PERSON=keep").unwrap(), &mut map)
            .unwrap();
    assert_eq!(&*later.text, "who is [TEXT_1]?");
    assert!(
        Policy::named("balanced,PHONE").is_none() && Policy::named("balanced,PHONE=edit").is_none()
    );
}

#[test]
fn the_users_own_list_is_kept_and_hidden() {
    let list = OwnList {
        hide: vec![
            OwnEntry {
                kind: EntityType::Org,
                names: vec!["Project Halcyon".into(), "晨曦项目".into()],
            },
            OwnEntry { kind: EntityType::Person, names: vec!["魏澜".into(), "Wei Lan".into()] },
        ],
        keep: vec!["Dr. Ann Lee".into(), "Ann Lee".into()],
    };
    // The policy keeps organisations; those on the list are hidden all the same.
    let gate = Gate::new(Policy::default(), None).with_list(&list);
    let text =
        "Dr. Ann Lee runs project  HALCYON（晨曦项目） with wei lan; 魏澜不在。halcyons are birds";
    let text = text.replace("  ", " ");
    let draft = gate.prepare(request(&[&text]), &mut PseudonymMap::new(), &[]).unwrap();
    assert_eq!(
        &*draft.blocks()[0].outgoing,
        "Dr. Ann Lee runs [ORG_1]（[ORG_1b]） with [PERSON_1]; [PERSON_1b]不在。halcyons are birds"
    );
}

#[test]
fn what_the_user_picks_out_is_hidden_too() {
    let gate = Gate::new(Policy::default(), None);
    let text = "Tell Ann Lee about the blue folder, the Blue Folder of 2019.";
    let more =
        |names: &str| [OwnEntry { kind: EntityType::Account, names: vec![UserText::from(names)] }];
    let prepare = |more: &[OwnEntry]| {
        gate.prepare_hiding(request(&[text]), &mut PseudonymMap::new(), &[], more)
    };
    let draft = prepare(&more("blue  folder")).unwrap();
    let outgoing = &draft.blocks()[0].outgoing;
    assert!(!outgoing.to_lowercase().contains("blue"), "{}", outgoing.0);
    assert_eq!(prepare(&more("red folder")).err(), Some(Error::NotThere));
    assert!(prepare(&more("b")).is_err());
}

#[test]
fn a_list_is_tidied_or_refused_with_a_sentence() {
    let entry = |names: &[&str]| OwnEntry {
        kind: EntityType::Person,
        names: names.iter().map(|name| UserText::from(*name)).collect(),
    };
    let list = OwnList {
        hide: vec![entry(&[" 张伟 ", "Zhang  Wei", "ZHANG WEI"]), entry(&["", "张伟"])],
        keep: vec!["zhang wei".into(), "Ann Lee".into()],
    };
    let tidied =
        OwnList { hide: vec![entry(&["张伟", "Zhang Wei"])], keep: vec!["Ann Lee".into()] };
    assert_eq!(tidy(list), Ok(tidied));
    let refused = |name: &str| tidy(OwnList { hide: vec![entry(&[name])], keep: vec![] });
    assert!(refused("张").unwrap_err().to_string().contains("single character"));
    assert!(refused(&"x".repeat(201)).unwrap_err().to_string().contains("200"));
}

#[test]
fn one_person_has_one_number() {
    let mut map = PseudonymMap::new();
    let policy = Policy::default();
    let first = "联系人：张伟（Zhang Wei）。客户：李强。";
    let redaction = redact(first, &policy, &mut map).unwrap();
    assert_eq!(&*redaction.text, "联系人：[PERSON_1]（[PERSON_1b]）。客户：[PERSON_2]。");
    let later = redact("请张先生和李先生来。", &policy, &mut map).unwrap();
    assert_eq!(&*later.text, "请[PERSON_1c]先生和[PERSON_2b]先生来。");
    assert_eq!(&*restore(&later.text, &map).text, "请张先生和李先生来。");
    let mut map = PseudonymMap::new();
    let english = redact("My name is Priya Raman. Raman signed it.", &policy, &mut map).unwrap();
    assert_eq!(&*english.text, "My name is [PERSON_1]. [PERSON_1b] signed it.");
}

#[test]
fn what_models_do_to_placeholders() {
    let mut map = PseudonymMap::new();
    let policy = Policy::default();
    redact("Dr. Ann Lee (SSN 536-90-4399) and Dr. Bob Tan", &policy, &mut map).unwrap();
    let check = |answer: &str, expected: &str| {
        let restored = restore(answer, &map);
        assert_eq!(&*restored.text, expected, "{answer}");
        assert!(restored.unknown.is_empty(), "{answer}: {:?}", restored.unknown);
    };
    let (ann, id) = ("Ann Lee", "536-90-4399");
    check("[PERSON_1] [Person_1] [person_1] [PeRsOn_1]", &[ann; 4].join(" "));
    check(
        "**[PERSON_1]** *[PERSON_1]* __[PERSON_1]__ ~~[PERSON_1]~~",
        "**Ann Lee** *Ann Lee* __Ann Lee__ ~~Ann Lee~~",
    );
    check("[**PERSON_1**] [`PERSON_1`] [\"PERSON_1\"] [*PERSON_1*]", &[ann; 4].join(" "));
    check("`[PERSON_1]` ```\nname = \"[PERSON_1]\"\n```", "`Ann Lee` ```\nname = \"Ann Lee\"\n```");
    check(
        "{\"name\":\"[PERSON_1]\",\"id\":\"[national_id_1]\"}",
        "{\"name\":\"Ann Lee\",\"id\":\"536-90-4399\"}",
    );
    check("| [PERSON\\_1] | [NATIONAL\\_ID\\_1] |", "| Ann Lee | 536-90-4399 |");
    check("[PERSON_1]'s and [PERSON_1]’s and [PERSON_1]s", "Ann Lee's and Ann Lee’s and Ann Lees");
    check("[PERSON_1s] [PERSONS_1] [PERSON_1's]", "Ann Lees Ann Lee [Ann Lee's]");
    check(
        "[NATIONAL_\nID_1] [NATIONAL\n_ID_1] [NATIONAL_ID\n_1] [NATIONAL_ID_\n1]",
        &[id; 4].join(" "),
    );
    check("> [NATIONAL_\n> ID_1]", "> 536-90-4399");
    check(
        "请 [PERSON_1] 和[ PERSON_1 ]说，【PERSON_1】、［PERSON_1］、〔PERSON_1〕",
        "请 Ann Lee 和Ann Lee说，Ann Lee、Ann Lee、Ann Lee",
    );
    check("[PERSON_１] [ＰＥＲＳＯＮ＿１] ［ＰＥＲＳＯＮ＿１］", &[ann; 3].join(" "));
    check("[PERSON_1][PERSON_2] [PERSON_1]/[PERSON_2]", "Ann LeeBob Tan Ann Lee/Bob Tan");
    check("[PERSON_1, PERSON_2]", "[Ann Lee, Bob Tan]");
    check("[PERSON-1] [PERSON 1] [PERSON _ 1] [PERSON#1]", &[ann; 4].join(" "));
    check(
        "%5BPERSON_1%5D &#91;PERSON_1&#93; \\[PERSON_1\\] \\u005bPERSON_1\\u005d",
        &[ann; 4].join(" "),
    );
    check("<b>[PERSON_1]</b> (PERSON_1) PERSON_1.", "<b>Ann Lee</b> (Ann Lee) Ann Lee.");
    let invented = restore("[PERSON_9] and [EMAIL_1]", &map);
    assert_eq!(&*invented.text, "[PERSON_9] and [EMAIL_1]");
    assert_eq!(invented.unknown, ["[PERSON_9]", "[EMAIL_1]"]);
}

#[test]
fn signs_of_several_bytes_beside_numbers_stop_nothing() {
    let mobile = mobile();
    for text in [
        format!("{mobile}÷"),
        format!("×{mobile}×2"),
        format!("€{mobile}٣"),
        format!("{mobile}\u{2028}é"),
    ] {
        assert_eq!(restore(&once(&text).0.text, &once(&text).1).text.0, text);
    }
}

#[test]
fn rare_combinations_warn() {
    let check = |text: &str, warns: bool| {
        let gate = Gate::new(Policy::default(), None);
        let draft = gate.prepare(request(&[text]), &mut PseudonymMap::new(), &[]).unwrap();
        assert_eq!(!draft.leaks().is_empty(), warns, "{text}: {:?}", draft.leaks());
    };
    check("She is 34, the only female surgeon, and lives in Iceland since 2015.", true);
    check("他今年58岁，是昆明那所学校的校长。", true);
    check("The office in Norway opened in 2015.", false);
    check("Summarize this text.", false);
}

#[test]
fn a_blind_detector_closes_the_gate() {
    let gate = Gate::with_detector(Policy::default(), Detector::of(Vec::new()).unwrap());
    assert!(matches!(gate.check(), Err(Error::Closed(_))));
    let error = gate.prepare(request(&["hello"]), &mut PseudonymMap::new(), &[]).unwrap_err();
    let failure = Failure::from(error);
    assert_eq!((failure.kind, failure.code.as_str()), (FailureKind::Refused, "gate_closed"));
}

struct Broken {
    panics: bool,
}

impl NameModel for Broken {
    fn names(&self, sentences: &[&str]) -> std::result::Result<Vec<Vec<Name>>, Failure> {
        if !sentences.iter().any(|s| s.contains("Breaks")) {
            return Ok(vec![Vec::new(); sentences.len()]);
        }
        assert!(!self.panics, "a model that panics");
        Err(Failure::internal("a model that fails"))
    }
}

#[test]
fn a_failing_model_sends_nothing() {
    for panics in [true, false] {
        let gate = Gate::new(Policy::default(), Some(Arc::new(Broken { panics })));
        gate.check().unwrap();
        let mut map = PseudonymMap::new();
        assert!(gate.prepare(request(&["fine"]), &mut map, &[]).is_ok());
        let error = gate.prepare(request(&["this Breaks"]), &mut map, &[]).unwrap_err();
        assert!(matches!(error, Error::Detection(_)), "{error}");
    }
}

struct Namer;

impl NameModel for Namer {
    fn names(&self, sentences: &[&str]) -> std::result::Result<Vec<Vec<Name>>, Failure> {
        let name = |sentence: &&str| {
            let start = sentence[..sentence.find("Quixotl")?].chars().count();
            Some(Name { start, end: start + 7, kind: EntityType::Person, score: 0.97 })
        };
        Ok(sentences.iter().map(|s| name(s).into_iter().collect()).collect())
    }
}

#[test]
fn a_name_model_adds_names() {
    let gate = Gate::new(Policy::default(), Some(Arc::new(Namer)));
    let draft =
        gate.prepare(request(&["好。\né Quixotl came"]), &mut PseudonymMap::new(), &[]).unwrap();
    assert_eq!(&*draft.blocks()[0].outgoing, "好。\né [PERSON_1] came");
}

#[test]
fn debug_tells_no_content() {
    let mobile = mobile();
    let text = format!("call {mobile}");
    let (redaction, map) = once(&text);
    let gate = Gate::new(Policy::default(), None);
    let draft = gate.prepare(request(&[&text]), &mut map.clone(), &[]).unwrap();
    let shown = format!(
        "{redaction:?} {map:?} {draft:?} {:?} {:?}",
        draft.proposed(),
        StreamRestorer::new(map.clone())
    );
    assert!(!shown.contains(&mobile), "{shown}");
}

#[test]
fn long_digits_take_linear_time() {
    for text in [
        "1234567890".repeat(100_000),
        "12 34-".repeat(170_000),
        "1.2.3.4.".repeat(125_000),
        "a1@".repeat(330_000),
        "张伟".repeat(170_000),
    ] {
        let start = std::time::Instant::now();
        let found = Detector::new(None).unwrap().find(&text).unwrap();
        let seconds = start.elapsed().as_secs_f64();
        // Unoptimised and shared machines are slow; quadratic time would be minutes.
        assert!(seconds < 20.0, "{seconds} s for {} findings", found.findings.len());
    }
}

#[test]
fn a_stored_map_goes_on() {
    let (_, map) = once(&format!("call {}", mobile()));
    let stored = serde_json::to_string(&map).unwrap();
    let mut back: PseudonymMap = serde_json::from_str(&stored).unwrap();
    let text = format!("{} and +1 415 555 {}", mobile(), "0132");
    assert_eq!(
        &*redact(&text, &Policy::default(), &mut back).unwrap().text,
        "[PHONE_1] and [PHONE_2]"
    );
}
