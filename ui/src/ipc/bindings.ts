// Written by `cargo xtask bindings` from crates/types. Do not edit: change the Rust types.

/**
 * What happens to an entity on its way out.
 */
export type Action = "keep" | "mask" | "generalise" | "fake" | "edit" | "refuse";

export type Adapter = { name: string, kind: DeviceKind, 
/**
 * `flex`, `vulkan`, `metal`, `dx12`, or `none` where nothing here can use it.
 */
backend: string, 
/**
 * Bytes, where known.
 */
memory: number | null, 
/**
 * Instruction sets or adapter features that our kernels look at.
 */
features: Array<string>, chosen: boolean, why: Standing, };

/**
 * The result of `ask`.
 */
export type Answer = { answer: UserText, route: Decision, 
/**
 * The model and the device that answered, e.g. `smollm2-135m` on `cpu`.
 */
model: string, device: string, tokens: Tokens, timings: Timings, citations: Array<Citation>, coverage: Coverage | null, files: Array<FileOutcome>, outbound: OutboundSummary | null, cost: Cost | null, 
/**
 * Said to the user with the answer: a fallback to the CPU, earlier turns left out …
 */
notices: Array<Notice>, };

/**
 * Sent to every window at any time.
 */
export type AppEvent = { "event": "conversations_changed" } | { "event": "settings_changed" } | { "event": "models_changed" } | { "event": "ledger_changed" } | { "event": "library_changed" } | { "event": "navigate", page: string, } | { "event": "new_conversation" } | { "event": "voice_toggle" } | { "event": "notice", code: string, text: string, };

export type AppInfo = { version: string, 
/**
 * `linux`, `macos` or `windows`.
 */
platform: string, 
/**
 * The system's language, e.g. `zh-CN`.
 */
locale: string, data_dir: string, models_dir: string, 
/**
 * Whether the desktop shows tray icons; without one, closing the window quits.
 */
tray: boolean, 
/**
 * Tokens that a local model holds, prompt and answer together.
 */
context: number, 
/**
 * What could not be had, e.g. a global shortcut that another program holds.
 */
notices: Array<string>, };

/**
 * From one `message_send`, in order; `Finished` or `Failed` is the last.
 */
export type ChatEvent = { "event": "started", question: Message, answer: MessageId, } | { "event": "file", outcome: FileOutcome, } | { "event": "progress", stage: Stage, done: number, total: number, } | { "event": "routed", decision: Decision, } | { "event": "approval", preview: Preview, } | { "event": "text", text: UserText, } | { "event": "coverage", coverage: Coverage, } | { "event": "finished", message: Message, } | { "event": "failed", failure: Failure, message: Message | null, };

/**
 * Which characters Chinese is written in.
 */
export type ChineseScript = "simplified" | "traditional";

/**
 * A passage of a file that an answer rests on.
 */
export type Citation = { file: UserText, page: number, section: UserText | null, quote: UserText, };

/**
 * A conversation along its current branch, oldest message first.
 */
export type Conversation = { summary: ConversationSummary, messages: Array<Message>, 
/**
 * About how many tokens the branch makes, with its documents: what the next question takes along.
 */
tokens: number, };

/**
 * A conversation.
 */
export type ConversationId = string;

/**
 * A row in the list of conversations.
 */
export type ConversationSummary = { id: ConversationId, title: UserText, pinned: boolean, updated_ms: number, 
/**
 * Where its latest answer ran; the list shows it as a disc.
 */
route: Route | null, 
/**
 * Where a search hit, the words around it.
 */
snippet: UserText | null, };

/**
 * Money, where a price is known.
 */
export type Cost = { currency: string, amount: number, };

/**
 * What the model really received of the documents.
 */
export type Coverage = { pages_read: number, pages_total: number, tokens_read: number, };

/**
 * What the router decided. `score` is how much the request wants the cloud, 0 to 1.
 */
export type Decision = { chosen: Route | null, score: number, reasons: Array<Reason>, discarded: Array<Discarded>, };

export type DeviceChoice = "auto" | "cpu" | "gpu";

export type DeviceKind = "cpu" | "discrete_gpu" | "integrated_gpu" | "software_gpu" | "npu";

/**
 * A route that was considered and ruled out.
 */
export type Discarded = { route: Route, reason: Reason, };

/**
 * From one `model_fetch`, in order; `Done`, `Paused` or `Failed` is the last.
 */
export type DownloadEvent = { "event": "started", name: string, source: string, done: number, total: number, } | { "event": "progress", name: string, done: number, total: number, bytes_per_s: number, } | { "event": "verifying", name: string, } | { "event": "converting", name: string, } | { "event": "done", name: string, } | { "event": "paused", name: string, done: number, } | { "event": "failed", name: string, failure: Failure, };

/**
 * How many entities of one type left masked: all that the ledger keeps of them.
 */
export type EntityCount = { type: EntityType, count: number, };

/**
 * The user's choice for one entity: the value in all its places, in every block.
 */
export type EntityEdit = { block: number, 
/**
 * Index into that block's `spans`.
 */
span: number, action: Action, 
/**
 * For `edit`: what to send instead.
 */
replacement: string | null, };

/**
 * What a piece of text is. Tier A first, then Tier B.
 */
export type EntityType = "PERSON" | "PHONE" | "EMAIL" | "ADDRESS" | "NATIONAL_ID" | "PASSPORT" | "DRIVER_LICENSE" | "LICENSE_PLATE" | "BANK_CARD" | "BANK_ACCOUNT" | "TAX_ID" | "MEDICAL_ID" | "SECRET" | "ACCOUNT" | "DATE_OF_BIRTH" | "IP" | "MAC" | "CRYPTO" | "EMPLOYEE_OR_STUDENT_ID" | "VEHICLE_ID" | "ORG" | "ORG_ID" | "LOCATION" | "DATE_TIME" | "AGE" | "TITLE" | "NRP" | "URL" | "POSTCODE";

/**
 * A kind of fact that narrows down who is meant.
 */
export type Fact = "role" | "employer" | "place" | "age" | "day" | "group";

/**
 * A failure with one clear sentence that says what to do. The sentence never quotes user content.
 */
export type Failure = { kind: FailureKind, 
/**
 * A stable word for the window's translations, such as `vault_locked`; empty when there is none.
 */
code: string, message: string, 
/**
 * The figures and names of the sentence, for the window's own words for `code`.
 */
values: { [key in string]: string }, };

/**
 * The kinds of failure a caller can act on.
 */
export type FailureKind = "usage" | "not_found" | "nothing_readable" | "refused" | "model_missing" | "network" | "cancelled" | "internal";

/**
 * A dropped file before anything is asked about it.
 */
export type FileChip = { path: string, name: UserText, bytes: number, kind: string, status: FileStatus, pages: number, 
/**
 * About how many tokens its text makes.
 */
tokens: number, warnings: Array<Warning>, };

/**
 * One file's outcome in a summary or an answer.
 */
export type FileOutcome = { file: UserText, status: FileStatus, pages: number, warnings: Array<Warning>, };

/**
 * The one state in which every file ends.
 */
export type FileStatus = "ok" | "partial" | "needs_ocr" | "encrypted" | "corrupt" | "empty" | "unsupported" | "too_large";

/**
 * Whether a model suits this machine.
 */
export type Fit = "good" | "tight" | "too_big";

/**
 * What is shown under an answer.
 */
export type Footer = { model: string, device: string, route: Decision, tokens: Tokens, timings: Timings, citations: Array<Citation>, coverage: Coverage | null, files: Array<FileOutcome>, outbound: OutboundSummary | null, cost: Cost | null, notices: Array<Notice>, };

/**
 * The result of `index forget`.
 */
export type Forgotten = { bytes_freed: number, 
/**
 * Places where something of the file was still found afterwards; must be 0.
 */
traces_found: number, };

/**
 * What an entity was recognised by.
 */
export type Ground = "shape" | "settled" | "named" | "name_model" | "own_list" | "repeated";

/**
 * Progress of an indexing run.
 */
export type IndexProgress = { done: number, total: number, failed: number, 
/**
 * Passages that have got their vector in this run, after all files were read.
 */
vectors_done: number, vectors_total: number, };

export type IndexedFile = { path: string, status: FileStatus, pages: number, chunks: number, bytes: number, warnings: Array<Warning>, };

/**
 * The language of the window.
 */
export type Language = "system" | "en" | "zh-CN";

/**
 * Facts of one message that together may point at one person (Sweeney 2000).
 */
export type Leak = { 
/**
 * Index of the message.
 */
block: number, 
/**
 * Code points of the original, from the first fact to the last.
 */
start: number, end: number, 
/**
 * What came together, in order, each once.
 */
facts: Array<Fact>, };

/**
 * What is wrong with a ledger. Records count from 1 along the chain; each entry has an opening record and
 * mostly a closing one.
 */
export type LedgerFault = { 
/**
 * In English.
 */
text: string, } & ({ "code": "entry_missing", entry: number, } | { "code": "record_missing", record: number, } | { "code": "record_unreadable", record: number, } | { "code": "record_changed", record: number, } | { "code": "head_changed" } | { "code": "head_missing" } | { "code": "end_missing", records: number, } | { "code": "head_old", records: number, } | { "code": "other_records" } | { "code": "earlier" });

export type LedgerItem = { sequence: number, 
/**
 * RFC 3339, UTC.
 */
time: string, kind: LedgerKind, destination: string, bytes: number, 
/**
 * Of the exact body that was sent.
 */
sha256: string, entities: Array<EntityCount>, outcome: LedgerOutcome, };

export type LedgerKind = "request" | "housekeeping";

export type LedgerOutcome = "pending" | "sent" | "failed" | "refused";

/**
 * The result of `ledger verify`.
 */
export type LedgerVerdict = { intact: boolean, entries: number, 
/**
 * The first thing that does not fit.
 */
problem: LedgerFault | null, };

/**
 * A message of a conversation.
 */
export type Message = { id: MessageId, 
/**
 * The message it answers or follows; a branch is two children of one parent.
 */
parent: MessageId | null, 
/**
 * All that follow the same message, itself among them, oldest first: the branches here. Where it
 * stands alone, only itself.
 */
branches: Array<MessageId>, role: Role, content: UserText, 
/**
 * Paths of the files dropped with it.
 */
files: Array<string>, state: MessageState, 
/**
 * Milliseconds since 1970 UTC.
 */
created_ms: number, footer: Footer | null, };

/**
 * A message of a conversation.
 */
export type MessageId = string;

/**
 * How an answer ended.
 */
export type MessageState = "complete" | "streaming" | "stopped" | "truncated" | "failed";

/**
 * Something that can be listened to.
 */
export type Microphone = { 
/**
 * Names it in `VoiceSettings::microphone`; the same over restarts where the system keeps names.
 */
id: string, name: string, 
/**
 * What is listened to when none is chosen.
 */
is_default: boolean, 
/**
 * What the computer plays, rather than a microphone.
 */
is_monitor: boolean, };

export type ModelInfo = { name: string, title: string, purpose: ModelPurpose, 
/**
 * Installed version, or the one that would be fetched.
 */
version: string, 
/**
 * The version a rollback returns to.
 */
previous: string | null, 
/**
 * Bytes on disk once installed.
 */
size: number, sha256: string, licence: string, state: ModelState, 
/**
 * Where it came from, or would come from first.
 */
source: string, 
/**
 * Bytes already here, for a partial download.
 */
done: number, languages: Array<string>, fit: Fit, recommended: boolean, 
/**
 * The file, once installed.
 */
path: string | null, };

export type ModelPurpose = "chat" | "draft" | "speech" | "embedding" | "voice_activity" | "ocr";

export type ModelState = "available" | "partial" | "downloading" | "installed" | "broken";

/**
 * Said with an answer: a fallback, earlier turns left out …
 */
export type Notice = { 
/**
 * In English.
 */
text: string, } & ({ "code": "no_gpu_path" } | { "code": "gpu_unusable", name: string, why: string, } | { "code": "gpu_failed", name: string, why: string, } | { "code": "turns_left_out", turns: number, } | { "code": "nearest_passages", near: number, passages: number, } | { "code": "unknown_placeholders", count: number, } | { "code": "without_model" } | { "code": "sentences_left_out", count: number, } | { "code": "summary_unfinished", read: number, total: number, } | { "code": "earlier" });

/**
 * What left the machine for this answer.
 */
export type OutboundSummary = { destination: string, bytes: number, 
/**
 * Of the exact body that was sent.
 */
sha256: string, entities: Array<EntityCount>, };

/**
 * One thing that is always hidden.
 */
export type OwnEntry = { type: EntityType, 
/**
 * Its names, which stand for one entity: 张伟, Zhang Wei, 张总.
 */
names: Array<UserText>, };

/**
 * What the user always hides, and what never.
 */
export type OwnList = { hide: Array<OwnEntry>, keep: Array<UserText>, };

/**
 * A request that waits for approval. Nothing is ever sent on a timer.
 */
export type Preview = { id: PreviewId, 
/**
 * Host of the endpoint, e.g. `api.example.com`.
 */
destination: string, model: string, blocks: Array<PreviewBlock>, 
/**
 * The exact body that will be sent, as text.
 */
body: string, bytes: number, sha256: string, 
/**
 * Whether the name model looked for people; without it, rules alone did.
 */
name_model: boolean, 
/**
 * What is kept and, taken together, may still point at one person.
 */
leaks: Array<Leak>, };

/**
 * One outgoing message beside its original.
 */
export type PreviewBlock = { role: Role, original: UserText, 
/**
 * The text the cloud will see, placeholders included.
 */
outgoing: UserText, 
/**
 * Offsets into `original`.
 */
spans: Array<Span>, };

/**
 * A request that waits for the user's approval.
 */
export type PreviewId = string;

export type PrivacyPreset = "strict" | "balanced";

/**
 * An OpenAI-compatible endpoint. The key is never here: it lives in the keychain under `name`.
 */
export type Provider = { name: string, 
/**
 * e.g. `https://api.example.com/v1`.
 */
base_url: string, model: string, 
/**
 * Tokens that the far model can read and write together.
 */
context_length: number, 
/**
 * Per million tokens, in `currency`, where the user entered a price.
 */
price_in: string | null, price_out: string | null, currency: string | null, has_key: boolean, };

/**
 * The outcome of "Test connection".
 */
export type ProviderCheck = { reachable: boolean, models: Array<string>, message: string, 
/**
 * Why it is not reachable.
 */
failure: Failure | null, };

/**
 * Why a route was taken or ruled out.
 */
export type Reason = { 
/**
 * In English.
 */
text: string, } & ({ "code": "no_local_model" } | { "code": "too_long_for_local", needed: number, model: string, holds: number, } | { "code": "too_long_for_cloud", needed: number, model: string, holds: number, } | { "code": "local_only" } | { "code": "local_task" } | { "code": "no_provider" } | { "code": "offline" } | { "code": "sensitive", entity: EntityType, } | { "code": "not_divisible" } | { "code": "refused", choice: RouteChoice, because: string, } | { "code": "impossible", because: string, } | { "code": "user_chose_local" } | { "code": "user_chose_cloud" } | { "code": "hard_for_local", score: number, threshold: number, } | { "code": "local_suffices", score: number, threshold: number, } | { "code": "joint_suffices" } | { "code": "kept_local" } | { "code": "cloud_unreachable", because: string, } | { "code": "earlier" });

export type Role = "system" | "user" | "assistant";

/**
 * Where it runs: the near side, the far side, or both.
 */
export type Route = "local" | "cloud" | "joint";

/**
 * What the user asks for.
 */
export type RouteChoice = "auto" | "local" | "cloud";

export type SearchHit = { file: UserText, page: number, section: UserText | null, text: UserText, score: number, 
/**
 * `keyword`, `vector` or `both`.
 */
how: string, };

/**
 * Sends a message, or does an answer again.
 */
export type SendRequest = { conversation: ConversationId, text: UserText, files: Array<string>, route: RouteChoice, model: string | null, 
/**
 * Replace this earlier user message: edit and resend. The old branch stays.
 */
replaces: MessageId | null, 
/**
 * Answer this assistant message's question again; `text` and `files` are ignored.
 */
regenerates: MessageId | null, 
/**
 * Go on writing this truncated or stopped answer; `text` and `files` are ignored.
 */
continues: MessageId | null, };

export type Settings = { language: Language, theme: Theme, 
/**
 * Percent, 50 to 200.
 */
zoom: number, 
/**
 * Pixels of the reading column, 12 to 22.
 */
font_size: number, 
/**
 * Nothing leaves: enforced in `cloud` for every caller.
 */
local_only: boolean, default_route: RouteChoice, chat_model: string, device: DeviceChoice, privacy: PrivacyPreset, 
/**
 * What is done with a type whatever the level says; never `edit`, which is for one value.
 */
actions: { [key in EntityType]?: Action }, provider: Provider | null, 
/**
 * `http://…` or `socks5://…`; empty follows the system.
 */
proxy: string, 
/**
 * The model hub, e.g. a mirror; empty is the default hub.
 */
hub_endpoint: string, global_shortcut: string, autostart: boolean, close_to_tray: boolean, notifications: boolean, welcome_done: boolean, max_tokens: number, 
/**
 * Thousandths, so that settings compare exactly: 700 is 0.7.
 */
temperature_milli: number, voice: VoiceSettings, };

/**
 * What one change of settings touches.
 */
export type SettingsPatch = { language: Language | null, theme: Theme | null, zoom: number | null, font_size: number | null, local_only: boolean | null, default_route: RouteChoice | null, chat_model: string | null, device: DeviceChoice | null, privacy: PrivacyPreset | null, 
/**
 * All of them anew.
 */
actions: { [key in EntityType]?: Action } | null, provider: Provider | null, proxy: string | null, hub_endpoint: string | null, global_shortcut: string | null, autostart: boolean | null, close_to_tray: boolean | null, notifications: boolean | null, welcome_done: boolean | null, max_tokens: number | null, temperature_milli: number | null, voice: VoicePatch | null, };

/**
 * One entity found in a text. Offsets count Unicode code points, `end` exclusive.
 */
export type Span = { start: number, end: number, type: EntityType, text: UserText, action: Action, 
/**
 * What stands in its place; for `keep`, the text itself.
 */
replacement: UserText, ground: Ground, 
/**
 * Which recognizer found it and what convinced it, in English, e.g. `cn_resident_id: checksum and date valid`.
 */
why: string, };

export type Stage = "loading_model" | "reading_file" | "prefill" | "summarising_part" | "merging" | "sending";

/**
 * Why a device is used, or is not.
 */
export type Standing = { 
/**
 * In English.
 */
text: string, } & ({ "code": "no_gpu_built" } | { "code": "asked_for" } | { "code": "no_gpu_found" } | { "code": "gpu_not_found" } | { "code": "slow_asked_for" } | { "code": "best_gpu" } | { "code": "npu_unused" } | { "code": "gpu_found" } | { "code": "cpu_asked_for" } | { "code": "rasteriser" } | { "code": "other_gpu" } | { "code": "earlier" });

/**
 * The result of `summarize`.
 */
export type Summary = { summary: UserText, coverage: Coverage, files: Array<FileOutcome>, model: string, device: string, route: Decision, tokens: Tokens, timings: Timings, outbound: OutboundSummary | null, cost: Cost | null, notices: Array<Notice>, };

export type Theme = "system" | "light" | "dark";

export type Timings = { load_ms: number, prefill_ms: number, first_token_ms: number, decode_tokens_per_s: number, };

/**
 * Token counts of one generation.
 */
export type Tokens = { prompt: number, 
/**
 * Prompt tokens whose keys and values were still in the cache.
 */
reused: number, generated: number, };

/**
 * The result of `transcribe`.
 */
export type Transcript = { text: UserText, 
/**
 * The ISO 639-1 code of the language that most of it is in; none where nobody speaks.
 */
language: string | null, segments: Array<TranscriptSegment>, 
/**
 * Nobody speaks in the recording; the text is empty.
 */
no_speech: boolean, 
/**
 * How long the recording is.
 */
seconds: number, warnings: Array<Warning>, };

/**
 * How a transcript is written to a file.
 */
export type TranscriptFormat = "txt" | "srt" | "vtt" | "json" | "md";

/**
 * A stretch of speech.
 */
export type TranscriptSegment = { 
/**
 * Seconds from the start of the recording.
 */
start: number, end: number, 
/**
 * `S1`, `S2` …, in the order in which they are first heard; none where they were not told apart.
 */
speaker: string | null, text: UserText, };

/**
 * A user's own words, or words read from a user's file. `Debug` tells only the length.
 *
 * ```
 * let text = nearside_types::UserText::from("call 13800138000");
 * assert_eq!(format!("{text:?}"), "UserText(16 chars)");
 * ```
 */
export type UserText = string;

export type VaultCondition = "open" | "needs_passphrase" | "new" | "failed";

export type VaultState = { state: VaultCondition, 
/**
 * Why it is not open.
 */
failure: Failure | null, };

/**
 * From one run of the microphone or over one file, in order. The transcript itself is what the run
 * returns.
 */
export type VoiceEvent = { "event": "listening", device: string, } | { "event": "level", dbfs: number, } | { "event": "partial", committed: UserText, tentative: UserText, } | { "event": "transcribing", done: number, total: number | null, } | { "event": "lost", kept_seconds: number, };

/**
 * A field left out stays as it is.
 */
export type VoicePatch = { 
/**
 * Empty is the system's default.
 */
microphone: string | null, language: string | null, chinese: ChineseScript | null, 
/**
 * All of them anew.
 */
vocabulary: Array<UserText> | null, shortcut: string | null, };

export type VoiceSettings = { 
/**
 * A `Microphone::id`; none is the system's default.
 */
microphone: string | null, 
/**
 * ISO 639 code, or `auto` to find out from what is heard.
 */
language: string, chinese: ChineseScript, 
/**
 * Names and terms that a speech model should know, most important first.
 */
vocabulary: Array<UserText>, 
/**
 * The global shortcut that starts and stops dictation; empty is none.
 */
shortcut: string, };

/**
 * Said about a file that was not wholly read, or holds something to know of.
 */
export type Warning = { 
/**
 * In English.
 */
text: string, } & ({ "code": "file_too_large", bytes: number, limit_bytes: number, } | { "code": "unpacks_too_large", limit_bytes: number, } | { "code": "too_many_parts", entries: number, limit: number, } | { "code": "unpacks_too_much", ratio: number, } | { "code": "locked" } | { "code": "no_content" } | { "code": "no_text" } | { "code": "picture" } | { "code": "picture_kind_not_read", kind: string, } | { "code": "picture_too_large", megapixels: number, limit: number, } | { "code": "picture_damaged" } | { "code": "ocr_failed", why: string, } | { "code": "outlook_message" } | { "code": "old_office" } | { "code": "contents_damaged" } | { "code": "kind_not_read", kind: string, } | { "code": "archive" } | { "code": "recording" } | { "code": "kind_without_text", kind: string, } | { "code": "unknown_binary" } | { "code": "part_damaged" } | { "code": "pages_damaged" } | { "code": "no_pages" } | { "code": "sheets_damaged" } | { "code": "workbook_reader_failed" } | { "code": "slides_damaged" } | { "code": "message_damaged" } | { "code": "cut_off" } | { "code": "text_damaged" } | { "code": "too_deep" } | { "code": "notes_damaged", part: string, } | { "code": "first_pages", pages: number, } | { "code": "first_text", bytes: number, } | { "code": "invalid_places", places: number, encoding: string, } | { "code": "hidden_elements", count: number, } | { "code": "slide_damaged", number: number, } | { "code": "slide_cut", number: number, } | { "code": "slide_part_damaged", number: number, } | { "code": "slide_hidden", number: number, } | { "code": "sheet_cut", number: number, } | { "code": "sheet_hidden", number: number, } | { "code": "pages_need_ocr", pages: string, } | { "code": "pages_recognized", pages: string, } | { "code": "pages_unsure", pages: string, lines: number, percent: number, } | { "code": "pages_not_read", pages: string, } | { "code": "pages_font", pages: string, } | { "code": "pages_garbled", pages: string, } | { "code": "attachment", name: UserText, inner: Warning, } | { "code": "attachment_too_deep", name: UserText, } | { "code": "reader_ended" } | { "code": "reader_slow", seconds: number, } | { "code": "reader_crashed" } | { "code": "quarantined" } | { "code": "not_found" } | { "code": "not_a_file" } | { "code": "link_outside" } | { "code": "not_opened", why: string, } | { "code": "failed", why: string, } | { "code": "earlier" });
