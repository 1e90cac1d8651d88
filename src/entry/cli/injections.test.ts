/** If red: a person cannot see what the injected text cost, or misses the receipts of a live session. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, summary, toFile, transcript } from "../../../test/support/transcript-lines.ts";
import { type ActionDetail, type OwnAction, renderAction } from "../../policy/actions/own-action.ts";

const temporary = createTemporaryFolder();
const home = path.join(temporary.folder, ".claude");
const started = Date.UTC(2026, 0, 1);

function action(seconds: number, detail: ActionDetail): OwnAction {
  return { atMs: started + seconds * 1000, door: "hook", event: "SessionStart", client: "2.1.197", ...detail };
}

/** A session with its journal; the lines are a second apart, from 1. */
function record(id: string, actions: readonly OwnAction[], withBoundary = true): string {
  const file = path.join(home, "projects", "p", `${id}.jsonl`);
  const folder = path.join(home, "data", "plimsoll", "sessions", id);
  mkdirSync(path.dirname(file), { recursive: true });
  mkdirSync(folder, { recursive: true });
  const lines = transcript(
    prompt("Round it."),
    answer("m1", ["One."]),
    answer("m2", ["Two."]),
    ...(withBoundary ? [boundary("l3"), summary("Rounded it.")] : []),
    answer("m3", ["Three."]),
  );
  writeFileSync(file, toFile(lines));
  writeFileSync(path.join(folder, "deeds-hook.jsonl"), `${actions.map(renderAction).join("")}torn {\n`);
  return file;
}

const mode = (tokens: number): ActionDetail => ({
  kind: "injected",
  what: "mode",
  why: "startup",
  characters: tokens * 3,
  tokens,
  model: "claude-opus-4-6",
});

const receipt = (landing: "unknown" | "landed"): ActionDetail => ({
  kind: "receipt",
  compaction: 1,
  held: 3,
  paraphrased: 1,
  lost: [{ line: "- The user said: no", isInjected: true }],
  landing,
});

async function run(...words: readonly string[]) {
  return runPlimsoll(words, { environment: { CLAUDE_CONFIG_DIR: home }, directory: temporary.folder });
}

describe("plimsoll stats --injections", () => {
  it("[R145] prices every injection by the requests that carried it", async () => {
    record("a", [action(0, mode(1_000_000)), action(4.5, mode(1_000_000))]);
    const { output, exitCode } = await run("stats", "--injections", "--json");
    expect(exitCode).toBe(0);
    const report = JSON.parse(output);
    // Carried by m1 and m2 until the boundary, then by m3: twice written, once read.
    expect(report.rows).toMatchObject([
      { what: "mode", times: 2, requests: 3, usd: 6.25 + 0.5 + 6.25, isPriced: true },
    ]);
    expect(report).toMatchObject({ sessions: 1, skippedLines: 1, total: { what: "total", tokens: 2_000_000 } });
    const { output: table } = await run("stats", "--injections");
    expect(table).toMatch(/mode\s+2\s+2\.00M\s+3\s+\$13\.00/);
  });

  it("says so where no injection is recorded", async () => {
    const file = path.join(home, "projects", "p", "none.jsonl");
    writeFileSync(file, toFile(transcript(prompt("x"), answer("m9", ["y"]))));
    const { exitCode, output } = await run("stats", "--injections", file);
    expect({ exitCode, output }).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining("No injection is recorded"),
    });
  });
});

describe("plimsoll receipt of a live session", () => {
  it("shows the receipts that hooks wrote down, each as it last was", async () => {
    const file = record("b", [action(4, receipt("unknown")), action(6, receipt("landed"))]);
    const { output } = await run("receipt", "--transcript", file);
    expect(output).toContain(
      "Compaction 1 lost 1 of 5 facts (source: hook); the text that restores them was sent in a request",
    );
    expect(output).toContain("  lost: The user said: no (put back)");
    const { live } = JSON.parse((await run("receipt", "--transcript", file, "--json")).output);
    expect(live).toMatchObject([{ compaction: 1, landing: "landed", door: "hook" }]);
  });

  it("shows them although the transcript records no compaction yet", async () => {
    const file = record("c", [action(4, receipt("unknown"))], false);
    const { output, exitCode } = await run("receipt", "--transcript", file);
    expect(exitCode).toBe(0);
    expect(output).toContain("has not been sent in a request yet");
  });
});
