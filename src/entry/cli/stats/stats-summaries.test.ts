/** If red: plimsoll stats summaries reports wrong sizes of what compactions wrote. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, summary, toFile, transcript } from "../../../../test/support/transcript-lines.ts";

const temporary = createTemporaryFolder();
const TEXT = "The hull is planked and caulked, the mast is stepped. ".repeat(60);

function write(name: string, text: string): void {
  mkdirSync(temporary.folder, { recursive: true });
  const lines = transcript(
    prompt("x"),
    answer("m1", ["y"]),
    { ...boundary("l2"), uuid: `b-${name}` },
    { ...summary(text), uuid: `s-${text.length}` },
  );
  writeFileSync(path.join(temporary.folder, `${name}.jsonl`), toFile(lines));
}

const run = (...words: readonly string[]) => runPlimsoll(["stats", "summaries", temporary.folder, ...words]);

describe("plimsoll stats summaries", () => {
  it("[R154] tells the sizes of the summaries that compactions wrote, each once, by model", async () => {
    write("one", TEXT);
    // A resumed session tells the same summary again.
    write("two", TEXT);
    write("three", TEXT + TEXT);
    const { all, byModel, files } = JSON.parse((await run("--json")).output);
    expect(files).toBe(3);
    expect(byModel).toEqual([{ model: "claude-opus-4-6", ...all }]);
    expect(all).toMatchObject({ count: 2 });
    expect(all.most / all.least).toBeCloseTo(2, 1);
    expect(all.least).toBeGreaterThan(500);
    const { output } = await run();
    expect(output).toMatch(/^summaries +count +p50 +p90 +p99 +p99\.99 +most$/m);
    expect(output).toContain("With fewer than 10,000 summaries, p99.99 is just the largest one");
  });

  it("[R154] counts what Plimsoll put in the place of the history apart, with p50, p90 and p99", async () => {
    const home = path.join(temporary.folder, "home");
    const session = "11111111-2222-3333-4444-555555555555";
    const projects = path.join(home, ".claude/projects/p");
    const data = path.join(home, ".claude/data/plimsoll/sessions", session);
    for (const folder of [projects, data]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(projects, `${session}.jsonl`), toFile(transcript(prompt("x"), answer("m1", ["y"]))));
    const action = { atMs: 1, door: "module", event: "session.compact", client: "", kind: "compacted", by: "plimsoll" };
    // The client's own, and one of an earlier version: neither says what stood in the history's place.
    const others = [{ ...action, by: "client" }, action];
    const ours = Array.from({ length: 101 }, (_, index) => ({ ...action, recordTokens: index * 100 }));
    writeFileSync(
      path.join(data, "deeds-module.jsonl"),
      [...others, ...ours].map((each) => `${JSON.stringify(each)}\n`).join(""),
    );
    const seen = (...words: readonly string[]) =>
      runPlimsoll(["stats", "summaries", ...words], { environment: { HOME: home } });
    const report = JSON.parse((await seen("--json")).output);
    expect(report.all.count).toBe(0);
    expect(report.ours).toMatchObject({ count: 101, p50: 5000, p90: 9000, p99: 9900, most: 10_000 });
    expect((await seen()).output).toMatch(/^Plimsoll's own +101 +5\.0k +9\.0k +9\.9k/m);
    expect((await seen()).output).not.toContain("fetched back");
    const counted = { projects: { "/rig": { compactions: 12, recalls: 30 } } };
    writeFileSync(path.join(home, ".claude/data/plimsoll/recalls.json"), JSON.stringify(counted));
    expect((await seen()).output).toContain("Originals fetched back: 30 after 12 compactions (2.5 each); the price");
  });

  it("says so where none is recorded", async () => {
    const folder = path.join(temporary.folder, "empty");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "s.jsonl"), toFile(transcript(prompt("x"), answer("m1", ["y"]))));
    const { output, exitCode } = await runPlimsoll(["stats", "summaries", folder]);
    expect({ output, exitCode }).toEqual({ output: "No compaction summary is recorded in 1 file.\n", exitCode: 0 });
  });
});
