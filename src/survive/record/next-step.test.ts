/** If red: after a compaction the model goes on with the wrong step. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { prompt } from "../../../test/support/session-events.ts";
import { happen, story } from "../../../test/support/story.ts";
import type { SessionEvent } from "../../core/event.ts";
import { findContinuation, type Happened } from "./continuation.ts";
import { isVague } from "./next-step.ts";

const EDIT = { file_path: "/p/src/pay.ts", old_string: "one", new_string: "two" };
const DETAIL = { originalFile: "function pay() {\n  one\n}\n", oldString: "one", newString: "two" };

const nextStep = (happened: Happened) => findContinuation(happened).next;

/** A change in the second line of `pay`. */
const edited = story().asks("Add rounding to pay").calls("Edit", EDIT, "ok", { detail: DETAIL });

describe("the continuation point", () => {
  it("[R46][R48] is the failing test with its error line and the place of the last change", () => {
    const happened = edited
      .calls("Bash", { command: "npm test" }, "Exit code 1\nError: expected 3 to be 4 at pay.test.ts:12", {
        isError: true,
      })
      .happened();
    expect(nextStep(happened)).toEqual({
      kind: "failure",
      action:
        "make `npm test` pass: Error: expected 3 to be 4 at pay.test.ts:12; the last change was at /p/src/pay.ts:2 (pay)",
      evidence: "call:toolu_0000c2",
    });
  });

  it("is a command that has just failed, and no longer once others went well", () => {
    const failing = edited.calls("Bash", { command: "npm run seed" }, "Exit code 2\nerror: no such module", {
      isError: true,
    });
    expect(nextStep(failing.happened()).action).toContain("resolve `npm run seed`: error: no such module");
    const later = ["ls a", "ls b", "ls c"].reduce(
      (session, command) => session.calls("Bash", { command }, "fine"),
      failing,
    );
    expect(nextStep(later.happened()).kind).not.toBe("failure");
  });

  it("[R46] is no file that was looked for and is not there", () => {
    const looking = edited.calls("Read", { file_path: "/p/src/rename.ts" }, "File does not exist.", { isError: true });
    expect(nextStep(looking.happened()).kind).toBe("task");
  });

  it("[R46] is the task being done, with file, line and function", () => {
    const happened = story()
      .asks("Add rounding")
      .calls("TodoWrite", { todos: [{ content: "Round the total", status: "in_progress" }] }, "ok")
      .calls("Edit", EDIT, "ok", { detail: DETAIL })
      .happened();
    expect(nextStep(happened).action).toBe(
      'finish "Round the total"; the last change was at /p/src/pay.ts:2 (pay); the last step was `edit /p/src/pay.ts`',
    );
  });

  it("is the prompt that nobody has answered yet, in the person's words", () => {
    const happened = edited.says("Done.").asks("Now rename pay to settle").happened();
    expect(nextStep(happened)).toMatchObject({
      kind: "prompt",
      action: 'answer what the user asked: "Now rename pay to settle"',
    });
  });

  it("[R46] does not take a bare go-ahead for the next action, but what it is about", () => {
    const { action } = nextStep(edited.asks("continue").happened());
    expect(action).toContain('finish "Add rounding to pay"');
  });

  it("is the person's answer where a question was asked back", () => {
    const happened = edited.says("Both would work. Shall I round half up or half even?").happened();
    expect(nextStep(happened)).toMatchObject({
      kind: "question",
      action: 'wait for the user\'s answer to: "Shall I round half up or half even?"',
    });
  });

  it("[R46] is an honest unknown where nothing tells", () => {
    expect(nextStep(story().happened())).toMatchObject({ kind: "unknown" });
    expect(nextStep(story().asks("continue").happened()).action).toMatch(/^unknown: /);
  });

  it("[R46] is not a question that was answered before files were changed for something else", () => {
    const asked = story().asks("did we implement the full plan?").calls("Bash", { command: "ls" }, "a");
    expect(nextStep(asked.happened()).action).toContain("did we implement the full plan?");
    const later = asked
      .calls("Read", { file_path: "/p/src/pay.ts" }, "a")
      .calls("Edit", { file_path: "/p/src/pay.ts", old_string: "a", new_string: "b" }, "done")
      .calls("Bash", { command: "ls" }, "a");
    expect(nextStep(later.happened())).toMatchObject({ kind: "unknown" });
  });

  it("[R46] is to check and close where every item of the list is done", () => {
    const todo = (status: string) => ({ todos: [{ content: "Round", activeForm: "Rounding", status }] });
    const listed = edited.calls("TodoWrite", todo("in_progress"), "ok").calls("TodoWrite", todo("completed"), "ok");
    expect(nextStep(listed.calls("Bash", { command: "ls" }, "a").happened()).action).toMatch(
      /^every item of the list is done; check and close "Add rounding to pay"/,
    );
  });

  it("says that nothing is open only where that is recorded, and otherwise that no open task is", () => {
    const { kind, action } = nextStep(edited.says("It rounds now.").happened());
    expect({ kind, action }).toEqual({
      kind: "ended",
      action: 'no open task is recorded; wait for the user\'s next prompt; the user last asked: "Add rounding to pay"',
    });
    const committed = edited.calls("Bash", { command: "git commit -am round" }, "[main 1a2b3c4] round");
    expect(nextStep(committed.says("It rounds now.").happened()).action).toMatch(
      /^nothing is open: what was changed is committed;/,
    );
    expect(nextStep(committed.says("It rounds now. You have to restart it.").happened()).kind).toBe("ended");
    const offered = committed.calls("Bash", { command: "gh pr create --fill" }, "https://example.com/pull/7");
    expect(nextStep(offered.says("It rounds now.").happened()).kind).toBe("ended");
    const done = ["TodoWrite", { todos: [{ content: "Round", status: "completed" }] }, "ok"] as const;
    expect(
      nextStep(
        committed
          .calls(...done)
          .says("It rounds now.")
          .happened(),
      ).action,
    ).toMatch(/^nothing is open: every item/);
    // A finished list does not say whether the change was tried or is wanted as it is.
    expect(
      nextStep(
        edited
          .calls(...done)
          .says("It rounds now.")
          .happened(),
      ),
    ).toMatchObject({
      kind: "ended",
      action: expect.stringMatching(/^no open task is recorded: every item of the list is done; wait for/),
    });
  });

  it("[R168] is the item in progress where a commit or an answer was asked for on the way", () => {
    const listed = edited.calls("TodoWrite", { todos: [{ content: "Round", status: "in_progress" }] }, "ok");
    for (const asked of ["commit this", "is it tight, by the way?"]) {
      const aside = listed.asks(asked).calls("Bash", { command: "git commit -am round" }, "[main 1a2b3c4] round");
      expect(nextStep(aside.happened()).action, asked).toMatch(/^finish "Round"/);
    }
  });

  it("is the person's to say where a turn that nobody marked as over ends with an answer", () => {
    const failing = edited.calls("Bash", { command: "sudo pump" }, "Exit code 1\nerror: a password is required", {
      isError: true,
    });
    expect(nextStep(failing.says("It needs your password.").happened()).kind).toBe("failure");
    expect(
      nextStep(failing.says("It needs a password:\n\n- pump one\n- pump two\n\nBoth are old.").happened()),
    ).toMatchObject({ kind: "question", action: expect.stringMatching(/^wait for the user/) });
  });

  it("is no check that failed before the work was committed, and no change that was refused", () => {
    const red = edited.calls("Bash", { command: "npm run lint" }, "Exit code 1\nerror: no await in pay", {
      isError: true,
    });
    expect(nextStep(red.happened()).kind).toBe("failure");
    expect(nextStep(red.calls("Bash", { command: "git commit -m pay" }, "[main 1a] pay").happened()).kind).toBe("task");
    const wrong = edited.calls("Bash", { command: "git gc --dry" }, "error: unknown option `dry'", { isError: true });
    expect(nextStep(wrong.happened()).kind).toBe("task");
    const refused = edited.calls("Edit", EDIT, "File has not been read yet.", { isError: true });
    expect(nextStep(refused.happened()).kind).toBe("task");
  });

  it("is a task that begins with looking, after files were changed for it", () => {
    const asked = story().asks("research rounding, then write a note on it").calls("Edit", EDIT, "ok");
    expect(nextStep(asked.happened()).action).toContain('finish "research rounding, then write a note on it"');
  });

  it("[R46] is never vague and always one line, whatever happened", () => {
    fc.assert(
      fc.property(arbitraryHappened, (happened) => {
        const { action } = nextStep(happened);
        expect(isVague(action)).toBe(false);
        expect(action).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 50 },
    );
  });

  it("[R46] [R48] is the model's own next step in the middle of a turn", () => {
    const session = story()
      .asks("Move the store.")
      .says("The parser works. Next: write the migration in src/migrate.ts.")
      .calls("Bash", { command: "ls" }, "a");
    expect(nextStep(session.happened())).toMatchObject({
      kind: "announced",
      action: expect.stringContaining("write the migration in src/migrate.ts"),
    });
  });

  it("is what the model announced last, before anything else that is open", () => {
    const red = edited
      .calls("Bash", { command: "npm test" }, "Exit code 1\nError: expected 3 to be 4", { isError: true })
      .says("The sum is taken too early.\n\nIt rounds each line. Let me look at what the ledger does.");
    expect(nextStep(red.happened())).toMatchObject({
      kind: "announced",
      action: expect.stringContaining('"It rounds each line. Let me look at what the ledger does."'),
    });
  });

  it("is the person's answer together with the question, where it says nothing by itself", () => {
    const session = edited.says("Half up or half even?\n\n1. half up\n2. half even").asks("2");
    expect(nextStep(session.happened()).action).toBe(
      'act on the user\'s answer: "2" to "Half up or half even? (2. half even)"',
    );
    const later = session.calls("Read", { file_path: "/p/src/pay.ts" }, "text");
    expect(nextStep(later.happened()).action).toContain('finish "2" to "Half up or half even? (2. half even)"');
  });

  it("takes up no list that the person has left behind", () => {
    const session = edited
      .calls("TodoWrite", { todos: [{ content: "Rename the ledger", status: "pending" }] }, "ok")
      .says("Done for now.")
      .asks("Why does the invoice show two totals?")
      .calls("Read", { file_path: "/p/src/pay.ts" }, "text");
    expect(nextStep(session.happened()).action).toContain('finish "Why does the invoice show two totals?"');
  });

  it("is the failed check, which was not run again since the last change", () => {
    const session = story()
      .asks("Add rounding to pay")
      .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: no such module", { isError: true })
      .calls("Edit", EDIT, "ok", { detail: DETAIL });
    expect(nextStep(session.happened()).action).toBe(
      "make `npm run build` pass: error: no such module; not run since the last change; the last change was at /p/src/pay.ts:2 (pay)",
    );
  });

  it("is no error that was gone around", () => {
    const failing = edited.calls("Bash", { command: "docker compose up" }, "Exit code 127\ncommand not found: docker", {
      isError: true,
    });
    const around = failing.calls("Bash", { command: "podman compose up" }, "started");
    expect(nextStep(around.happened()).kind).toBe("task");
  });

  it("[R46] is to wait while an agent is away, though nothing was asked", () => {
    const detail = { isAsync: true, agentId: "a17f" };
    const sent = edited.calls("Task", { description: "Review the rounding" }, "Async agent launched", { detail });
    expect(nextStep(sent.says("The reviewer is at it.").happened())).toMatchObject({
      kind: "waiting",
      action: 'wait for the report of the subagent with this order: "Review the rounding"',
    });
  });

  it("is the person's to say when they broke off, and nothing when they asked to commit and it is committed", () => {
    const asked = edited.says("It rounds now.").asks("ok commit this");
    const committed = asked.calls("Bash", { command: "git commit -am round" }, "[main 1a2b3c4] round");
    expect(nextStep(committed.happened())).toMatchObject({ kind: "nothing" });
    const broken = happen([...asked.events(), interruption()]);
    expect(nextStep(broken)).toMatchObject({ kind: "question", action: expect.stringMatching(/^wait for/) });
    const pushed = story().asks("Push pay").calls("Bash", { command: "git push" }, "main -> main").says("Pushed.");
    expect(nextStep(pushed.happened()).kind).toBe("nothing");
    expect(nextStep(happen([...asked.events(), interruption(), ...pushed.events()])).kind).toBe("ended");
  });
});

function interruption(): SessionEvent {
  const reported = prompt("[Request interrupted by user]");
  return { ...reported, block: { kind: "text", id: "", text: "[Request interrupted by user]", author: "host" } };
}

it.each([
  "",
  "continue",
  "Continue working.",
  "keep going",
  "please proceed",
  "yes",
  "go on with the work",
  "continue from where we left off",
  "next step",
])("[R46] calls %j vague", (action) => {
  expect(isVague(action)).toBe(true);
});

it.each([
  "implement the validation in src/auth/validate.ts:47",
  "continue with parseLine in src/parse.ts",
  "make `npm test` pass",
  "yes, but rename it to Reader",
])("[R46] takes %j for an action", (action) => {
  expect(isVague(action)).toBe(false);
});

describe("in the middle of the work", () => {
  const ended = story().asks("Caulk the hull").says("The hull is tight.");
  const reopen = (text: string): string => {
    const { block, ...reported } = prompt(text);
    const host = { ...reported, block: block.kind === "text" ? { ...block, author: "host" as const } : block };
    return nextStep(happen([...ended.events(), host])).action;
  };

  it("[R197] goes on where a hook or a notification reopens the turn, and waits for nobody", () => {
    expect(reopen("Stop hook feedback:\nThe tests were not run.")).toBe(
      'deal with what came in after the turn: "The tests were not run."',
    );
    const notice =
      "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>The build passed</summary>\n</task-notification>";
    expect(reopen(notice)).toContain("The build passed");
  });

  it("[R197] takes a go-ahead for what it answers, and a tool that does not exist for nothing to resolve", () => {
    const offered = ended.says("Shall I caulk the stern as well?").asks("i think you can go for it");
    expect(nextStep(offered.happened()).action).toContain("Shall I caulk the stern as well?");
    const missing = story()
      .asks("Caulk the hull")
      .calls("Bash", { command: "caulk --now" }, "Exit code 127\nerror: no such tool: caulk", { isError: true });
    expect(nextStep(missing.happened()).kind).toBe("task");
  });

  it("[R197] names no place in a file that was moved or taken back since", () => {
    const moved = edited.calls("Bash", { command: "git mv src/pay.ts src/settle.ts" }, "");
    expect(nextStep(edited.happened()).action).toContain("the last change was at /p/src/pay.ts");
    expect(nextStep(moved.happened()).action).not.toContain("the last change was at");
  });

  it("[R197] keeps a step that was announced and not seen open, also after the turn went on", () => {
    const announced = story()
      .asks("Caulk it all")
      .says("The bow is tight. Next: caulk `stern.ts`.")
      .calls("Read", { file_path: "/p/bow.ts" }, "ok");
    expect(findContinuation(announced.happened()).open.map(({ subject }) => subject)).toContain(
      "Next: caulk `stern.ts`.",
    );
  });
});
