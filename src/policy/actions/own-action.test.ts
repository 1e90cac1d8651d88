/** If red: a torn line in the journal is taken for something that was done. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ActionDetail, type OwnAction, parseAction, renderAction } from "./own-action.ts";

/** One of each kind: a new kind without an example here does not compile. */
const EXAMPLES: { readonly [Kind in ActionDetail["kind"]]: Extract<ActionDetail, { kind: Kind }> } = {
  ran: { kind: "ran", ms: 3 },
  folded: {
    kind: "folded",
    callId: "toolu_1",
    tool: "Bash",
    handle: "plimsoll:1a2b3c4d5e6f",
    characters: 25_000,
    shownCharacters: 1100,
    savedTokens: 8000,
  },
  injected: { kind: "injected", what: "rules", why: "prompt", characters: 40, tokens: 12, model: "claude-opus-5" },
  compacted: {
    kind: "compacted",
    by: "plimsoll",
    trigger: "auto",
    tokensBefore: 120_000,
    tokensAfter: 30_000,
    ms: 25,
    why: 'a "quoted" reason\nin two lines',
  },
  note: {
    kind: "note",
    isJoined: true,
    why: "",
    ms: 900,
    usage: { inputTokens: 1, cacheReadTokens: 90_000, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 400 },
    usd: 0.04,
  },
  receipt: {
    kind: "receipt",
    compaction: 1,
    held: 3,
    paraphrased: 1,
    lost: [{ line: "The user said: “never”", isInjected: true }],
    landing: "unknown",
  },
  signal: {
    kind: "signal",
    signal: { type: "output.density.set", mode: "caveman", scope: "session", source: "user" },
  },
  report: { kind: "report", why: "research ended, planning began", level: "ORANGE", advised: "compact-at-boundary" },
  blocked: { kind: "blocked", tool: "Bash", why: "node_modules is ignored" },
  declined: { kind: "declined", what: "fold", why: "no room" },
  ignored: { kind: "ignored", what: "updatedToolOutput", why: "the client is too old" },
  failed: { kind: "failed", why: "EACCES" },
};

const actionOf = (detail: ActionDetail): OwnAction => ({
  atMs: 1_700_000_000_000,
  door: "module",
  event: "session.append",
  client: "2.1.325",
  ...detail,
});

describe("an action", () => {
  it.each(Object.values(EXAMPLES))("of the kind $kind is one line, and is read back as it was", (detail) => {
    const line = renderAction(actionOf(detail));
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(parseAction(line)).toEqual(actionOf(detail));
  });

  it("that was torn anywhere is none", () => {
    const line = renderAction(actionOf(EXAMPLES.compacted)).trimEnd();
    for (let length = 0; length < line.length; length++) expect(parseAction(line.slice(0, length))).toBeUndefined();
  });

  it.each([
    "",
    "null",
    "7",
    '"ran"',
    "[]",
    "{}",
    '{"atMs":1,"event":"x"}',
    '{"atMs":1,"event":"x","kind":"sank"}',
    '{"atMs":"1","event":"x","kind":"ran"}',
    '{"atMs":1,"kind":"ran"}',
    '{"event":"x","kind":"ran"}',
    '{"atMs":1,"event":"x","kind":"toString"}',
    '{"atMs":1,"event":"x","kind":"receipt","compaction":1,"held":1,"paraphrased":0,"landing":"landed"}',
    '{"atMs":1,"event":"x","kind":"receipt","lost":{"length":0}}',
    '{"atMs":1,"event":"x","kind":"signal","signal":"output.density.set"}',
  ])("is not made of %s", (line) => {
    expect(parseAction(line)).toBeUndefined();
  });

  it("is never thrown over, whatever the line holds", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        expect(parseAction(line)).toBeUndefined();
      }),
    );
  });
});
