/** If red: plimsoll lint misses contradicting rules or unused files, or fails a project that has no fault. */
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
import { nameProjectFolder } from "../../../../hosts/claude-code/disk/projects.ts";
import { FINDING_RULES } from "../../../../recorded/lint/finding.ts";

const temporary = createTemporaryFolder();

function createWorld(files: Readonly<Record<string, string>>, session?: string) {
  const home = temporary.name("");
  const project = path.join(home, "project");
  const records = path.join(home, ".claude", "projects", nameProjectFolder(project));
  for (const folder of [project, records]) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  if (session !== undefined) writeFileSync(path.join(records, "one.jsonl"), session);
  return {
    run: (...words: readonly string[]) =>
      runPlimsoll(["lint", ...words], { environment: { HOME: home }, directory: project }),
  };
}

const dump = (characters: number): string =>
  toFile(
    transcript(
      prompt("Show it."),
      answer("m1", [toolUse("t1", "Bash")], { cache_creation_input_tokens: 20_000 }),
      toolResult("t1", "x".repeat(characters)),
      answer("m2", ["Done."], { cache_read_input_tokens: 20_000, cache_creation_input_tokens: 9000 }),
    ),
  );

describe("plimsoll lint", () => {
  it("[R144] is content with a calm project, and names the rules that it could not decide", async () => {
    const { output, exitCode } = await createWorld({ "CLAUDE.md": "- Run the tests.\n" }).run();
    expect(exitCode).toBe(0);
    expect(output).toContain("0 errors, 0 warnings; looked at 1 instruction file, 0 recorded sessions");
    expect(output).toContain("not checked, because no session is recorded: fixed-size-trimming, single-pass-summary");
  });

  it("[R144] shows every finding with its evidence and its fix", async () => {
    const world = createWorld({
      "CLAUDE.md": `${"- rule\n".repeat(150)}See \`src/gone.ts\`.\n`,
    });
    const { output, exitCode } = await world.run();
    expect(exitCode).toBe(0);
    expect(output).toContain(
      "warning instruction-lines CLAUDE.md:150\n  the file has 151 lines; fewer than 150 are recommended\n  fix: move detail to files in .plimsoll/",
    );
    expect(output).toContain("warning stale-instructions CLAUDE.md:151\n  mentions src/gone.ts\n");
  });

  it("[R144] fails on an error, with the session that shows it", async () => {
    const { output, exitCode, remarks } = await createWorld({}, dump(120_000)).run();
    expect({ exitCode, remarks }).toEqual({ exitCode: 1, remarks: "plimsoll: one error\n" });
    expect(output).toContain("error no-truncation session one\n  1 of 1 tool results are over 4000 characters");
  });

  it("[R111] names conflicts with what a folder and what our own rules say, and none between siblings", async () => {
    const { output } = await createWorld({
      "CLAUDE.md": "- Use default exports.\n- Use tabs.\n",
      ".plimsoll/.gitignore": "*\n",
      ".plimsoll/rules/style.md": "- Never use default exports.\n",
      "api/CLAUDE.md": "- Use npm.\n- Never use tabs.\n",
      "web/CLAUDE.md": "- Use pnpm.\n",
    }).run();
    expect(output).toMatch(/conflicting-rules .*\n.*CLAUDE\.md says "Use default exports\.".*rules\/style\.md says/);
    expect(output).toMatch(/CLAUDE\.md says "Use tabs\.".*api\/CLAUDE\.md says "Never use tabs\."/);
    expect(output).not.toContain("pnpm");
    expect(output).toContain("2 warnings; looked at 4 instruction files");
  });

  it("[R187] names two skills that contradict each other, once, and one that contradicts CLAUDE.md", async () => {
    const { output } = await createWorld({
      "CLAUDE.md": "- Use tabs.\n",
      ".claude/skills/release/SKILL.md": "---\nname: release\n---\n- Always squash commits.\n- Never use tabs.\n",
      ".claude/skills/review/SKILL.md": "---\nname: review\n---\n- Never squash commits.\n",
    }).run();
    expect(
      output.match(/on "squash commits" differ: .*release\/SKILL\.md says .*review\/SKILL\.md says/g),
    ).toHaveLength(1);
    expect(output).toMatch(/on "use tabs" differ: .*CLAUDE\.md says .*release\/SKILL\.md says/);
  });

  it("[R189] names whole files of which almost nothing was used, with tokens and dollars", async () => {
    const read = (change: boolean) =>
      toFile(
        transcript(
          prompt("Which port?"),
          answer("m1", [toolUse("t1", "Read", { file_path: "/p/settings.ts" })], {
            cache_creation_input_tokens: 20_000,
          }),
          toolResult(
            "t1",
            Array.from({ length: 300 }, (_, at) => `export const setting_${at}_name = ${at};`).join("\n"),
          ),
          answer("m2", ["It is setting_17_name."], {
            cache_read_input_tokens: 20_000,
            cache_creation_input_tokens: 5000,
          }),
          ...(change ? [answer("m3", [toolUse("t3", "Edit", { file_path: "/p/settings.ts" })])] : []),
        ),
      );
    const { output } = await createWorld({}, read(false)).run();
    expect(output).toMatch(
      /whole-file-reads session one\n.*the agent read 1 file whole.*tokens and was sent in \d+ requests?, .*\$.*settings\.ts with 300 lines/,
    );
    expect((await createWorld({}, read(true)).run()).output).not.toContain("whole-file-reads");
  });

  it("fails above the number of warnings that is allowed", async () => {
    const world = createWorld({}, dump(5000));
    expect((await world.run()).exitCode).toBe(0);
    expect((await world.run("--max-warnings", "1")).exitCode).toBe(0);
    expect(await world.run("--max-warnings", "0")).toMatchObject({
      exitCode: 1,
      remarks: "plimsoll: 1 warning, more than 0\n",
    });
    expect((await world.run("--max-warnings", "some")).exitCode).toBe(2);
  });

  it("says in JSON what it looked at, and where each rule can be seen", async () => {
    const report = JSON.parse((await createWorld({}, dump(5000)).run("--json")).output);
    expect(report).toMatchObject({ errors: 0, warnings: 1, looked: { sessions: 1 } });
    const decidable = FINDING_RULES.filter(({ seenIn }) => !seenIn.includes("baseline"));
    expect(report.rules).toHaveLength(decidable.length);
    expect(report.rules[2]).toMatchObject({ id: "no-truncation", seenIn: ["sessions"], findings: 1 });
    expect(report.findings[0]).toMatchObject({ evidence: { kind: "session", session: "one" } });
  });
});
