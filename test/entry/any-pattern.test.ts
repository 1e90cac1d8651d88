/** If red: a pattern that the model sends ends or hangs the MCP server. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createArtifactStore } from "../../src/files/artifacts/artifacts.ts";
import { nameProjectFolder } from "../../src/hosts/claude-code/disk/projects.ts";
import { createFolder } from "../gateway/open-gateway.ts";
import { startProgram } from "../gateway/program.ts";
import { some } from "../support/depth.ts";
import { answer, prompt, toFile, transcript } from "../support/transcript-lines.ts";

const SESSION = "11111111-2222-3333-4444-555555555555";

/** Short, and yet an engine that goes back and tries again takes longer over each than anybody lives. */
const PATTERNS = [`${".?".repeat(26)}\\d`, ".*.*.*\\d", "(a+)+$", `${"(a|a)".repeat(26)}z`, "(.*a){12}\\d"];

function openProject() {
  const home = createFolder();
  const project = path.join(home, "project");
  const sessions = path.join(home, ".claude/projects", nameProjectFolder(project));
  for (const folder of [project, sessions]) mkdirSync(folder, { recursive: true });
  const long = `${"a".repeat(20_000)}!`;
  writeFileSync(
    path.join(sessions, `${SESSION}.jsonl`),
    toFile(transcript(prompt(long), answer("m1", [`${long} needle`]))),
  );
  const kept = createArtifactStore(project, Date.now, path.join(home, ".claude/data/plimsoll")).keep({
    output: `${long}\n`.repeat(30),
    tool: "Bash",
    sessionId: SESSION,
  });
  return { home, project, handle: kept.ok ? kept.value.handle : "" };
}

describe.each(some(2, PATTERNS))("the pattern %s", (pattern) => {
  it("is answered by recall and search of the server, which serves on", async () => {
    const { home, project, handle } = openProject();
    const environment = { HOME: home, CLAUDE_PROJECT_DIR: project, CLAUDE_CODE_SESSION_ID: SESSION };
    const { child, heard } = startProgram(["mcp"], environment);
    const call = async (id: string, name: string, input: object): Promise<void> => {
      const request = { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
      child.stdin?.write(`${JSON.stringify(request)}\n`);
      await expect.poll(() => heard.output.includes(`"id":"${id}"`)).toBe(true);
    };
    await call("recall", "recall", { handle, pattern });
    await call("search", "search", { query: pattern });
    await call("again", "search", { query: "needle" });
    expect(heard.output).toContain("needle");
  });
});
