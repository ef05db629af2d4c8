//! Words for finding people in Latin writing: what introduces a name, and firms and brands that are called like a
//! person. Lists only.

/// The words of `introduced_person`, so that its pattern runs only near them.
pub(super) const INTRODUCTIONS: &[&str] = &[
    "my name is",
    "name is",
    "name's",
    "i am",
    "i'm",
    "i’m",
    "this is",
    "call me",
    "called",
    "named",
    "signed by",
    "signed",
    "issued to",
    "belongs to",
    "registered owner",
    "account holder",
    "cardholder",
    "card holder",
    "payee",
    "beneficiary",
    "tenant",
    "landlord",
    "patient",
    "customer",
    "client",
    "employee",
    "applicant",
    "candidate",
    "complaint from",
    "agreement between",
    "contact",
    "attn",
    "attention",
    "dear",
    "hi",
    "hello",
    "hey",
    "regards",
    "sincerely",
    "yours truly",
    "cheers",
    "thank you",
    "thanks",
    "best wishes",
    "written by",
    "directed by",
    "produced by",
    "performed by",
    "author",
    "composer",
    "speaker",
    "interviewee",
    "witness",
    "spouse",
    "husband",
    "wife",
    "brother",
    "sister",
    "son",
    "daughter",
    "father",
    "mother",
    "partner",
    "colleague",
    "friend",
    "boss",
    "neighb",
    "kid",
    "child",
    "uncle",
    "aunt",
    "cousin",
    "nephew",
    "niece",
    "grandfather",
    "grandmother",
    "girlfriend",
    "boyfriend",
    "roommate",
    "met with",
    "meet with",
    "spoke with",
    "talk",
    "email from",
    "letter from",
    "message from",
    "last name",
    "first name",
    "surname",
    "address of",
    "for the attention of",
    "owner",
    "passenger",
    "guest",
    "driver",
    "doctor",
    "lawyer",
    "teacher",
    "account",
    "login",
    "change it to",
    "spoke",
];

/// Firms that are called like a person.
pub(super) fn is_firm(first: &str, second: &str) -> bool {
    matches!(
        (first, second),
        ("Morgan", "Stanley")
            | ("Charles", "Schwab")
            | ("Calvin", "Klein")
            | ("Ralph", "Lauren")
            | ("Hugo", "Boss")
            | ("Louis", "Vuitton")
            | ("Tommy", "Hilfiger")
            | ("Christian", "Dior")
            | ("Jack", "Daniels")
            | ("Johnnie", "Walker")
            | ("Levi", "Strauss")
            | ("Eli", "Lilly")
            | ("John", "Deere")
            | ("Harley", "Davidson")
            | ("Philip", "Morris")
            | ("Johnson", "Controls")
            | ("Edward", "Jones")
            | ("Raymond", "James")
            | ("Allen", "Hamilton")
            | ("Thomson", "Reuters")
            | ("Lockheed", "Martin")
            | ("Aston", "Martin")
            | ("Michael", "Kors")
            | ("Mary", "Kay")
            | ("Franklin", "Templeton")
            | ("Merrill", "Lynch")
            | ("Jimmy", "Choo")
            | ("Alexander", "McQueen")
            | ("Marks", "Spencer")
            | ("Wells", "Fargo")
    )
}

/// Brands and figures that are written with a title: Dr. Pepper, Mr. Clean.
pub(crate) fn is_titled_brand(word: &str) -> bool {
    matches!(
        word,
        "Pepper"
            | "Clean"
            | "Butterworth"
            | "Martens"
            | "Oetker"
            | "Scholl"
            | "Seuss"
            | "Bean"
            | "Robot"
            | "Muscle"
            | "Potato"
            | "Fields"
            | "Dash"
            | "Coffee"
            | "Strange"
            | "Who"
            | "Doolittle"
            | "Darcy"
            | "Freeze"
            | "Incredible"
            | "Doubtfire"
            | "Dalloway"
            | "Marvel"
            | "Pacman"
            | "Monopoly"
            | "Beast"
    )
}
