/** If red: a person who asks why something was folded sees wrong costs, savings or reasons. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import {
  answer as answered,
  called,
  compacted,
  request,
  result,
  usage,
} from "../../../../../test/support/session-events.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  prompt,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../../test/support/transcript-lines.ts";
import { createRecording } from "../../../../measure/recording.ts";
import { type ActionDetail, type OwnAction, renderAction } from "../../../../policy/actions/own-action.ts";
import { explainActions } from "./explain.ts";

const temporary = createTemporaryFolder();
const HANDLE = "plimsoll:1a2b3c4d5e6f";

function open(callId = "t1") {
  const home = path.join(temporary.folder, ".claude");
  const folder = path.join(home, "data/plimsoll/sessions/one");
  mkdirSync(folder, { recursive: true });
  const lines = transcript(
    prompt("Look."),
    answer("m1", [toolUse("t1", "Bash")], { cache_creation_input_tokens: 30_000 }),
    toolResult("t1", "[FOLDED]"),
    answer("m2", ["Seen."], { cache_read_input_tokens: 30_000 }),
  );
  const file = path.join(temporary.folder, "one.jsonl");
  writeFileSync(file, toFile(lines));
  const frame = { atMs: Date.UTC(2026, 0, 1) + 2500, door: "hook", event: "PostToolUse", client: "" } as const;
  const fold = { callId, tool: "Bash", characters: 30_000, shownCharacters: 1100, savedTokens: 10_000 };
  writeFileSync(
    path.join(folder, "deeds-hook.jsonl"),
    renderAction({ ...frame, kind: "folded", handle: HANDLE, ...fold }) +
      renderAction({ ...frame, kind: "ran", ms: 3 }) +
      "torn\n",
  );
  return (...words: readonly string[]) =>
    runPlimsoll(["explain", "--transcript", file, ...words], { environment: { CLAUDE_CONFIG_DIR: home } });
}

describe("the compactor's own instruments", () => {
  it("[R205] [R207] measure its compactions with percentiles, and check the known ways to go wrong", async () => {
    const home = path.join(temporary.folder, "measured");
    const write = (session: string, before: number): void => {
      const folder = path.join(home, ".claude/data/plimsoll/sessions", session);
      mkdirSync(folder, { recursive: true });
      const frame = { atMs: 1, door: "module", event: "session.compact", client: "" } as const;
      const figures = {
        by: "plimsoll",
        trigger: "auto",
        tokensBefore: before,
        tokensAfter: 10_000,
        ms: 80,
        why: "",
      } as const;
      writeFileSync(path.join(folder, "deeds-module.jsonl"), renderAction({ ...frame, kind: "compacted", ...figures }));
    };
    for (const [index, before] of [50_000, 60_000, 100_000].entries()) write(`s${index}`, before);
    const environment = { HOME: home };
    const { output } = await runPlimsoll(["explain", "--compactions"], { environment });
    expect(output).toContain("3 compactions in 3 sessions, 3 by Plimsoll");
    expect(output).toMatch(/tokens cut\s+40000\s+50000\s+90000\s+90000/);
    const file = path.join(home, "open.jsonl");
    writeFileSync(
      file,
      toFile(transcript(prompt("Caulk the hull."), answer("m1", [toolUse("t1", "Bash"), toolUse("t2", "Bash")]))),
    );
    const checked = await runPlimsoll(["explain", "--check", "--transcript", file], { environment });
    expect(checked.output.trim().split("\n")).toHaveLength(13);
    expect(checked.output).toMatch(/^applies\s+a tool call parted from its result: 2 calls/m);
    expect(checked.output).toMatch(/^unknown\s+a bundle built before its preview/m);
  });
});

describe("plimsoll explain", () => {
  it("says why something was folded, what it costs and what it has saved", async () => {
    const { output } = await open()();
    expect(output).toContain("folded Bash output: 30000 characters, 1100 of them shown");
    expect(output).toContain(
      "the original was never sent, so the cache is not rewritten. Every later request is 10,000 tokens smaller",
    );
    expect(output).toContain("Since then: 1 request, $0.0594 saved.");
    expect(output).toContain("1 journal line skipped");
  });

  it("says of a fold that no request carried that it has saved nothing", async () => {
    expect((await open("t2")()).output).toContain("Since then: 0 requests, $0.00 saved.");
  });

  it("tells one fold by its handle or the beginning of it, and all as data", async () => {
    const run = open();
    expect(JSON.parse((await run(HANDLE.slice(0, 15), "--json")).output)).toMatchObject({
      deeds: [{ kind: "folded", handle: HANDLE, savedTokens: 10_000, requests: 1 }],
      skippedLines: 1,
    });
    expect(await run("plimsoll:ffffff")).toMatchObject({ exitCode: 3 });
  });
});

const action = (atMs: number, detail: ActionDetail): OwnAction => ({
  atMs,
  door: "hook",
  event: "x",
  client: "",
  ...detail,
});
const model = "claude-opus-4-6";
const recordRequests = (model: string) =>
  createRecording([
    answered("s1", usage({ read: 20_000 }), [called("Bash", "t1")], { model }),
    result("Bash", "t1", "short"),
    request("s2", 21_000, { model }),
    request("s3", 22_000, { model }),
    request("s4", 23_000, { model }),
    compacted(),
    request("s5", 20_000, { model }),
  ]);
const context = {
  recording: recordRequests(model),
  requests: [10_000, 20_000, 30_000, 60_000].map((atMs) => ({ atMs, model })),
  compactionsMs: [50_000],
  baseTokens: 20_000,
};
const fold: ActionDetail = {
  kind: "folded",
  callId: "t1",
  tool: "Bash",
  handle: "plimsoll:1a2b3c4d5e6f",
  characters: 25_000,
  shownCharacters: 1100,
  savedTokens: 10_000,
};
const compaction: ActionDetail = {
  kind: "compacted",
  by: "plimsoll",
  trigger: "auto",
  tokensBefore: 120_000,
  tokensAfter: 30_000,
  ms: 25,
  why: "the line is near",
};

describe("explaining what was done", () => {
  it("says of a fold that it was free, and what it has saved up to the next compaction", () => {
    const [explained] = explainActions([action(5000, fold)], context);
    expect(explained).toMatchObject({ handle: "plimsoll:1a2b3c4d5e6f", requests: 3, savedTokens: 10_000 });
    expect(explained?.why).toBe(
      "Made: the original was never sent, so the cache is not rewritten. Every later request is 10,000 tokens smaller, which saves $0.00500 each time.",
    );
    // Written once at $6.25, read twice at $0.50, a million tokens; a little of it is fetched back.
    const carriedUsd = (6.25 + 0.5 + 0.5) * 0.01;
    expect(explained?.savedUsd).toBeLessThan(carriedUsd);
    expect(explained?.savedUsd).toBeGreaterThan(carriedUsd * 0.9);
  });

  it("says which subagent's window was compacted, with no price: its requests are in a file of their own", () => {
    const [explained] = explainActions([action(49_000, { ...compaction, agentId: "a1b2" })], context);
    expect(explained?.what).toBe(
      "compacted the window of subagent a1b2 in 25 ms, without a model: 120000 tokens before, about 30000 after",
    );
    expect(explained).toMatchObject({ savedTokens: 90_000, savedUsd: undefined, requests: undefined });
  });

  it("says of a compaction what it wrote again and when that was paid", () => {
    const [explained] = explainActions([action(49_000, compaction)], context);
    expect(explained?.what).toContain("by Plimsoll in 25 ms, without a model");
    expect(explained?.why).toContain(
      "Reason: the line is near. Made: the change writes 10,000 tokens to the cache again, once, for $0.0",
    );
    expect(explained?.why).toMatch(/pays off after 2 requests; with 1 expected, the net saving is -\$0\.0\d+\.$/);
    expect(explained?.requests).toBe(1);
  });

  it("tells refusals and failures in their own words, and leaves out that an entry point was alive", () => {
    const explained = explainActions(
      [
        action(1, { kind: "ran", ms: 3 }),
        action(2, { kind: "declined", what: "folding Read", why: "no room" }),
        action(3, { kind: "failed", why: "EACCES" }),
      ],
      context,
    );
    expect(explained.map(({ what, why }) => `${what}: ${why}`)).toEqual([
      "declined folding Read: no room.",
      "failed: EACCES. The agent continued without Plimsoll.",
    ]);
  });

  it("knows no dollars of a model without a price", () => {
    const [explained] = explainActions([action(5000, fold)], {
      ...context,
      recording: recordRequests("someone-else"),
    });
    expect(explained).toMatchObject({
      savedUsd: undefined,
      why: expect.stringContaining("the price of 1,000 tokens each"),
    });
  });
});
