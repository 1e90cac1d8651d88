/** If red: a cloned project makes Plimsoll start a program that it names. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { handleCompaction } from "../../src/entry/engine/compaction/compact.ts";
import { openLive } from "../../src/entry/engine/open-live.ts";
import { nameProjectFolder } from "../../src/hosts/claude-code/disk/projects.ts";
import { post, renderBody, toolLoop } from "../gateway/conversation.ts";
import { startGatewayProgram, startProgram } from "../gateway/program.ts";
import { openRawApi, sendCached } from "../gateway/raw-api.ts";
import { createFakeClient } from "../support/fake-client.ts";
import { createHookProgram } from "../support/hook-program.ts";
import { asks, edits, says, toEvents } from "../support/session-story.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { answer, createWriter, prompt, toFile, toolResult, toolUse } from "../support/transcript-lines.ts";
import { plantTraps, TRAPS, type TrappedProject } from "./nothing-started.ts";

const temporary = createTemporaryFolder();
const hooks = createHookProgram();
const SESSION = "11111111-2222-3333-4444-555555555555";

/** A session in the project, with an edit of the file that has changed. */
function record({ project, env }: TrappedProject): string {
  const folder = path.join(String(env.HOME), ".claude/projects", nameProjectFolder(project));
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${SESSION}.jsonl`);
  const edit = { file_path: path.join(project, "a.txt"), old_string: "one", new_string: "one\ntwo" };
  const lines = createWriter({ cwd: project })(
    prompt("Add a line. Never touch the anchor chain."),
    answer("m1", [toolUse("t1", "Edit", edit)]),
    toolResult("t1", "The file has been updated."),
    answer("m2", ["Done."]),
  );
  writeFileSync(file, toFile(lines));
  return file;
}

/** What follows becomes a process in that folder. */
const within = (folder: string): readonly string[] => ["/bin/sh", "-c", 'cd "$0" && exec "$@"', folder];

/** Each does what could ask git, and shows that it came to that. */
const ENTRY_POINTS: Readonly<Record<string, (trap: TrappedProject) => Promise<unknown>>> = {
  async module({ project, env }) {
    const fake = createFakeClient({ root: project });
    fake.env.set("HOME", String(env.HOME));
    fake.files.set(`${env.HOME}/.claude/plimsoll.json`, '{"compaction": "native"}');
    const live = await openLive(fake.client, fake.machine);
    live.watch.events(toEvents(asks("Paint the hull."), edits(path.join(project, "a.txt")), says("Done.")));
    live.store.keep({ output: "a line of a long file\n".repeat(2500), tool: "Bash", command: "cat long.txt" });
    let given: unknown;
    await handleCompaction(fake.client, live, { trigger: "auto", messages: [] }, async (e) => {
      given = e.instructions;
      return { skip: "no" };
    });
    expect(given).toContain("GIT DIFF STAT:\n  a.txt | ");
  },
  async hook(trap) {
    const { project, env } = trap;
    const common = { session_id: SESSION, transcript_path: record(trap), cwd: project };
    const given = { ...env, CLAUDE_PROJECT_DIR: project };
    const fire = (event: string, more: object) =>
      hooks.run(event, { ...common, hook_event_name: event, ...more }, given);
    await fire("SessionStart", { source: "startup" });
    const { output } = await fire("PreCompact", { trigger: "auto" });
    expect(output).toContain("GIT DIFF STAT:\n  a.txt | ");
  },
  async cli(trap) {
    const file = record(trap);
    for (const words of [["preserve"], ["preview-compact"], ["state"], ["doctor"]]) {
      const at = words[0] === "preserve" || words[0] === "preview-compact" ? ["--transcript", file] : [];
      const run = startProgram([...words, ...at], trap.env, undefined, within(trap.project));
      await run.ended;
      if (words[0] === "preserve") expect(run.heard.output).toContain("GIT DIFF STAT:\n  a.txt | ");
    }
  },
  async dashboard(trap) {
    record(trap);
    const words = ["dashboard", "--json", "--open"];
    const { heard } = startProgram(words, { ...trap.env, CI: "1" }, undefined, within(trap.project));
    await expect.poll(() => heard.output).toContain("}");
    const { url } = JSON.parse(heard.output);
    expect((await fetch(url)).status).toBe(200);
  },
  async gateway(trap) {
    const api = await openRawApi(sendCached);
    const words = [
      "--upstream",
      api.url,
      "--compaction",
      "answer",
      "--store",
      path.join(String(trap.env.HOME), "store"),
    ];
    const { url } = await startGatewayProgram(words, trap.env, within(trap.project));
    const history = toolLoop(4, 250);
    for (const rounds of [1, 3]) {
      const body = renderBody(history.slice(0, rounds * 2 + 1), { metadata: { user_id: "user_session_a" } });
      expect((await post(url, body)).status).toBe(200);
    }
    expect(String(api.requests.at(-1)?.body)).toContain("[FOLDED: ");
  },
};

const names = Object.keys(TRAPS);

describe("a program that a project names", () => {
  it.each(names)("would be started: %s", (name) => {
    const trap = plantTraps(temporary.folder, name);
    expect(trap.hasStarted()).toBe(false);
    trap.spring();
    expect(trap.hasStarted()).toBe(true);
  });

  // All at once. Which one it is, where one is started, is seen where each is planted alone.
  it.each(Object.entries(ENTRY_POINTS))("is not started in the place of the %s", async (_entry, enter) => {
    const trap = plantTraps(temporary.folder, ...names);
    expect(trap.hasStarted()).toBe(false);
    await enter(trap);
    expect(trap.hasStarted()).toBe(false);
  });
});
