/** If red: plimsoll receipt says that a summary kept what it lost, or miscounts what was fetched back. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../../core/json.ts";

const temporary = createTemporaryFolder();
const LINE = '- The user said: "Never touch the migrations folder."';

/** A session compacted once, with a summary that says `told`, and `injected` before the next answer. */
function recordSession(name: string, summarised: string, injected = ""): string {
  const file = path.join(temporary.folder, `${name}.jsonl`);
  const lines = transcript(
    prompt("Round the invoice total. Never touch the migrations folder."),
    answer("m1", [toolUse("t1", "Write", { file_path: "/p/src/invoice.ts", content: "export {}\n" })]),
    toolResult("t1", "ok"),
    answer("m2", ["Rounded the invoice total."]),
    boundary("l4"),
    summary(summarised),
    ...(injected === "" ? [] : [prompt(injected)]),
    answer("m3", ["Going on."]),
  );
  writeFileSync(file, toFile(lines));
  return file;
}

async function receipt(file: string, ...words: readonly string[]) {
  return runPlimsoll(["receipt", "--transcript", file, ...words], { directory: temporary.folder });
}

describe("plimsoll receipt", () => {
  it("counts what was fetched back: recalls, and what was read or run again within 24 calls of a compaction", async () => {
    const folder = path.join(temporary.folder, "fetched");
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, "fetched.jsonl");
    const runs = (id: string, command: string) => [
      answer(`m-${id}`, [toolUse(id, "Bash", { command })]),
      toolResult(id, "ok"),
    ];
    const many = Array.from({ length: 24 }, (_, index) => runs(`n${index}`, `echo ${index}`)).flat();
    const lines = transcript(
      prompt("Go on."),
      ...runs("a", "npm test"),
      ...runs("b", "git log"),
      ...runs("b2", "git log"),
      boundary("l7"),
      summary("Tests were run."),
      ...runs("c", "npm test"),
      ...runs("c2", "npm test"),
      answer("m-r", [toolUse("r", "mcp__plimsoll__recall", { handle: "plimsoll:0123456789ab" })]),
      toolResult("r", "text"),
      ...many,
      ...runs("d", "git log"),
    );
    writeFileSync(file, toFile(lines));
    const { output, remarks } = await receipt(file, "--json");
    expect(remarks).toBe("");
    expect(JSON.parse(output).fetchedBack).toEqual({ compactions: 1, recalls: 1, repeats: 1 });
    expect((await receipt(file)).output).toContain(
      "Originals fetched back: 1. Files or commands read or run again within 24 calls of 1 compaction: 1.",
    );
    const stats = await runPlimsoll(["stats", "summaries", folder, "--json"], { directory: folder });
    expect(stats.remarks).toBe("");
    expect(JSON.parse(stats.output).fetchedBack).toEqual({ compactions: 1, recalls: 1, repeats: 1 });
  });

  it("[R184] tells what the recorded summary lost, and the text that puts it back", async () => {
    const { output, exitCode } = await receipt(recordSession("lost", "The invoice total was rounded in invoice.ts."));
    expect(exitCode).toBe(0);
    expect(output).toContain('  lost: The user said: "Never touch the migrations folder." (missing, request 0)');
    expect(output).toContain("missing or incomplete in what was sent after the compaction");
    expect(output).toContain(`\n${LINE}`);
    expect(output).not.toContain("- File created");
  });

  it("[R184] sees a repair that was injected after the compaction", async () => {
    const { output } = await receipt(
      recordSession("landed", "The invoice total was rounded in invoice.ts.", `restored\n${LINE}`),
    );
    expect(output).toContain("(landed, request 0)");
  });

  it("[R184] counts as held what the client kept word for word next to the summary, as the hooks' own receipt does", async () => {
    const write = (name: string, metadata: JsonObject): string => {
      const file = path.join(temporary.folder, `${name}.jsonl`);
      const lines = transcript(
        prompt("Round the invoice total. Never touch the migrations folder."),
        answer("m1", ["I will never touch the migrations folder."]),
        answer("m2", [toolUse("t1", "Write", { file_path: "/p/src/invoice.ts", content: "export {}\n" })]),
        toolResult("t1", "ok"),
        boundary("l4", metadata),
        summary("Something was rounded."),
        answer("m3", ["Going on."]),
      );
      writeFileSync(file, toFile(lines));
      return file;
    };
    const count = async (file: string) => JSON.parse((await receipt(file, "--json")).output);
    const bare = await count(write("bare", {}));
    const kept = await count(write("kept", { preservedMessages: { uuids: ["l1", "l2", "l3", "l4"] } }));
    expect(bare.lost.length).toBeGreaterThan(kept.lost.length);
    expect(kept.held).toBe(bare.held + bare.lost.length - kept.lost.length);
  });

  it("judges a summary from a file against the whole session, within the limit", async () => {
    const file = recordSession("given", "whatever");
    writeFileSync(path.join(temporary.folder, "summary.txt"), "Nothing to tell.");
    const { output } = await receipt(file, "--summary", "summary.txt", "--max-characters", "180", "--json");
    const { injected, landing }: { readonly injected: string; readonly landing: string } = JSON.parse(output);
    expect(landing).toBe("unchecked");
    expect(injected).toContain("- ");
    expect(injected.length).toBeLessThanOrEqual(180);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const section = readFileSync(new URL("../../../../../docs/reference/json.md", import.meta.url), "utf8")
      .split("## `plimsoll receipt --json`")[1]
      ?.split("\n## ")[0];
    const [fields, entries] = [...(section ?? "").matchAll(/`\{ ([\w, ]+) \}`/g)].map(([, list = ""]) =>
      list.split(", "),
    );
    const { output } = await receipt(recordSession("json", "Nothing to tell."), "--json");
    const printed: { readonly lost: readonly object[] } = JSON.parse(output);
    expect(Object.keys(printed)).toEqual(fields);
    expect(Object.keys(printed.lost[0] ?? {})).toEqual(entries);
  });

  it.each([
    [["--summary", "none.txt"], 2, "there is no file none.txt"],
    [["--max-characters", "many"], 2, 'takes a whole number of at least 0, not "many"'],
  ])("refuses %j with the way out", async (words, code, reason) => {
    const { exitCode, remarks } = await receipt(recordSession("refused", "told"), ...words);
    expect({ exitCode, remarks: remarks.includes(reason) }).toEqual({ exitCode: code, remarks: true });
  });

  it("says so where no compaction is recorded", async () => {
    const file = path.join(temporary.folder, "none.jsonl");
    writeFileSync(file, toFile(transcript(prompt("hello"), answer("m1", ["Hello."]))));
    const { exitCode, remarks } = await receipt(file);
    expect(exitCode).toBe(3);
    expect(remarks).toContain("records no compaction with a summary: pass a summary with --summary FILE");
  });
});
