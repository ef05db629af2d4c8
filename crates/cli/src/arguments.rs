//! The command line as clap reads it. No defaults that depend on the machine are taken here.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use nearside_types::{DeviceChoice, Failure, RouteChoice, TranscriptFormat};

/// Your files and questions, handled on your own machine.
#[derive(Parser)]
#[command(
    name = "nearside",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Args)]
pub(crate) struct Common {
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The data folder
    #[arg(long, global = true, env = "NEARSIDE_DATA_DIR", value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Read the data folder's passphrase from this open file descriptor
    #[arg(long, global = true, value_name = "FD")]
    pub(crate) passphrase_fd: Option<i32>,
    /// Another catalog of models than the built-in one
    #[arg(long, global = true, hide = true, value_name = "FILE", env = "NEARSIDE_CATALOG")]
    pub(crate) catalog: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Ask a question, about files if you give some
    Ask(Ask),
    /// Summarise whole documents
    Summarize(Summarize),
    /// Show what can be read in a file
    Extract { file: PathBuf },
    /// Write down what is said in a sound file
    Transcribe(Transcribe),
    /// The microphone: which there are, record one, dictate
    #[command(subcommand)]
    Voice(Voice),
    /// Replace personal data by placeholders; opens no data folder, so your own list has no part in it
    Redact(Redact),
    /// Put originals back in the place of placeholders
    Restore(Restore),
    /// Say where a request would run, without running it
    Route(Route),
    /// List, fetch and check models
    #[command(subcommand)]
    Models(Models),
    /// List the devices that models can run on
    Devices {
        #[arg(long, value_enum, default_value_t = DeviceArg::Auto)]
        device: DeviceArg,
    },
    /// The library of indexed files
    #[command(subcommand)]
    Index(Index),
    /// Search the library
    Search {
        query: String,
        /// How many hits at most
        #[arg(short, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
        k: u16,
    },
    /// What left this machine
    #[command(subcommand)]
    Ledger(Ledger),
    /// Your own list of what is always hidden from a cloud, and what never
    #[command(subcommand)]
    OwnList(OwnList),
    /// Stored conversations
    #[command(subcommand)]
    Conversations(Conversations),
    /// Settings of the data folder
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// The data folder as a whole
    #[command(subcommand)]
    Data(Data),
    /// Serve the installed models to other programs of this machine, as OpenAI's API
    Serve(Serve),
    /// Measure
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Subcommand)]
pub(crate) enum Voice {
    /// List what can be listened to
    Devices,
    /// Record a microphone to a WAV file until Ctrl+C
    Record {
        file: PathBuf,
        /// Stop after so many seconds
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=3600))]
        seconds: Option<u32>,
        /// A device's id; without it the settings' or the system's
        #[arg(long)]
        device: Option<String>,
    },
    /// Write down what is said until Ctrl+C
    Dictate {
        /// Stop after so many seconds
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=600))]
        seconds: Option<u32>,
    },
    /// Start or stop dictation in the open window: for a desktop's own key bindings
    Toggle,
}

#[derive(Args)]
pub(crate) struct Transcribe {
    /// WAV, MP3, M4A, Ogg Vorbis, FLAC …
    pub(crate) file: PathBuf,
    /// A code such as en or zh; auto finds out
    #[arg(long, value_name = "CODE")]
    pub(crate) language: Option<String>,
    /// Write Chinese in traditional characters
    #[arg(long)]
    pub(crate) traditional: bool,
    /// A name or term that is likely to be said; may be repeated
    #[arg(long = "term", value_name = "TEXT")]
    pub(crate) vocabulary: Vec<String>,
    /// Write English, whatever is spoken
    #[arg(long)]
    pub(crate) translate: bool,
    /// A speech model of the catalog
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The form of what is printed
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(crate) format: Option<FormatArg>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FormatArg {
    Txt,
    Md,
    Srt,
    Vtt,
}

impl From<FormatArg> for TranscriptFormat {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Txt => Self::Txt,
            FormatArg::Md => Self::Md,
            FormatArg::Srt => Self::Srt,
            FormatArg::Vtt => Self::Vtt,
        }
    }
}

#[derive(Args)]
pub(crate) struct Serve {
    /// A loopback address; port 0 takes any free one
    #[arg(long, default_value = "127.0.0.1:8377", value_name = "ADDRESS")]
    pub(crate) listen: std::net::SocketAddr,
    /// The token that callers must send; without it a fresh one is made and printed
    #[arg(long, env = "NEARSIDE_SERVE_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    #[arg(long, value_enum, default_value_t = DeviceArg::Auto)]
    pub(crate) device: DeviceArg,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SpeechRival {
    #[value(name = "whisper.cpp")]
    WhisperCpp,
}

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Speed of language models
    Llm {
        /// May be repeated; without it the model that would answer
        #[arg(long = "model")]
        models: Vec<String>,
        /// Measure llama.cpp in the same run
        #[arg(long, value_enum)]
        against: Option<Rival>,
        /// The Python that has xllamacpp; without it and --node, python3
        #[arg(long, env = "NEARSIDE_BENCH_PYTHON", value_name = "PATH")]
        python: Option<PathBuf>,
        /// A folder whose node_modules has node-llama-cpp; the faster engine counts
        #[arg(long, env = "NEARSIDE_BENCH_NODE", value_name = "FOLDER")]
        node: Option<PathBuf>,
        /// Tokens of the prompt
        #[arg(long, default_value_t = 512)]
        prompt: usize,
        /// Tokens decoded after it
        #[arg(long, default_value_t = 64)]
        decode: usize,
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// 0 takes one for each physical core
        #[arg(long, default_value_t = 0)]
        threads: usize,
        #[arg(long, value_enum, default_value_t = DeviceArg::Auto)]
        device: DeviceArg,
    },
    /// Quality and speed of redaction
    Redact {
        /// Labelled lines
        #[arg(long, value_name = "FILE")]
        public: PathBuf,
        /// Lines that must not be changed
        #[arg(long, value_name = "FILE")]
        hard_negatives: PathBuf,
        /// Without the name model, also where it is installed
        #[arg(long)]
        rules_only: bool,
    },
    /// Quality and speed of speech recognition on labelled recordings
    Speech {
        /// The folder that holds manifest.jsonl
        #[arg(long, value_name = "FOLDER")]
        recordings: PathBuf,
        /// Measure whisper.cpp in the same run
        #[arg(long, value_enum)]
        against: Option<SpeechRival>,
        /// The Python that has pywhispercpp
        #[arg(long, env = "NEARSIDE_BENCH_PYTHON", value_name = "PATH", default_value = "python3")]
        python: PathBuf,
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
        threads: u16,
        /// Let the model find out the language
        #[arg(long)]
        auto: bool,
        #[arg(long)]
        model: Option<String>,
    },
    /// Quality and speed of the library's search
    Search {
        #[arg(long, value_name = "FILE")]
        corpus: PathBuf,
        #[arg(long, value_name = "FILE")]
        queries: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Rival {
    #[value(name = "llama.cpp")]
    LlamaCpp,
}

#[derive(Args)]
pub(crate) struct Ask {
    /// The question; `-` or nothing reads standard input
    pub(crate) text: Option<String>,
    /// A file to answer from; may be repeated
    #[arg(long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Run,
    /// Keep it in this conversation; `new` begins one
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// Read {"id", "text"} lines from standard input, and answer each on a line
    #[arg(long, conflicts_with_all = ["text", "files", "conversation", "approve"])]
    pub(crate) jsonl: bool,
}

#[derive(Args)]
pub(crate) struct Summarize {
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) run: Run,
}

/// How a task runs.
#[derive(Args)]
pub(crate) struct Run {
    #[arg(long, value_enum)]
    pub(crate) route: Option<RouteArg>,
    /// A model's name, as `nearside models list` shows it
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) model: Option<String>,
    #[arg(long, value_enum)]
    pub(crate) device: Option<DeviceArg>,
    /// Tokens of the answer at most
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub(crate) max_tokens: u32,
    /// 0 always takes the likeliest word
    #[arg(long, default_value_t = 0.0, value_parser = temperature)]
    pub(crate) temperature: f32,
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Send the body with this hash to the cloud, and no other
    #[arg(long, value_name = "SHA256")]
    pub(crate) approve: Option<String>,
    /// An OpenAI-compatible endpoint for this call, e.g. https://api.example.com/v1; the key is taken from
    /// NEARSIDE_API_KEY, else from the data folder's vault
    #[arg(long, value_name = "URL", requires = "provider_model")]
    pub(crate) provider_url: Option<String>,
    #[arg(long, value_name = "NAME", requires = "provider_url")]
    pub(crate) provider_model: Option<String>,
    /// Tokens that the far model reads and writes together
    #[arg(long, value_name = "TOKENS", default_value_t = 32_768)]
    pub(crate) provider_context: u32,
}

#[derive(Args)]
pub(crate) struct Redact {
    /// The text; `-` or nothing reads standard input
    pub(crate) text: Option<String>,
    /// `balanced` or `strict`
    #[arg(long, default_value = "balanced")]
    pub(crate) policy: String,
    /// Read {"id", "text"} lines from standard input, and answer each on a line
    #[arg(long, conflicts_with = "text")]
    pub(crate) jsonl: bool,
}

#[derive(Args)]
pub(crate) struct Restore {
    /// The text; `-` or nothing reads standard input
    pub(crate) text: Option<String>,
    /// A file with the map that `redact --json` printed, or with its whole result
    #[arg(long, value_name = "FILE", required_unless_present = "jsonl")]
    pub(crate) map: Option<PathBuf>,
    /// Read {"id", "text", "map"} lines from standard input; a line's own map comes before --map
    #[arg(long, conflicts_with = "text")]
    pub(crate) jsonl: bool,
}

#[derive(Args)]
pub(crate) struct Route {
    /// The text; `-` or nothing reads standard input
    pub(crate) text: Option<String>,
    #[command(flatten)]
    pub(crate) run: Run,
    /// Read {"id", "text"} lines from standard input, and answer each on a line
    #[arg(long, conflicts_with = "text")]
    pub(crate) jsonl: bool,
}

#[derive(Subcommand)]
pub(crate) enum Models {
    /// All models, with what is installed
    List,
    /// Fetch a model, going on where a fetch was stopped
    Fetch { name: String },
    /// Compare every byte with what it should be
    Verify { name: String },
    /// Remove a model from the disk
    Remove { name: String },
    /// Go back to the version before
    Rollback { name: String },
}

#[derive(Subcommand)]
pub(crate) enum Index {
    /// Add a file or a folder
    Add { path: PathBuf },
    /// All files with their states
    Status,
    /// Take a file or folder out
    Remove { path: PathBuf },
    /// Remove every trace of a file or folder
    Forget { path: PathBuf },
}

#[derive(Subcommand)]
pub(crate) enum Ledger {
    /// Every request, latest first
    List,
    /// Whether the ledger is whole
    Verify,
    /// Write all entries to a file
    Export { path: PathBuf },
}

#[derive(Subcommand)]
pub(crate) enum OwnList {
    /// All of it
    Show,
    /// Always hide these; several names in one call are one person or thing
    Hide {
        #[arg(required = true)]
        names: Vec<String>,
        /// What it is, as `redact` names it: PERSON, ORG, ADDRESS …
        #[arg(long = "type", default_value = "PERSON", value_name = "TYPE")]
        kind: String,
    },
    /// Never hide these
    Keep {
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Take these off the list
    Remove {
        #[arg(required = true)]
        names: Vec<String>,
    },
}

#[derive(Subcommand)]
pub(crate) enum Conversations {
    /// All of them, or those that hold some words
    List {
        #[arg(long)]
        search: Option<String>,
    },
    /// One along its current branch
    Show { id: String },
    /// Delete one with all its branches
    Delete { id: String },
}

#[derive(Subcommand)]
pub(crate) enum SettingsCommand {
    /// All settings, or one
    Get { name: Option<String> },
    /// Change one; the value is JSON, or a word
    Set { name: String, value: String },
    /// Keep the key of the cloud model in the keychain; it is read from standard input, empty forgets it
    Key,
}

#[derive(Subcommand)]
pub(crate) enum Data {
    /// Write everything to one archive; its passphrase is a line of standard input, the second where
    /// `--passphrase-fd 0` takes the first
    Export { path: PathBuf },
    /// Put an archive in the place of the data folder
    Restore { path: PathBuf },
    /// Erase the data folder and its key
    Erase {
        /// Really erase
        #[arg(long)]
        yes: bool,
    },
    /// Show where data and models lie
    Where,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum RouteArg {
    Auto,
    Local,
    Cloud,
}

impl From<RouteArg> for RouteChoice {
    fn from(route: RouteArg) -> Self {
        match route {
            RouteArg::Auto => Self::Auto,
            RouteArg::Local => Self::Local,
            RouteArg::Cloud => Self::Cloud,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum DeviceArg {
    Auto,
    Cpu,
    Gpu,
}

impl From<DeviceArg> for DeviceChoice {
    fn from(device: DeviceArg) -> Self {
        match device {
            DeviceArg::Auto => Self::Auto,
            DeviceArg::Cpu => Self::Cpu,
            DeviceArg::Gpu => Self::Gpu,
        }
    }
}

fn temperature(text: &str) -> Result<f32, Failure> {
    match text.parse::<f32>() {
        Ok(value) if (0.0..=2.0).contains(&value) => Ok(value),
        _ => Err(Failure::usage("it is a number from 0 to 2")),
    }
}
