/** If red: the files that a session leaves in its project say what is not so. */

import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call, summary } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { PLUGIN_CLASSIC, type Play, play, sent } from "./play.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const run = (command: string, id?: string): Answer => answer(call("Bash", { command }, id));
const write = (file_path: string, content: string): Answer => answer(call("Write", { file_path, content }));
/** An answer that was given over so many tokens. */
function at(tokens: number, reply: Answer): Answer {
  return { ...reply, usage: { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } };
}

const TESTS = "test ! -e broken && exit 0\necho 'FAIL  hull.test.js > keeps the water out'\nexit 1\n";

async function prepare({ workspace }: Play): Promise<void> {
  await workspace.writeFile("package.json", JSON.stringify({ scripts: { test: "sh try.sh" } }));
  await workspace.writeFile("try.sh", TESTS);
  await workspace.writeFile("Makefile", "all:\n\ttest ! -e broken\n");
  await workspace.writeFile(
    "sail.py",
    "import os\nassert not os.path.exists('broken'), 'the sail is torn'\nprint('ok')\n",
  );
  await workspace.writeFile("broken", "");
}

const state = ({ workspace }: Play, name: string): Promise<string> =>
  readFile(join(workspace.cwd, ".plimsoll", name), "utf8");

describe.each(ENTRY_POINTS)("the state that a session leaves by the $name", ({ version, plugins }) => {
  const fails = [
    run("npm test | tail -5"),
    run("make all || true"),
    run("python3 sail.py; true"),
    write("notes.txt", "The hull leaks."),
  ];

  it("[R172] [R119] has failures that end with status 0 as blocked", async () => {
    const session = await open({ main: [...fails, answer("I will mend it tomorrow.")] });
    await prepare(session);
    await session.run({ version, plugins, prompts: ["Mend the hull and try it."] });
    const progress = await state(session, "progress.md");
    expect(progress).toMatch(/\*\*Blocked:\*\*\n[\s\S]*`npm test`: .*FAIL {1,2}hull\.test\.js/);
  });

  it("[R172] [R44] [R46] [R119] has none of them after a green run of the same, and what the model says is left", async () => {
    const green = [run("rm broken"), run("npm test"), run("make all"), run("python3 sail.py")];
    const session = await open({ main: [...fails, ...green, answer("All is mended. Remaining: caulk the bow.")] });
    await prepare(session);
    await session.run({ version, plugins, prompts: ["Mend the hull and try it."] });
    expect(await state(session, "progress.md")).toMatch(/\*\*Blocked:\*\* none recorded[\s\S]*caulk the bow/);
    expect(await state(session, "checkpoint.md")).toMatch(/\*\*Resume:\*\* .*caulk the bow/);
  });

  it("[R46] says at RED and before a compaction what the model is at, never that a result had not come back", async () => {
    const says = answer("Now let me caulk the seams of the bow.", call("Bash", { command: "echo caulked" }));
    const session = await open(
      { main: [write("hull.txt", "oak"), at(155_000, says), at(155_000, run("true")), at(155_000, answer("Done."))] },
      { early: "off" },
    );
    const env = { DISABLE_AUTO_COMPACT: "1" };
    const { sessionId } = await session.run({ version, plugins, env, prompts: ["Make the hull tight before spring."] });
    const checkpoint = await state(session, "checkpoint.md");
    expect(checkpoint).toMatch(
      /\*\*Resume:\*\* finish .*; the model last said: "Now let me caulk the seams of the bow\."/,
    );
    expect(checkpoint).toContain("Checkpoint: Make the hull tight before spring.");
    await session.run({ version, plugins, env, prompts: ["/compact"], resume: sessionId });
    expect((await session.actions()).filter(({ kind }) => kind === "failed")).toEqual([]);
    for (const name of await readdir(join(session.workspace.cwd, ".plimsoll")))
      if (name.endsWith(".md")) expect(await state(session, name)).not.toContain("had not come back");
  });

  it("[R118] [R119] [R36] is in the files that are on, with branch and commit, and the report counts what is on disk", async () => {
    const decided = answer("I decided to use tar because oil is thin.");
    const session = await open(
      {
        main: [
          write("hull.txt", "oak"),
          run("rm broken && npm test"),
          run("npm test"),
          run("npm test"),
          decided,
          answer("It is full."),
        ],
      },
      { stateFiles: true },
    );
    await prepare(session);
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
        cwd: session.workspace.cwd,
        encoding: "utf8",
      }).trim();
    git("init", "-q", "-b", "work/hull");
    git("commit", "-q", "--allow-empty", "-m", "first");
    const prompts = ["Tar the hull of the old boat. Never paint the keel.", "/compact"];
    const { sessionId } = await session.run({ version, plugins, prompts });
    const commit = git("rev-parse", "--short=7", "HEAD");
    expect(await state(session, "checkpoint.md")).toContain(`**Git:** work/hull at ${commit}`);
    expect(await state(session, "decisions.md")).toMatch(
      /## \[\d{4}-\d\d-\d\d \d\d:\d\d\] Decision: I decided to use tar[\s\S]*\*\*Context:\*\* asked: "Tar the hull[\s\S]*\*\*Decision:\*\*[\s\S]*\*\*Rationale:\*\* because oil is thin[\s\S]*\*\*Impact:\*\*/,
    );
    expect(await state(session, "conventions.md")).toContain("**Pattern:** Never paint the keel.");
    expect(await state(session, "session-log.md")).toMatch(/— "Tar the hull of the old boat\.[^\n]*": changed /);
    await session.run({ version, plugins, prompts: ["How full is the context window?"], resume: sessionId });
    expect(sent(session.api.requests.at(-1))).toContain("- Decisions: 2 saved to .plimsoll/");
  });

  it("[R118] writes no file that the person has switched off", async () => {
    const session = await open({ main: [write("hull.txt", "oak"), answer("Done.")] }, { stateFiles: ["session-log"] });
    await session.run({ version, plugins, prompts: ["Write down what the hull is made of."] });
    const names = await readdir(join(session.workspace.cwd, ".plimsoll"));
    expect(names.filter((name) => /\.(?:md|jsonl)$/.test(name))).toEqual(["session-log.md"]);
  });
});

it("[R61] tells after the client's own summary where folded outputs lie, by the command hooks", async () => {
  const session = await open({
    main: [run("cat build.log"), answer("Read."), answer("On we go.")],
    compaction: [summary("The log was read.")],
  });
  const lines = Array.from(
    { length: 4000 },
    (_, index) => `step ${index}: planked and caulked the hull at ${index * 7}`,
  );
  await session.workspace.writeFile("build.log", lines.join("\n"));
  const entryPoint = { version: "2.1.197", plugins: [PLUGIN_CLASSIC] } as const;
  const { sessionId } = await session.run({ ...entryPoint, prompts: ["Read the build log."] });
  await session.run({ ...entryPoint, prompts: ["/compact"], resume: sessionId });
  await session.run({ ...entryPoint, prompts: ["Go on."], resume: sessionId });
  const after = sent(session.api.requests.at(-1));
  const [file = ""] = (await readdir(join(session.workspace.cwd, ".plimsoll/artifacts"))).filter(
    (name) => !name.startsWith("."),
  );
  expect(after).toMatch(
    /Folded output of `cat build\.log`, stored in full in \.plimsoll\/artifacts\/\S+ \(plimsoll:[0-9a-f]+\)/,
  );
  expect(after).toContain(file);
});
