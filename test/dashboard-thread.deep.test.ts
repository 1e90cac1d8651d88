/** If red: one heavy session file keeps the page from showing all others. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nameKey } from "../src/entry/dashboard/catalogue.ts";
import { startEngineThread } from "../src/entry/dashboard/engine-thread.ts";
import type { ShownProgress } from "../src/entry/dashboard/wire.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { answer, createWriter, prompt, toFile, toolUse } from "./support/transcript-lines.ts";

const WORKER = path.resolve(import.meta.dirname, "../dist/dashboard-worker.cjs");
const { folder } = createTemporaryFolder();

/** Just small enough to be looked at closely, and once it is decoded more than the thread's heap can hold. */
function writeHeavy(file: string): number {
  const write = createWriter();
  const nested = Array.from({ length: 10_000 }, () => []);
  const lines: string[] = [];
  for (let bytes = 0; bytes < 39e6; ) {
    const [line = ""] = write(answer(`m${lines.length}`, [toolUse(`t${lines.length}`, "Bash", { nested })]));
    lines.push(line);
    bytes += line.length + 1;
  }
  writeFileSync(file, toFile(lines));
  return lines.length;
}

describe("the thread that reads", () => {
  const projects = path.join(folder, ".claude", "projects", "-work");
  mkdirSync(projects, { recursive: true });
  const small = path.join(projects, "small.jsonl");
  const requests = writeHeavy(path.join(projects, "heavy.jsonl"));
  writeFileSync(small, toFile(createWriter()(prompt("mend the pump"), answer("s1", ["done"]))));
  let progress: ShownProgress | undefined;
  const thread = startEngineThread({
    worker: WORKER,
    engine: { environment: { HOME: folder }, directory: folder, roots: [path.dirname(projects)], replay: undefined },
    onAdvance: (report) => {
      progress = report.progress;
    },
  });
  afterAll(() => thread.close());

  it("is there once the program has been built", () => {
    expect(existsSync(WORKER), "run npm run build, as npm test does").toBe(true);
  });

  it("survives a file that is too heavy for it, tells its accounts and goes on with the others", async () => {
    thread.watch(true);
    await expect.poll(() => progress?.phase).toBe("ready");
    expect(progress).toMatchObject({ files: 2, accountsOnly: 1, unreadable: 0 });
    const { rows } = JSON.parse((await thread.ask({ view: "sessions" })) ?? "");
    expect(rows).toContainEqual(expect.objectContaining({ title: "mend the pump" }));
    expect(rows).toContainEqual(expect.objectContaining({ requests }));
  });

  it("answers nothing for a session that does not exist", async () => {
    expect(await thread.ask({ view: "session", key: "0".repeat(16) })).toBeUndefined();
    expect(await thread.ask({ view: "session", key: nameKey(small) })).toContain("mend the pump");
  });
});
