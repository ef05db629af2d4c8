//! A scripted HTTP/1.1 server: each connection takes the next script, logs the request byte for byte,
//! and does what the script says. Real sockets, so that cuts and stalls are real.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;

#[expect(clippy::disallowed_types, reason = "the far end of the tests")]
type Listener = tokio::net::TcpListener;
#[expect(clippy::disallowed_types, reason = "the far end of the tests")]
type Stream = tokio::net::TcpStream;

/// What the server does with one request.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Send(Vec<u8>),
    /// Says nothing more until the other end closes, which it counts.
    Stall,
    /// Says nothing more for a moment, so that the other end sees the piece before.
    Breathe,
}

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) struct Server {
    pub(crate) port: u16,
    log: Arc<Mutex<Vec<Request>>>,
    left: watch::Receiver<usize>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Answers the n-th request by the n-th script, the last one for all further.
    pub(crate) async fn start(scripts: Vec<Vec<Step>>) -> Self {
        Self::start_as(scripts, false).await
    }

    /// The same behind a SOCKS5 proxy (RFC 1928), which logs the name that it was asked for.
    pub(crate) async fn start_socks(scripts: Vec<Vec<Step>>) -> Self {
        Self::start_as(scripts, true).await
    }

    async fn start_as(scripts: Vec<Vec<Step>>, socks: bool) -> Self {
        let listener = Listener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (counts, left) = watch::channel(0);
        let counts = Arc::new(counts);
        let task = tokio::spawn({
            let log = log.clone();
            async move {
                let mut number = 0;
                while let Ok((stream, _)) = listener.accept().await {
                    let script = scripts[number.min(scripts.len() - 1)].clone();
                    number += 1;
                    let (log, counts) = (log.clone(), counts.clone());
                    tokio::spawn(async move {
                        let mut stream = stream;
                        if socks && greet(&mut stream, &log).await.is_none() {
                            return;
                        }
                        serve(stream, script, log, counts).await;
                    });
                }
            }
        });
        Self { port, log, left, task }
    }

    pub(crate) fn base(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub(crate) fn destination(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.log.lock().unwrap().clone()
    }

    /// Waits until a stalled connection was closed by the other end.
    pub(crate) async fn abandoned(&mut self) {
        self.left.wait_for(|count| *count > 0).await.unwrap();
    }
}

async fn serve(
    mut stream: Stream,
    script: Vec<Step>,
    log: Arc<Mutex<Vec<Request>>>,
    left: Arc<watch::Sender<usize>>,
) {
    let Some(request) = read_request(&mut stream).await else {
        return;
    };
    log.lock().unwrap().push(request);
    for step in script {
        match step {
            Step::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
                let _gone = stream.flush().await;
            }
            Step::Breathe => tokio::time::sleep(std::time::Duration::from_millis(30)).await,
            Step::Stall => {
                let mut rest = [0; 64];
                while stream.read(&mut rest).await.is_ok_and(|count| count > 0) {}
                left.send_modify(|count| *count += 1);
                return;
            }
        }
    }
}

/// The SOCKS5 handshake without a password, for a request by name.
async fn greet(stream: &mut Stream, log: &Mutex<Vec<Request>>) -> Option<()> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).await.ok()?;
    let mut methods = vec![0; usize::from(head[1])];
    stream.read_exact(&mut methods).await.ok()?;
    stream.write_all(&[5, 0]).await.ok()?;
    let mut request = [0; 5];
    stream.read_exact(&mut request).await.ok()?;
    assert_eq!(request[..4], [5, 1, 0, 3], "connect to a name");
    let mut name = vec![0; usize::from(request[4]) + 2];
    stream.read_exact(&mut name).await.ok()?;
    name.truncate(name.len() - 2);
    let head = format!("socks {}", String::from_utf8_lossy(&name));
    log.lock().unwrap().push(Request { head, body: Vec::new() });
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await.ok()
}

async fn read_request(stream: &mut Stream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase().strip_prefix("content-length:").map(str::to_owned)
                })
                .map_or(0, |length| length.trim().parse().unwrap());
            if bytes.len() >= end + 4 + length {
                return Some(Request { head, body: bytes[end + 4..end + 4 + length].to_vec() });
            }
        }
        let count = stream.read(&mut piece).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&piece[..count]);
    }
}

/// A whole answer with a length.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    vec![Step::Send(
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}")
            .into_bytes(),
    )]
}

/// The head of a stream that ends when the connection does.
pub(crate) fn stream_head() -> Step {
    Step::Send(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n".to_vec(),
    )
}

/// The head of a chunked stream, whose sudden end is a cut.
pub(crate) fn chunked_head() -> Step {
    Step::Send(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_vec(),
    )
}

pub(crate) fn chunk(text: &str) -> Step {
    Step::Send(format!("{:x}\r\n{text}\r\n", text.len()).into_bytes())
}

pub(crate) fn send(text: &str) -> Step {
    Step::Send(text.as_bytes().to_vec())
}

/// One event with a piece of the answer.
pub(crate) fn delta(text: &str) -> String {
    let json =
        serde_json::json!({ "model": "far-1", "choices": [{ "delta": { "content": text } }] });
    format!("data: {json}\n\n")
}

pub(crate) fn ending() -> String {
    let finish = serde_json::json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    let usage = serde_json::json!({
        "choices": [],
        "usage": {
            "prompt_tokens": 1000, "completion_tokens": 200,
            "prompt_tokens_details": { "cached_tokens": 30 }
        }
    });
    format!("data: {finish}\n\ndata: {usage}\n\ndata: [DONE]\n\n")
}

/// A good answer in two pieces.
pub(crate) fn good() -> Vec<Step> {
    vec![stream_head(), send(&delta("Hello, ")), send(&delta("world")), send(&ending())]
}
