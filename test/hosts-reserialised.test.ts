/** If red: a session file that another program rewrote gives other figures. */
import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../src/core/json.ts";
import { readSession, scanUsage } from "../src/hosts/catalogue.ts";
import { openTranscript } from "../src/hosts/claude-code/disk/read-entries.ts";
import { tries } from "./support/depth.ts";
import { CODEX_SESSION, PI_SESSION } from "./support/host-lines.ts";
import { type JsonStyle, reserialise } from "./support/reserialise.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import {
  agentProgress,
  answer,
  boundary,
  prompt,
  toolResult,
  toolUse,
  transcript,
} from "./support/transcript-lines.ts";

const { name } = createTemporaryFolder();

const styles: fc.Arbitrary<JsonStyle> = fc.record({
  colon: fc.constantFrom(":", ": ", " : ", ":\t"),
  comma: fc.constantFrom(",", ", ", " ,  "),
  order: fc.constantFrom("kept", "sorted", "reversed"),
  isAscii: fc.boolean(),
});

const usage = { cache_read_input_tokens: 20_000, cache_creation_input_tokens: 900, output_tokens: 70 };
const CLAUDE_CODE: readonly string[] = transcript(
  { type: "custom-title", customTitle: "Häfen und Schiffe" },
  prompt('Say {"type":"assistant"} — twice, please. '.repeat(20)),
  answer("m1", ["Ja.", toolUse("t1", "Bash", { type: "user", role: "user", stop_reason: [1] })], usage),
  toolResult("t1", '"type":"assistant","usage":{"input_tokens":5}'.repeat(600)),
  answer("m2", [toolUse("t2", "mcp__db__find", { list: [], note: "a" })], {
    ...usage,
    cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 800 },
  }),
  toolResult("t2", "none"),
  agentProgress(answer("s1", [toolUse("t3", "Grep")], usage)),
  { type: "attachment", attachment: { type: "file", filename: "a.ts", content: "x".repeat(20_000) } },
  { type: "system", subtype: "turn_duration", durationMs: 40 },
  boundary("l5", { trigger: "manual", preTokens: 21_000, durationMs: 30 }),
  { ...prompt("What was said so far."), isCompactSummary: true },
  answer("m3", ["Done."], { ...usage, speed: "fast" }),
);

function parse(lines: readonly string[]): readonly Json[] {
  return lines.map((line): Json => JSON.parse(line));
}

const SESSIONS: Readonly<Record<string, readonly Json[]>> = {
  "Claude Code": parse(CLAUDE_CODE),
  Codex: parse(CODEX_SESSION.map((record) => JSON.stringify(record))),
  pi: parse(PI_SESSION.map((record) => JSON.stringify(record))),
};

/** Every figure that is made of a file: the narrow scan of its accounts, and the whole reading of it. */
function figuresOf(records: readonly Json[], style: JsonStyle) {
  const file = name("session.jsonl");
  writeFileSync(file, records.map((record) => `${reserialise(record, style)}\n`).join(""));
  const { lines, ...scanned } = scanUsage(file);
  const { accounts, recording, tally } = readSession(file);
  return {
    scanned,
    malformed: lines.malformed,
    accounts,
    tally,
    steps: recording.steps.map(({ contextTokens, outputs }) => [contextTokens, outputs.length]),
    topics: (["summaries", "foreignCalls"] as const).map((about) => readAbout(file, about)),
  };
}

function readAbout(file: string, about: "summaries" | "foreignCalls"): readonly string[] {
  const types: string[] = [];
  openTranscript(file, { about }).read({ onEntry: ({ type, uuid }) => void types.push(`${type} ${uuid}`) });
  return types;
}

const PLAIN: JsonStyle = { colon: ":", comma: ",", order: "kept", isAscii: false };

describe("a session file that another program has written again", () => {
  for (const [client, records] of Object.entries(SESSIONS)) {
    it(`gives the same figures whatever its JSON looks like: ${client}`, () => {
      const plain = figuresOf(records, PLAIN);
      expect(plain.scanned.steps.length).toBeGreaterThan(1);
      fc.assert(
        fc.property(styles, (style) => {
          expect(figuresOf(records, style)).toEqual(plain);
        }),
        { numRuns: tries(20, 200) },
      );
    });
  }

  it("has the same accounts in the narrow scan as in the whole reading", () => {
    const { scanned, accounts } = figuresOf(SESSIONS["Claude Code"] ?? [], PLAIN);
    expect(scanned.steps).toEqual(accounts.steps);
    expect(scanned.toolCalls).toBe(accounts.toolCalls);
  });
});
