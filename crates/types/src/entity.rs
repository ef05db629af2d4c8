//! Entities: the kinds of personal data, what was found where, and what is done with it.
//! The names are those of the public redaction sets (Tier A must be redacted, Tier B is policy).

use crate::UserText;

wire! {
    /// What a piece of text is. Tier A first, then Tier B.
    #[derive(Copy, Eq, Hash, PartialOrd, Ord)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum EntityType {
        Person, Phone, Email, Address, NationalId, Passport, DriverLicense, LicensePlate,
        BankCard, BankAccount, TaxId, MedicalId, Secret, Account, DateOfBirth, Ip, Mac, Crypto,
        EmployeeOrStudentId, VehicleId,
        Org, OrgId, Location, DateTime, Age, Title, Nrp, Url, Postcode,
    }

    /// What happens to an entity on its way out.
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum Action {
        /// It leaves as it is.
        Keep,
        /// It is replaced by a typed placeholder and restored in the answer.
        Mask,
        /// It is replaced by something less exact, such as the city of an address.
        Generalise,
        /// It is replaced by an invented value of the same kind.
        Fake,
        /// It was replaced by what the user typed in the preview.
        Edit,
        /// The whole request is refused because of it.
        Refuse,
    }

    /// What an entity was recognised by.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum Ground {
        /// It has the form of one.
        #[default]
        Shape,
        /// Check digits, or a form that nothing else has.
        Settled,
        /// The words around it name it, or it stands alone.
        Named,
        NameModel,
        /// The user's own list.
        OwnList,
        /// It was recognised elsewhere in the text.
        Repeated,
    }

    /// One entity found in a text. Offsets count Unicode code points, `end` exclusive.
    pub struct Span {
        pub start: usize,
        pub end: usize,
        #[serde(rename = "type")]
        pub kind: EntityType,
        pub text: UserText,
        pub action: Action,
        /// What stands in its place; for `keep`, the text itself.
        pub replacement: UserText,
        #[serde(default)]
        pub ground: Ground,
        /// Which recognizer found it and what convinced it, in English, e.g. `cn_resident_id: checksum and date valid`.
        pub why: String,
    }

    /// The result of `redact`: the outgoing text, all that was found, and the way back.
    pub struct Redaction {
        pub text: UserText,
        pub spans: Vec<Span>,
        /// Placeholder to original. Where an invented value stands in its place, the key is both:
        /// `[PHONE_1]=+1 202-555-0100`.
        pub map: std::collections::BTreeMap<String, UserText>,
    }

    /// The result of `restore`.
    pub struct Restored {
        pub text: UserText,
        /// Placeholders in the text that the map does not know.
        pub unknown: Vec<String>,
    }

    /// How many entities of one type left masked: all that the ledger keeps of them.
    #[derive(Eq)]
    pub struct EntityCount {
        #[serde(rename = "type")]
        pub kind: EntityType,
        pub count: usize,
    }
}

impl EntityType {
    /// Every type, Tier A first.
    pub const ALL: [Self; 29] = [
        Self::Person,
        Self::Phone,
        Self::Email,
        Self::Address,
        Self::NationalId,
        Self::Passport,
        Self::DriverLicense,
        Self::LicensePlate,
        Self::BankCard,
        Self::BankAccount,
        Self::TaxId,
        Self::MedicalId,
        Self::Secret,
        Self::Account,
        Self::DateOfBirth,
        Self::Ip,
        Self::Mac,
        Self::Crypto,
        Self::EmployeeOrStudentId,
        Self::VehicleId,
        Self::Org,
        Self::OrgId,
        Self::Location,
        Self::DateTime,
        Self::Age,
        Self::Title,
        Self::Nrp,
        Self::Url,
        Self::Postcode,
    ];

    /// Tier A must be redacted before anything leaves; Tier B is the user's policy.
    #[must_use]
    pub fn is_tier_a(self) -> bool {
        self <= Self::VehicleId
    }

    /// The name on the wire and in placeholders, e.g. `NATIONAL_ID`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "PERSON",
            Self::Phone => "PHONE",
            Self::Email => "EMAIL",
            Self::Address => "ADDRESS",
            Self::NationalId => "NATIONAL_ID",
            Self::Passport => "PASSPORT",
            Self::DriverLicense => "DRIVER_LICENSE",
            Self::LicensePlate => "LICENSE_PLATE",
            Self::BankCard => "BANK_CARD",
            Self::BankAccount => "BANK_ACCOUNT",
            Self::TaxId => "TAX_ID",
            Self::MedicalId => "MEDICAL_ID",
            Self::Secret => "SECRET",
            Self::Account => "ACCOUNT",
            Self::DateOfBirth => "DATE_OF_BIRTH",
            Self::Ip => "IP",
            Self::Mac => "MAC",
            Self::Crypto => "CRYPTO",
            Self::EmployeeOrStudentId => "EMPLOYEE_OR_STUDENT_ID",
            Self::VehicleId => "VEHICLE_ID",
            Self::Org => "ORG",
            Self::OrgId => "ORG_ID",
            Self::Location => "LOCATION",
            Self::DateTime => "DATE_TIME",
            Self::Age => "AGE",
            Self::Title => "TITLE",
            Self::Nrp => "NRP",
            Self::Url => "URL",
            Self::Postcode => "POSTCODE",
        }
    }
}
