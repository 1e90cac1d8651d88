/** If red: a task still in use is put away as finished, or its files and fixes are not written down. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  asks,
  type Beat,
  calls,
  edits,
  follow,
  passes,
  runs,
  says,
  together,
} from "../../../test/support/session-story.ts";
import type { SessionState } from "../../session/session.ts";
import { coldStatePath, coldTaskPath } from "./cold-paths.ts";
import { CHECK_FREQUENCY, CONTEXT_THRESHOLD, decideColdRun } from "./is-look-due.ts";
import {
  listColdTasks,
  parseColdTask,
  planClearSummaries,
  planExpireSummaries,
  planResetState,
  selectColdFiles,
} from "./plan-cold-maintenance.ts";
import {
  type ColdTaskOptions,
  type ColdTaskSummary,
  findColdTasks,
  planColdTasks,
  renderSummaries,
  TURNS_UNTIL_COLD,
} from "./plan-cold-tasks.ts";

function creates(id: string, subject: string): Beat {
  return calls("TaskCreate", { subject }, `Task #${id} created successfully: ${subject}`);
}

function marks(taskId: string, status: string): Beat {
  return calls("TaskUpdate", { taskId, status }, `Updated task #${taskId} status`);
}

const begins = [creates("1", "OAuth2 login"), marks("1", "in_progress")];

function subjectsOf(state: SessionState): readonly string[] {
  return findColdTasks(state).map(({ subject }) => subject);
}

function summaryOf(...work: readonly Beat[]): ColdTaskSummary {
  const state = follow(...begins, ...work, marks("1", "completed"), ...passes(21));
  const [write] = planColdTasks(state, options);
  if (!write) throw new Error("no task is cold");
  return write.summary;
}

const options: ColdTaskOptions = {
  home: "/home/me",
  sessionId: "abc-123",
  compressedAt: "2026-02-17T14:30:00Z",
  hasFile: () => false,
};

describe("a cold task", () => {
  it("[R161] is finished, more than 20 turns ago, and spoken of by nobody since", () => {
    expect(subjectsOf(follow(...begins, marks("1", "completed"), ...passes(21)))).toEqual(["OAuth2 login"]);
  });

  it("[R161] is not one that is still being worked on", () => {
    expect(subjectsOf(follow(...begins, ...passes(40)))).toEqual([]);
  });

  it("[R161] is not one finished 20 turns ago", () => {
    expect(subjectsOf(follow(...begins, marks("1", "completed"), ...passes(20)))).toEqual([]);
  });

  it("[R161] is not one that was spoken of in the last 20 turns, in whatever letters and spaces", () => {
    const spoken = [says("Back to the\noauth2  LOGIN flow."), ...passes(19)];
    expect(subjectsOf(follow(...begins, marks("1", "completed"), ...passes(21), ...spoken))).toEqual([]);
    expect(
      subjectsOf(follow(...begins, marks("1", "completed"), ...passes(21), asks("is the OAuth2 login done?"))),
    ).toEqual([]);
    expect(subjectsOf(follow(...begins, marks("1", "completed"), ...passes(21), ...spoken, ...passes(1)))).toEqual([
      "OAuth2 login",
    ]);
  });

  it("[R161] is not warmed by the call that marks it, nor is one that was opened again", () => {
    const reopened = [...begins, marks("1", "completed"), ...passes(21), marks("1", "in_progress"), ...passes(21)];
    expect(subjectsOf(follow(...reopened))).toEqual([]);
  });
});

describe("a summary", () => {
  it("[R162] [R185] holds the files, commands, short texts and errors of the task's own turns", () => {
    const summary = summaryOf(
      edits("/p/oauth.ts"),
      runs("npm test", "Error: bad signature", { exitCode: 1 }),
      edits("/p/token.ts"),
      says("Changed the algorithm to HS256."),
      says("A long report.\n\nWith parts."),
      runs("npm test", "4 passed"),
    );
    expect(summary).toMatchObject({
      start_turn: 2,
      end_turn: 9,
      files_modified: ["/p/oauth.ts", "/p/token.ts"],
      commands_run: ["npm test"],
      key_outcomes: ["Changed the algorithm to HS256."],
      errors_resolved: ["Error: bad signature — fixed by changing token.ts"],
    });
  });

  it("[R162] leaves out what happened before the task was taken up and after it was finished", () => {
    const state = follow(
      edits("/p/before.ts"),
      ...begins,
      edits("/p/within.ts"),
      marks("1", "completed"),
      edits("/p/after.ts"),
      ...passes(21),
    );
    const [write] = planColdTasks(state, options);
    expect(write?.summary.files_modified).toEqual(["/p/within.ts"]);
  });

  it("[R162] keeps 15 files, 8 commands, 6 outcomes and 4 errors, the latest of each", () => {
    const many = Array.from({ length: 20 }, (_, index) => index + 1).flatMap((index) => [
      runs(`make part${index}`, `Error: number ${index}`, { exitCode: 1 }),
      edits(`/p/f${index}.ts`),
      runs(`make part${index}`, "built"),
      says(`Outcome ${index}.`),
    ]);
    const summary = summaryOf(...many);
    expect([summary.files_modified.length, summary.files_modified.at(-1)]).toEqual([15, "/p/f20.ts"]);
    expect([summary.commands_run.length, summary.commands_run.at(-1)]).toEqual([8, "make part20"]);
    expect([summary.key_outcomes.length, summary.key_outcomes.at(-1)]).toEqual([6, "Outcome 20."]);
    expect(summary.errors_resolved).toEqual(
      [17, 18, 19, 20].map((index) => `Error: number ${index} — fixed by changing f${index}.ts`),
    );
  });

  it("[R162] cuts commands at 100, outcomes at 250 and errors at 200 characters", () => {
    const summary = summaryOf(
      runs(`echo ${"x".repeat(300)}`),
      says("y".repeat(299)),
      runs("make", `Error: ${"z".repeat(500)}`, { exitCode: 1 }),
      edits("/p/mast.ts"),
      runs("make", "built"),
    );
    expect(summary.commands_run.map(({ length }) => length)).toEqual([100, 4]);
    expect(summary.key_outcomes.map(({ length }) => length)).toEqual([250]);
    expect(summary.errors_resolved.map(({ length }) => length)).toEqual([200]);
  });

  it("[R162] [R185] names no error that was never fixed, and says how each other one was", () => {
    const summary = summaryOf(
      runs("make hull", "Error: no oak", { exitCode: 1 }),
      runs("make mast", "Error: no pine", { exitCode: 1 }),
      edits("/p/mast.ts"),
      runs("make mast", "built"),
    );
    expect(summary.errors_resolved).toEqual(["Error: no pine — fixed by changing mast.ts"]);
  });

  it.each([
    ["went well at a second try", [runs("make keel", "Error: no oak", { exitCode: 1 }), runs("make keel", "built")]],
    [
      "is a script of which only the first line is known",
      [
        runs("python -c '\nimport hull'", "ImportError: no hull", { exitCode: 1 }),
        edits("/p/a.ts"),
        runs("python -c '\nimport mast'", "ok"),
      ],
    ],
    [
      "only seems to be gone behind a filter",
      [
        runs("bun verify", "error: no oak", { exitCode: 1 }),
        edits("/p/a.ts"),
        runs("bun verify 2>&1 | grep -E 'Tasks' | tail -2", ""),
      ],
    ],
  ])("[R162] claims no fix of an error that %s", (_what, events) => {
    expect(summaryOf(...events).errors_resolved).toEqual([]);
  });

  it("[R162] names each command and file once, where it was last, and an error with every file that fixed it", () => {
    const summary = summaryOf(
      runs("make mast", "Error: no pine", { exitCode: 1 }),
      edits("/p/mast.ts"),
      edits("/p/keel.ts"),
      runs("make keel", "built"),
      edits("/p/mast.ts"),
      runs("make mast", "built"),
    );
    expect(summary.commands_run).toEqual(["make keel", "make mast"]);
    expect(summary.files_modified).toEqual(["/p/keel.ts", "/p/mast.ts"]);
    expect(summary.errors_resolved).toEqual(["Error: no pine — fixed by changing keel.ts, mast.ts"]);
  });

  it("[R162] of a task that was never taken up begins where it was put on the list, and its ends belong to it", () => {
    const state = follow(
      runs("make before"),
      together(creates("1", "OAuth2 login"), runs("make first")),
      together(marks("1", "completed"), runs("make last")),
      runs("make after"),
      ...passes(21),
    );
    const [write] = planColdTasks(state, options);
    expect(write?.summary).toMatchObject({
      start_turn: 2,
      end_turn: 3,
      commands_run: ["make first", "make last"],
      key_outcomes: [],
    });
  });

  it("[R165] has exactly the ten fields, and survives its file", () => {
    const [write] = planColdTasks(follow(...begins, marks("1", "completed"), ...passes(21)), options);
    expect(Object.keys(write?.summary ?? {}).sort()).toEqual([
      "commands_run",
      "compressed_at",
      "end_turn",
      "errors_resolved",
      "files_modified",
      "key_outcomes",
      "session_id",
      "start_turn",
      "subject",
      "task_id",
    ]);
    expect(parseColdTask(JSON.parse(JSON.stringify(write?.summary)))).toEqual(write?.summary);
  });
});

describe("a summary's file", () => {
  it("[R164] is named by the first 12 digits of the MD5 of session and task", () => {
    const digest = createHash("md5").update("abc-123:1").digest("hex");
    expect(coldTaskPath("/home/me/", "abc-123", "1")).toBe(
      `/home/me/.claude/data/compressed_context/${digest.slice(0, 12)}.json`,
    );
  });

  it("[R181] has a state next to it, per session, that no id leads out of its folder", () => {
    expect(coldStatePath("/home/me", "abc-123")).toBe("/home/me/.claude/data/context_queue/abc-123_state.json");
    expect(coldStatePath("/home/me", "../../x")).toBe("/home/me/.claude/data/context_queue/__.._x_state.json");
  });

  it("[R163] is planned once: what exists is not written again", () => {
    const state = follow(...begins, marks("1", "completed"), ...passes(21));
    const first = planColdTasks(state, options);
    const written = new Set(first.map(({ path }) => path));
    const second = planColdTasks(state, { ...options, hasFile: (path) => written.has(path) });
    expect([first.length, second]).toEqual([1, []]);
  });

  it("[R156] is planned without touching what was read", () => {
    const state = follow(...begins, marks("1", "completed"), ...passes(21));
    const before = JSON.stringify(state);
    planColdTasks(state, options);
    expect(JSON.stringify(state)).toBe(before);
  });
});

describe("the look for cold tasks", () => {
  it("has the pipeline's own constants", () => {
    expect({ CHECK_FREQUENCY, CONTEXT_THRESHOLD, TURNS_UNTIL_COLD }).toEqual({
      CHECK_FREQUENCY: 10,
      CONTEXT_THRESHOLD: 70,
      TURNS_UNTIL_COLD: 20,
    });
  });

  it("[R158] is made every 10 turns", () => {
    const looks = (request: number, lastCheckTurn: number) =>
      decideColdRun({ lastCheckTurn }, request, { usedPercent: 80 }).isDue;
    expect([looks(9, 0), looks(10, 0), looks(19, 10), looks(20, 10)]).toEqual([false, true, false, true]);
  });

  it("[R166] is made before a compaction, however light the window and however short ago the last", () => {
    expect(decideColdRun({ lastCheckTurn: 9 }, 10, { usedPercent: undefined, isLast: true }).isDue).toBe(true);
  });

  it("[R159] is made from 70 % on of the way to where the window is compacted", () => {
    const looks = (usedPercent: number) => decideColdRun({ lastCheckTurn: 0 }, 10, { usedPercent }).isDue;
    expect([looks(69), looks(69.9), looks(70), looks(95)]).toEqual([false, false, true, true]);
  });

  it("[R160] is not made on a guess: without a measured load there is none", () => {
    expect(decideColdRun({ lastCheckTurn: 0 }, 10, { usedPercent: undefined }).isDue).toBe(false);
  });

  it("counts from where a conversation is that was rewound", () => {
    expect(decideColdRun({ lastCheckTurn: 300 }, 15, { usedPercent: 80 }).lastCheckTurn).toBe(15);
  });

  it("[R178] writes at the first look that finds a task cold, and is silent at the next", () => {
    const beats = [...begins, edits("/p/oauth.ts"), marks("1", "completed"), ...passes(40)];
    const written = new Set<string>();
    let lastCheckTurn = 0;
    const log = beats.flatMap((_, index) => {
      const request = index + 1;
      const run = decideColdRun({ lastCheckTurn }, request, { usedPercent: 60 + request });
      ({ lastCheckTurn } = run);
      if (!run.isDue) return [];
      const writes = planColdTasks(follow(...beats.slice(0, request)), {
        ...options,
        hasFile: (path) => written.has(path),
      });
      for (const { path } of writes) written.add(path);
      return [`request ${request}: ${writes.length} written`];
    });
    // The seed's own timeline has a task cold at turn 10, which no task can be that must be 20 turns old.
    expect(log).toEqual([
      "request 10: 0 written",
      "request 20: 0 written",
      "request 30: 1 written",
      "request 40: 0 written",
    ]);
  });
});

describe("summaries in a window", () => {
  const named = (subject: string, texts: readonly string[]): ColdTaskSummary => ({
    ...summaryOf(),
    subject,
    files_modified: texts.map((text) => `${text}.ts`),
    key_outcomes: texts,
    errors_resolved: texts,
  });

  it("name five files, three outcomes and two errors of a task at most", () => {
    expect(renderSummaries([named("Rig\nit", ["a", "b", "c", "d", "e", "f"]), named("Launch", [])])).toBe(
      `## Summaries of finished tasks
  ▸ Task: Rig it
    Files: a.ts, b.ts, c.ts, d.ts, e.ts
    → a
    → b
    → c
    ⚠ a
    ⚠ b
  ▸ Task: Launch`,
    );
  });

  it("are none where no task is finished", () => {
    expect(renderSummaries([])).toBe("");
  });

  it("leave out the oldest where there is no room, and cut what is long", () => {
    const long = "x".repeat(400);
    const tasks = Array.from({ length: 6 }, (_, at) => named(`${at} ${long}`, [long]));
    const text = renderSummaries(tasks);
    expect(text.match(/Task: \d/g)).toEqual(["Task: 4", "Task: 5"]);
    // The label, and 200 characters of a subject, 250 of an outcome, 200 of an error; a path stays whole.
    const widths = text.split("\n").map(({ length }) => length);
    expect(widths.slice(1, 5)).toEqual([210, 414, 256, 206]);
  });
});

describe("maintenance", () => {
  const summary: ColdTaskSummary = {
    session_id: "abc-123",
    task_id: "1",
    subject: "OAuth2 login",
    start_turn: 1,
    end_turn: 2,
    compressed_at: "2026-02-17T14:30:00Z",
    files_modified: [],
    commands_run: [],
    key_outcomes: [],
    errors_resolved: [],
  };
  const folder = "/home/me/.claude/data";
  const files = [
    { path: `${folder}/compressed_context/a.json`, bytes: 10, content: summary },
    {
      path: `${folder}/compressed_context/b.json`,
      bytes: 20,
      content: { ...summary, session_id: "other", compressed_at: "2026-03-01T00:00:00Z" },
    },
    { path: `${folder}/compressed_context/broken.json`, bytes: 1, content: { subject: 3 } },
    { path: `${folder}/compressed_context/notes.txt`, bytes: 1 },
    { path: `${folder}/compressed_context/deeper/c.json`, bytes: 1 },
    { path: `${folder}/context_queue/abc-123_state.json`, bytes: 5 },
    { path: `${folder}/context_queue/other.json`, bytes: 5 },
    { path: "/elsewhere/a.json", bytes: 5 },
  ];

  it("[R182] lists the summaries, newest first", () => {
    expect(
      listColdTasks(files).map(({ path, summary: found }) => [path.slice(folder.length + 20), found?.subject]),
    ).toEqual([
      ["b.json", "OAuth2 login"],
      ["a.json", "OAuth2 login"],
      ["broken.json", undefined],
    ]);
  });

  it("[R182] leaves summaries of the same moment in their order, and takes a date that is missing for the oldest", () => {
    const again = { path: `${folder}/compressed_context/c.json`, bytes: 10, content: summary };
    const names = listColdTasks([...files.slice(0, 3).reverse(), again]).map(({ path }) => path.at(-6));
    expect(names).toEqual(["b", "a", "c", "n"]);
  });

  it("takes no file for a summary that lacks a field, or whose lists hold anything but texts", () => {
    expect(parseColdTask({ ...summary, key_outcomes: ["Done.", 3] })).toBeUndefined();
    const filled = { ...summary, key_outcomes: ["Done."] };
    expect(parseColdTask(filled)).toBe(filled);
    expect(parseColdTask(summary)).toBe(summary);
    for (const lacking of Object.keys(summary)) {
      const fields = Object.entries(summary).filter(([key]) => key !== lacking);
      expect(parseColdTask(Object.fromEntries(fields)), lacking).toBeUndefined();
    }
  });

  it("[R193] selects one session's summaries and the note of its last look", () => {
    const names = selectColdFiles(files, "abc-123").map(({ path }) => path.slice(folder.length + 1));
    expect(names).toEqual(["compressed_context/a.json", "context_queue/abc-123_state.json"]);
  });

  it("[R182] lets summaries of two weeks ago go, and nothing that does not say when it was written", () => {
    const expiredAfter = (days: number, ms: number) =>
      planExpireSummaries(files, Date.parse(summary.compressed_at) + days * 24 * 60 * 60_000 + ms);
    expect(expiredAfter(14, 0)).toEqual([]);
    expect(expiredAfter(14, 1)).toEqual([`${folder}/compressed_context/a.json`]);
  });

  it("[R182] clears the summaries and nothing else", () => {
    expect(planClearSummaries(files)).toEqual(
      ["a.json", "b.json", "broken.json"].map((name) => `${folder}/compressed_context/${name}`),
    );
  });

  it("[R182] resets the states and nothing else, with either slash", () => {
    expect(planResetState(files)).toEqual([`${folder}/context_queue/abc-123_state.json`]);
    const windows = "C:\\Users\\me\\.claude\\data\\context_queue\\x_state.json";
    expect(planResetState([{ path: windows, bytes: 1 }])).toEqual([windows]);
  });
});
