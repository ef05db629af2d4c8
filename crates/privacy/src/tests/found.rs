//! What is found in made-up texts, by kind: whole addresses of many countries, addresses in parts, jobs, dates, ages,
//! and what looks like one of them and is none.

use crate::Detector;
use crate::bench::predictions;

/// The findings of the kinds that the expectation names (all of Tier A where it names none), as `KIND=text`, joined
/// by semicolons; a kind alone says that there is none of it.
fn check(cases: &[(&str, &str)]) {
    let detector = Detector::new(None).unwrap();
    for (text, expected) in cases {
        let kinds: Vec<&str> = expected
            .split(';')
            .filter_map(|e| e.split('=').next())
            .filter(|k| !k.is_empty())
            .collect();
        let signs: Vec<char> = text.chars().collect();
        let found: Vec<String> = predictions(&detector, text)
            .unwrap()
            .into_iter()
            .filter(
                |f| if kinds.is_empty() { f.2.is_tier_a() } else { kinds.contains(&f.2.name()) },
            )
            .map(|f| format!("{}={}", f.2.name(), signs[f.0..f.1].iter().collect::<String>()))
            .collect();
        let expected: Vec<&str> = expected.split(';').filter(|e| e.contains('=')).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn whole_addresses() {
    check(&[
        (
            "Flat 2, 14 Acacia Avenue, Leeds LS1 4AP",
            "ADDRESS=Flat 2, 14 Acacia Avenue, Leeds LS1 4AP",
        ),
        (
            "123 Main St Apt 4B\nSpringfield, IL 62704",
            "ADDRESS=123 Main St Apt 4B\nSpringfield, IL 62704",
        ),
        ("Our office: PO Box 123, Austin, TX 78701.", "ADDRESS=PO Box 123, Austin, TX 78701"),
        ("RR 2 Box 45, Hollow Creek, KY 40115", "ADDRESS=RR 2 Box 45, Hollow Creek, KY 40115"),
        (
            "She moved to Musterstraße 12, 10115 Berlin last year.",
            "ADDRESS=Musterstraße 12, 10115 Berlin",
        ),
        (
            "Rechnung an: Hauptstr. 5a, 80331 München, Deutschland",
            "ADDRESS=Hauptstr. 5a, 80331 München, Deutschland",
        ),
        (
            "12 rue de la Paix, 75002 Paris, France",
            "ADDRESS=12 rue de la Paix, 75002 Paris, France",
        ),
        ("Calle Mayor 5, 3º B, 28013 Madrid", "ADDRESS=Calle Mayor 5, 3º B, 28013 Madrid"),
        ("Via Roma 10, 00184 Roma RM", "ADDRESS=Via Roma 10, 00184 Roma RM"),
        ("Kungsgatan 5, 111 43 Stockholm", "ADDRESS=Kungsgatan 5, 111 43 Stockholm"),
        (
            "Unit 5, 22 King Street, Sydney NSW 2000",
            "ADDRESS=Unit 5, 22 King Street, Sydney NSW 2000",
        ),
        (
            "221 Baker Street, London NW1 6XE, United Kingdom",
            "ADDRESS=221 Baker Street, London NW1 6XE, United Kingdom",
        ),
        ("One Microsoft Way, Redmond, WA 98052", "ADDRESS=One Microsoft Way, Redmond, WA 98052"),
        (
            "The invoice goes to 1400 5th Avenue, Suite 300, Seattle, WA 98101-2345, USA.",
            "ADDRESS=1400 5th Avenue, Suite 300, Seattle, WA 98101-2345, USA",
        ),
        (
            "Rosewood House, 14 Mill Lane, York YO1 7HU",
            "ADDRESS=Rosewood House, 14 Mill Lane, York YO1 7HU",
        ),
        (
            "deliver to 45 Elm Road, Toronto, ON M5V 2T6, Canada please",
            "ADDRESS=45 Elm Road, Toronto, ON M5V 2T6, Canada",
        ),
        ("PSC 1234, Box 5678\nAPO AE 09012", "ADDRESS=PSC 1234, Box 5678\nAPO AE 09012"),
        ("USS Example\nFPO AP 96601", "ADDRESS=USS Example\nFPO AP 96601"),
        ("Rua das Flores 123, 1200-192 Lisboa", "ADDRESS=Rua das Flores 123, 1200-192 Lisboa"),
        (
            "ul. Marszałkowska 10/12, 00-590 Warszawa",
            "ADDRESS=ul. Marszałkowska 10/12, 00-590 Warszawa",
        ),
        ("Storgata 12, 0155 Oslo, Norway", "ADDRESS=Storgata 12, 0155 Oslo, Norway"),
        ("Keizersgracht 123, 1015 CJ Amsterdam", "ADDRESS=Keizersgracht 123, 1015 CJ Amsterdam"),
        ("I live at 9 Elm Street and work at the bank.", "ADDRESS=9 Elm Street"),
        (
            "Send it to 77 Oak Ave., Denver, CO 80202 by Friday.",
            "ADDRESS=77 Oak Ave., Denver, CO 80202",
        ),
        (
            "4510 Highway 61 North, Memphis, TN 38109",
            "ADDRESS=4510 Highway 61 North, Memphis, TN 38109",
        ),
        (
            "88 County Road 12, Hayward, Wisconsin 54843",
            "ADDRESS=88 County Road 12, Hayward, Wisconsin 54843",
        ),
        ("Address: 12 Main Street\nPhone: 555 0100", "ADDRESS=12 Main Street"),
        (
            "Mail: 3 Chapel Close\nGuildford\nSurrey\nGU1 3AA",
            "ADDRESS=3 Chapel Close\nGuildford\nSurrey\nGU1 3AA",
        ),
        (
            "John lives at 22 Baker Street, Springfield, and he likes it.",
            "ADDRESS=22 Baker Street, Springfield",
        ),
        ("we shipped 500 units to Main Street retailers in 2024", ""),
        ("In 2019 Elm Street was closed for 3 days.", ""),
        ("The Room 12 meeting is at 5 pm on 12 May.", ""),
        ("Suite 16 by Benda lasts 20 minutes.", ""),
        ("The tour ends at One Way Street near the park.", ""),
        ("My zip code is 94107 and I like it.", "POSTCODE=94107"),
        (
            "Ship the parcel to: Jane Doe, 88 Orchard Crescent, Wellington 6011, New Zealand",
            "ADDRESS=88 Orchard Crescent, Wellington 6011, New Zealand",
        ),
        ("via Zoom 5, or call", ""),
        ("I met her in Room 5, 2020 Conference", ""),
        ("We read Chapter 5, 2019 Report and Windows 10, 2015 Edition.", ""),
        (
            "Contact: 12 Highfield Road, Dublin 6, Ireland.",
            "ADDRESS=12 Highfield Road, Dublin 6, Ireland",
        ),
        (
            "24 Queens Road, Flat 3, Edinburgh, EH12 5AB",
            "ADDRESS=24 Queens Road, Flat 3, Edinburgh, EH12 5AB",
        ),
        (
            "1600 Amphitheatre Parkway, Mountain View, CA 94043",
            "ADDRESS=1600 Amphitheatre Parkway, Mountain View, CA 94043",
        ),
        (
            "Bahnhofstrasse 12\n8001 Zürich\nSchweiz",
            "ADDRESS=Bahnhofstrasse 12\n8001 Zürich\nSchweiz",
        ),
        ("12 Oak Drive, Maria said, was sold.", "ADDRESS=12 Oak Drive"),
        ("255 hersnapvej 18 is odd", ""),
        (
            "Av. Paulista 1578, São Paulo, SP 01310-200, Brasil",
            "ADDRESS=Av. Paulista 1578, São Paulo, SP 01310-200, Brasil",
        ),
        (
            "Piazza del Duomo 1, 20121 Milano MI, Italia",
            "ADDRESS=Piazza del Duomo 1, 20121 Milano MI, Italia",
        ),
        ("Mannerheimintie 12 B, 00100 Helsinki", "ADDRESS=Mannerheimintie 12 B, 00100 Helsinki"),
        ("Rådhusgade 3, 2. sal, 8000 Aarhus C", "ADDRESS=Rådhusgade 3, 2. sal, 8000 Aarhus C"),
    ]);
}

#[test]
fn announced_addresses() {
    check(&[
        (
            "What is your address? it is 51 Norrgatan 43\nVimmerby, nan 78618",
            "ADDRESS=51 Norrgatan 43\nVimmerby, nan 78618",
        ),
        (
            "My addresses: 12 Oak Road, Leeds, and the corner of Mill Lane and Elm Road",
            "ADDRESS=12 Oak Road, Leeds;ADDRESS=the corner of Mill Lane and Elm Road",
        ),
        (
            "I once lived in 41 Kaivokatu 9 Apt. 3 OULU NO. I now live in 63 Strada Nuova 6 Suite 45\nGossau\n, nan\n 65662",
            "ADDRESS=41 Kaivokatu 9 Apt. 3 OULU NO;ADDRESS=63 Strada Nuova 6 Suite 45\nGossau\n, nan\n 65662",
        ),
        ("Address: 12 Mill Lane\nThanks,\nBob", "ADDRESS=12 Mill Lane"),
    ]);
}

#[test]
fn addresses_in_parts() {
    check(&[
        (
            "Ann Lee lives at 172 Kungsgatan 75, Ystad",
            "ADDRESS=172;ADDRESS=Kungsgatan 75;LOCATION=Ystad",
        ),
        (
            "Mrs. Ann Lee Suite 541 6343 Nygatan 106\nYSTAD nan 1386",
            "ADDRESS=Suite 541;ADDRESS=6343;ADDRESS=Nygatan 106;POSTCODE=1386",
        ),
        (
            "> Ann Lee\n> Brimstock\n> 792 Nygatan 65\n> Suite 8\n> Ystad\n> Sweden 67626",
            "ORG=Brimstock;ADDRESS=792;ADDRESS=Nygatan 65;ADDRESS=Suite 8;LOCATION=Ystad;LOCATION=Sweden;ADDRESS=67626",
        ),
    ]);
}

#[test]
fn heads_of_letters() {
    check(&[
        (
            "Ann Lee\n\nLaboratory animal technician\n\nPhone:\n555 0100",
            "TITLE=Laboratory animal technician",
        ),
        ("Ann Lee\n\nnurse\n\nE-mail: a.lee (see below)", "TITLE=nurse"),
        ("Ann Lee\n\nMonthly newsletter\n\nPhone: see below", "TITLE"),
    ]);
}

#[test]
fn dates_and_ages() {
    check(&[
        (
            "Since May-2021 it runs; the card expires 12/26; due 11/2027.",
            "DATE_TIME=May-2021;DATE_TIME=12/26;DATE_TIME=11/2027",
        ),
        ("The ratio is 12/26 here.", "DATE_TIME"),
        ("She is now 34, he will be 12 soon.", "AGE=34;AGE=12"),
        ("He was 12 minutes late.", "AGE"),
        ("We flew to the US in winter; give it to us.", "LOCATION=US"),
    ]);
}
