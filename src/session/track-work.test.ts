/** If red: tasks of a list are shown with a wrong status, or go missing. */
import { describe, expect, it } from "vitest";
import { result } from "../../test/support/session-events.ts";
import { asks, type Beat, calls, follow, followEvents, toEvents, together } from "../../test/support/session-story.ts";
import { isUnfinished } from "./action.ts";
import { listWork, orderOpen } from "./open-work.ts";
import type { SessionState } from "./session.ts";

const listOpenWork = (state: Parameters<typeof listWork>[0]) => orderOpen(listWork(state).filter(isUnfinished));

/** As clients 2.1.17 and later write it. */
function creates(id: string, subject: string): Beat {
  return calls("TaskCreate", { subject, description: "…" }, `Task #${id} created successfully: ${subject}`, {
    detail: { task: { id, subject } },
  });
}

function updates(taskId: string, input: { readonly status?: string; readonly subject?: string }): Beat {
  const { status } = input;
  return calls("TaskUpdate", { taskId, ...input }, `Updated task #${taskId} status`, {
    detail: { success: true, taskId, updatedFields: ["status"], ...(status && { statusChange: { to: status } }) },
  });
}

function writesTodos(...todos: readonly (readonly [string, string])[]): Beat {
  const list = todos.map(([content, status]) => ({ content, status, activeForm: content }));
  return calls("TodoWrite", { todos: list }, "Todos have been modified successfully.", {
    detail: { oldTodos: [], newTodos: list },
  });
}

function shape({ work }: SessionState): readonly string[] {
  return work.map(({ id, subject, status }) => `${id} ${status}: ${subject}`);
}

describe("tasks", () => {
  it("[R175] correlates a call with its result to the task's id, and that with its updates", () => {
    const state = follow(creates("7", "Fix login"), creates("8", "Write docs"), updates("7", { status: "completed" }));
    expect(shape(state)).toEqual(["7 done: Fix login", "8 open: Write docs"]);
  });

  it("reads the id from the text where the record has no details", () => {
    const state = follow(calls("TaskCreate", { subject: "Fix login" }, "Task #3 created successfully: Fix login"));
    expect(shape(state)).toEqual(["3 open: Fix login"]);
  });

  it("takes several updates of one request, each by its own id", () => {
    const both = together(updates("1", { status: "completed" }), updates("2", { status: "in_progress" }));
    expect(shape(follow(together(creates("1", "A"), creates("2", "B")), both))).toEqual(["1 done: A", "2 active: B"]);
  });

  it("follows renames, reopenings and deletions", () => {
    const state = follow(
      creates("1", "A"),
      creates("2", "B"),
      updates("1", { subject: "A, better" }),
      updates("2", { status: "completed" }),
      updates("2", { status: "in_progress" }),
      creates("3", "C"),
      updates("3", { status: "deleted" }),
    );
    expect(shape(state)).toEqual(["1 open: A, better", "2 active: B", "3 cancelled: C"]);
  });

  it("changes nothing by an update that failed", () => {
    const state = follow(
      creates("1", "A"),
      calls("TaskUpdate", { taskId: "1", status: "completed" }, "Input is invalid", { isError: true }),
      calls("TaskUpdate", { taskId: "1", status: "completed" }, "Task not found", { detail: { success: false } }),
      calls("TaskUpdate", { taskId: "9", status: "completed" }, "Task not found"),
    );
    expect(shape(state)).toEqual(["1 open: A"]);
  });

  it("believes the status the host tells over the one that was asked for", () => {
    const asked = calls("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status", {
      detail: { success: true, taskId: "1", statusChange: { from: "pending", to: "in_progress" } },
    });
    expect(shape(follow(creates("1", "A"), asked))).toEqual(["1 active: A"]);
  });

  it("sets a list aside when ids start over, and what was open on it is nobody's work any more", () => {
    const state = follow(
      creates("1", "Old done"),
      updates("1", { status: "completed" }),
      creates("2", "Old open"),
      creates("1", "New"),
    );
    expect(shape(state)).toEqual(["1@1 done: Old done", "2@3 dropped: Old open", "1 open: New"]);
  });

  it("adopts the host's list: tasks made before the record begins, and tasks that are gone", () => {
    const listed = calls("TaskList", {}, "#2 [in_progress] B [blocked by #5]\n#5 [pending] From before");
    expect(shape(follow(creates("1", "A"), creates("2", "B"), listed))).toEqual([
      "1 dropped: A",
      "2 active: B",
      "5 open: From before",
    ]);
  });

  it("leaves a finished task finished that the host lists no more", () => {
    const finished = [creates("1", "A"), creates("2", "B"), updates("1", { status: "completed" })];
    const listed = calls("TaskList", {}, "#2 [pending] B");
    expect(shape(follow(...finished, listed))).toEqual(["1 done: A", "2 open: B"]);
  });

  it("does not take a list that was cut for the whole list", () => {
    const listed = calls("TaskList", {}, "#2 [completed] B\n… 14 lines folded …");
    expect(shape(follow(creates("1", "A"), creates("2", "B"), listed))).toEqual(["1 open: A", "2 open: B"]);
  });

  it("understands results whose calls were lost with a damaged line", () => {
    const orphan = { ...result("unknown", "lost", "Updated task #1 status") };
    const detail = { success: true, taskId: "1", statusChange: { from: "pending", to: "completed" } };
    const created = { ...result("unknown", "lost-2", "Task #2 created successfully: B") };
    const events = [
      ...toEvents(creates("1", "A")),
      { ...orphan, detail },
      { ...created, detail: { task: { id: "2", subject: "B" } } },
    ];
    expect(shape(followEvents(events))).toEqual(["1 done: A", "2 open: B"]);
  });

  it("hears a result that was written twice once", () => {
    const events = toEvents(
      creates("1", "A"),
      updates("1", { status: "in_progress" }),
      updates("1", { status: "completed" }),
    );
    const again = events.filter((event) => event.kind === "arrival").slice(1, 2);
    expect(shape(followEvents([...events, ...again]))).toEqual(["1 done: A"]);
  });

  it("makes a task once, also when its making is told again long after", () => {
    const made = creates("1", "A");
    const others = Array.from({ length: 220 }, (_, index) => calls("Read", { file_path: `/p/${index}` }, "x"));
    const events = toEvents(made, updates("1", { status: "completed" }), ...others);
    expect(shape(followEvents([...events, ...toEvents(made)]))).toEqual(["1 done: A"]);
  });

  it("does not take a task that a list confirms for a task that changed", () => {
    const [task] = follow(creates("1", "A"), calls("TaskList", {}, "#1 [pending] A")).work;
    expect(task).toMatchObject({ changedRequest: 1, evidence: "call-0-0" });
  });

  it("proves every status by the call that set it", () => {
    const [task] = follow(
      creates("1", "A"),
      updates("1", { status: "in_progress" }),
      updates("1", { subject: "B" }),
    ).work;
    expect(task).toMatchObject({ evidence: "call-1-0", createdRequest: 1, startedRequest: 2, changedRequest: 2 });
  });

  it("forgets the oldest finished tasks rather than grow without end, and never an open one", () => {
    const many = Array.from({ length: 1010 }, (_, index) => String(index + 1));
    const state = follow(
      creates("open", "Still open"),
      ...many.flatMap((id) => [creates(id, `T${id}`), updates(id, { status: "completed" })]),
    );
    expect(state.work.length).toBe(1000);
    expect(listOpenWork({ ...state, episodes: [] }).map(({ id }) => id)).toEqual(["open"]);
  });
});

describe("to-dos", () => {
  it("are what the last list says; what vanished unfinished was dropped, what vanished finished stays finished", () => {
    const state = follow(
      writesTodos(["read code", "completed"], ["write tests", "in_progress"], ["ship", "pending"]),
      writesTodos(["write tests", "completed"], ["announce it", "pending"]),
    );
    expect(shape(state)).toEqual([
      "todo:read code done: read code",
      "todo:write tests done: write tests",
      "todo:ship dropped: ship",
      "todo:announce it open: announce it",
    ]);
  });

  it("stay themselves when they are reworded", () => {
    const state = follow(
      writesTodos(["write tests for login", "pending"], ["ship", "pending"]),
      writesTodos(["write the tests for login page", "in_progress"], ["ship", "pending"]),
    );
    expect(shape(state)).toEqual([
      "todo:write tests for login active: write the tests for login page",
      "todo:ship open: ship",
    ]);
  });

  it("with the same words twice are two", () => {
    const state = follow(writesTodos(["run tests", "completed"], ["fix", "pending"], ["run tests", "pending"]));
    expect(listOpenWork({ ...state, episodes: [] }).map(({ subject }) => subject)).toEqual(["fix", "run tests"]);
    const later = follow(
      writesTodos(["run tests", "pending"], ["run tests", "pending"]),
      writesTodos(["run tests", "completed"], ["run tests", "pending"]),
    );
    expect(shape(later)).toEqual(["todo:run tests done: run tests", "todo:run tests~2 open: run tests"]);
  });

  it("are what the host says they became, whatever was asked for", () => {
    const asked = calls("TodoWrite", { todos: "[]" }, "ok", {
      detail: { newTodos: [{ content: "ship", status: "pending" }] },
    });
    expect(shape(follow(asked))).toEqual(["todo:ship open: ship"]);
  });

  it("come back under their old id when they are taken up again", () => {
    const state = follow(
      writesTodos(["ship", "completed"]),
      writesTodos(["docs", "pending"]),
      writesTodos(["ship", "pending"]),
    );
    expect(shape(state)).toEqual(["todo:ship open: ship", "todo:docs dropped: docs"]);
  });

  it("are left alone by a call that failed", () => {
    const failed = calls("TodoWrite", { todos: [] }, "InputValidationError", { isError: true });
    expect(shape(follow(writesTodos(["ship", "pending"]), failed))).toEqual(["todo:ship open: ship"]);
  });
});

describe("open work", () => {
  it("[R168] lists what is being worked on before what waits, of 15 tasks as of two", () => {
    const ids = Array.from({ length: 15 }, (_, index) => String(index + 1));
    const state = follow(
      ...ids.map((id) => creates(id, `T${id}`)),
      updates("14", { status: "in_progress" }),
      updates("3", { status: "completed" }),
    );
    const listed = listOpenWork(state).map(({ subject }) => subject);
    expect(listed.slice(0, 4)).toEqual(["T14", "T1", "T2", "T4"]);
    expect(listed.length).toBe(14);
  });

  it("[R168] keeps an item in progress when the turn has ended: no guess overrules the client's own record", () => {
    const state = follow(asks("make the list"), creates("1", "A"), updates("1", { status: "in_progress" }));
    const turn = { last: "said", said: "Done.", saidRequest: 4, isTurnEnd: true, question: "" } as const;
    const episodes = state.episodes.map((episode) => ({ ...episode, status: "done" }) as const);
    expect(listOpenWork({ ...state, turn, episodes })).toMatchObject([{ subject: "A", status: "active" }]);
  });

  it("falls back to what was asked for since the list was finished", () => {
    const state = follow(
      asks("make the list"),
      creates("1", "A"),
      updates("1", { status: "completed" }),
      asks("/deploy to staging"),
    );
    expect(listOpenWork(state).map(({ subject }) => subject)).toEqual(["/deploy to staging"]);
  });
});
