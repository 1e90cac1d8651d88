/** If red: the project's own path is put back as a fact that the summary lost. */
import { describe, expect, it } from "vitest";
import { answer, prompt, transcript } from "../../../../test/support/transcript-lines.ts";
import { createTranscriptReader } from "../../../hosts/claude-code/transcript-reader.ts";
import { claudeCodeVocabulary } from "../../../hosts/claude-code/vocabulary.ts";
import { createSession } from "../../../session/session.ts";
import { createTrail } from "../../../survive/record/trail.ts";
import { collectFacts } from "./restore-file.ts";

describe("collectFacts", () => {
  it("passes over names of the project's own path and words of the host", () => {
    const reader = createTranscriptReader();
    const session = createSession(claudeCodeVocabulary);
    const trail = createTrail(claudeCodeVocabulary);
    const words = "See kXq2Zp, PostToolUse and quayLedger: kXq2Zp, PostToolUse, quayLedger.";
    for (const line of transcript(prompt(words), answer("m1", [words]), answer("m2", [words]))) {
      for (const event of reader.read(line)?.events ?? []) {
        session.feed(event);
        trail.feed(event);
      }
    }
    const facts = collectFacts({ state: session.state(), trail: trail.state() }, { project: "/tmp/kXq2Zp/demo" });
    const names = facts.flatMap((fact) => (fact.kind === "identifier" ? [fact.term] : []));
    expect(names).toEqual(["quayLedger"]);
  });
});
