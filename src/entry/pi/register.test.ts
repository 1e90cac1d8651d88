/** If red: in pi requests are taken apart although the person said /plimsoll off, or coming back is said to cost what it does not. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { PiApi, PiContext, PiEntry, PiEvent } from "./extension-api.ts";
import plimsoll from "./register.ts";

const temporary = createTemporaryFolder();
afterEach(() => vi.unstubAllEnvs());

const MODEL = "claude-sonnet-4-6";
const WORDS = "the hull is sound and the planks are dry and the mast stands. ";

/** So many steps of about 1,000 tokens each, whose last answer came at this time and reports this of its request. */
function conversation(steps: number, timestamp: number = Date.now(), usage?: object): readonly object[] {
  const work = Array.from({ length: steps }, (_, step) => [
    {
      role: "assistant",
      model: MODEL,
      timestamp,
      usage: usage ?? { input: 10, output: 50, cacheRead: 5_000 + step * 900, cacheWrite: 900 },
      content: [
        { type: "text", text: `Row ${step}.` },
        { type: "toolCall", id: `c${step}`, name: "bash", arguments: { command: `measure ${step}` } },
      ],
    },
    {
      role: "toolResult",
      toolCallId: `c${step}`,
      toolName: "bash",
      content: [{ type: "text", text: WORDS.repeat(60) }],
    },
  ]);
  return [{ role: "user", content: "Paint it. Never touch the anchor chain." }, ...work.flat()];
}

/** Pi as far as the extension asks for it. */
function open(settings: object, messages: readonly object[] = []) {
  const home = temporary.name("-home");
  const project = path.join(home, "project");
  mkdirSync(path.join(home, ".claude"), { recursive: true });
  mkdirSync(project);
  writeFileSync(path.join(home, ".claude/plimsoll.json"), JSON.stringify(settings));
  vi.stubEnv("HOME", home);
  vi.stubEnv("CLAUDE_CONFIG_DIR", undefined);
  const handlers = new Map<string, (event: PiEvent, context: PiContext) => unknown>();
  const commands = new Map<string, Parameters<PiApi["registerCommand"]>[1]>();
  const branch: PiEntry[] = messages.map((message, at) => ({ type: "message", id: `e${at}`, message }));
  const said: string[] = [];
  plimsoll({
    on: (event, handler) => handlers.set(event, handler),
    registerTool: () => undefined,
    registerCommand: (name, command) => void commands.set(name, command),
    appendEntry: (customType, data) => void branch.push({ type: "custom", id: `${branch.length}`, customType, data }),
  });
  const context: PiContext = {
    cwd: project,
    hasUI: true,
    ui: { notify: (message) => void said.push(message), setStatus: () => undefined },
    model: { id: MODEL },
    sessionManager: {
      getSessionId: () => "s",
      getSessionFile: () => undefined,
      getBranch: () => branch,
      buildSessionProjection: () => ({ entries: [] }),
    },
    getContextUsage: () => undefined,
  };
  return {
    said,
    begin: () => handlers.get("session_start")?.({}, context),
    request: (asked: readonly object[]) => handlers.get("context")?.({ messages: asked }, context),
    type: (words: string) => commands.get("plimsoll")?.handler(words, context),
  };
}

describe("the extension of pi", () => {
  it("leaves requests alone from /plimsoll off to /plimsoll on, also above the person's own line", async () => {
    const pi = open({ early: "off", line: "40k" });
    await pi.type("off");
    expect(pi.request(conversation(53))).toBeUndefined();
    await pi.type("on");
    expect(JSON.stringify(pi.request(conversation(53)))).toContain("[LEDGER: ");
  });

  it("says what coming back costs of what was sent, and counts no token twice that was written for an hour", () => {
    const usage = { input: 1_000, output: 50, cacheRead: 0, cacheWrite: 60_000, cacheWrite1h: 40_000 };
    const pi = open({}, conversation(53, Date.now() - 2 * 3_600_000, usage));
    pi.begin();
    expect(pi.said).toEqual([expect.stringMatching(/^61\.0k tokens are no longer cached: /)]);
  });
});
