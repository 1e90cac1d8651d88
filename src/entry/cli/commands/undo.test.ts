/** If red: an original comes back changed, or the person is not shown how to put it into the conversation again. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import { sha256 } from "../../../core/sha256.ts";
import { createArtifactStore } from "../../../files/artifacts/artifacts.ts";

const temporary = createTemporaryFolder();
const ORIGINAL = `\tfirst\r\n\u001b[31mred\u001b[0m ünïcode 🚢\n${"plank\n".repeat(20_000)}  `;

function open() {
  const directory = path.join(temporary.folder, "project");
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, "session.jsonl");
  const lines = transcript(
    prompt("Mend it. Never use nails."),
    answer("m1", [toolUse("t1", "Bash", { command: "ls" })], { cache_creation_input_tokens: 90_000 }),
    toolResult("t1", "mast\nboom"),
    boundary("l3"),
    summary("Mending."),
    answer("m2", ["Oakum."], { cache_read_input_tokens: 20_000 }),
  );
  writeFileSync(file, toFile(lines));
  const kept = createArtifactStore(directory, () => 0, path.join(temporary.folder, ".claude/data/plimsoll")).keep({
    output: ORIGINAL,
    tool: "Bash",
    sessionId: "session",
  });
  const handle = kept.ok ? kept.value.handle : "";
  const run = (...words: readonly string[]) =>
    runPlimsoll(["undo", ...words], { directory, environment: { HOME: temporary.folder } });
  return { run, handle, directory };
}

describe("plimsoll undo", () => {
  it("gives the original back byte for byte, with the hash it was checked against", async () => {
    const { run, handle } = open();
    const raw = await run(handle, "--raw");
    expect(raw.output).toBe(ORIGINAL);
    expect(raw.remarks).toContain(`verified sha256 of the whole: ${sha256(ORIGINAL)}`);
    const { sha256: hash, text } = JSON.parse((await run(handle, "--json")).output);
    expect(sha256(text)).toBe(hash);
    expect(text).toBe(ORIGINAL);
  });

  it("shows it on a terminal without anything that steers it", async () => {
    const { run, handle } = open();
    expect((await run(handle)).output).not.toContain("\u001b");
  });

  it("gives back the messages that a compaction took out of the window", async () => {
    const { run } = open();
    const { output } = await run("compaction", "1", "--transcript", "session.jsonl", "--raw");
    expect(output).toBe(
      [
        "## user\nMend it. Never use nails.",
        '## assistant\n[call of Bash] {"command":"ls"}',
        "## user\n[result] mast\nboom",
      ].join("\n\n"),
    );
    const newest = await run("compaction", "--transcript", "session.jsonl", "--json");
    expect(JSON.parse(newest.output)).toMatchObject({ name: "compaction 1", sha256: sha256(output) });
  });

  it("lists what there is, and how it becomes a new turn", async () => {
    const { run, handle } = open();
    const { output } = await run("--transcript", "session.jsonl");
    expect(output).toContain(handle);
    expect(output).toContain("compaction 1");
    expect(output).toContain("plimsoll undo WHAT --raw | claude -p --resume session");
  });

  it.each([
    { words: ["plimsoll:000000000000"], says: "nothing is kept under", exitCode: 3 },
    { words: ["../../etc/passwd"], says: "is not a handle", exitCode: 2 },
    { words: ["compaction", "7", "--transcript", "session.jsonl"], says: "records 1 compaction,", exitCode: 3 },
    { words: ["a", "b", "c"], says: "unexpected argument", exitCode: 2 },
  ])("answers $words with a sentence", async ({ words, says, exitCode }) => {
    const { run } = open();
    expect(await run(...words)).toMatchObject({ exitCode, remarks: expect.stringContaining(says) });
  });
});
