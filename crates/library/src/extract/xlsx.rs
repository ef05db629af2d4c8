//! Excel (ECMA-376 part 1 §18): a sheet is a page, a row a line, cells parted by ` | `.
//!
//! Values are read by calamine, cell by cell, so that a sheet with two far corners costs two cells. Dates are
//! written as ISO 8601, numbers with all their digits and never with an exponent. Hidden sheets are read and
//! said to be hidden. Comments and the text of drawings follow their sheet's rows. Formulas are not computed:
//! the value that the file stores is shown.

mod cell;
mod sheet_parts;

use super::Context;
use super::draft::Draft;
use super::package::Package;
use super::verdict;
use crate::error::LibraryError;
use crate::kind::Kind;
use calamine::{Reader, SheetType, SheetVisible, Xlsx, XlsxError};
use nearside_types::{Extracted, Trouble};
use std::collections::HashMap;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub(super) fn read(bytes: &[u8], context: &mut Context<'_, '_>) -> Result<Extracted, LibraryError> {
    let package = Package::open(bytes, Kind::Xlsx, context.limits);
    let mut package = match package.and_then(|mut package| package.measure().map(|()| package)) {
        Ok(package) => package,
        Err(error) => return Ok(error.verdict(Kind::Xlsx)),
    };
    // Comments are an extra: a package whose parts do not name them is still a workbook.
    let parts = sheet_parts::read(&mut package).unwrap_or_default();
    // calamine is not ours; a panic in it must not end more than this file.
    let caught = catch_unwind(AssertUnwindSafe(|| write(bytes, &parts, context)));
    caught.unwrap_or_else(|_| Ok(verdict::corrupt(Kind::Xlsx, Trouble::WorkbookReaderFailed)))
}

fn write(
    bytes: &[u8],
    parts: &HashMap<String, Vec<String>>,
    context: &mut Context<'_, '_>,
) -> Result<Extracted, LibraryError> {
    let mut draft = Draft::new(Kind::Xlsx, context.limits);
    let mut book: Xlsx<_> = match Xlsx::new(Cursor::new(bytes)) {
        Ok(book) => book,
        Err(XlsxError::Password) => return Ok(verdict::encrypted(Kind::Xlsx)),
        Err(_) => return Ok(verdict::corrupt(Kind::Xlsx, Trouble::SheetsDamaged)),
    };
    let sheets = book.sheets_metadata().to_vec();
    let total = u32::try_from(sheets.len()).unwrap_or(u32::MAX);
    for (index, sheet) in sheets.iter().enumerate() {
        context.check()?;
        if draft.is_full() {
            break;
        }
        let number = index + 1;
        let mut text = String::new();
        if sheet.typ == SheetType::WorkSheet {
            let room = context.limits.max_text_bytes;
            let outcome = write_rows(&mut book, &sheet.name, room, context, &mut text)?;
            if outcome.is_err() {
                draft.missing(Trouble::SheetCut { number: number as u64 });
            }
        }
        for line in parts.get(&sheet.name).into_iter().flatten() {
            text.push('\n');
            text.push_str(line);
        }
        if sheet.visible != SheetVisible::Visible {
            draft.warn(Trouble::SheetHidden { number: number as u64 });
        }
        draft.page(Some(&sheet.name), &text);
        (context.progress)(u32::try_from(number).unwrap_or(u32::MAX), total);
    }
    Ok(draft.finish())
}

/// Appends rows until `room` is used up. The inner error is the sheet's, the outer one a cancel.
fn write_rows(
    book: &mut Xlsx<Cursor<&[u8]>>,
    sheet: &str,
    room: usize,
    context: &Context<'_, '_>,
    text: &mut String,
) -> Result<Result<(), XlsxError>, LibraryError> {
    let mut cells = match book.worksheet_cells_reader(sheet) {
        Ok(cells) => cells,
        Err(error) => return Ok(Err(error)),
    };
    let (mut row, mut started) = (None, false);
    let mut count = 0_u32;
    loop {
        count = count.wrapping_add(1);
        if count.is_multiple_of(4096) {
            context.check()?;
        }
        let (found, style) = match cells.next_cell_with_style_id() {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(Ok(())),
            Err(error) => return Ok(Err(error)),
        };
        let percent = cell::is_percent(cells.styles().get(style));
        let value = cell::shown(found.get_value(), percent);
        if value.is_empty() {
            continue;
        }
        if row != Some(found.get_position().0) {
            row = Some(found.get_position().0);
            if started {
                text.push('\n');
            }
        } else {
            text.push_str(" | ");
        }
        started = true;
        text.push_str(&value);
        if text.len() > room {
            return Ok(Ok(()));
        }
    }
}
