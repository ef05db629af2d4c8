//! Warnings about a file: what of it was not read, and what to do. None quotes the file's text.

use crate::UserText;

/// A size as a sentence names it: `256 MB`.
#[must_use]
pub fn size_in_words(bytes: u64) -> String {
    if bytes >= 1 << 30 {
        format!("{} GB", bytes >> 30)
    } else if bytes >= 1 << 20 {
        format!("{} MB", bytes >> 20)
    } else {
        format!("{} KB", bytes.div_ceil(1 << 10))
    }
}

told! {
    /// Said about a file that was not wholly read, or holds something to know of.
    Warning, what: Trouble + Eq {
        #[error("The file has {}; files of up to {} are read. Split it first.", size_in_words(*.bytes), size_in_words(*.limit_bytes))]
        FileTooLarge { bytes: u64, limit_bytes: u64 },
        #[error("The file unpacks to more than {}; that much is not read. Split it first.", size_in_words(*.limit_bytes))]
        UnpacksTooLarge { limit_bytes: u64 },
        #[error("The file holds {entries} parts; files of up to {limit} are read.")]
        TooManyParts { entries: u64, limit: u64 },
        #[error("A part of the file unpacks to more than {ratio} times its size, as no document does; it is not read.")]
        UnpacksTooMuch { ratio: u64 },
        #[error("The file is locked with a password. Save a copy without one and add that.")]
        Locked,
        #[error("The file has no content at all.")]
        NoContent,
        #[error("There is no text in this file.")]
        NoText,
        #[error("This is a picture. Its text can be read once the model for that is here: `nearside models fetch pp-ocr`.")]
        Picture,
        #[error("Pictures of kind {kind} are not read. Save it as .png or .jpg and add that.")]
        PictureKindNotRead { kind: String },
        #[error("The picture has {megapixels} million pixels; pictures of up to {limit} million are read. Make it smaller first.")]
        PictureTooLarge { megapixels: u64, limit: u64 },
        #[error("The picture is damaged or cannot be read. Get it again.")]
        PictureDamaged,
        #[error("Text in pictures could not be read: {why}")]
        OcrFailed { why: String },
        #[error("This is an Outlook message file. Save it as .eml and add that.")]
        OutlookMessage,
        #[error("This is an Office file from before 2007. Save it as .docx, .xlsx or .pptx and add that.")]
        OldOffice,
        #[error("The file is cut off or damaged: its table of contents cannot be read. Get it again.")]
        ContentsDamaged,
        #[error("Files of kind {kind} are not read yet. Save it as .docx, .xlsx or .pdf and add that.")]
        KindNotRead { kind: String },
        #[error("This is an archive. Unpack it and add the files that matter.")]
        Archive,
        #[error("This is a recording; it holds sound or pictures and no text.")]
        Recording,
        #[error("This is a {kind} file; it holds no text to read.")]
        KindWithoutText { kind: String },
        #[error("This is a binary file of an unknown kind; it holds no text to read.")]
        UnknownBinary,
        #[error("The file is damaged: a part of it cannot be unpacked. Get it again.")]
        PartDamaged,
        #[error("The file is damaged: its pages cannot be listed. Get it again.")]
        PagesDamaged,
        #[error("The file is damaged: it has no pages. Get it again.")]
        NoPages,
        #[error("The workbook is damaged: its sheets cannot be listed. Get it again.")]
        SheetsDamaged,
        #[error("The reader of workbooks failed on this file.")]
        WorkbookReaderFailed,
        #[error("The list of slides cannot be read; the file is damaged.")]
        SlidesDamaged,
        #[error("The message cannot be parsed; it is damaged.")]
        MessageDamaged,
        #[error("The file is cut off or damaged; what could be read was read.")]
        CutOff,
        #[error("The text is damaged; what comes before the damage was read.")]
        TextDamaged,
        #[error("The text is nested too deeply; what comes before that was read.")]
        TooDeep,
        #[error("The {part} of the file are damaged.")]
        NotesDamaged { part: String },
        #[error("Only the first {pages} pages were read.")]
        FirstPages { pages: u64 },
        #[error("Only the first {} of text were kept.", size_in_words(*.bytes))]
        FirstText { bytes: u64 },
        #[error("{places} places are not valid {encoding} and show as \u{FFFD}.")]
        InvalidPlaces { places: u64, encoding: String },
        #[error("{count} hidden elements of the page were left out.")]
        HiddenElements { count: u64 },
        #[error("Slide {number} is damaged and was not read.")]
        SlideDamaged { number: u64 },
        #[error("Slide {number} is damaged; what comes before the damage was read.")]
        SlideCut { number: u64 },
        #[error("A part of slide {number} is damaged and was not read.")]
        SlidePartDamaged { number: u64 },
        #[error("Slide {number} is hidden in the show; it was read.")]
        SlideHidden { number: u64 },
        #[error("Sheet {number} is damaged; what comes before the damage was read.")]
        SheetCut { number: u64 },
        #[error("Sheet {number} is hidden in the workbook; it was read.")]
        SheetHidden { number: u64 },
        #[error("{}: pictures or unreadable characters and no text. They can be read once the model for that is here: `nearside models fetch pp-ocr`.", page_words(.pages))]
        PagesNeedOcr { pages: String },
        #[error("{}: read from a picture (OCR); what matters should be compared with it.", page_words(.pages))]
        PagesRecognized { pages: String },
        #[error("{}: lines read from a picture with a confidence below 85 %: {lines}, the least sure {percent} %.", page_words(.pages))]
        PagesUnsure { pages: String, lines: u64, percent: u64 },
        #[error("{}: damaged, not read.", page_words(.pages))]
        PagesNotRead { pages: String },
        #[error("{}: a font whose encoding cannot be read yet; words in it are missing.", page_words(.pages))]
        PagesFont { pages: String },
        #[error("{}: some characters are unreadable.", page_words(.pages))]
        PagesGarbled { pages: String },
        /// About a file within the file.
        #[error("Attachment {}: {inner}", .name.0)]
        Attachment { name: UserText, inner: Box<Warning> },
        #[error("Attachment {} lies too deep within attachments to be read.", .name.0)]
        AttachmentTooDeep { name: UserText },
        #[error("The reading process ended before it was asked anything.")]
        ReaderEnded,
        #[error("Reading this file took longer than {seconds} seconds and was stopped.")]
        ReaderSlow { seconds: u64 },
        #[error("Reading this file crashed the reader or needed more memory than allowed.")]
        ReaderCrashed,
        #[error("This file crashed the reader twice and is left alone until it changes.")]
        Quarantined,
        #[error("There is no file or folder at this path. Check the spelling.")]
        NotFound,
        #[error("This is no file: it is a folder, a device or a pipe. Name a file.")]
        NotAFile,
        #[error("This link leads out of the folder; add what it leads to by its own path.")]
        LinkOutside,
        #[error("The file could not be opened: {why}. Check its permissions and try again.")]
        NotOpened { why: String },
        #[error("{why}")]
        Failed { why: String },
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// `Page 4`, `Pages 1-3, 7`, from `4` and `1-3, 7`.
fn page_words(pages: &str) -> String {
    let one = pages.bytes().all(|byte| byte.is_ascii_digit());
    format!("{} {pages}", if one { "Page" } else { "Pages" })
}
