//! A hub of the test's own on loopback, speaking raw HTTP so that it can misbehave in every way that real
//! servers and networks do. Each request takes the next behaviour; after the last one it behaves well.
#![expect(clippy::disallowed_types, reason = "a test's own server on loopback")]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What a request meets.
#[derive(Debug, Clone)]
pub(crate) enum Behaviour {
    /// Range, If-Range, ETag and lengths as they should be.
    Good,
    /// Sends so many bytes of the answer, then closes.
    Drop(usize),
    /// Sends so many bytes of the answer, then nothing for ever.
    Stall(usize),
    /// Takes the request and never answers.
    Silent,
    /// The whole file with 200, whatever was asked.
    IgnoreRange,
    /// 416 with the true length.
    NoSuchRange,
    /// 206 from another place than was asked for.
    OtherRange,
    /// A Content-Length that is not the file's, and as many bytes.
    Length(usize),
    /// No Content-Length, these bytes, then closes.
    Unmeasured(Vec<u8>),
    /// Other bytes of the right length.
    Wrong,
    /// As `Good`, under another ETag.
    Tagged(&'static str),
    /// As `Good` without an ETag.
    Untagged,
    Status(u16, &'static str),
    Redirect(String),
    /// Closes before any answer.
    Hang,
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) range: Option<String>,
    pub(crate) if_range: Option<String>,
    /// Any header that would say who is asking.
    pub(crate) credentials: bool,
}

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: String,
    content: Arc<Vec<u8>>,
    plan: Arc<Mutex<VecDeque<Behaviour>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) async fn start(content: &[u8], plan: Vec<Behaviour>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: format!("http://{}", listener.local_addr().unwrap()),
            content: Arc::new(content.to_vec()),
            plan: Arc::new(Mutex::new(plan.into())),
            seen: Arc::default(),
        };
        let accepting = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = accepting.clone();
                // A client that goes away in the middle is part of the play.
                tokio::spawn(async move { server.answer(stream).await.ok() });
            }
        });
        server
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn host(&self) -> String {
        self.address.trim_start_matches("http://").to_owned()
    }

    async fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            if stream.read(&mut byte).await? == 0 {
                return Ok(());
            }
            head.extend(byte);
        }
        let seen = read_head(&String::from_utf8_lossy(&head));
        self.seen.lock().unwrap().push(seen.clone());
        let behaviour = self.plan.lock().unwrap().pop_front().unwrap_or(Behaviour::Good);
        self.play(behaviour, &seen, &mut stream).await
    }

    async fn play(
        &self,
        behaviour: Behaviour,
        seen: &Seen,
        stream: &mut TcpStream,
    ) -> std::io::Result<()> {
        let all = self.content.as_slice();
        let whole = |bytes: &[u8]| {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nETag: \"one\"\r\nConnection: close\r\n\r\n",
                bytes.len()
            );
            [head.as_bytes(), bytes].concat()
        };
        let bare = |status: u16, headers: &str| {
            format!(
                "HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n{headers}\r\n"
            )
        };
        match behaviour {
            Behaviour::Good => stream.write_all(&good(all, seen, Some("\"one\""))).await?,
            Behaviour::Tagged(etag) => stream.write_all(&good(all, seen, Some(etag))).await?,
            Behaviour::Untagged => stream.write_all(&good(all, seen, None)).await?,
            Behaviour::Drop(count) | Behaviour::Stall(count) => {
                let answer = good(all, seen, Some("\"one\""));
                let head = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
                let end = (head + count).min(answer.len());
                stream.write_all(&answer[..end]).await?;
                stream.flush().await?;
                if matches!(behaviour, Behaviour::Stall(_)) {
                    std::future::pending::<()>().await;
                }
            }
            Behaviour::Silent => std::future::pending::<()>().await,
            Behaviour::IgnoreRange => stream.write_all(&whole(all)).await?,
            Behaviour::NoSuchRange => {
                let range = format!("Content-Range: bytes */{}\r\n", all.len());
                stream.write_all(bare(416, &range).as_bytes()).await?;
            }
            Behaviour::OtherRange => {
                let head = format!(
                    "HTTP/1.1 206 X\r\nContent-Length: {0}\r\nContent-Range: bytes 0-{1}/{0}\r\n\r\n",
                    all.len(),
                    all.len() - 1
                );
                stream.write_all(&[head.as_bytes(), all].concat()).await?;
            }
            Behaviour::Length(count) => stream.write_all(&whole(&vec![b'x'; count])).await?,
            Behaviour::Unmeasured(bytes) => {
                let head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
                stream.write_all(&[head, bytes.as_slice()].concat()).await?;
            }
            Behaviour::Wrong => stream.write_all(&whole(&vec![b'x'; all.len()])).await?,
            Behaviour::Status(status, headers) => {
                stream.write_all(bare(status, headers).as_bytes()).await?;
            }
            Behaviour::Redirect(to) => {
                let location = format!("Location: {to}\r\n");
                stream.write_all(bare(302, &location).as_bytes()).await?;
            }
            Behaviour::Hang => {}
        }
        stream.shutdown().await
    }
}

fn read_head(head: &str) -> Seen {
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    Seen {
        path: head.split(' ').nth(1).unwrap_or_default().to_owned(),
        range: header("range"),
        if_range: header("if-range"),
        credentials: header("authorization").is_some() || header("cookie").is_some(),
    }
}

/// What a correct server answers.
fn good(all: &[u8], seen: &Seen, etag: Option<&str>) -> Vec<u8> {
    let tag = etag.map_or_else(String::new, |etag| format!("ETag: {etag}\r\n"));
    let unchanged = seen.if_range.as_deref().is_none_or(|wanted| Some(wanted) == etag);
    let start = seen
        .range
        .as_deref()
        .and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok())
        .filter(|_| unchanged);
    let (status, range, body) = match start {
        Some(start) if start < all.len() => {
            let range = format!("Content-Range: bytes {start}-{}/{}\r\n", all.len() - 1, all.len());
            (206, range, &all[start..])
        }
        Some(_) => (416, format!("Content-Range: bytes */{}\r\n", all.len()), &all[..0]),
        None => (200, String::new(), all),
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{tag}{range}Connection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}
