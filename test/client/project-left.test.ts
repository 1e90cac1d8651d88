/** If red: the next session of a project does not find what the last one left, or finds what was not true. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call, summary } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { type Play, play, sent } from "./play.ts";

const opened: Play[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

/** A task that is taken up and finished, then so many calls that do not speak of it. */
function finishTask(callsSince: number): readonly Reply[] {
  return [
    answer(call("TaskCreate", { subject: "Paint the hull", description: "Twice.", activeForm: "Painting" }, "toolu_c")),
    answer(call("TaskUpdate", { taskId: "1", status: "in_progress" }, "toolu_p")),
    answer("The first coat is dry.", call("Bash", { command: "echo coat > hull.txt" }, "toolu_b")),
    answer(call("TaskUpdate", { taskId: "1", status: "completed" }, "toolu_d")),
    ...Array.from({ length: callsSince }, (_, index) =>
      answer(call("Bash", { command: `echo mile ${index}` }, `toolu_m${index}`)),
    ),
    answer("All done."),
  ];
}

describe.each(ENTRY_POINTS)("what a session leaves through $name", ({ version, plugins }) => {
  it("[R118] is saved at its end: work that is done is not in progress for the next", async () => {
    const session = await play({ main: finishTask(0) });
    opened.push(session);
    await session.run({ version, plugins, prompts: ["Paint the hull."] });
    const read = (name: string) => readFile(join(session.workspace.cwd, ".plimsoll", name), "utf8");
    expect(await read("progress.md")).toMatch(/Completed[^\n]*\n?[^\n]*Paint the hull/);
    expect(await read("checkpoint.md")).not.toMatch(/had not come back|cut off/);
  });

  it("[R118] is nothing where it only answered a question", async () => {
    const session = await play({ main: [answer("Blue.")] });
    opened.push(session);
    await session.run({ version, plugins, prompts: ["Which colour has the sea?"] });
    expect(await readdir(session.workspace.cwd)).not.toContain(".plimsoll");
  });

  it("[R157] [R164] [R166] [R177] is also what was written down of a task that went cold, and a compaction carries it", async () => {
    const session = await play({
      pace: BRISK,
      main: [...finishTask(22), answer("On we go.")],
      compaction: [summary("Sailing.")],
    });
    opened.push(session);
    const { sessionId } = await session.run({ version, plugins, prompts: ["Paint the hull."] });
    await session.run({ version, plugins, prompts: ["/compact", "Go on."], resume: sessionId });
    const folder = join(session.workspace.home, ".claude/data/compressed_context");
    const files = await readdir(folder);
    expect(files).toHaveLength(1);
    expect(JSON.parse(await readFile(join(folder, files[0] ?? ""), "utf8"))).toMatchObject({
      session_id: sessionId,
      subject: "Paint the hull",
      key_outcomes: ["The first coat is dry."],
    });
    expect(session.api.requests.map(sent).join("\n")).toContain("▸ Task: Paint the hull");
  });
});
