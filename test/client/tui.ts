import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type ClientVersion, fetchClient } from "./fetch-client.ts";
import { renderEnvironment } from "./render-command.ts";
import type { Workspace } from "./workspace.ts";

/** The client in a terminal, as a person sees it. */
export interface Tui {
  /** What is on the screen now. */
  screen(): string;
  /** Types a line and sends it once it stands in the prompt; the client's own list of commands needs a moment longer. */
  say(line: string): Promise<void>;
  /** Presses one key, by tmux's name for it: `Escape`, `Enter`, `Down`, `C-o`. */
  press(key: string): Promise<void>;
  /** The screen as soon as it shows what is waited for, broken into lines or not; fails if it never does. */
  until(shown: string | RegExp, timeoutMs?: number): Promise<string>;
  close(): void;
}

export interface TuiOptions {
  readonly version: ClientVersion;
  readonly workspace: Workspace;
  readonly apiUrl: string;
  readonly args: readonly string[];
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const COLUMNS = "140";
const ROWS = "50";
const KEY = "sk-ant-made-up-for-a-scripted-api";

export function hasTmux(): boolean {
  try {
    execFileSync("tmux", ["-V"]);
    return true;
  } catch {
    console.log("No tmux was found: the tests in a terminal are skipped.");
    return false;
  }
}

/** What is on a screen as one line: long ones are broken wherever the terminal ends. */
export function unwrap(screen: string): string {
  return screen.replaceAll(/\s+/g, " ");
}

/** Starts the client in a tmux of its own, past its first questions. */
export async function openTui({ version, workspace, apiUrl, args, model, env = {} }: TuiOptions): Promise<Tui> {
  const { home, cwd } = workspace;
  const temporary = join(home, "tmp");
  await mkdir(temporary, { recursive: true });
  await workspace.writeHome(
    ".claude.json",
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [cwd]: { hasTrustDialogAccepted: true } },
    }),
  );
  const environment = renderEnvironment({ version, prompts: [], cwd, home, apiUrl, env }, temporary);
  const variables = Object.entries({ ...environment, TERM: "xterm-256color" }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const socket = `plimsoll-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const tmux = (...command: readonly string[]): string =>
    execFileSync("tmux", ["-L", socket, ...command], { encoding: "utf8" });
  const client = [
    await fetchClient(version),
    "--model",
    model ?? "claude-sonnet-4-6",
    "--allowedTools",
    "Bash",
    // Its own mode asks a server about every command, and there is none.
    "--permission-mode",
    "default",
    ...args,
  ];
  tmux("new-session", "-d", "-s", "main", "-x", COLUMNS, "-y", ROWS, "-c", cwd, "env", "-i", ...variables, ...client);
  const screen = (): string => tmux("capture-pane", "-p", "-t", "main");
  const tui: Tui = {
    screen,
    async say(line) {
      tmux("send-keys", "-t", "main", "-l", line);
      const isTyped = (): boolean => (screen().split("❯").at(-1) ?? "").includes(line.slice(0, 30));
      for (let waitedMs = 0; waitedMs < 800 && (line.startsWith("/") || !isTyped()); waitedMs += 100) await wait(100);
      tmux("send-keys", "-t", "main", "Enter");
    },
    async press(key) {
      tmux("send-keys", "-t", "main", key);
      await wait(300);
    },
    async until(shown, timeoutMs = 30_000) {
      const deadlineMs = Date.now() + timeoutMs;
      for (;;) {
        const now = screen();
        const texts = [now, unwrap(now)];
        if (texts.some((text) => (typeof shown === "string" ? text.includes(shown) : shown.test(text)))) return now;
        if (Date.now() > deadlineMs) throw new Error(`the screen never showed ${String(shown)}:\n${now}`);
        await wait(200);
      }
    },
    close() {
      try {
        tmux("kill-server");
      } catch {
        // It has ended by itself.
      }
    },
  };
  await tui.until("❯");
  return tui;
}
