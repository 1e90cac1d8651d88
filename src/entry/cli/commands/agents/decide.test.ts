/** If red: an agent that asks whether to compact gets the wrong answer or a reason that does not fit. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

const temporary = createTemporaryFolder();

async function decide(words: string, directory: string = temporary.folder): Promise<string> {
  const { output, remarks, exitCode } = await runPlimsoll(["decide", ...words.split(" ")], { directory });
  expect({ remarks, exitCode }).toEqual({ remarks: "", exitCode: 0 });
  return output;
}

describe("plimsoll decide", () => {
  it("[R65, R72] answers with the reason, what survives and what is lost", async () => {
    expect(await decide("research planning")).toMatchInlineSnapshot(`
      "YES: research findings summarise well, and key decisions survive
      survives: task description, file paths mentioned, key decisions, plan reference, current phase
      lost: full file contents read, intermediate reasoning, exact error messages, tool output details
      "
    `);
  });

  it.each([
    ["[R67]", "debug next-feature", "YES"],
    ["[R68]", "implementation implementation", "CONDITIONAL"],
    ["[R68]", "implementation implementation --file-complete", "CONDITIONAL"],
    ["[R68]", "implementation implementation --file-complete --tests-pass", "YES"],
    ["[R69]", "implementation pivot", "YES"],
    ["[R70]", "quality verify", "NO"],
    ["[R71]", "commit next-feature", "YES"],
  ])("%s answers %s with %s", async (_id, words, verdict) => {
    expect(await decide(words)).toMatch(new RegExp(`^${verdict}: `));
  });

  it("[R66] looks for the plan where it is said to be, or in .plimsoll", async () => {
    const project = path.join(temporary.folder, "project");
    mkdirSync(path.join(project, ".plimsoll"), { recursive: true });
    expect(await decide("planning implementation", project)).toMatch(/^CONDITIONAL: no plan file/);
    writeFileSync(path.join(project, "plan.md"), "first this, then that");
    expect(await decide("planning implementation --plan-file plan.md", project)).toMatch(/^YES/);
    expect(await decide("planning implementation --plan-file other.md", project)).toMatch(/^CONDITIONAL/);
    writeFileSync(path.join(project, ".plimsoll", "plan-shop.md"), "first this, then that");
    expect(await decide("planning implementation", project)).toMatch(/^YES/);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const section = readFileSync(new URL("../../../../../docs/reference/json.md", import.meta.url), "utf8")
      .split("## `plimsoll decide FROM TO --json`")[1]
      ?.split("\n## ")[0];
    const documented = /`\{ ([\w, ]+) \}`/.exec(section ?? "")?.[1]?.split(", ");
    const decision: object = JSON.parse(await decide("quality verify --json"));
    expect(Object.keys(decision)).toEqual(documented);
    expect(decision).toMatchObject({ from: "quality", to: "verify", verdict: "NO" });
  });

  it.each([
    [["research"], "plimsoll decide takes two phases"],
    [["research", "planning", "commit"], "plimsoll decide takes two phases"],
    [["research", "planing"], 'there is no phase "planing": did you mean planning?'],
    [["lunch", "planning"], 'there is no phase "lunch": choose from research, planning,'],
  ])("refuses %j with the way out", async (words, reason) => {
    const { exitCode, remarks, output } = await runPlimsoll(["decide", ...words]);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(remarks).toContain(reason);
  });

  it("[R195] [R196] answers for the boundary that the session shows, and says that it is not known where it shows none", async () => {
    const write = (...calls: readonly (readonly [string, string])[]): string => {
      const file = path.join(temporary.folder, `${calls.length}-${calls[0]?.[0].length}.jsonl`);
      const lines = calls.flatMap(([command, output], index) => [
        answer(`m${index}`, [toolUse(`t${index}`, "Bash", { command })]),
        toolResult(`t${index}`, output),
      ]);
      writeFileSync(file, toFile(transcript(prompt("Caulk the hull, please."), ...lines)));
      return file;
    };
    const committed = write(["git commit -m hull", "[main 1a2b3c4] hull\n 1 file changed"]);
    expect(await decide(`--transcript ${committed}`)).toMatch(/^commit → next-feature\nYES: /);
    const looking = write(["ls", "a"], ["make hull", "built"]);
    expect(await decide(`--transcript ${looking}`)).toMatch(
      /^not known: [\s\S]*boundary: end of "Caulk the hull, please/,
    );
  });
});
