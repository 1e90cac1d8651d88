/** If red: what happened in a session differs between one reading and several, or a call is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryEvents } from "../../test/support/arbitrary-events.ts";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { called, result } from "../../test/support/session-events.ts";
import {
  asks,
  type Beat,
  calls,
  compacts,
  edits,
  follow,
  followEvents,
  hostSays,
  interrupts,
  runs,
  says,
  toEvents,
  together,
} from "../../test/support/session-story.ts";
import type { SessionEvent } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { SessionState } from "./session.ts";

/** What another process finds: the state as a file holds it. */
function throughJson(state: SessionState): SessionState {
  return JSON.parse(JSON.stringify(state));
}

function followInPieces(events: readonly SessionEvent[], cuts: readonly number[]): SessionState {
  let state = followEvents([]);
  let from = 0;
  for (const to of [...cuts, events.length]) {
    state = followEvents(events.slice(from, to), throughJson(state));
    from = to;
  }
  return throughJson(state);
}

const word = fc.constantFrom(
  "fix",
  "the",
  "login",
  "never",
  "because",
  "a.ts",
  "tests",
  "instead of",
  "it",
  "?",
  "failed",
  "done",
);
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const path = fc.constantFrom("/p/a.ts", "a.ts", "/p/b.ts", "C:\\p\\c.ts", "");
const taskId = fc.constantFrom("1", "2", "3");
const status = fc.constantFrom("pending", "in_progress", "completed", "deleted", "odd");
const todos = fc.array(fc.record({ content: text, status }), { maxLength: 4 });

/** Sessions in which everything happens that the trackers follow. */
const arbitraryBeat: fc.Arbitrary<Beat> = fc.oneof(
  text.map(asks),
  text.map(says),
  fc.constant(interrupts()),
  fc.constant(compacts()),
  fc.constant(hostSays("<command-message>x</command-message><command-name>/x</command-name>")),
  path.map(edits),
  fc
    .record({
      command: fc.constantFrom("npm test", "git commit -m x", "make", "ls"),
      exitCode: fc.nat(1),
      output: text,
    })
    .map(({ command, exitCode, output }) => runs(command, output, { exitCode })),
  fc
    .tuple(path, text)
    .map(([file, content]) => calls("Write", { file_path: file, content }, "ok", { detail: { type: "create" } })),
  fc.tuple(path, text).map(([file, content]) =>
    calls("Read", { file_path: file, offset: 3 }, content, {
      detail: { file: { content, startLine: 1, numLines: 1, totalLines: 1 } },
    }),
  ),
  fc
    .tuple(taskId, text)
    .map(([id, subject]) => calls("TaskCreate", { subject }, `Task #${id} created successfully: ${subject}`)),
  fc.tuple(taskId, status).map(([id, to]) => calls("TaskUpdate", { taskId: id, status: to }, `Updated task #${id}`)),
  todos.map((list) => calls("TodoWrite", { todos: list }, "ok", { detail: { newTodos: list } })),
  text.map((words) => calls("AskUserQuestion", {}, `"q"="${words}"`)),
  fc.constant(calls("Bash", { command: "never answered" })),
);
const arbitraryStory = fc.array(
  fc.oneof(
    arbitraryBeat,
    fc.array(arbitraryBeat, { maxLength: 3 }).map((beats) => together(...beats)),
  ),
  { maxLength: 40 },
);

const someCuts = (length: number): fc.Arbitrary<readonly number[]> =>
  fc.array(fc.nat(length), { maxLength: 4 }).map((cuts) => [...cuts].sort((left, right) => left - right));

describe("a session", () => {
  it("is the same in one go and in any number of goes with its state saved in between", () => {
    const stories = arbitraryStory.map((beats) => toEvents(...beats));
    fc.assert(
      fc.property(
        fc.oneof(stories, arbitraryEvents()).chain((events) => fc.tuple(fc.constant(events), someCuts(events.length))),
        ([events, cuts]) => {
          expect(followInPieces(events, cuts)).toEqual(throughJson(followEvents(events)));
        },
      ),
      { numRuns: tries(40, 300) },
    );
  });

  it("changes no state that it gave away", () => {
    fc.assert(
      fc.property(arbitraryStory, arbitraryStory, (first, second) => {
        const state = followEvents(toEvents(...first));
        const before = JSON.stringify(state);
        followEvents(toEvents(...second), state);
        expect(JSON.stringify(state)).toBe(before);
      }),
    );
  });

  it("throws on no input, no result and no details whatever", () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value): JsonObject => {
      const seed: unknown = value;
      return isJsonObject(seed)
        ? seed
        : {
            file_path: asJson(seed),
            todos: asJson(seed),
            tasks: asJson(seed),
            file: asJson(seed),
            statusChange: asJson(seed),
            newTodos: asJson(seed),
            taskId: asJson(seed),
            offset: asJson(seed),
            limit: asJson(seed),
          };
    });
    const tool = fc.constantFrom(
      "Read",
      "Write",
      "Edit",
      "MultiEdit",
      "Bash",
      "Grep",
      "TaskCreate",
      "TaskUpdate",
      "TaskList",
      "TodoWrite",
      "Task",
      "ExitPlanMode",
      "AskUserQuestion",
      'Task" >\n<x',
      "__proto__",
      "",
    );
    const event = fc.record({
      tool,
      input: json,
      detail: json,
      text: fc.string(),
      isError: fc.boolean(),
      isOrphan: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (list) => {
        const events = list.flatMap(
          ({ tool: name, input, detail, text: output, isError, isOrphan }, index): readonly SessionEvent[] => [
            ...(isOrphan ? [] : [{ ...answerOf(index), blocks: [called(name, `c${index}`, input)] }]),
            { ...result(name, `c${index}`, output, { isError }), detail },
          ],
        );
        const state = followEvents(events);
        expect(followInPieces(events, [Math.floor(events.length / 2)])).toEqual(throughJson(state));
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it.each(["a", "ok ", "I'll ", "because ", "\n", '"a"=', "didn't ", "#1 [pending] x\n", "npx ", "—, "])(
    "takes time in proportion to texts of 200,000 characters of %j",
    (unit) =>
      expectProportional(200_000, (length) => {
        const long = unit.repeat(length / unit.length);
        follow(
          asks(long),
          says(long),
          runs(long, long, { exitCode: 1 }),
          runs("npm test", long),
          calls("TaskList", {}, long),
        );
      }),
  );

  it("counts a request once, however many lines an answer has", () => {
    const events = toEvents(says("one"), says("two"));
    const split = events.flatMap((event) => [event, event]);
    expect(followEvents(split).requests.count).toBe(2);
  });

  it("does not take a summary for something the person said", () => {
    const [arrival] = toEvents(asks("This session is being continued: never stop"));
    if (arrival?.kind !== "arrival") throw new Error("a prompt is an arrival");
    expect(followEvents([{ ...arrival, source: "summary" }]).words).toEqual([]);
  });

  it("counts compactions, and keeps what it knows across them", () => {
    const state = follow(asks("add a login page"), edits("/p/a.ts"), compacts(), edits("/p/b.ts"));
    expect([state.compactions, state.files.length, state.episodes.length]).toEqual([1, 2, 1]);
  });

  it("waits for no call that was answered, also when the call is told again", () => {
    const events = toEvents(runs("npm test", "3 passed"));
    const again = events.filter((event) => event.kind === "output");
    expect(followEvents(events).openCalls).toEqual([]);
    expect(followEvents([...events, ...again]).openCalls).toEqual([]);
  });

  it("keeps calls that wait for their result, across a save", () => {
    const events = toEvents(calls("Bash", { command: "npm test" }, "3 passed"));
    expect(followInPieces(events, [1]).commands).toMatchObject([{ command: "npm test", exitCode: 0 }]);
  });
});

function answerOf(index: number): Extract<SessionEvent, { kind: "output" }> {
  const [event] = toEvents(says("x"));
  if (event?.kind !== "output") throw new Error("an answer is an output");
  return { ...event, stepId: `s${index}` };
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asJson(value: unknown): JsonObject["x"] {
  return JSON.parse(JSON.stringify(value ?? null));
}

const sent = calls("Task", { description: "Look for leaks", prompt: "…" }, "Async agent launched", {
  detail: { isAsync: true, status: "async_launched", agentId: "a17f" },
});

function away(...beats: readonly Beat[]): readonly string[] | undefined {
  return follow(...beats).away?.map(({ order }) => order);
}

describe("agents that were sent off", () => {
  it("are away until the host tells of their end", () => {
    expect(away(sent)).toEqual(["Look for leaks"]);
    const reported = "<task-notification>\n<task-id>a17f</task-id>\n<status>completed</status>\n</task-notification>";
    expect(away(sent, hostSays(reported))).toEqual([]);
    expect(away(sent, hostSays(reported.replace("a17f", "b2")))).toEqual(["Look for leaks"]);
    expect(away(sent, hostSays(reported.replace("completed", "running")))).toEqual(["Look for leaks"]);
  });

  it("are back when their output says so", () => {
    const looks = (status: string): Beat =>
      calls("TaskOutput", { task_id: "a17f" }, `<task_id>a17f</task_id><status>${status}</status>`);
    expect(away(sent, looks("running"))).toEqual(["Look for leaks"]);
    expect(away(sent, looks("completed"))).toEqual([]);
  });

  it("are none where the report came back with the call", () => {
    expect(away(calls("Task", { description: "x" }, "No leak.", { detail: { agentId: "a17f" } }))).toEqual([]);
  });
});

function answered(said: string, reply: string): string | undefined {
  return follow(asks("Make the hull tight."), says(said), asks(reply)).words.at(-1)?.answers;
}

describe("what a reply answers", () => {
  it("is the question with which the model had ended", () => {
    expect(answered("Oakum or cotton would do. Shall I take cotton?", "yes")).toBe("Shall I take cotton?");
  });

  it("is the option that it names, in the option's own words", () => {
    const options = "Which one?\n\n1. **Oakum**, as before\n2. Cotton, which is lighter\n3. Neither";
    expect(answered(options, "2")).toBe("Which one? (2. Cotton, which is lighter)");
    expect(answered("Option A: oakum\nOption B: cotton\n\nWhich one?", "b")).toBe("Which one? (Option B: cotton)");
  });

  it("is nothing where nothing was asked, or only what to do next", () => {
    expect(answered("The hull is tight.", "paint it")).toBeUndefined();
    expect(answered("Done. Anything else?", "paint it")).toBeUndefined();
    expect(follow(says("Shall I?"), edits("/p/a.ts"), asks("stop")).words.at(-1)?.answers).toBeUndefined();
  });

  it("stays the same for a second prompt before the model speaks", () => {
    const words = follow(says("Shall I take cotton?"), asks("hm"), asks("yes")).words;
    expect(words.map(({ answers }) => answers)).toEqual(["Shall I take cotton?", "Shall I take cotton?"]);
  });
});
