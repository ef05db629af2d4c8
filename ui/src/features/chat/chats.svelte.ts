// The conversations: the list, the one that is open, drafts, and the requests that run. It owns them all;
// components read its state and call its verbs.
import { SvelteMap } from "svelte/reactivity";
import type { ConversationSummary, Message, RouteChoice, SendRequest } from "$/ipc/bindings";
import { asFailure, type Client } from "$/ipc/client";
import type { Attachments } from "$/features/files/attachments.svelte";
import { inserted } from "$/features/voice/insert";
import type { Notices } from "$/lib/notices.svelte";
import { ChatView, UNCONFIRMED } from "./live.svelte";

export class Chats {
  list = $state.raw<ConversationSummary[]>([]);
  loaded = $state(false);
  query = $state("");
  found = $state.raw<ConversationSummary[] | null>(null);
  view = $state.raw<ChatView>() as ChatView;
  /** What the user chose; local-only rules the cloud out, and the composer shows that. */
  chosenRoute = $state<RouteChoice>("auto");
  /** Whether nothing may leave, as the settings say. */
  localOnly: () => boolean = () => false;
  /** Grows by one when the composer should take the focus. */
  focusAsked = $state(0);
  /** Where the cursor should be when the composer takes the focus; null leaves it. */
  caretAsked: number | null = null;
  /** The selection in the composer, while there is one on the page. */
  selection: (() => [number, number]) | null = null;
  /** Called when a request begins to wait for the user. */
  onwait: (view: ChatView) => void = () => {};
  readonly #views = new SvelteMap<string, ChatView>();
  readonly #drafts = new SvelteMap<string, string>();

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
    readonly attachments: Attachments,
  ) {
    this.view = new ChatView(client, null);
  }

  /** Conversations that are being answered now, wherever the user looks. */
  busy(id: string): boolean {
    return (this.#views.get(id)?.live ?? null) !== null;
  }

  /** Whether a conversation waits for the user's approval. */
  waits(id: string): boolean {
    return (this.#views.get(id)?.live?.approval ?? null) !== null;
  }

  get route(): RouteChoice {
    return this.chosenRoute === "cloud" && this.localOnly() ? "local" : this.chosenRoute;
  }
  set route(choice: RouteChoice) {
    this.chosenRoute = choice;
  }

  get draft(): string {
    return this.#drafts.get(this.view.id ?? "") ?? "";
  }
  set draft(text: string) {
    this.#drafts.set(this.view.id ?? "", text);
  }

  /** Puts text into the draft of a conversation: at the cursor where it is open, else at the end. */
  insert(view: ChatView, text: string): void {
    const key = view.id ?? "";
    const draft = this.#drafts.get(key) ?? "";
    const here = view === this.view;
    const [start, end] = (here && this.selection?.()) || [draft.length, draft.length];
    const next = inserted(draft, start, end, text);
    this.#drafts.set(key, next.text);
    if (!here) return;
    this.caretAsked = next.caret;
    this.focusAsked += 1;
  }

  async refresh(): Promise<void> {
    await this.notices.guard(async () => {
      this.list = await this.client.conversationsList();
      this.loaded = true;
      for (const summary of this.list) {
        const view = this.#views.get(summary.id);
        if (view) view.summary = summary;
      }
    });
  }

  async search(query: string): Promise<void> {
    this.query = query;
    const wanted = query.trim();
    if (wanted === "") {
      this.found = null;
      return;
    }
    await this.notices.guard(async () => {
      const found = await this.client.conversationSearch(wanted);
      // A slower answer to an older query must not replace a newer one.
      if (this.query === query) this.found = found;
    });
  }

  /** An empty page; the conversation itself is made with its first message. */
  startNew(): void {
    if (this.view.id !== null || this.view.live) this.view = new ChatView(this.client, null);
    this.attachments.show(null);
    this.focusAsked += 1;
  }

  async open(id: string): Promise<void> {
    const known = this.#views.get(id);
    if (known?.live) {
      this.view = known;
      this.attachments.show(id);
      return;
    }
    await this.notices.guard(async () => {
      const view = known ?? new ChatView(this.client, null);
      view.load(await this.client.conversationOpen(id));
      this.#views.set(id, view);
      this.view = view;
      this.attachments.show(id);
      this.focusAsked += 1;
    });
  }

  async rename(id: string, title: string): Promise<void> {
    const name = title.trim();
    if (name === "") return;
    await this.notices.guard(() => this.client.conversationRename(id, name));
    await this.refresh();
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.notices.guard(() => this.client.conversationPin(id, pinned));
    await this.refresh();
  }

  async remove(id: string): Promise<void> {
    await this.notices.guard(async () => {
      if (this.busy(id)) await this.client.messageStop(id);
      await this.client.conversationDelete(id);
      this.#views.delete(id);
      this.#drafts.delete(id);
      this.attachments.forget(id);
      this.found = this.found?.filter((summary) => summary.id !== id) ?? null;
      if (this.view.id === id) this.startNew();
    });
    await this.refresh();
  }

  /** Shows another branch of the open conversation; tells whether it could be shown. */
  async showBranch(message: string): Promise<boolean> {
    const view = this.view;
    if (view.id === null || view.live) return false;
    return this.notices.guard(async () => {
      view.load(await this.client.conversationShow(view.id!, message));
      view.failure = null;
    });
  }

  /** A new conversation that begins as this one up to `message`. */
  async fork(message: string): Promise<void> {
    const id = this.view.id;
    if (id === null) return;
    await this.notices.guard(async () => {
      const copy = await this.client.conversationFork(id, message);
      await this.refresh();
      await this.open(copy.summary.id);
    });
  }

  /** Sends what the composer holds. */
  async send(text: string): Promise<void> {
    const files = this.attachments.paths();
    this.draft = "";
    this.attachments.clear();
    await this.#ask({ text, files }, this.#question(text, files), null);
  }

  async resend(message: Message, text: string): Promise<void> {
    const question = this.#question(text, message.files);
    await this.#ask({ text, files: message.files, replaces: message.id }, question, message.id);
  }

  async regenerate(message: Message): Promise<void> {
    await this.#ask({ regenerates: message.id }, null, message.id);
  }

  async continueAnswer(message: Message): Promise<void> {
    await this.#ask({ continues: message.id }, null, null);
  }

  async stop(): Promise<void> {
    const { id, live } = this.view;
    if (id === null || !live || live.stopping) return;
    live.stopping = true;
    await this.notices.guard(() => this.client.messageStop(id));
  }

  #question(text: string, files: string[]): Message {
    return {
      id: UNCONFIRMED, parent: null, branches: [], role: "user", content: text, files, state: "complete",
      created_ms: Date.now(), footer: null,
    };
  }

  async #ask(what: Partial<SendRequest>, question: Message | null, from: string | null): Promise<void> {
    const view = this.view;
    if (view.live) return;
    view.begin(question, from);
    try {
      if (view.id === null) {
        const made = await this.client.conversationNew();
        view.summary = made.summary;
        this.#views.set(made.summary.id, view);
        if (this.view === view) this.attachments.show(made.summary.id);
      }
      const request: SendRequest = {
        conversation: view.id!, text: "", files: [], route: this.route, model: null,
        replaces: null, regenerates: null, continues: null, ...what,
      };
      await this.client.messageSend(request, (event) => {
        view.apply(event);
        if (event.event === "approval") this.onwait(view);
      });
      view.broke({ kind: "internal", code: "answer_ended", message: "", values: {} });
    } catch (error) {
      view.broke(asFailure(error));
    }
    if (view.id !== null) {
      // The next question takes this one and its answer along.
      const counted = await this.client.conversationOpen(view.id).catch(() => null);
      if (counted) view.tokens = counted.tokens;
    }
    await this.refresh();
  }
}
