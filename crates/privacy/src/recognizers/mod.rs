//! The recognizers, one file a family, each a table of values. To add one, add a value to a table; to add a
//! family, add a file and name it in `all`.
//!
//! Tier B recognizers find what the policy may keep. None of them fits one case of a test set: each names a
//! kind that a standard, an issuing authority or everyday writing defines.

mod account;
mod address_en;
mod address_europe;
mod address_tail;
mod address_zh;
mod birth;
mod card;
mod china;
mod crypto;
mod handle;
mod medical;
mod names;
mod names_world;
mod national;
mod national_asia;
mod national_europe;
mod network;
mod org;
mod papers;
mod password;
mod person_en;
mod person_en_words;
mod person_zh;
mod person_zh_words;
mod phone;
mod place;
mod place_world;
mod place_world_zh;
mod secret;
mod secret_tokens;
mod title;

use crate::recognizer::Recognizer;

pub(crate) use names::{is_common_word, is_given, is_word_too};
pub(crate) use person_en_words::is_titled_brand;
pub(crate) use person_zh::{is_everyday_chinese, names_in_chinese, surname};
pub(crate) use place::{is_country, is_nationality};

/// Words before a number that say it is something else: an order, a version, a part.
pub(crate) const OTHER_NUMBERS: &[&str] = &[
    "order",
    "ticket",
    "invoice",
    "tracking",
    "serial",
    "part",
    "sku",
    "isbn",
    "issn",
    "doi",
    "arxiv",
    "pmid",
    "version",
    "build",
    "commit",
    "epoch",
    "timestamp",
    "snowflake",
    "ean",
    "upc",
    "p/n",
    "error",
    "model",
    "route",
    "patent",
    "snprintf",
    "prime",
    "page",
    "pages",
    "section",
    "case no",
    "nsn",
    "firmware",
    "trace",
    "cas",
    "订单",
    "订单号",
    "单号",
    "运单",
    "流水号",
    "批号",
    "工单",
    "版本",
    "型号",
    "编号",
    "时间戳",
    "书号",
    "条形码",
    "发票",
    "专利",
    "案号",
    "股票",
    "国标",
    "备案",
    "尺寸",
    "人口",
    "快递",
    "公网安备",
    "国药准字",
    "合同编号",
    "号段",
    "学分",
    "页码",
];

/// Every recognizer.
pub(crate) fn all() -> Vec<&'static Recognizer> {
    [
        network::ALL,
        phone::ALL,
        card::ALL,
        account::ALL,
        china::ALL,
        national::ALL,
        national_asia::ALL,
        national_europe::ALL,
        papers::ALL,
        medical::ALL,
        crypto::ALL,
        secret_tokens::ALL,
        secret::ALL,
        password::ALL,
        handle::ALL,
        birth::ALL,
        address_en::ALL,
        address_europe::ALL,
        address_zh::ALL,
        person_en::ALL,
        person_zh::ALL,
        place::ALL,
        title::ALL,
        org::ALL,
    ]
    .into_iter()
    .flatten()
    .collect()
}
