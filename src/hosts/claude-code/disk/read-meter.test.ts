/** If red: the load of a recorded session is wrong after a compaction or with subagents. */
import { appendFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  agentProgress,
  answer,
  attachment,
  boundary,
  createWriter,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { type MeteredTranscript, readMeter } from "./read-meter.ts";

const { name } = createTemporaryFolder();

function write(...drafts: readonly JsonObject[]): string {
  const file = name();
  writeFileSync(file, toFile(transcript(...drafts)));
  return file;
}

/** What a hook does between two calls: the state is written down and read again. */
function save(transcript: MeteredTranscript): MeteredTranscript {
  return JSON.parse(JSON.stringify(transcript));
}

const sizeOf = ({ meter }: MeteredTranscript): number | undefined =>
  meter.current && sumContextTokens(meter.current.usage);

const side = (draft: JsonObject): JsonObject => ({ ...draft, isSidechain: true });

describe("readMeter", () => {
  it("measures a session by the usage of its last answer", () => {
    const { transcript, tally } = readMeter(
      write(
        prompt("go"),
        answer("m1", [toolUse("t1", "Bash")], { cache_read_input_tokens: 20_000 }),
        toolResult("t1", "a.ts"),
        answer("m2", ["done"], { cache_read_input_tokens: 21_000 }),
        { type: "ai-title", aiTitle: "A title", uuid: "" },
      ),
    );
    expect(sizeOf(transcript)).toBe(21_003);
    expect(transcript).toMatchObject({
      lane: "main",
      sessionId: "session-1",
      version: "2.1.219",
      title: "A title",
      meter: { steps: 2, toolCalls: 1, callsByTool: { Bash: 1 } },
    });
    expect(tally).toMatchObject({ lines: 5, parsed: 5 });
  });

  it("counts a split answer once, with the largest output told", () => {
    const { meter } = readMeter(
      write(
        prompt("go"),
        answer("m1", ["Two."], { output_tokens: 1 }),
        answer("m1", [toolUse("t1", "Bash")], { output_tokens: 80 }),
        answer("m1", [toolUse("t2", "Bash")], { output_tokens: 40 }),
      ),
    ).transcript;
    expect(meter).toMatchObject({ steps: 1, toolCalls: 2, current: { usage: { outputTokens: 80 } } });
  });

  it("counts nothing for error notices and for what the client made up", () => {
    const notice = { ...answer("e1", ["API Error"]), isApiErrorMessage: true };
    const made = { ...answer("e2", []), message: { model: "<synthetic>", content: [], usage: { input_tokens: 9 } } };
    const { meter } = readMeter(write(prompt("go"), answer("m1", ["one"]), notice, made)).transcript;
    expect(meter).toMatchObject({ steps: 1, current: { id: "m1" } });
  });

  it("counts lines that were written twice once", () => {
    const lines = transcript(prompt("go"), answer("m1", [toolUse("t1", "Bash")]), toolResult("t1", "9 fathoms"));
    const [once, twice] = [lines, [...lines, ...lines.slice(1)]].map((content) => {
      const file = name();
      writeFileSync(file, toFile(content));
      return readMeter(file).transcript.meter;
    });
    expect(twice).toEqual(once);
    expect(twice).toMatchObject({ steps: 1, toolCalls: 1 });
  });

  it("does not count what subagents say in passing", () => {
    const aside = agentProgress(answer("s1", [toolUse("t9", "Grep")], { cache_read_input_tokens: 90_000 }));
    const { meter } = readMeter(write(prompt("go"), answer("m1", ["one"]), aside)).transcript;
    expect(meter).toMatchObject({ steps: 1, toolCalls: 0, largestContextTokens: 3 });
  });
});

describe("readMeter after a compaction", () => {
  const before = [prompt("go"), answer("m1", ["one"], { cache_read_input_tokens: 160_000 })];

  it("no longer counts the usage before it", () => {
    const { transcript } = readMeter(write(...before, boundary("l2"), summary("so far")));
    expect(sizeOf(transcript)).toBeUndefined();
    expect(transcript.meter).toMatchObject({ compactions: 1, autoPreTokens: [167_000], largestContextTokens: 160_003 });
  });

  it("does so for old clients too, which write a summary and no boundary", () => {
    const { transcript } = readMeter(write(...before, summary("so far")));
    expect(sizeOf(transcript)).toBeUndefined();
    expect(transcript.meter).toMatchObject({ compactions: 1, lastCompaction: { trigger: "unknown" } });
  });

  it("measures anew from the next answer", () => {
    const next = answer("m2", ["two"], { cache_read_input_tokens: 40_000 });
    expect(sizeOf(readMeter(write(...before, boundary("l2"), summary("so far"), next)).transcript)).toBe(40_003);
  });
});

describe("readMeter on side chains", () => {
  it("passes over those of a main session's file", () => {
    const { transcript } = readMeter(
      write(prompt("go"), answer("m1", ["one"]), side(prompt("look")), side(answer("s1", [toolUse("t1", "Grep")]))),
    );
    expect(transcript).toMatchObject({ lane: "main", meter: { steps: 1, toolCalls: 0, current: { id: "m1" } } });
  });

  it("takes them for the conversation in a subagent's own file", () => {
    const { transcript } = readMeter(write(side(prompt("look")), side(answer("s1", ["found"]))));
    expect(transcript).toMatchObject({ lane: "side", meter: { steps: 1, current: { id: "s1" } } });
  });

  it("drops them when the main conversation turns up after all, in a later reading too", () => {
    const writeLine = createWriter();
    const file = name();
    writeFileSync(file, toFile(writeLine(side(prompt("warm up")), side(answer("s1", ["warm"])))));
    const first = readMeter(file);
    expect(first.transcript.lane).toBe("side");
    appendFileSync(file, toFile(writeLine(prompt("go"), answer("m1", ["one"]))));
    const second = readMeter(file, save(first.transcript));
    expect(second.transcript).toMatchObject({ lane: "main", meter: { steps: 1, current: { id: "m1" } } });
    expect(second.transcript).toEqual(readMeter(file).transcript);
  });
});

describe("readMeter from a saved state", () => {
  it("reads only what was added since", () => {
    const writeLine = createWriter();
    const file = name();
    writeFileSync(file, toFile(writeLine(prompt("go"), answer("m1", [toolUse("t1", "Read")]))));
    const first = readMeter(file);
    const added = toFile(writeLine(toolResult("t1", "日本"), answer("m2", ["done"])));
    appendFileSync(file, added);
    const second = readMeter(file, save(first.transcript));
    expect(second).toMatchObject({ bytesRead: Buffer.byteLength(added), restart: undefined });
    expect(second.transcript).toEqual(readMeter(file).transcript);
    expect(readMeter(file, save(second.transcript))).toMatchObject({ bytesRead: 0, transcript: second.transcript });
  });

  it.each<{ readonly how: string; readonly restart: string; change(file: string): void }>([
    { how: "cut", restart: "truncated", change: (file) => truncateSync(file, 0) },
    {
      how: "rotated",
      restart: "replaced",
      change: (file) => {
        renameSync(file, name());
        writeFileSync(file, toFile(transcript(prompt("anew"), answer("n1", ["x"]), prompt("on"), prompt("and on"))));
      },
    },
    {
      how: "replaced in place",
      restart: "replaced",
      change: (file) => writeFileSync(file, toFile(transcript(...Array.from({ length: 9 }, () => prompt("anew"))))),
    },
  ])("keeps nothing of a file that was $how", ({ restart, change }) => {
    const file = write(prompt("go"), answer("m1", [toolUse("t1", "Read")]), boundary("l2"));
    const first = readMeter(file);
    change(file);
    const second = readMeter(file, save(first.transcript));
    const fresh = readMeter(file);
    expect(second.restart).toBe(restart);
    expect(second.transcript).toEqual(fresh.transcript);
    expect(second.bytesRead).toBe(fresh.bytesRead);
  });

  it("comes to the same measure wherever the file was cut while it grew", () => {
    fc.assert(
      fc.property(arbitraryFile, fc.array(fc.nat(), { maxLength: 12 }), (content, cuts) => {
        const file = name();
        writeFileSync(file, "");
        let saved: MeteredTranscript | undefined;
        let from = 0;
        for (const cut of [...cuts.map((at) => at % (content.length + 1)), content.length].sort((a, b) => a - b)) {
          appendFileSync(file, content.subarray(from, cut));
          from = cut;
          const grown = readMeter(file, saved);
          expect(grown.restart).toBe(saved ? undefined : "first");
          saved = save(grown.transcript);
        }
        expect(saved).toEqual(save(readMeter(file).transcript));
      }),
      { numRuns: 60 },
    );
  });

  it("stays below 300 KB for a session of 20,000 calls", () => {
    const tools = Array.from({ length: 500 }, (_, index) => `mcp__a_server_with_a_long_name__tool_${index}`);
    const drafts = Array.from({ length: 20_000 }, (_, index) => {
      const call = toolUse(`toolu_01${String(index).padStart(22, "A")}`, tools[index % tools.length] ?? "");
      // Every 50th request misses the cache; no call is ever answered.
      return answer(`msg_01${index}`, [call], { cache_read_input_tokens: index % 50 === 0 ? 0 : 150_000 + index });
    });
    const { transcript } = readMeter(write(...drafts));
    expect(transcript.meter.toolCalls).toBe(20_000);
    expect(JSON.stringify(transcript).length).toBeLessThan(300_000);
  });
});

/** Files as clients write them, with what may go wrong: broken lines, blank ones, other line ends, lines written twice. */
const arbitraryFile: fc.Arbitrary<Buffer> = fc
  .array(
    fc.record({
      draft: fc.constantFrom<JsonObject>(
        prompt("go äöü 日本語 🚢"),
        prompt("<system-reminder>x"),
        answer("m1", [toolUse("t1", "Bash", { command: "echo ⚓" })], { cache_read_input_tokens: 20_000 }),
        answer("m1", ["and"], { output_tokens: 70 }),
        answer("m2", [toolUse("t2", "Read")], { cache_read_input_tokens: 150 }),
        answer("m3", ["done"], { cache_creation_input_tokens: 40_000 }),
        toolResult("t1", "ok"),
        toolResult("t2", [{ type: "text", text: "12\tläuft\n".repeat(600) }]),
        attachment({ type: "queued_command", prompt: "weiter, größer" }),
        boundary("l1"),
        summary("so far"),
        side(answer("s1", ["found"])),
        { type: "ai-title", aiTitle: "Häfen", uuid: "" },
        { type: "telepathy" },
      ),
      damage: fc.constantFrom("none", "none", "none", "cut", "blank", "twice", "feed"),
    }),
    { maxLength: 14 },
  )
  .map((lines) => {
    const written = transcript(...lines.map(({ draft }) => draft));
    const content = written.map((line, index) => {
      switch (lines[index]?.damage) {
        case "cut":
          return `${line.slice(0, -9)}\n`;
        case "blank":
          return `${line}\n\n \r\n`;
        case "twice":
          return `${line}\n${line}\n`;
        case "feed":
          return `${line}\r\n`;
        default:
          return `${line}\n`;
      }
    });
    return Buffer.from(content.join(""));
  });
