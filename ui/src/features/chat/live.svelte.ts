// One conversation as the window shows it: its messages, and the answer that is being written. It applies
// chat events in order; it starts no request itself.
import type {
  ChatEvent, Conversation, ConversationSummary, Coverage, Decision, Failure, FileOutcome, Message, Stage,
} from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import { ApprovalStore } from "$/features/privacy/approval-store.svelte";
import { TextBatch, type Schedule, nextFrame } from "$/lib/batch";

export interface Progress {
  stage: Stage;
  done: number;
  total: number;
}

/** What is known of the answer while it is written. */
export class LiveAnswer {
  progress = $state.raw<Progress | null>(null);
  decision = $state.raw<Decision | null>(null);
  coverage = $state.raw<Coverage | null>(null);
  files = $state.raw<FileOutcome[]>([]);
  approval = $state.raw<ApprovalStore | null>(null);
  stopping = $state(false);
}

/** The id of a question that the engine has not confirmed yet. */
export const UNCONFIRMED = "unconfirmed";

export class ChatView {
  summary = $state.raw<ConversationSummary | null>(null);
  messages = $state<Message[]>([]);
  /** About how many tokens the branch makes with its documents. */
  tokens = $state(0);
  live = $state.raw<LiveAnswer | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The last finished answer, for the live region of screen readers. */
  spoken = $state("");
  #answer: string | null = null;
  readonly #batch: TextBatch;

  constructor(
    private readonly client: Client,
    conversation: Conversation | null,
    schedule: Schedule = nextFrame,
  ) {
    this.#batch = new TextBatch((text) => this.#append(text), schedule);
    if (conversation) this.load(conversation);
  }

  get id(): string | null {
    return this.summary?.id ?? null;
  }

  load(conversation: Conversation): void {
    this.summary = conversation.summary;
    this.messages = conversation.messages;
    this.tokens = conversation.tokens;
  }

  /** Before the engine answers: the question is shown at once, and what it replaces is gone. */
  begin(question: Message | null, from: string | null): void {
    this.failure = null;
    this.live = new LiveAnswer();
    this.#answer = null;
    if (from !== null) this.#cutAt(from);
    if (question) this.messages.push(question);
  }

  apply(event: ChatEvent): void {
    const live = this.live;
    if (!live) return;
    switch (event.event) {
      case "started":
        this.#started(event.question, event.answer);
        break;
      case "file":
        live.files = [...live.files.filter((file) => file.file !== event.outcome.file), event.outcome];
        break;
      case "progress":
        live.progress = event;
        break;
      case "routed":
        live.decision = event.decision;
        break;
      case "approval":
        live.approval = new ApprovalStore(this.client, event.preview);
        break;
      case "text":
        live.approval = null;
        live.progress = null;
        this.#batch.push(event.text);
        break;
      case "coverage":
        live.coverage = event.coverage;
        break;
      case "finished":
        this.#end(event.message, null);
        break;
      case "failed":
        this.#end(event.message, event.failure);
        break;
    }
  }

  /** The request itself broke off, before or instead of a last event. */
  broke(failure: Failure): void {
    if (this.live) this.#end(null, failure);
  }

  #started(question: Message, answer: string): void {
    this.#answer = answer;
    const at = this.messages.findIndex((m) => m.id === question.id || m.id === UNCONFIRMED);
    if (at >= 0) this.messages[at] = question;
    else if (!this.messages.some((m) => m.id === answer)) this.messages.push(question);
    const known = this.messages.find((m) => m.id === answer);
    if (known) {
      known.state = "streaming";
      return;
    }
    this.messages.push({
      id: answer, parent: question.id, branches: [], role: "assistant", content: "", files: [], state: "streaming",
      created_ms: question.created_ms, footer: null,
    });
  }

  #append(text: string): void {
    const message = this.messages.find((m) => m.id === this.#answer);
    if (message) message.content += text;
  }

  #end(message: Message | null, failure: Failure | null): void {
    this.#batch.flush();
    const at = this.messages.findIndex((m) => m.id === (message?.id ?? this.#answer));
    if (message && at >= 0) this.messages[at] = message;
    else if (message) this.messages.push(message);
    else if (at >= 0) this.#breakOff(at);
    this.failure = failure && failure.kind !== "cancelled" ? failure : null;
    this.spoken = message?.content ?? "";
    this.live = null;
    this.#answer = null;
  }

  /** Keeps what was written, and drops an answer of which nothing was. */
  #breakOff(at: number): void {
    const message = this.messages[at]!;
    if (message.content === "") this.messages.splice(at, 1);
    else message.state = "failed";
  }

  #cutAt(id: string): void {
    const at = this.messages.findIndex((m) => m.id === id);
    if (at >= 0) this.messages.splice(at);
  }
}
