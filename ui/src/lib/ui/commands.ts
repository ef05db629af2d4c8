// What the palette offers: actions, pages and conversations, each with its words and its verb.
import { readable } from "$/features/settings/shortcut";
import { t } from "$/i18n/index.svelte";
import { keysText, SHORTCUTS } from "$/lib/keys";
import { PAGES, type Stores } from "$/lib/stores.svelte";
import type { IconName } from "./icons";

export interface Command {
  id: string;
  title: string;
  hint: string;
  icon: IconName;
  run: () => void;
}

export function commands(stores: Stores): Command[] {
  const mac = stores.info?.platform === "macos";
  const { settings, chats, client, notices, attachments, voice } = stores;
  const localOnly = settings.value.local_only;
  const dark = document.documentElement.dataset.theme === "dark";
  const chinese = document.documentElement.lang.startsWith("zh");
  const actions: Command[] = [
    {
      id: "new", title: t("chat.new"), hint: keysText(SHORTCUTS.new.keys, mac), icon: "compose",
      run: () => stores.newConversation(),
    },
    {
      id: "attach", title: t("composer.attach"), hint: "", icon: "file",
      run: () => {
        stores.go("chat");
        void notices.guard(async () => attachments.add(await client.pickFiles()));
      },
    },
    {
      id: "dictate", title: t("voice.dictate"), hint: readable(settings.value.voice.shortcut, mac), icon: "voice",
      run: () => {
        stores.go("chat");
        stores.toggleVoice();
      },
    },
    {
      id: "transcribe", title: t("voice.pick"), hint: "", icon: "file",
      run: () => {
        stores.go("voice");
        if (voice.missing.length === 0) void notices.guard(async () => voice.recordings.add(await client.pickAudio()));
      },
    },
    {
      id: "local-only", title: localOnly ? t("palette.local_only_off") : t("palette.local_only_on"), hint: "",
      icon: "lock", run: () => void settings.update({ local_only: !localOnly }),
    },
    {
      id: "theme", title: dark ? t("palette.light") : t("palette.dark"), hint: "", icon: "settings",
      run: () => void settings.update({ theme: dark ? "light" : "dark" }),
    },
    {
      id: "language", title: chinese ? t("palette.english") : t("palette.chinese"), hint: "", icon: "settings",
      run: () => void settings.update({ language: chinese ? "en" : "zh-CN" }),
    },
    {
      id: "shortcuts", title: t("shortcuts.title"), hint: keysText(SHORTCUTS.shortcuts.keys, mac), icon: "info",
      run: () => (stores.overlay = "shortcuts"),
    },
  ];
  const pages = PAGES.map((page): Command => ({
    id: `page-${page}`,
    title: t(`nav.${page}`),
    hint: page === "settings" ? keysText(SHORTCUTS.settings.keys, mac) : t("palette.page"),
    icon: page,
    run: () => stores.go(page),
  }));
  const conversations = chats.list.map((summary): Command => ({
    id: summary.id,
    title: summary.title || t("chat.new"),
    hint: t("palette.conversation"),
    icon: "chat",
    run: () => void stores.openConversation(summary.id),
  }));
  return [...actions, ...pages, ...conversations];
}
