// Starts the window: finds the client, builds the stores, mounts the root. It decides nothing else.
import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/prose.css";
import App from "./App.svelte";
import { t } from "./i18n/index.svelte";
import { connect } from "./ipc/client";
import { Stores } from "./lib/stores.svelte";

async function start(target: HTMLElement): Promise<void> {
  const client = await connect();
  if (!client) {
    target.textContent = t("app.elsewhere");
    return;
  }
  const stores = new Stores(client);
  mount(App, { target, props: { stores } });
  await stores.start();
}

// The shell gets files through its own drop events; a drop on the page must not open the file in it.
for (const name of ["dragover", "drop"] as const) {
  window.addEventListener(name, (event) => event.preventDefault());
}

void start(document.getElementById("app")!);
