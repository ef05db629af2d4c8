//! A cell as its reader sees it: dates as dates, long numbers with every digit.

use calamine::{DataRef, ExcelDateTime, Style};

/// The cell's text; empty for an empty cell.
#[must_use]
pub(super) fn shown(value: &DataRef<'_>, percent: bool) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(value) if percent => format!("{}%", number(value * 100.0)),
        DataRef::Float(value) => number(*value),
        DataRef::String(text) => one_cell(text),
        DataRef::SharedString(text) => one_cell(text),
        DataRef::Bool(true) => "TRUE".to_owned(),
        DataRef::Bool(false) => "FALSE".to_owned(),
        DataRef::DateTime(moment) => date_time(moment),
        DataRef::DateTimeIso(text) => text.replace('T', " "),
        DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(error) => error.to_string(),
    }
}

/// A number format that shows hundredths.
#[must_use]
pub(super) fn is_percent(style: Option<&Style>) -> bool {
    let format = style.and_then(|style| style.number_format.as_ref());
    format.is_some_and(|format| format.format_code.contains('%'))
}

/// Whole numbers exactly, others to the 15 digits that Excel keeps, never with an exponent.
fn number(value: f64) -> String {
    if value.fract() == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let rounded = format!("{value:.14e}").parse::<f64>().unwrap_or(value);
    format!("{rounded}")
}

/// Line ends within a cell would look like rows.
fn one_cell(text: &str) -> String {
    text.split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn date_time(moment: &ExcelDateTime) -> String {
    if moment.is_duration() {
        let seconds = (moment.as_f64() * 86_400.0).round();
        let (hours, rest) = ((seconds / 3600.0).trunc(), seconds.abs() % 3600.0);
        return format!("{hours}:{:02}:{:02}", (rest / 60.0).trunc(), rest % 60.0);
    }
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    match (moment.as_f64() < 1.0, (hour, minute, second)) {
        // Below one day there is only a time.
        (true, _) => time,
        (false, (0, 0, 0)) => date,
        (false, _) => format!("{date} {time}"),
    }
}
