import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  prompt,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../../test/support/transcript-lines.ts";
import { renderDeed } from "../../../../policy/deeds/deed.ts";

const temporary = createTemporaryFolder();
const HANDLE = "plimsoll:1a2b3c4d5e6f";

function open() {
  const home = path.join(temporary.folder, ".claude");
  const folder = path.join(home, "data/plimsoll/sessions/one");
  mkdirSync(folder, { recursive: true });
  const lines = transcript(
    prompt("Look."),
    answer("m1", [toolUse("t1", "Bash")], { cache_creation_input_tokens: 30_000 }),
    toolResult("t1", "[FOLDED]"),
    answer("m2", ["Seen."], { cache_read_input_tokens: 30_000 }),
  );
  const file = path.join(temporary.folder, "one.jsonl");
  writeFileSync(file, toFile(lines));
  const frame = { atMs: Date.UTC(2026, 0, 1) + 2500, door: "hook", event: "PostToolUse", client: "" } as const;
  const fold = { callId: "t1", tool: "Bash", characters: 30_000, shownCharacters: 1100, savedTokens: 10_000 };
  writeFileSync(
    path.join(folder, "deeds-hook.jsonl"),
    renderDeed({ ...frame, kind: "folded", handle: HANDLE, ...fold }) +
      renderDeed({ ...frame, kind: "ran", ms: 3 }) +
      "torn\n",
  );
  return (...words: readonly string[]) =>
    runPlimsoll(["explain", "--transcript", file, ...words], { environment: { CLAUDE_CONFIG_DIR: home } });
}

describe("plimsoll explain", () => {
  it("says why something was folded, what it costs and what it has saved", async () => {
    const { output } = await open()();
    expect(output).toContain("folded Bash output: 30000 characters, 1100 of them shown");
    expect(output).toContain(
      "the original was never sent, so the cache is not rewritten. Every later request is 10,000 tokens smaller",
    );
    expect(output).toContain("Since then: 1 request, $0.0625 saved.");
    expect(output).toContain("1 journal line skipped");
  });

  it("tells one fold by its handle or the beginning of it, and all as data", async () => {
    const run = open();
    expect(JSON.parse((await run(HANDLE.slice(0, 15), "--json")).output)).toMatchObject({
      deeds: [{ kind: "folded", handle: HANDLE, savedTokens: 10_000, requests: 1 }],
      skippedLines: 1,
    });
    expect(await run("plimsoll:ffffff")).toMatchObject({ exitCode: 3 });
  });
});
