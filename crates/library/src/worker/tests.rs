//! The protocol between a reader and its worker process. Workers that die are in tests/workers.rs.

use super::message::Request;
use crate::limits::Limits;
use std::path::Path;

#[test]
fn a_path_that_is_no_text_survives_the_pipe() {
    let check = |path: &Path| {
        let request = Request::new(path, &Limits::default(), Some(path));
        let json = serde_json::to_string(&request).unwrap();
        let back: Request = serde_json::from_str(&json).unwrap();
        assert_eq!((back.path().as_path(), back.pictures().as_deref()), (path, Some(path)));
    };
    check(Path::new("/a/文档 \u{201C}x\u{201D}/报告.pdf"));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        check(Path::new(std::ffi::OsStr::from_bytes(b"/a/\xFF\xFE.txt")));
    }
}
