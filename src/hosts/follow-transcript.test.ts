/** If red: a session that grows is read otherwise than one that is read whole. */
import { appendFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  createWriter,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../test/support/transcript-lines.ts";
import { attributeSession } from "../recorded/assess-session.ts";
import { readRecording } from "./claude-code/disk/read-meter.ts";
import { claudeCode } from "./claude-code/host.ts";
import { followSession } from "./follow-transcript.ts";

const { name } = createTemporaryFolder();

const CONTENT = Buffer.from(
  toFile(
    transcript(
      prompt("fahr zu 🚢"),
      answer("m1", [toolUse("t1", "Bash")], { cache_read_input_tokens: 20_000 }),
      toolResult("t1", "日本\n".repeat(20)),
      answer("m2", ["done"], { cache_read_input_tokens: 21_000 }),
    ),
  ),
);

describe("a followed session", () => {
  it("comes to the same recording as a whole reading, wherever the file was cut while it grew", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(CONTENT.length), { maxLength: 6 }), (cuts) => {
        const file = name();
        writeFileSync(file, "");
        const followed = followSession(claudeCode, file);
        let from = 0;
        for (const cut of [...cuts.sort((left, right) => left - right), CONTENT.length]) {
          appendFileSync(file, CONTENT.subarray(from, cut));
          from = cut;
          followed.read();
        }
        expect(followed.read()).toEqual(readRecording(file));
      }),
      { numRuns: 40 },
    );
  });

  it("is the same object as long as nothing was added", () => {
    const file = name();
    writeFileSync(file, CONTENT);
    const followed = followSession(claudeCode, file);
    expect(followed.read()).toBe(followed.read());
  });

  it("is of one window where the last alone is asked for, with the size of the first request and every compaction", () => {
    const file = name();
    const write = createWriter();
    const work = (id: string, from: number) => [
      answer(`${id}a`, [toolUse(`${id}t`, "Bash")], { cache_read_input_tokens: from }),
      toolResult(`${id}t`, "decks and masts\n".repeat(200)),
      answer(`${id}b`, ["done"], { cache_read_input_tokens: from + 1500 }),
    ];
    const compact = () => [boundary("", { preTokens: 23_000 }), summary("what was done"), prompt("go on")];
    const windows = Array.from({ length: 30 }, (_, at) => [...compact(), ...work(`w${at}`, 21_000)]);
    writeFileSync(file, toFile(write(prompt("begin"), ...work("first", 20_000), ...windows.flat())));
    const whole = followSession(claudeCode, file).read();
    const last = followSession(claudeCode, file, { isLastWindow: true }).read();
    expect(last.recording.windows).toHaveLength(31);
    expect(whole.entries.length - last.entries.length).toBeGreaterThan(29 * 4);
    expect(last.transcript).toEqual(whole.transcript);
    const [all, part] = [whole, last].map((session) => attributeSession(session).at(-1));
    expect(part?.contextTokens).toBe(all?.contextTokens);
    expect(Math.abs((part?.parts.base ?? 0) / (all?.parts.base ?? 1) - 1)).toBeLessThan(0.01);
    expect(Object.keys(part?.parts ?? {})).toEqual(Object.keys(all?.parts ?? {}));
  });

  it("keeps nothing of a file that was replaced", () => {
    const file = name();
    writeFileSync(file, CONTENT);
    const followed = followSession(claudeCode, file);
    followed.read();
    writeFileSync(file, toFile(transcript(prompt("anew"), answer("n1", ["one"]))));
    expect(followed.read().recording.steps.map(({ id }) => id)).toEqual(["n1"]);
  });
});
