/** If red: conflicts of skills, loaded rules or costly reads are not named as the seeds ask. */

import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { ENTRY_POINTS, openEntryPoint } from "../client/entry-points.ts";
import { type Play, resultIn, sent } from "../client/play.ts";
import { runProgram } from "./program.ts";

/** One session of each client shows what the seeds ask for next to their lists. */

const PROGRAM = join(import.meta.dirname, "../../dist/plimsoll.cjs");
const SETTINGS = Array.from({ length: 300 }, (_, at) => `export const setting_${at}_name = ${at};`).join("\n");
const ESSAY = "We came to like oakum, for reasons that go back a long time. ".repeat(30);

const INSTRUCTIONS = {
  "CLAUDE.md": "- Use tabs in the yard.\n",
  "api/CLAUDE.md": "- Never use tabs in the yard.\n",
  "web/CLAUDE.md": "- Use pnpm on the quay.\n",
  ".claude/rules/api.md": "---\npaths: api/**/*.ts\n---\n- Name the route of the refund.\n",
  ".claude/rules/web.md": "---\npaths: web/**\n---\n- Name the page of the shop.\n",
};

function work(cwd: string, skill: string): readonly Reply[] {
  return [
    answer(call("Read", { file_path: join(cwd, "settings.ts") })),
    answer("It is setting_17_name.", call("Read", { file_path: join(cwd, "api/pay/refund.ts") })),
    answer(call("Skill", { skill })),
    answer(call("Bash", { command: 'plimsoll retrieve "reject expired tokens"' }, "toolu_retrieve")),
    answer(call("Write", { file_path: join(cwd, ".plimsoll/rules/hull.md"), content: ESSAY })),
    answer(call("Write", { file_path: join(cwd, ".plimsoll/rules/mast.md"), content: "- Use pine.\n" })),
    answer("Done."),
  ];
}

describe.each(ENTRY_POINTS)("what the seeds ask for next to their lists, through the $name", (entryPoint) => {
  let session: Play;
  /** What the model was sent, request by request. */
  const seen = () => session.api.requests.filter(({ lane }) => lane === "main").map(sent);

  // It ends with 1 where it has found something, and says it all the same.
  const lint = () => runProgram(session, "lint").catch(({ stdout }: { readonly stdout: string }) => stdout);

  beforeAll(async () => {
    const replies: Reply[] = [];
    session = await openEntryPoint(entryPoint, { main: (_, step) => replies[step] ?? answer("Nothing is left.") });
    const { cwd, root, writeFile: put } = session.workspace;
    replies.push(...work(cwd, `${entryPoint.name === "module" ? "plimsoll" : "plimsoll-classic"}:context-window`));
    await put("settings.ts", SETTINGS);
    await put("api/pay/refund.ts", "export const isExpired = (token: Token) => reject(token);\n");
    for (const [name, text] of Object.entries(INSTRUCTIONS)) await put(name, text);
    await put(
      ".claude/skills/release/SKILL.md",
      "---\nname: release\ndescription: Releases.\n---\n- Always squash commits.\n",
    );
    await put(
      ".claude/skills/review/SKILL.md",
      "---\nname: review\ndescription: Reviews.\n---\n- Never squash commits.\n",
    );
    await mkdir(join(root, "bin"));
    await writeFile(join(root, "bin/plimsoll"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
    await chmod(join(root, "bin/plimsoll"), 0o755);
    const path = [join(root, "bin"), process.env.PATH].join(":");
    await session.run({ prompts: ["Which port is it?"], env: { PATH: path } });
  });
  afterAll(() => session.close());

  it("[R186] lists the skill, hands its lines to a model that asks for it, and a line works in the model's shell", () => {
    expect(seen()[0]).toContain("context-window: Context window help. Use before delegating");
    expect(seen()[0]).not.toContain("You hand a task to a subagent");
    expect(seen()[3]).toContain("You hand a task to a subagent");
    expect(resultIn(session.api.requests.at(-1), "toolu_retrieve")).toContain("api/pay/refund.ts");
  });

  it("[R187] names two skills of the project that contradict each other, once, and picks neither", async () => {
    const found = await lint();
    expect(found.match(/on "squash commits" differ: .*release\/SKILL\.md says .*review\/SKILL\.md says/g)).toHaveLength(
      1,
    );
    expect(found).toMatch(/on "use tabs in yard" differ: .*CLAUDE\.md says .*api\/CLAUDE\.md says/);
  });

  it("[R188] lists for a path the very files that this client gave the model as it read that path, in their order", async () => {
    const { cwd } = session.workspace;
    const audit = JSON.parse(await runProgram(session, "audit", "--path", "api/pay/refund.ts", "--json"));
    const listed = audit.files.map((file: { readonly path: string }) => relative(cwd, file.path));
    const last = seen().at(-1) ?? "";
    const given = Object.entries(INSTRUCTIONS)
      .map(([name, text]) => ({ name, at: last.indexOf(text.trim().split("\n").at(-1) ?? "") }))
      .filter(({ at }) => at >= 0)
      .sort((left, right) => left.at - right.at)
      .map(({ name }) => name);
    expect(listed).toEqual(given);
    expect(given).toEqual(["CLAUDE.md", "api/CLAUDE.md", ".claude/rules/api.md"]);
  });

  it("[R189] names the file that was read whole for one line of it, with its price, and not the one that was short", async () => {
    expect(await lint()).toMatch(
      /whole-file-reads[^\n]*\n {2}the agent read 1 file whole, .*took \d+ tokens and was sent in \d+ requests, which cost \$0\.\d+. The largest file is \S+settings\.ts with 300 lines/,
    );
  });

  it("[R191] says a word on the essay that the model wrote into rules, once, and none on a rule", () => {
    const last = sent(session.api.requests.at(-1));
    expect(last.split("write each rule as one list item")).toHaveLength(2);
    expect(last).toContain("The change to .plimsoll/rules/hull.md breaks");
    expect(last).not.toContain("The change to .plimsoll/rules/mast.md breaks");
  });
});
