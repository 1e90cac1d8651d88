/** If red: a session is harmed by Plimsoll failing, or by another plugin's or the person's own hooks being kept out. */

import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { buildPlugin, type Patch, PLUGIN, PLUGIN_CLASSIC, type Play, play, resultIn, sent } from "./play.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const opening = await play(...given);
  opened.push(opening);
  return opening;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const CLI = join(import.meta.dirname, "../../dist/plimsoll.cjs");

/** What `plimsoll doctor` says in the HOME of a session; it exits with 1 where something is wrong. */
function doctor({ workspace }: Play): string {
  try {
    const env = { PATH: process.env.PATH ?? "", HOME: workspace.home };
    return execFileSync(process.execPath, [CLI, "doctor", "--json"], { env, cwd: workspace.cwd, encoding: "utf8" });
  } catch (error) {
    return typeof error === "object" && error !== null && "stdout" in error ? String(error.stdout) : String(error);
  }
}

/** A function of the source that only throws. */
function sabotage(file: string, name: string, what: string): Patch {
  return { file, name, code: `throw new Error("sabotaged ${what}");` };
}

const LONG = call("Bash", { command: "seq 1 4000" });

describe("a session is unharmed", () => {
  it("by a module that fails at every event, and the doctor says so", async () => {
    const session = await open({ main: [answer(LONG), answer("Counted.")] });
    const broken = join(session.workspace.root, "broken");
    await buildPlugin(broken, [
      sabotage("src/entry/engine/append.ts", "followRow", "row"),
      sabotage("src/entry/engine/guard.ts", "guardCall", "call"),
      sabotage("src/entry/engine/compaction/compact.ts", "handleCompaction", "compaction"),
    ]);
    const run = await session.run({ prompts: ["Count."], plugins: [broken] });

    expect(run.exitCode).toBe(0);
    expect(run.events.findLast(({ type }) => type === "result")).toMatchObject({ result: "Counted." });
    expect(resultIn(session.api.requests[1], "toolu_main_0_0")).toContain("\n4000");
    expect(doctor(session)).toContain("sabotaged row");
  });

  it("by a data folder that cannot be written, and the doctor says so", async () => {
    const session = await open({ main: [answer(LONG), answer("Counted.")] });
    // A file in the folder's place: the tests run as root, whom no mode keeps out.
    await session.workspace.writeHome(".claude/data", "not a folder");
    const run = await session.run({ prompts: ["Count."] });

    expect(run.exitCode).toBe(0);
    expect(run.events.findLast(({ type }) => type === "result")).toMatchObject({ result: "Counted." });
    expect(doctor(session)).toMatch(/not.*(?:writ|folder)/i);
  });

  it("by a project in which nothing can be kept: then nothing is folded", async () => {
    const session = await open({ main: [answer(LONG), answer("Counted.")] });
    await session.workspace.writeFile(".plimsoll", "not a folder");
    const run = await session.run({ prompts: ["Count."] });

    expect(run.exitCode).toBe(0);
    expect(resultIn(session.api.requests[1], "toolu_main_0_0")).toContain("\n4000");
  });

  it("by a disk that is full", async ({ skip }) => {
    const session = await open({ main: [answer(LONG), answer("Counted.")] });
    const full = join(session.workspace.cwd, ".plimsoll");
    await mkdir(full);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", full], { stdio: "ignore" });
    } catch {
      skip("this machine lets nobody mount a small file system");
    }
    try {
      await writeFile(join(full, "filler"), "x".repeat(4096)).catch(() => {});
      const run = await session.run({ prompts: ["Count."] });
      expect(run.exitCode).toBe(0);
      expect(resultIn(session.api.requests[1], "toolu_main_0_0")).toContain("\n4000");
    } finally {
      execFileSync("umount", [full]);
    }
  });

  it("in its own hooks, and in another plugin's: they still run on every event", async () => {
    const session = await open({ main: [answer(LONG), answer("Counted.")] });
    const { workspace } = session;
    const EVENTS = [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "Stop",
      "SessionEnd",
      "PreCompact",
      "PostCompact",
    ];
    const hooksTo = (log: string): object =>
      Object.fromEntries(
        EVENTS.map((event) => [
          event,
          [{ hooks: [{ type: "command", command: `echo ${event} >> ${join(workspace.root, log)}` }] }],
        ]),
      );
    await workspace.writeHome(".claude/settings.json", JSON.stringify({ hooks: hooksTo("own.log") }));
    const other = join(workspace.root, "other");
    await mkdir(join(other, ".claude-plugin"), { recursive: true });
    await mkdir(join(other, "hooks"));
    await writeFile(
      join(other, ".claude-plugin/plugin.json"),
      JSON.stringify({ name: "other", version: "1.0.0", description: "Another plugin" }),
    );
    await writeFile(join(other, "hooks/hooks.json"), JSON.stringify({ hooks: hooksTo("other.log") }));
    await session.run({ prompts: ["Count.", "/compact"], plugins: [PLUGIN, other] });

    for (const log of ["own.log", "other.log"]) {
      const seen = await readFile(join(workspace.root, log), "utf8");
      for (const event of [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
        "PostCompact",
      ])
        expect(seen).toContain(event);
    }
    expect(sent(session.api.requests[1])).toContain("[FOLDED");
  });

  it("by having both plugins installed: the module serves, nothing is done twice, and the doctor says so", async () => {
    const session = await open({ main: [answer(LONG), answer("Counted.")] });
    await session.workspace.writeFile(".plimsoll/active-context.md", "dev\n");
    await session.run({ prompts: ["Count."], plugins: [PLUGIN, PLUGIN_CLASSIC] });
    const said = sent(session.api.requests[1]);

    expect(said.split("=== Active Context: dev mode ===")).toHaveLength(2);
    expect(said.split("[FOLDED: Bash output")).toHaveLength(2);
    expect(await readdir(join(session.workspace.cwd, ".plimsoll/artifacts/records"))).toHaveLength(1);
    expect(doctor(session)).toContain("the hooks module already handles this session");
  });

  it("on a client that is too old for modules: it is told what to install instead", async () => {
    const session = await open({ main: [answer("Counted.")] });
    const old = await session.run({ prompts: ["Count."], version: "2.1.197" });
    expect(JSON.stringify(old.events)).toContain("too old for the plugin plimsoll");
    expect(old.exitCode).toBe(0);
  });
});
