/** If red: replay measures something else than the gateway, the hooks or the module send. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { type Block, type Message, renderResultText, type ToolResultBlock } from "../../src/core/message.ts";
import { sumContextTokens } from "../../src/core/usage.ts";
import { handleEvent, openEngine } from "../../src/entry/engine/events.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import type { WalkedRequest } from "../../src/replay/charge-request.ts";
import { findNeeds } from "../../src/replay/needs.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { RECORD_OPENING } from "../../src/survive/record/record-opening.ts";
import { compact } from "../../src/wire/compactor.ts";
import type { WireMessage } from "../../src/wire/conversation.ts";
import { openGateway } from "../../test/gateway/open-gateway.ts";
import { openRawApi } from "../../test/gateway/raw-api.ts";
import { assistant, call, image, opaque, reminder, results, system, thinking, user } from "../../test/support/build.ts";
import { createFakeClient } from "../../test/support/fake-client.ts";
import { createHookProgram } from "../../test/support/hook-program.ts";
import { raiseCall } from "../../test/support/raise-call.ts";
import { exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { walkEntryPoint } from "./entry-point.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { createWireView } from "./wire-view.ts";

/**
 * What a row of `plimsoll replay` says that an entry point would have sent, the entry point sends: the gateway over HTTP, the hook as a program, the
 * module behind the engine's events, the library in a loop of its own. Nothing is taken out of the session first.
 */
const ROUNDS = 36;
const output = (round: number): string =>
  `plank ${round} of the hull, seam ${round * 7919}\n`.repeat(round % 3 === 0 ? 600 : 110);

const temporary = createTemporaryFolder();

function recordSession(): ReplaySession {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const notice = round === 4 ? [system("the deck was swept")] : [];
    const extras = round === 6 ? [opaque("tool_reference", { tool_name: "Sweep" })] : round === 9 ? [image()] : [];
    const before =
      round === 0
        ? [user("Survey the hull.", reminder("mind the gap"))]
        : [results([output(round), ...extras]), ...notice];
    return exchange(
      before,
      assistant(thinking(`about ${round}`), `Round ${round}.`, call("Bash", { command: `survey ${round}` })),
    );
  });
  const session = recordReplaySession(rounds);
  const calls = session.steps.flatMap(({ joined }) => joined.flatMap(({ blocks }) => blocks));
  const details = calls.flatMap((block) =>
    block.kind === "toolResult"
      ? [[block.callId, { stdout: renderResultText(block), stderr: "", interrupted: false }] as const]
      : [],
  );
  // By their texts, as a live entry point weighs them: folded and whole results must differ.
  return { ...session, root: temporary.folder, weights: new Map(), labels: new Map(), details: new Map(details) };
}

const session = recordSession();

interface Row {
  readonly views: readonly (readonly Message[])[];
  readonly sent: readonly WalkedRequest[];
  readonly left: Readonly<Record<string, number>>;
}

/** The row's own walk, with what it says that leaves. */
async function walk(name: string): Promise<Row> {
  const entryPoint = ENTRY_POINTS.find((candidate) => candidate.name === name);
  if (!entryPoint) throw new Error(`there is no ${name}`);
  const views: (readonly Message[])[] = [];
  const sent: WalkedRequest[] = [];
  const watched = {
    ...entryPoint,
    open: async (briefing: Parameters<typeof entryPoint.open>[0]) => {
      const opened = await entryPoint.open(briefing);
      return {
        ...opened,
        plan: async (occasion: Parameters<typeof opened.plan>[0]) => {
          const decision = await opened.plan(occasion);
          views.push(decision.view ?? []);
          return decision;
        },
      };
    },
  };
  const onRequest = (request: WalkedRequest): void => void (request.kind === "send" && sent.push(request));
  const { left } = await walkEntryPoint({ session, needs: findNeeds(session) }, watched, { onRequest });
  return { views, sent, left };
}

const { render } = createWireView();
const withoutMarks = (messages: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(messages, (key, value: unknown) => (key === "cache_control" ? undefined : value)));
const histories = (): readonly (readonly WireMessage[])[] =>
  session.steps.map((_, step) => session.steps.slice(0, step + 1).flatMap(({ joined }) => joined.map(render)));
const folds = (views: Row["views"]): number => JSON.stringify(views.at(-1)).split("[FOLDED: ").length - 1;

describe("an entry point's row in replay", () => {
  it.each([
    ["door:gateway", {}],
    ["door:gateway-bound", { isAlwaysBound: true }],
    ["door:gateway-off", { policy: "off" }],
  ] as const)("%s sends what the gateway sends over HTTP", async (name, planned) => {
    const { views, sent } = await walk(name);
    const api = await openRawApi((_, response, index) => {
      const { cacheReadTokens = 0, cacheWrite5mTokens = 0 } = sent[index]?.usage ?? {};
      const usage = { input_tokens: 0, cache_read_input_tokens: Math.round(cacheReadTokens), output_tokens: 10 };
      const written = { cache_creation_input_tokens: Math.round(cacheWrite5mTokens) };
      const message = { id: "m", type: "message", role: "assistant", content: [], usage: { ...usage, ...written } };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
    });
    let nowMs = 0;
    const gateway = await openGateway(api.url, { planner: createRequestPlanner(planned), nowMs: () => nowMs });
    for (const [step, messages] of histories().entries()) {
      nowMs = session.steps[step]?.atMs ?? 0;
      const answered = await fetch(`${gateway.url}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": "sk-ant-made-up" },
        body: JSON.stringify({
          model: "claude-sonnet-4-5",
          max_tokens: 32_000,
          metadata: { user_id: "user_replay_account__session_00000000-0000-4000-8000-000000000000" },
          tools: [{ name: "Bash", description: "runs a command", input_schema: { type: "object" } }],
          system: [{ type: "text", text: "x".repeat(7200) }],
          messages,
        }),
      });
      await answered.text();
    }
    expect(api.requests).toHaveLength(ROUNDS);
    for (const [step, { body }] of api.requests.entries())
      expect(withoutMarks(JSON.parse(String(body)).messages)).toEqual(withoutMarks((views[step] ?? []).map(render)));
    const isOn = name === "door:gateway";
    expect(folds(views) > 0).toBe(isOn);
    expect((views.at(-1) ?? []).length < session.steps.flatMap(({ joined }) => joined).length).toBe(isOn);
  });

  it("door:library sends what compact() gives in a loop of one's own", async () => {
    const { views } = await walk("door:library");
    let ledger: Awaited<ReturnType<typeof compact>>["ledger"] | undefined;
    for (const [step, messages] of histories().entries()) {
      const compacted = await compact(messages, {
        targetTokens: 200_000 - 33_000 - session.baseTokens,
        policy: "balanced",
        model: "claude-sonnet-4-5",
        occasion: () => ({
          baseTokens: session.baseTokens,
          model: "claude-sonnet-4-5",
          isCold: false,
          share1h: 0,
          marks: "client",
        }),
        decideAuthor: (text) => (text.startsWith("<system-reminder>") ? "host" : "person"),
        layers: { vocabulary: claudeCodeVocabulary, collapseExchanges: { root: session.root } },
        ...(ledger ? { ledger } : {}),
      });
      ({ ledger } = compacted);
      expect(withoutMarks(compacted.messages)).toEqual(withoutMarks((views[step] ?? []).map(render)));
    }
    expect((views.at(-1) ?? []).length).toBeLessThan(histories().at(-1)?.length ?? 0);
  });

  describe("door:hooks", () => {
    const program = createHookProgram();

    it("shows what the hook program prints", async () => {
      const { views } = await walk("door:hooks");
      const shown = new Map(
        (views.at(-1) ?? []).flatMap(({ blocks }) => blocks.filter(isResult).map((block) => [block.callId, block])),
      );
      const recorded = session.steps.flatMap(({ joined }) => joined.flatMap(({ blocks }) => blocks.filter(isResult)));
      const project = path.join(temporary.folder, "project");
      mkdirSync(project, { recursive: true });
      const env = { HOME: temporary.folder, CLAUDE_PROJECT_DIR: project, CLAUDE_PLUGIN_ROOT: program.plugin };
      let folded = 0;
      for (const [at, result] of recorded.slice(0, 5).entries()) {
        const { output: printed } = await program.run(
          "PostToolUse",
          {
            session_id: "5e5510a0-0000-4000-8000-000000000001",
            cwd: project,
            tool_name: "Bash",
            tool_use_id: result.callId,
            tool_input: { command: `survey ${at}` },
            tool_response: session.details.get(result.callId),
          },
          env,
        );
        const updated = printed === "" ? undefined : JSON.parse(printed).hookSpecificOutput?.updatedToolOutput?.stdout;
        const row = shown.get(result.callId);
        expect(row && withoutName(renderResultText(row))).toBe(withoutName(updated ?? renderResultText(result)));
        if (updated !== undefined) folded++;
      }
      expect(folded).toBeGreaterThan(0);
    });
  });

  it("door:module sees that the client carried its compactions out", async () => {
    const { left } = await walk("door:module");
    expect(Object.keys(left).filter((why) => why.includes("ignored"))).toEqual([]);
  });

  it("door:module leaves in the conversation what the module answers the engine", async () => {
    const { views } = await walk("door:module");
    const compactions = await rideAlong();
    expect(compactions.length).toBeGreaterThan(0);
    for (const { step, texts } of compactions) {
      const after = (views[step] ?? []).flatMap(({ blocks }) => blocks.flatMap(readWords));
      for (const text of texts) expect(after).toContain(text);
    }
    const isCompacted = (step: number): boolean => (views[step]?.length ?? 0) < (views[step - 1]?.length ?? 0);
    expect(compactions.map(({ step }) => step)).toEqual(views.flatMap((_, step) => (isCompacted(step) ? [step] : [])));
  });
});

/** Two clocks give the same original two file names. */
function withoutName(text: string): string {
  return text.replaceAll(/artifact-[\w-]+?-(?=Bash)[\w-]*\.md/g, "ARTIFACT");
}

function isResult(block: Block): block is ToolResultBlock {
  return block.kind === "toolResult";
}

function readWords(block: Block): readonly string[] {
  if (block.kind === "text") return [block.text];
  return block.kind === "toolResult" ? [renderResultText(block)] : [];
}

/** The same session behind the module as the client loads it; what it answers each compaction with. */
async function rideAlong(): Promise<readonly { readonly step: number; readonly texts: readonly string[] }[]> {
  const fake = createFakeClient({ root: session.root, model: "claude-sonnet-4-5" });
  const { sent } = await walk("door:module");
  const usage = { cache_creation_input_tokens: 9_000, cache_creation: {} };
  const readEnd = (): string => JSON.stringify({ type: "assistant", message: { usage } });
  const engine = openEngine({ ...fake.machine, readEnd });
  const raise = (event: string, e: JsonObject, answer: (e: JsonObject) => unknown): Promise<unknown> =>
    handleEvent(engine, fake.client, event, e, async (given) => answer(given));
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  let rows: JsonObject[] = [];
  let count = 0;
  const append = async (door: string, content: readonly JsonObject[], more: JsonObject = {}): Promise<void> => {
    const type = door === "response" ? "assistant" : door === "attachment" ? "attachment" : "user";
    const uuid = `r${++count}`;
    await raise(
      "session.append",
      { door, uuid, origin: { tool: "Bash" }, message: { type, ...more, content } },
      async (e) => {
        const stored = (e.message as JsonObject).content as readonly JsonObject[];
        if (door !== "attachment") rows.push(...toReported(stored, type, uuid));
        return {};
      },
    );
  };
  const found: { step: number; texts: readonly string[] }[] = [];
  for (const [step, { joined }] of session.steps.entries()) {
    const before = sent[step - 1];
    fake.session.usedTokens = before && sumContextTokens(before.usage);
    fake.session.messages = rows;
    for (const { role, blocks } of joined) {
      // Originals are named by the time: both have the recorded one.
      if (role !== "assistant") vi.setSystemTime(session.steps[step]?.atMs ?? 0);
      for (const block of blocks) {
        const raw = JSON.parse(JSON.stringify(render({ id: "", role, blocks: [block] }).content[0]));
        if (role === "assistant") await append("response", [raw]);
        else if (block.kind === "toolResult") {
          const command = `survey ${step - 1}`;
          const result = session.details.get(block.callId) ?? {};
          await raiseCall(raise, { tool: "Bash", tool_use_id: block.callId, command }, async () => ({ result }));
          await append("tool-result", [raw]);
        } else if (block.kind === "text" && block.author === "person") await append("prompt", [raw]);
        else if (block.kind === "text")
          await append("attachment", [{ type: "text", text: block.text }], { name: "reminder" });
      }
    }
    await raise("classic.PostToolBatch", {}, async () => ({}));
    if (!fake.env.has("CLAUDE_CODE_AUTO_COMPACT_WINDOW")) continue;
    const refuse = async (): Promise<unknown> => Promise.reject(new Error("too little"));
    const answered = (await raise("session.compact", { trigger: "auto", messages: rows }, refuse)) as JsonObject;
    const messages = answered.messages as readonly JsonObject[];
    found.push({ step, texts: messages.flatMap(listTexts) });
    rows = [];
    await append("compaction", [], { type: "system", name: "compact_boundary" });
    rows = [];
    for (const message of messages) await sayAgain(message, append);
  }
  await raise("session.end", {}, async () => ({}));
  return found;
}

async function sayAgain(
  message: JsonObject,
  append: (door: string, content: readonly JsonObject[]) => Promise<void>,
): Promise<void> {
  const uses = (message.toolUses ?? []) as readonly JsonObject[];
  const answered = (message.toolResults ?? []) as readonly JsonObject[];
  const text = String(message.text ?? "");
  const isRecord = text.startsWith(RECORD_OPENING);
  const content = [
    ...answered.map(({ tool_use_id = "", text: words = "" }) => ({ type: "tool_result", tool_use_id, content: words })),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...uses.map(({ tool_use_id = "", tool = "", input = {} }) => ({
      type: "tool_use",
      id: tool_use_id,
      name: tool,
      input,
    })),
  ];
  const door =
    message.role === "assistant" ? "response" : answered.length > 0 ? "tool-result" : isRecord ? "note" : "prompt";
  await append(door, content);
}

function toReported(content: readonly JsonObject[], type: string, handle: string): readonly JsonObject[] {
  const texts = content.flatMap(({ type: kind, text }) => (kind === "text" ? [String(text)] : []));
  const toolUses = content.flatMap(({ type: kind, id = "", name = "", input = {} }) =>
    kind === "tool_use" ? [{ tool_use_id: id, tool: name, input }] : [],
  );
  const toolResults = content.flatMap(({ type: kind, tool_use_id = "", content: parts }) =>
    kind === "tool_result" ? [{ tool_use_id, text: readParts(parts), isError: false }] : [],
  );
  const role = type === "assistant" ? "assistant" : "user";
  return [{ role, text: texts.join("\n"), toolUses, ...(toolResults.length === 0 ? {} : { toolResults }), handle }];
}

function readParts(parts: unknown): string {
  if (typeof parts === "string") return parts;
  const list = parts as readonly { readonly type: string; readonly text?: string }[];
  return list.flatMap(({ type, text = "" }) => (type === "text" ? [text] : [])).join("\n");
}

function listTexts({ text = "", toolResults = [] }: JsonObject): readonly string[] {
  const answered = (toolResults as readonly JsonObject[]).map((result) => String(result.text));
  return [...(text === "" ? [] : [String(text)]), ...answered];
}
