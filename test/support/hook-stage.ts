import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import type { Hook, HookAnswer, HookContext } from "../../src/entry/hook/hook.ts";
import type { HookEvent } from "../../src/hosts/claude-code/hook-input.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/policy/settings/settings.ts";
import { putAgreed } from "./agree.ts";
import { createWriter, toFile } from "./transcript-lines.ts";

/** A session of the client as its hooks see it: a transcript that grows, a project, and a clock that stands still. */
export interface HookStage {
  readonly project: string;
  readonly folder: string;
  readonly transcript: string;
  /** Appends lines to the transcript. */
  write(...drafts: readonly JsonObject[]): void;
  /** Writes a file of the project that the person has agreed to. */
  put(name: string, text: string): void;
  /** Writes one that came with the project. */
  plant(name: string, text: string): void;
  set(settings: Partial<Settings>): void;
  /** Milliseconds later. */
  wait(ms: number): void;
  fire(hook: Hook, event: string, raw?: JsonObject): Promise<HookAnswer>;
}

export function createHookStage(root: string): HookStage {
  const project = path.join(root, "project");
  const configFolder = path.join(root, "home", ".claude");
  const folder = path.join(configFolder, "data", "plimsoll", "sessions", "session-1");
  const transcript = path.join(configFolder, "projects", "p", "session-1.jsonl");
  for (const each of [project, folder, path.dirname(transcript)]) mkdirSync(each, { recursive: true });
  writeFileSync(transcript, "");
  const writer = createWriter();
  let settings = DEFAULT_SETTINGS;
  let nowMs = Date.UTC(2026, 0, 1, 0, 0, 0);
  const about = (): Omit<HookContext, keyof HookEvent> => ({
    nowMs: () => nowMs,
    configFolder,
    project,
    pluginRoot: path.resolve(import.meta.dirname, "../.."),
    folder,
    settings,
    env: { HOME: path.join(root, "home") },
  });
  return {
    project,
    folder,
    transcript,
    write: (...drafts) => {
      // The lines carry times of their own, a second apart: the clock follows them.
      appendFileSync(transcript, toFile(writer(...drafts)));
      nowMs += drafts.length * 1000;
    },
    put: (name, text) => putAgreed(project, name, text, configFolder),
    plant: (name, text) => {
      mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
      writeFileSync(path.join(project, name), text);
    },
    set: (some) => {
      settings = { ...settings, ...some };
    },
    wait: (ms) => {
      nowMs += ms;
    },
    async fire(hook, event, raw = {}) {
      const agentId = typeof raw.agent_id === "string" ? raw.agent_id : "";
      return hook({ event, sessionId: "session-1", transcript, directory: project, agentId, raw, ...about() });
    },
  };
}

/** What an answer tells the model; empty for nothing. */
export function contextOf({ output }: HookAnswer): string {
  const text = output?.additionalContext;
  return typeof text === "string" ? text : "";
}
