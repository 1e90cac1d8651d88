/** If red: some conversation leaves the gateway in a form that the API refuses. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBodyPool } from "../../src/entry/gateway/http/body-pool.ts";
import { createSlices } from "../../src/entry/gateway/http/slices.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { createRequestPreparer } from "../../src/entry/gateway/prepare-request.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { tries } from "../support/depth.ts";
import { lines, renderBody, type SentMessage, type WireBlock } from "./conversation.ts";
import { createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";
import { findSchemaFaults } from "./strict-schema.ts";

/** `PLIMSOLL_FUZZ_CASES=100000` for the long run. */
const CASES = Number(process.env.PLIMSOLL_FUZZ_CASES ?? tries(120, 600));
const SEED = Number(process.env.PLIMSOLL_FUZZ_SEED ?? 20_261_115);

const text = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    "ok",
    '{"messages":[]}',
    "[FOLDED: x]",
    '\\"\\',
    "\u0000",
    "<system-reminder>x</system-reminder>",
    "😀",
  ),
  fc.nat(200).map((count) => lines(count + 1)),
  fc.nat(400).map((count) => `${lines(60)}${count % 3}`),
);

const odd: fc.Arbitrary<WireBlock> = fc.constantFrom<WireBlock>(
  { type: "thinking", thinking: "Hm.", signature: "c2ln" },
  { type: "redacted_thinking", data: "eA==" },
  { type: "text", text: "said" },
  { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
  { type: "brand_new", anything: [1, { big: 0.1 }] },
);

interface Round {
  readonly before: readonly WireBlock[];
  readonly results: readonly string[];
  readonly said: string;
  readonly tool: string;
  readonly isError: boolean;
  readonly isSplit: boolean;
  readonly isSystem: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
  before: fc.array(odd, { maxLength: 2 }),
  results: fc.array(text, { maxLength: 3 }),
  said: fc.oneof(fc.constant(""), text),
  tool: fc.constantFrom("Bash", "Read", "Edit", "bash", "mcp__a__b"),
  isError: fc.boolean(),
  isSplit: fc.boolean(),
  isSystem: fc.boolean(),
});

function renderRounds(rounds: readonly Round[]): readonly SentMessage[] {
  const messages: SentMessage[] = [{ role: "user", content: "Begin." }];
  for (const [index, { before, results, said, tool, isError, isSplit, isSystem }] of rounds.entries()) {
    const id = (at: number): string => `toolu_${index}_${at}`;
    const input = { command: `step ${index % 3}`, file_path: `/work/${index % 2}.ts` };
    const uses = results.map((_, at): WireBlock => ({ type: "tool_use", id: id(at), name: tool, input }));
    const content = [...before, ...uses];
    messages.push({ role: "assistant", content: content.length === 0 ? "Aye." : content });
    if (isSystem) messages.push({ role: "system", content: "A reminder." });
    const answers = results.map(
      (result, at): WireBlock => ({
        type: "tool_result",
        tool_use_id: id(at),
        content: isSplit
          ? [
              { type: "text", text: result },
              { type: "text", text: "more" },
            ]
          : result,
        ...(isError ? { is_error: true } : {}),
      }),
    );
    const words: readonly WireBlock[] =
      said === "" && answers.length > 0 ? [] : [{ type: "text", text: said || "Go on." }];
    messages.push({ role: "user", content: [...answers, ...words] });
  }
  return messages;
}

/** Thinking of a body, as its bytes: whatever else happens, these stay. */
function listThinking(body: string): readonly string[] {
  return body.match(/\{"type":"(?:redacted_)?thinking"[^}]*\}/g) ?? [];
}

describe("any conversation, request after request", () => {
  it("leaves as what the API takes, with the same prefix each time, its thinking and its unknown blocks untouched", async () => {
    const folder = createFolder();
    const store = createFileStore({ folder });
    const sender = { user: "", headers: {} };
    const cases = fc.record({
      rounds: fc.array(round, { minLength: 1, maxLength: 8 }),
      line: fc.constantFrom(undefined, 3000, 12_000),
      model: fc.constantFrom("claude-sonnet-4-6", "claude-opus-5-5"),
      restartAt: fc.nat(8),
      id: fc.uuid(),
    });
    let count = 0;
    let edits = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ rounds, line, model, restartAt, id }) => {
        const planner = createRequestPlanner({ lineTokens: line });
        const pool = createBodyPool();
        const options = {
          store,
          pool,
          planner,
          slices: createSlices(),
          nowMs: () => 0,
          budgetMs: 60_000,
          compaction: "pass",
        } as const;
        let preparer = createRequestPreparer(options);
        const whole = renderRounds(rounds);
        const metadata = { user_id: `user_x_account__session_${id}-${count++}` };
        let previous: readonly string[] = [];
        let isLight = true;
        for (let end = 1; end <= whole.length; end++) {
          if (whole[end - 1]?.role !== "user" || whole[end]?.role === "user") continue;
          if (end === restartAt) preparer = createRequestPreparer(options);
          const came = renderBody(whole.slice(0, end), { model, metadata });
          const prepared = await preparer.prepare(Buffer.from(came), sender, { purpose: "messages" });
          const sent = Buffer.concat(prepared.pieces).toString();
          const parsed = JSON.parse(sent);
          expect(prepared.incidents).toEqual([]);
          edits += prepared.edits.length;
          expect(prepared.pieces.length === 1).toBe(sent === came);
          expect(findSchemaFaults(parsed)).toEqual(findSchemaFaults(JSON.parse(came)));
          if (validateMessages(JSON.parse(came)).length === 0) expect(validateMessages(parsed)).toEqual([]);
          const { tools } = JSON.parse(came);
          expect(parsed.tools.slice(0, tools.length)).toEqual(tools);
          const rest = { messages: 0, tools: 0, system: 0 };
          expect({ ...parsed, ...rest }).toEqual({ ...JSON.parse(came), ...rest });
          expect(JSON.stringify(parsed.system, dropMarks)).toBe(JSON.stringify(JSON.parse(came).system, dropMarks));
          const thoughts = listThinking(came);
          for (const thought of listThinking(sent)) expect(thoughts).toContain(thought);
          expect(sent.match(/"brand_new"/g)?.length).toBe(came.match(/"brand_new"/g)?.length);
          expect(JSON.stringify(parsed.messages).length).toBeLessThanOrEqual(came.length);
          isLight &&= prepared.edits.every(({ kind }) => kind === "replaceBlock");
          // With a line of its own a conversation may be rewritten to keep below it; otherwise what was sent stays as it was, until it is collapsed.
          const messages = parsed.messages.map((message: unknown) => JSON.stringify(message, dropMarks));
          if (line === undefined && isLight) expect(messages.slice(0, previous.length)).toEqual(previous);
          isLight = came.length < 150_000;
          previous = messages;
          const usage = {
            inputTokens: 3,
            cacheReadTokens: 1000,
            cacheWrite5mTokens: 500,
            cacheWrite1hTokens: 0,
            outputTokens: 5,
          };
          prepared.finish(usage);
        }
      }),
      { numRuns: Math.ceil(CASES / 6), seed: SEED, endOnFailure: true },
    );
    await store.close();
    expect(edits).toBeGreaterThan(CASES / 40);
  });
});

function dropMarks(key: string, value: unknown): unknown {
  return key === "cache_control" ? undefined : value;
}

describe("any bytes", () => {
  it("leave as they came where they are no request", async () => {
    const store = createFileStore({ folder: createFolder() });
    const options = {
      store,
      pool: createBodyPool(),
      planner: createRequestPlanner(),
      slices: createSlices(),
      nowMs: () => 0,
      budgetMs: 60_000,
      compaction: "pass",
    } as const;
    const preparer = createRequestPreparer(options);
    const whole = renderBody(renderRounds([]));
    const damaged = fc
      .tuple(fc.nat(whole.length), fc.nat(20), fc.uint8Array({ maxLength: 10 }))
      .map(([at, cut, bytes]) =>
        Buffer.concat([Buffer.from(whole.slice(0, at)), bytes, Buffer.from(whole.slice(at + cut))]),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          damaged,
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        ),
        async (bytes) => {
          const { pieces } = await preparer.prepare(bytes, { user: "", headers: {} }, { purpose: "messages" });
          expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: CASES, seed: SEED },
    );
  });
});

describe("any stream", () => {
  it("arrives as the bytes that were sent, however it is cut, and whatever it says", async () => {
    const frame = fc.oneof(
      fc.constantFrom(
        'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\n',
        'event: message_delta\r\ndata: {"usage":null}\r\n\r\n',
        "event: message_delta\ndata: {broken\n\n",
        ": comment\n\n",
        "event: error\ndata: {}\n\n",
      ),
      fc.string({ unit: "binary", maxLength: 60 }),
    );
    const streams = fc.record({
      frames: fc.array(frame, { maxLength: 6 }),
      cut: fc.integer({ min: 1, max: 50 }),
      status: fc.constantFrom(200, 200, 400, 500),
    });
    let now: { readonly frames: readonly string[]; readonly cut: number; readonly status: number } = {
      frames: [],
      cut: 1,
      status: 200,
    };
    const api = await openRawApi((_, response) => {
      response.writeHead(now.status, { "content-type": "text/event-stream" });
      const bytes = Buffer.from(now.frames.join(""));
      for (let at = 0; at < bytes.length; at += now.cut) response.write(bytes.subarray(at, at + now.cut));
      response.end();
    });
    const gateway = await openGateway(api.url);
    await fc.assert(
      fc.asyncProperty(streams, async (stream) => {
        now = stream;
        const answer = await fetch(`${gateway.url}/v1/messages`, {
          method: "POST",
          body: renderBody(renderRounds([])),
        });
        expect(answer.status).toBe(stream.status);
        expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(stream.frames.join("")))).toBe(true);
      }),
      { numRuns: Math.ceil(CASES / 4), seed: SEED },
    );
    expect(gateway.totals().incidents).toBe(0);
  });
});
