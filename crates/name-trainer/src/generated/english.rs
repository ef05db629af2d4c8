//! English templates. `{p}` is a whole name, `{g}` a given name, `{f}` a surname, `{l}` a place, `{o}` a body,
//! `{s}` a street, `{n}` a number, `{e}` an e-mail address, `{d}` a date, `{w}` a capitalised word that is no name.

use super::people::{self, Person};
use super::{Chooser, fill, places};
use crate::sentence::{LOCATION, ORGANISATION, PERSON, Sentence};

const TEMPLATES: &[&str] = &[
    "{p} lives at {s}, {l}, and works for {o}.",
    "My name is {p} and I was born in {l}.",
    "Hi {g}, can you call me back before {n}?",
    "Dear {p},\nThank you for your letter of {d}.",
    "Dear Mr. {f}, your order {n} has been shipped.",
    "Dear Ms {f}, please find the invoice attached.",
    "Please forward this to {p} at {o}.",
    "{g} and {g} are moving to {l} next month.",
    "The patient {p} was admitted to {o} on {d}.",
    "Dr. {p} prescribed 20 mg; follow up with Dr. {f} in {n} weeks.",
    "Prof. {f} will chair the session, {p} takes notes.",
    "{f}'s report is late again, ask {g}.",
    "{g}'s phone number is {n}.",
    "Meeting with {p}, {p} and {p} about {w}.",
    "I met {p} in {l} when she worked for {o}.",
    "According to {p}, the CEO of {o}, sales in {l} fell by {n}%.",
    "{o} was founded by {p} in {l}.",
    "{o} announced on {d} that {p} will step down.",
    "Name: {p}\nPhone: {n}\nCity: {l}",
    "Contact: {p}, {e}, {n}",
    "Employee: {p}; Department: {w}; Manager: {p}",
    "name,email,city\n{p},{e},{l}",
    "| {p} | {e} | {l} |",
    "{\"name\": \"{p}\", \"email\": \"{e}\", \"city\": \"{l}\"}",
    "{\"customer\":\"{p}\",\"employer\":\"{o}\"}",
    "INSERT INTO users VALUES ({n}, '{p}', '{e}');",
    "user={p} ip=10.0.0.{n} action=login",
    "# reviewed by {p} on {d}",
    "author = \"{p} <{e}>\"",
    "From: {p} <{e}>\nTo: {p} <{e}>\nSubject: {w}",
    "{p}: did you get the file?\n{p}: yes, thanks!",
    "{g}: are you coming tonight?",
    "hey {g} its {g}, r u still in {l}?",
    "omg {g} just told me {g} broke up with {g}",
    "so {g} {f} from {o} called again",
    "can someone ask {p} for the slides",
    "pls send the doc to {g} asap",
    "The agreement between {o} and {p} ends on {d}.",
    "I, {p}, born on {d} in {l}, authorise {p} to collect my mail.",
    "Signed, {p}",
    "Best regards,\n{p}\n{o}\n{s}\n{l}",
    "Kind regards,\n{g}",
    "Cheers, {g}",
    "Sincerely,\n{p}, {w} Manager, {o}",
    "Plaintiff {p} sued {o} in {l}.",
    "Judge {f} ruled against {p} on {d}.",
    "Witness {p} told the court that {f} had left {l}.",
    "President {f} visited {l} and met Prime Minister {p}.",
    "Senator {p} of {l} voted against the bill.",
    "\"We are very happy,\" said {p}, a teacher from {l}.",
    "{f} scored twice as {o} beat {o} 3-1 in {l}.",
    "{p} (born {d}) is a painter from {l}.",
    "{p} studied at {o} and later moved to {l}.",
    "A novel by {p}, translated by {p}.",
    "The song was written by {p} and {p}.",
    "In {l}, {f} became known as the father of modern {w}.",
    "{f}, who grew up in {l}, joined {o} in 2015.",
    "Mrs. {f} and her son {g} flew from {l} to {l}.",
    "Mr and Mrs {f} invite you to the wedding of {g} and {g}.",
    "Ask for {g} at the front desk of {o}.",
    "Driver: {p}, license issued in {l}.",
    "Account holder {p}, card ending {n}.",
    "The card belongs to {p}, who works at {o}.",
    "Ticket {n} was closed by {p}.",
    "Assigned to @{g}, reviewed by {p}.",
    "Delivery for {p}, leave it with {g} if nobody answers.",
    "Passenger {f}/{g} from {l} to {l}, seat {n}A",
    "{p} Jr. inherited the house in {l}.",
    "How do I get from {l} to {l} by train?",
    "What is the weather in {l} today?",
    "Our office in {l} is closed on {d}.",
    "Flights from {l} to {l} start at ${n}.",
    "I work for {o}.",
    "{o} and {o} merged in 2019.",
    "She quit {o} to join {o} in {l}.",
    "The {o} headquarters are in {l}, {l}.",
    "Write a cover letter for {p} applying to {o}.",
    "Translate this message to {g}: see you in {l}.",
    "Summarise the complaint from {p} ({e}) about order {n}.",
    "{p} called. He wants to talk to {p} about the {w} project.",
    "My sister {g} and my brother-in-law {g} live near {l}.",
    "Why did {f} leave {o}?",
    "{p} is a very kind person.",
    "Is {g} {f} still on vacation?",
    "Interview with {p}, head of {w} at {o}",
    "Grandma {g} turned {n} in {l}.",
    "Captain {f} and Sergeant {p} were honoured.",
    "Sister {g}, Father {f} and Rabbi {f} opened the ceremony.",
    "The will names {p}, {p} and {g} as heirs.",
    "Beneficiary: {p}. Employer: {o}. Address: {s}, {l}.",
    "{f} et al. report an accuracy of {n}%.",
    "({f}, 2018; {f} and {f}, 2020)",
    "{p}, {o}, {s}, {l} {n}",
    "Thanks to {g}, {g} and everyone at {o}!",
    // Text that holds no name, though it has capitals.
    "Please review the {w} document before {d}.",
    "The {w} module raises an error on line {n}.",
    "How do I sort a list in {w}?",
    "Summarize the text below in {n} points.",
    "{w} and {w} are due on {d}.",
    "Error {n}: {w} not found.",
    "def {w}(value): return value + {n}",
    "Order {n} contains two {w} and one {w}.",
    "Set {w} to {n} and restart.",
    "Happy {w}! See you on {d}.",
    "The {w} theorem was hard to follow.",
    "Use {w} instead of {w} when the value is {n}.",
];

const WORDS: &str = "Monday Tuesday Friday Sunday January March June October December Python Java Rust JavaScript Docker Linux \
Windows Excel Word Kubernetes Git React Django Marketing Finance Sales Legal Engineering Support Research Security Budget \
Roadmap Kickoff Retro Invoice Report Draft Summary Config Parser Handler Client Server Cache Queue Token Session Christmas \
Easter Birthday Bayes Fourier Gauss Newton Turing Markov Agenda Status Review Launch Beta Alpha Release Sprint Chapter \
Table Figure Appendix English French Chinese German Catholic Buddhist iPhone Android Bluetooth Total Subtotal Note Warning";

pub(super) fn sentence(c: &mut Chooser) -> Sentence {
    let template = TEMPLATES[c.below(TEMPLATES.len())];
    let last: Person = people::latin(c);
    let mut sentence = fill(template, |key| value(c, key, &last));
    if c.chance(0.14) {
        sentence.text = lowered(&sentence.text);
    } else if c.chance(0.03) {
        sentence.text = raised(&sentence.text);
    }
    sentence
}

fn value(c: &mut Chooser, key: &str, known: &Person) -> (String, Option<usize>) {
    let person = people::latin(c);
    match key {
        "p" if c.chance(0.06) => {
            let (family, given) = people::chinese(c);
            (format!("{family}{given}"), Some(PERSON))
        }
        "p" => (person.full, Some(PERSON)),
        "g" if c.chance(0.2) => (known.given.clone(), Some(PERSON)),
        "g" => (person.given, Some(PERSON)),
        "f" => (person.family, Some(PERSON)),
        "l" => (places::place(c), Some(LOCATION)),
        "o" => (places::body(c), Some(ORGANISATION)),
        "s" => (places::street(c), None),
        "e" => {
            let (a, b) = (
                person.given.to_lowercase(),
                c.pick(&["example.org", "mail.example.com", "example.net"]),
            );
            (format!("{a}.{}@{b}", c.below(99)), None)
        }
        "d" => {
            let month = c.word("January February March April May June July August September October November December");
            let (day, year) = (1 + c.below(28), 1950 + c.below(80));
            let forms = [
                format!("{month} {day}, {year}"),
                format!("{day} {month}"),
                format!("{year}-0{}-{day}", 1 + c.below(9)),
                format!("{day}/{}/{year}", 1 + c.below(12)),
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

/// Lower-cased letter by letter, so that places stay.
pub(crate) fn lowered(text: &str) -> String {
    text.chars().map(|c| single(c.to_lowercase(), c)).collect()
}

fn raised(text: &str) -> String {
    text.chars().map(|c| single(c.to_uppercase(), c)).collect()
}

fn single(mut letters: impl Iterator<Item = char>, otherwise: char) -> char {
    match (letters.next(), letters.next()) {
        (Some(letter), None) => letter,
        _ => otherwise,
    }
}
