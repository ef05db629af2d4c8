//! Transcripts as files. Saving writes beside the target and renames, so that a full disk leaves the old file.

use std::io::Write as _;
use std::path::Path;

use nearside_types::{Failure, FailureKind, Transcript, TranscriptFormat};

/// Writes `transcript` to `path`.
///
/// # Errors
/// When the folder cannot be written to.
pub fn save_transcript(
    path: &Path,
    format: TranscriptFormat,
    transcript: &Transcript,
) -> Result<(), Failure> {
    let text = transcript.written(format)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let saved = tempfile::NamedTempFile::new_in(folder.unwrap_or_else(|| Path::new("."))).and_then(
        |mut file| {
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(path).map_err(|error| error.error)
        },
    );
    saved.map(drop).map_err(|error| {
        Failure::new(
            FailureKind::Internal,
            format!(
                "The transcript cannot be saved there ({}); choose another folder.",
                error.kind()
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use nearside_types::TranscriptSegment;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("会议 notes.txt");
        let segment = TranscriptSegment { start: 0.0, end: 1.0, speaker: None, text: "Hi.".into() };
        let transcript = Transcript { segments: vec![segment], ..Transcript::default() };
        save_transcript(&path, TranscriptFormat::Txt, &transcript).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Hi.\n");
        let gone = folder.path().join("nowhere").join("x.txt");
        assert!(save_transcript(&gone, TranscriptFormat::Txt, &transcript).is_err());
    }
}
