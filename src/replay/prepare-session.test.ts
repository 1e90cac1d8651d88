/** If red: a replayed session weighs other than it was recorded. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../test/support/transcript-lines.ts";
import type { JsonObject } from "../core/json.ts";
import type { Block } from "../core/message.ts";
import { readRecording } from "../hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../hosts/claude-code/vocabulary.ts";
import { prepareSession } from "./prepare-session.ts";
import type { LeftOut, ReplaySession } from "./session.ts";

const temporary = createTemporaryFolder();

function prepare(drafts: readonly JsonObject[], brokenLines = 0): ReplaySession | LeftOut {
  const file = temporary.name();
  writeFileSync(file, toFile(transcript(...drafts)));
  return prepareSession({
    name: "it",
    recording: readRecording(file).recording,
    brokenLines,
    root: "",
    vocabulary: claudeCodeVocabulary,
  });
}

function requireSession(drafts: readonly JsonObject[]): ReplaySession {
  const session = prepare(drafts);
  if ("why" in session) throw new Error(session.why);
  return session;
}

/** A request that carried so many tokens. */
function request(id: string, contextTokens: number, content: Parameters<typeof answer>[1] = ["well"]): JsonObject {
  return answer(id, content, { input_tokens: 0, cache_creation_input_tokens: contextTokens, output_tokens: 5 });
}

function listJoined(session: ReplaySession, step: number): readonly Block[] {
  return session.steps[step]?.joined.flatMap(({ blocks }) => blocks) ?? [];
}

function weigh(session: ReplaySession, step: number): number {
  return listJoined(session, step).reduce((sum, block) => sum + (session.weights.get(block) ?? 0), 0);
}

const LINES = "a line of the file that was read\n".repeat(100);
/** Two requests; the second carries a call and a result more than the first, and so many tokens more. */
const grown = (growth: number): readonly JsonObject[] => [
  prompt("fix it"),
  request("m1", 20_000, [toolUse("t1", "Read", { file_path: "a.ts" })]),
  toolResult("t1", LINES),
  request("m2", 20_000 + growth),
];
/** What the estimator alone says: a fall that is not followed leaves the estimates as they are. */
const estimated = weigh(requireSession(grown(-3001)), 1);

const isUnlogged = (block: Block): boolean => block.kind === "text" && block.text.startsWith("[unlogged]");

describe("a prepared session", () => {
  it("weighs what joined so that it sums to the recorded growth", () => {
    for (const share of [0.4, 0.7, 1, 1.6, 2]) {
      const growth = Math.round(estimated * share);
      const session = requireSession(grown(growth));
      expect(weigh(session, 1)).toBeCloseTo(growth, 0);
    }
  });

  it("has an answer as long as its words where the client logged the output too early", () => {
    const outputs = ["2.0.50", "2.1.219"].map((version) => {
      const words = request("m1", 20_000, ["the hull is sound ".repeat(200)]);
      const { steps } = requireSession([prompt("fix it"), { ...words, version }, request("m2", 21_000)]);
      return steps[0]?.outputTokens;
    });
    expect(outputs).toEqual([expect.closeTo(900, -3), 5]);
  });

  it("stretches to twice the estimate at most, and calls the rest unlogged", () => {
    const session = requireSession(grown(Math.round(estimated * 2) + 1000));
    const rest = listJoined(session, 1).filter(isUnlogged);
    expect(rest.map((block) => Math.round(session.weights.get(block) ?? 0))).toEqual([expect.closeTo(1000, -1)]);
    expect(weigh(session, 1)).toBeCloseTo(Math.round(estimated * 2) + 1000, 0);
  });

  it("shrinks to two fifths of the estimate at least", () => {
    const session = requireSession(grown(10));
    expect(weigh(session, 1)).toBeCloseTo(estimated * 0.4, 5);
    expect(listJoined(session, 1).some(isUnlogged)).toBe(false);
  });

  it("weighs an opaque document by what the request grew by, whatever its bytes are", () => {
    const data = "JVBERi0xLjcK".repeat(20_000);
    const document = { type: "document", source: { type: "base64", media_type: "application/pdf", data } };
    const session = requireSession([
      prompt("look"),
      request("m1", 20_000, [toolUse("t1", "Read", { file_path: "/a.pdf" })]),
      toolResult("t1", [document]),
      request("m2", 20_000 + 23_922),
    ]);
    expect(weigh(session, 1)).toBeCloseTo(23_922, 0);
    const [heaviest] = listJoined(session, 1)
      .map((block) => session.weights.get(block) ?? 0)
      .sort((a, b) => b - a);
    expect(heaviest).toBeGreaterThan(23_000);
    expect(listJoined(session, 1).some(isUnlogged)).toBe(false);
  });

  it("takes a small fall for no growth, and does not follow a large one", () => {
    expect(weigh(requireSession(grown(-3000)), 1)).toBeCloseTo(estimated * 0.4, 5);
    expect(weigh(requireSession(grown(-10_000)), 1)).toBeCloseTo(estimated, 5);
  });

  it("takes what the first request carries next to its prompt for the base", () => {
    const session = requireSession(grown(100));
    expect(session.baseTokens + weigh(session, 0)).toBeCloseTo(20_000, 5);
    expect(session.baseTokens).toBeGreaterThan(19_900);
  });

  it("has a window of a million tokens once a request carried more than 180,000", () => {
    expect(requireSession(grown(160_000)).windowTokens).toBe(200_000);
    expect(requireSession(grown(160_001)).windowTokens).toBe(1_000_000);
  });

  it("joins the history across a compaction, and keeps the summary apart", () => {
    const session = requireSession([
      ...grown(1000),
      boundary("l4", { durationMs: 1234 }),
      summary("what had happened"),
      prompt("go on"),
      request("m3", 25_000),
    ]);
    const texts = listJoined(session, 2).map((block) => (block.kind === "text" ? block.text : block.kind));
    expect(texts).toEqual(["well", "go on"]);
    expect(session.compactions).toMatchObject([{ step: 2, durationMs: 1234 }]);
    const [said] = session.compactions[0]?.messages[0]?.blocks ?? [];
    expect(said?.kind === "text" ? said.text : "").toBe("what had happened");
    expect(session.compactions[0]?.summaryTokens).toBeGreaterThan(2);
  });

  it("names every block once", () => {
    const session = requireSession(grown(1000));
    const ids = session.steps.flatMap(({ joined }) => joined.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("a session that cannot be replayed", () => {
  const nameless = (line: JsonObject, model: string): JsonObject => ({
    ...line,
    message: { ...(typeof line.message === "object" ? line.message : {}), model },
  });
  const usageless = (line: JsonObject): JsonObject => {
    const { usage: _, ...message } = { usage: 0, ...(typeof line.message === "object" ? line.message : {}) };
    return { ...line, message };
  };

  it.each<[string, readonly JsonObject[], number, string]>([
    ["broken lines", grown(100), 3, "3 broken lines"],
    ["no request", [prompt("hello")], 0, "no request"],
    ["one request", [prompt("hello"), request("m1", 9000)], 0, "one request only"],
    [
      "an unknown model",
      [...grown(100), prompt("more"), nameless(request("m3", 21_000), "gpt-6")],
      0,
      "no price for the model gpt-6",
    ],
    ["missing usage", [...grown(100), prompt("more"), usageless(request("m3", 0))], 0, "1 of 3 requests without usage"],
    [
      "a beginning before the file's",
      [prompt("go on"), request("m1", 100_000), prompt("more"), request("m2", 100_100)],
      0,
      "starts in mid-session: its first request includes 99988 tokens that are not in the file",
    ],
  ])("says so by name: %s", (_, drafts, brokenLines, why) => {
    const left = prepare(drafts, brokenLines);
    expect({ ...left, why: "why" in left ? left.why.replace(/\d{5}/, "99988") : "none" }).toEqual({ name: "it", why });
  });
});
