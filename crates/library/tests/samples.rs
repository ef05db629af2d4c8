//! The sample documents in `assets/samples/` are written here, by us, and dedicated to the public domain
//! (CC0). The files in the repository must be what this code makes; `NEARSIDE_WRITE_SAMPLES=1` writes them.

use crate::support::read;
use nearside_test_kit::documents::{docx, pdf};
use nearside_types::FileStatus;
use std::path::{Path, PathBuf};

/// Twelve pages, each with a fact of its own.
const REPORT: [&str; 12] = [
    "Alder Court: lease and energy report 2025\n\nPrepared for the owners of 14 Alder Court, Larkfield.\nThe building has nine flats and one workshop on the ground floor.\nThis report joins the lease register and the energy meters of the year.",
    "1. The lease\n\nThe lease of the workshop began on 1 March 2021 and runs for seven years.\nThe tenant is Brightwater Cycles, a small firm that repairs bicycles.\nThe rent is 1,840 euros a month, due on the third working day.",
    "2. Deposit and guarantees\n\nThe deposit is 5,520 euros, three months of rent.\nIt lies in an account of its own at Larkfield Savings Bank.\nInterest belongs to the tenant and is paid when the lease ends.",
    "3. Changes of rent\n\nThe rent follows the consumer price index once a year, in April.\nIt may rise by at most 3 percent in one year.\nIn April 2025 it rose by 2.1 percent.",
    "4. Repairs\n\nThe owners repair roof, walls and pipes; the tenant repairs doors and locks.\nThe roof was renewed in September 2024 for 38,700 euros.\nThe next inspection of the lift is due in May 2026.",
    "5. Electricity\n\nThe building used 41,250 kilowatt hours of electricity in 2025.\nThat is 6 percent less than in the year before.\nThe stairwell lamps were replaced in February and explain half of it.",
    "6. Heating\n\nHeat comes from a gas boiler of 1998 in the cellar.\nIt burned 9,310 cubic metres of gas in 2025.\nThe chimney sweep measured an efficiency of 84 percent.",
    "7. Water\n\nThe nine flats and the workshop used 1,126 cubic metres of water.\nA leak in flat 6 ran from June to August and wasted 90 cubic metres.\nThe meter of flat 2 stood still and was replaced.",
    "8. Solar roof\n\nThe solar panels have a peak power of 18.4 kilowatts.\nThey delivered 16,900 kilowatt hours, and 61 percent were used in the house.\nThe panel code for the insurer is SR-7741.",
    "9. Costs\n\nEnergy and water together cost 23,480 euros.\nThe reserve fund held 52,300 euros on 31 December 2025.\nNo owner is behind with payments.",
    "10. Plans\n\nA heat pump is to replace the boiler in the summer of 2027.\nThe offer of Northgate Heating is 64,900 euros before the subsidy.\nThe owners decide on it on 18 June 2026.",
    "11. Contacts\n\nThe house is managed by Ines Halloran, office hours on Tuesday mornings.\nEmergencies go to the caretaker, Tomas Reyl.\nThe next report is due on 15 January 2027.",
];

const ENERGY: &str = "# Energy notes for Alder Court

These notes explain the figures of the yearly report. They are invented, like the house itself.

## How the meters are read

The main meter is read on the first day of each month. Flats have their own meters, read twice a year,
in June and in December. The workshop's meter reports by radio every fifteen minutes.

## What saved most

| Measure | Cost in euros | Saved in kilowatt hours a year |
|---|---|---|
| Stairwell lamps | 1,260 | 1,310 |
| Pump of the heating | 890 | 640 |
| Timer of the laundry room | 75 | 420 |

The timer paid for itself within four months.

## Open questions

- Why does flat 4 use twice the electricity of flat 5?
- May the workshop charge bicycles with power from the roof at night?
- Who pays for the radio of the workshop's meter, 48 euros a year?
";

const LEASE_ZH: &str = "房屋租赁合同摘要（虚构示例）

一、房屋
出租的房屋位于青岚市梧桐路27号三单元502室，建筑面积86平方米。

二、租期
租期两年，自2025年9月1日起至2027年8月31日止。

三、租金
租金每月4200元，每季度第一个月的5日之前支付。
迟交超过七天，每天加收应付租金的千分之一。

四、押金
押金8400元，退租并结清水电费之后十个工作日内退还。

五、能耗
2025年第四季度用电612度，用气148立方米，用水31立方米。
取暖费按面积分摊，每平方米24元。

六、维修
热水器由出租人在2025年10月更换，保修期六年。
门锁和灯具由承租人自行维修。
";

const MINUTES: [(&str, &str); 4] = [
    (
        "Meeting of the owners",
        "Larkfield, 11 November 2025. Seven of nine owners were present.\nInes Halloran took the minutes.",
    ),
    (
        "Accounts",
        "The accounts of 2024 were approved with six votes and one abstention.\nThe reserve fund grows by 350 euros a month.",
    ),
    (
        "Heat pump",
        "Three offers were compared. The cheapest is 61,200 euros, from Pellworm & Sons.\nNoise at night must stay below 35 decibels.",
    ),
    (
        "Any other business",
        "Bicycles may not stand in the stairwell.\nThe next meeting is on 18 June 2026 at half past six.",
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/samples")
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let (lease, _, lossy) = encoding_rs::GB18030.encode(LEASE_ZH);
    assert!(!lossy);
    vec![
        ("lease-report.pdf", pdf(&REPORT)),
        ("energy-notes.md", ENERGY.as_bytes().to_vec()),
        ("租赁合同.txt", lease.into_owned()),
        ("owners-meeting.docx", docx(&MINUTES)),
    ]
}

#[test]
fn samples_are_what_this_code_makes() {
    let write = std::env::var_os("NEARSIDE_WRITE_SAMPLES").is_some();
    for (name, bytes) in samples() {
        let path = folder().join(name);
        if write {
            std::fs::write(&path, &bytes).expect("a sample");
        }
        let kept =
            std::fs::read(&path).expect("the sample; write it with NEARSIDE_WRITE_SAMPLES=1");
        // Version control may turn line ends in text files.
        assert!(kept == bytes, "{name} is not what its source makes");
    }
}

#[test]
fn every_sample_is_read_in_full() {
    let expected = [
        ("lease-report.pdf", "pdf", 12, 9, "SR-7741"),
        ("energy-notes.md", "markdown", 4, 3, "Timer of the laundry room"),
        ("租赁合同.txt", "text", 1, 1, "押金8400元"),
        ("owners-meeting.docx", "docx", 4, 3, "61,200 euros"),
    ];
    for ((name, bytes), (same, kind, pages, page, fact)) in samples().into_iter().zip(expected) {
        assert_eq!(name, same);
        let extracted = read(name, &bytes);
        assert_eq!(
            (extracted.status, extracted.kind.as_str(), extracted.pages.len()),
            (FileStatus::Ok, kind, pages),
            "{name}: {:?}",
            extracted.warnings
        );
        let with: Vec<u32> =
            extracted.pages.iter().filter(|p| p.text.contains(fact)).map(|p| p.page).collect();
        assert_eq!(with, [page], "{name}");
    }
}
