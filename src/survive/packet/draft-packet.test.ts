import { describe, expect, it } from "vitest";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { createSession, type SessionState } from "../../session/session.ts";
import { draftPacket } from "./draft-packet.ts";

const EMPTY = createSession(claudeCodeVocabulary).state();
const decide = (...texts: readonly string[]): SessionState["decided"] => ({
  decisions: texts.map((text) => ({ text, reason: "", files: [], request: 1, by: "model" })),
  failedApproaches: [],
});
const task = { task: "Reject expired tokens", acceptance: ["rejects a token that has expired"] };

describe("a packet out of a session", () => {
  it("[R121] tells decisions and leaves out line numbers that nothing proves", () => {
    const state = { ...EMPTY, decided: decide("We go with one clock", "The bug is in login.ts:42") };
    const { text } = draftPacket(state, task);
    expect(text).toContain("- We go with one clock");
    expect(text).not.toContain("login.ts:42");
  });

  it("[R121] strikes secrets out", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { text } = draftPacket({ ...EMPTY, decided: decide(`We use the token ${secret}`) }, task);
    expect(text).toBeDefined();
    expect(text).not.toContain(secret);
  });

  it("[R121] gives up the oldest until it may be sent, and stays below 300 tokens without types", () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `We decided number ${index} ${"because of the tide ".repeat(7)}`,
    );
    const { text, tokens, findings } = draftPacket({ ...EMPTY, decided: decide(...many) }, task);
    expect(text).toContain("We decided number 59");
    expect(text).not.toContain("We decided number 1 ");
    expect(findings).toEqual([]);
    expect(tokens).toBeLessThan(300);
  });

  it("[R121] is none where nobody says when it is done", () => {
    expect(draftPacket(EMPTY, { task: "Reject expired tokens" }).text).toBeUndefined();
  });
});
