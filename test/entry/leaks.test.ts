/** If red: a conversation reads originals of another one. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { type Live, saveLive } from "../../src/entry/engine/live.ts";
import { openLive } from "../../src/entry/engine/open-live.ts";
import { createLivePort } from "../../src/entry/engine/recall-tool.ts";
import { fetchOriginal } from "../../src/entry/gateway/recall/serve-recall.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { callTool } from "../../src/entry/mcp/call-tool.ts";
import { findPlace } from "../../src/entry/mcp/place.ts";
import { createSessions } from "../../src/entry/mcp/sessions.ts";
import { openHooks } from "../../src/entry/opencode/server.ts";
import type { PiApi, PiContext, PiEntry } from "../../src/entry/pi/extension-api.ts";
import plimsoll from "../../src/entry/pi/register.ts";
import { createArtifactStore } from "../../src/files/artifacts/artifacts.ts";
import { nameProjectFolder } from "../../src/hosts/claude-code/disk/projects.ts";
import { nameWhole } from "../../src/layers/history/originals.ts";
import type { RecallAnswer } from "../../src/survive/recall/answer-recall.ts";
import { recall } from "../../src/survive/recall/recall.ts";
import { createConversation, createMemoryStore } from "../../src/wire/create-conversation.ts";
import { createFakeClient } from "../support/fake-client.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { answer, createWriter, prompt, toFile, toolResult, toolUse } from "../support/transcript-lines.ts";

const temporary = createTemporaryFolder();
const SECRET = "the master key is under the third plank";
const secretText = (who: string): string =>
  Array.from({ length: 900 }, (_, line) =>
    line === 450 ? `${SECRET} of ${who}` : `${who} plank ${line} is sound`,
  ).join("\n");

/** Two conversations at one entry point, in one project and one store. Each has stored one long text. */
interface Stage {
  /** The handle of what each stored. */
  readonly handles: { readonly first: string; readonly second: string };
  /** What the second conversation's model reads when it calls `recall`. Refused or not, the call is then part of its history. */
  ask(input: JsonObject): Promise<string>;
  /** The other ways to find something: search, lists. */
  readonly others?: readonly (() => Promise<string>)[];
  /** A person of the second conversation quotes a handle of the first; absent where the originals of a conversation are a closed list. */
  quote?(handle: string): Promise<void> | void;
}

const QUERY = "plank of first";
const handleOf = (text: string): string => nameWhole(text).handle;
const HANDLES = { first: handleOf(secretText("first")), second: handleOf(secretText("second")) };

function renderAnswer(given: RecallAnswer): string {
  return given.isError ? given.words : given.blocks.filter((block) => typeof block === "string").join("\n");
}

/** A project with two sessions of the client, both recorded. The classic plugin's hooks store; its model recalls through the server. */
async function openServer(): Promise<Stage> {
  const root = temporary.name("-server");
  const project = path.join(root, "project");
  const transcripts = path.join(root, "home/.claude/projects", nameProjectFolder(project));
  for (const folder of [project, transcripts]) mkdirSync(folder, { recursive: true });
  const store = createArtifactStore(project, () => Date.UTC(2026, 0, 1), path.join(root, "home/.claude/data/plimsoll"));
  const ids = { first: "0a0a0a0a-0000-4000-8000-000000000001", second: "0b0b0b0b-0000-4000-8000-000000000002" };
  const lines: Record<string, readonly JsonObject[]> = {};
  let asked = 0;
  const write = (who: "first" | "second", ...more: readonly JsonObject[]): void => {
    lines[who] = [...(lines[who] ?? []), ...more];
    const writer = createWriter({ sessionId: ids[who], cwd: project });
    writeFileSync(path.join(transcripts, `${ids[who]}.jsonl`), toFile(writer(...lines[who])));
  };
  for (const who of ["second", "first"] as const) {
    store.keep({ output: secretText(who), tool: "Bash", command: "survey", sessionId: ids[who] });
    write(
      who,
      prompt(`Survey ${who}.`),
      answer("m1", [toolUse(`toolu_${who}1`, "Bash", { command: "survey" })], {}),
      toolResult(`toolu_${who}1`, `[FOLDED: Bash output — 900 lines]\nFull output: x (${HANDLES[who]})`),
    );
  }
  const environment = {
    CLAUDE_CONFIG_DIR: path.join(root, "home/.claude"),
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_SESSION_ID: ids.second,
  };
  const { session } = createSessions(findPlace(environment, project))({});
  const call = async (name: string, input: JsonObject): Promise<string> =>
    (await callTool(session, name, input)).blocks.filter((block) => typeof block === "string").join("\n");
  return {
    handles: HANDLES,
    async ask(input) {
      const given = await call("recall", input);
      const id = `toolu_ask${++asked}`;
      write("second", answer(`q${asked}`, [toolUse(id, "mcp__plimsoll__recall", input)], {}), toolResult(id, given));
      return given;
    },
    others: [
      () => call("search", { query: QUERY }),
      () => call("search", { query: "master key" }),
      () => call("list", {}),
    ],
    quote: (handle) => write("second", prompt(`In the other session it was ${handle}.`)),
  };
}

const STAGES: Readonly<Record<string, () => Promise<Stage>>> = {
  "the MCP server": openServer,
  "the classic hooks with their server": openServer,

  async "the module"() {
    const fake = createFakeClient({ id: "0a0a0a0a-0000-4000-8000-000000000001" });
    const stored = async (who: string): Promise<Live> => {
      const live = await openLive(fake.client, fake.machine);
      live.store.keep({ output: secretText(who), tool: "Bash", command: "survey" });
      await saveLive(live);
      return live;
    };
    await stored("first");
    // After a `/clear` the process goes on under another id.
    fake.session.id = "0b0b0b0b-0000-4000-8000-000000000002";
    const live = await stored("second");
    const rows: object[] = [];
    fake.session.messages = rows;
    return {
      handles: HANDLES,
      async ask(input) {
        const given = renderAnswer(await recall(input, createLivePort(fake.client, live)));
        const id = `toolu_${rows.length}`;
        rows.push({ role: "assistant", text: "", toolUses: [{ tool_use_id: id, tool: "recall", input }] });
        rows.push({ role: "user", text: "", toolResults: [{ tool_use_id: id, text: given, isError: true }] });
        return given;
      },
      quote: (handle) => void rows.push({ role: "user", text: `In the other session it was ${handle}.` }),
    };
  },

  async pi() {
    const home = temporary.name("-pi-home");
    const cwd = path.join(home, "project");
    mkdirSync(cwd, { recursive: true });
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const handlers = new Map<string, Parameters<PiApi["on"]>[1]>();
      let tool: Parameters<PiApi["registerTool"]>[0] | undefined;
      plimsoll({
        on: (event, handler) => handlers.set(event, handler),
        registerTool(given) {
          tool = given;
        },
        registerCommand: () => undefined,
        appendEntry: () => undefined,
      });
      const context = (id: string, branch: readonly PiEntry[]): PiContext => ({
        cwd,
        hasUI: false,
        ui: { notify: () => undefined, setStatus: () => undefined },
        model: { id: "claude-sonnet-4-6" },
        sessionManager: {
          getSessionId: () => id,
          getSessionFile: () => undefined,
          getBranch: () => branch,
          buildSessionProjection: () => ({ entries: [] }),
        },
        getContextUsage: () => undefined,
      });
      const branch: PiEntry[] = [];
      const second = context("pi-second", branch);
      const fold = (who: string, at: PiContext): void => {
        const content = [{ type: "text", text: secretText(who) }];
        handlers.get("tool_result")?.(
          { toolCallId: `c-${who}`, toolName: "bash", input: { command: "survey" }, content, isError: false },
          at,
        );
      };
      fold("first", context("pi-first", []));
      fold("second", second);
      return {
        handles: HANDLES,
        async ask(input) {
          const given = await tool?.execute("r", input, undefined, undefined, second).then(
            ({ content }) => content.map((part) => ("text" in part ? String(part.text) : "")).join("\n"),
            (error: Error) => error.message,
          );
          const id = `r${branch.length}`;
          const used = { type: "toolCall", id, name: "plimsoll_recall", arguments: input };
          const result = {
            role: "toolResult",
            toolCallId: id,
            toolName: "plimsoll_recall",
            content: [{ type: "text", text: given }],
            isError: true,
          };
          branch.push({ type: "message", id: `${id}a`, message: { role: "assistant", content: [used] } });
          branch.push({ type: "message", id: `${id}b`, message: result });
          return given ?? "";
        },
        quote: (handle) =>
          void branch.push({
            type: "message",
            id: "p",
            message: { role: "user", content: `In the other session it was ${handle}.` },
          }),
      };
    } finally {
      process.env.HOME = before;
    }
  },

  async OpenCode() {
    const root = temporary.name("-opencode");
    const project = path.join(root, "project");
    mkdirSync(project, { recursive: true });
    const hooks = openHooks(project, path.join(root, "config"));
    const fold = async (who: string): Promise<void> => {
      const executed = { tool: "bash", sessionID: `ses_${who}`, callID: `c_${who}`, args: { command: "survey" } };
      await hooks["tool.execute.after"]?.(executed, { output: secretText(who) });
    };
    await fold("first");
    await fold("second");
    const info = (id: string, role: string): object => ({
      id,
      role,
      sessionID: "ses_second",
      model: { providerID: "p", modelID: "claude-sonnet-4-6" },
    });
    const messages: object[] = [{ info: info("m0", "user"), parts: [{ type: "text", text: "Survey." }] }];
    const follow = async (): Promise<void> => {
      await hooks["chat.params"]?.(
        { model: { id: "claude-sonnet-4-6", limit: { context: 200_000, output: 8_000 } } },
        {},
      );
      await hooks["experimental.chat.messages.transform"]?.({}, { messages: [...messages] });
    };
    return {
      handles: HANDLES,
      async ask(input) {
        await follow();
        const found = hooks.tool?.plimsoll_recall?.execute(
          { page: 1, lines: [], pattern: "", handle: "", ...input },
          { sessionID: "ses_second" },
        );
        const given = await Promise.resolve(found).then(String, (error: Error) => error.message);
        const state = { status: "completed", input, output: given, time: {} };
        messages.push({
          info: info(`m${messages.length}`, "assistant"),
          parts: [{ type: "tool", callID: `r${messages.length}`, tool: "plimsoll_recall", state }],
        });
        return given;
      },
      quote: (handle) =>
        void messages.push({
          info: info("q", "user"),
          parts: [{ type: "text", text: `In the other session it was ${handle}.` }],
        }),
    };
  },

  async "the gateway"() {
    const store = createFileStore({ folder: temporary.name("-gateway") });
    const [first, second] = [nameWhole(secretText("first")), nameWhole(secretText("second"))];
    await store.keepOriginals([first, second]);
    return {
      handles: HANDLES,
      ask: async (input) => renderAnswer(await fetchOriginal(input, { store, left: [`plimsoll:${second.hash}`] })),
    };
  },

  async "the library"() {
    const store = createMemoryStore();
    const handles = { first: "", second: "" };
    const open = async (who: "first" | "second") => {
      const conversation = createConversation({ id: who, store, targetTokens: 100_000 });
      const { originals } = await conversation.prepare([
        { role: "user", content: "Survey." },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "bash", input: { command: "survey" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: secretText(who) }] },
      ]);
      handles[who] = originals[0]?.handle ?? "";
      return conversation;
    };
    await open("first");
    const { tool } = await open("second");
    return { handles, ask: (input) => tool.run({ handle: String(input.handle), ...input }) };
  },
};

describe.each(Object.entries(STAGES))("recall of one conversation at %s", (_, open) => {
  it("gives what it stored itself, whole and by fewer digits", async () => {
    const { handles, ask } = await open();
    for (const handle of [handles.second, handles.second.slice(0, 17)])
      expect(await ask({ handle, pattern: "master key" })).toContain(`${SECRET} of second`);
  });

  it("gives and names nothing that another conversation stored", async () => {
    const { handles, ask, others = [] } = await open();
    const wrong = `${handles.first.slice(0, -2)}zz`.replaceAll("z", handles.first.endsWith("0") ? "1" : "0");
    const requests: readonly JsonObject[] = [
      { handle: wrong },
      { handle: handles.first.slice(0, 15) },
      { handle: handles.first },
      // Asked before, the handle is in this conversation's own history: that opens nothing.
      { handle: handles.first },
      // Nor do other spellings, which an answer repeats as a handle.
      { handle: `${handles.first.slice("plimsoll:".length)} #1` },
      { handle: `\n${handles.first.toUpperCase()} #2 \t${handles.first}` },
      { handle: handles.first },
      { handle: `${handles.second} ${handles.first}`, pattern: "master" },
      { handle: handles.first, pattern: "master" },
    ];
    const words: string[] = [];
    for (const request of requests)
      words.push(
        (await ask(request))
          .replaceAll(new RegExp(`"${handles.first}(?:#\\d)?"`, "gi"), "")
          .replaceAll(`"${String(request.handle)}"`, ""),
      );
    for (const other of others)
      words.push((await other()).replaceAll(/"handle":"[^"]*"/g, "").replaceAll(`"${QUERY}"`, ""));
    for (const text of words) expect(text).not.toContain("of first");
    for (const text of words.slice(0, requests.length)) expect(text).not.toContain(handles.first);
  });

  it("gives what a person quotes from another, where a conversation can quote", async () => {
    const { handles, ask, quote } = await open();
    await quote?.(handles.first);
    const given = await ask({ handle: handles.first, pattern: "master key" });
    if (quote) expect(given).toContain(`${SECRET} of first`);
    else expect(given).not.toContain("of first");
  });
});
