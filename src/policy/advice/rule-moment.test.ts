/** If red: a compaction is advised in the middle of an edit, or put off after a commit. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import type { Block, Message } from "../../core/message.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { explainWait, type Moments, ruleMoment } from "./rule-moment.ts";
import { createMomentTracker, readMoment } from "./work-moment.ts";

let count = 0;
const message = (role: Message["role"], ...blocks: readonly Block[]): Message => ({ id: `m${++count}`, role, blocks });
const said = (text: string, author: "person" | "model"): Block => ({ kind: "text", id: `t${++count}`, text, author });
const ask = (text: string): readonly Message[] => [message("user", said(text, "person"))];
const close = (): readonly Message[] => [message("assistant", said("done", "model"))];
/** One exchange: a call and its result. */
function act(tool: string, input: JsonObject, result = "ok", isError = false): readonly Message[] {
  const callId = `c${++count}`;
  return [
    message("assistant", { kind: "toolCall", id: callId, callId, tool, input }),
    message("user", { kind: "toolResult", id: `r${callId}`, callId, parts: [{ kind: "text", text: result }], isError }),
  ];
}
const read = () => act("Read", { file_path: "/p/a.ts" });
const edit = () => act("Edit", { file_path: "/p/a.ts", old_string: "a", new_string: "b" });
const run = (command: string, result = "ok", isError = false) => act("Bash", { command }, result, isError);

const rule = (...parts: readonly (readonly Message[])[]) =>
  ruleMoment(readMoment([...ask("paint it"), ...parts.flat()], claudeCodeVocabulary));

describe("the decision table, asked of a conversation", () => {
  it("[R68] says no in the middle of an edit, and only conditionally until its tests have passed", () => {
    expect(rule(read(), edit())).toMatchObject({ verdict: "NO", why: "a file is in the middle of an edit" });
    expect(rule(edit(), read())).toMatchObject({ verdict: "CONDITIONAL", why: "compact only once its tests pass" });
    expect(rule(edit(), run("npm test", "1 failed | 3 passed"))).toMatchObject({ verdict: "CONDITIONAL" });
    expect(rule(edit(), run("npm test", "4 passed"))).toMatchObject({ verdict: "YES", isBoundary: true });
    expect(rule(edit(), read(), read())).toMatchObject({ verdict: "YES", isBoundary: false });
  });

  it("takes red tests behind a pipe for red", () => {
    expect(rule(run("npm test | tail -5", "Tests: 2 failed, 1 passed"))).toMatchObject({ verdict: "CONDITIONAL" });
  });

  it("[R70] says no between quality findings and their verification", () => {
    expect(rule(run("npx eslint src", "src/a.ts:3:1 unused", true)).verdict).not.toBe("YES");
    expect(rule(run("npx eslint src"))).toMatchObject({ verdict: "NO" });
  });

  it("[R71] says yes after a commit, whatever went before", () => {
    expect(rule(edit(), run("npm test", "1 failed", true), run("git commit -am done"))).toMatchObject({
      verdict: "YES",
      isBoundary: true,
      why: "the work is in git, which is a safe boundary",
    });
  });

  it("says yes as the person begins a turn, not where they speak in the middle of one", () => {
    expect(rule(edit(), close(), ask("and now the mast"))).toMatchObject({ verdict: "YES", isBoundary: true });
    expect(rule(edit(), ask("hurry"))).toMatchObject({ verdict: "NO" });
  });

  it("takes the end of a named task for a boundary", () => {
    expect(rule(read(), act("TaskUpdate", { taskId: "1", status: "completed" }))).toMatchObject({ isBoundary: true });
  });

  it("takes one more finished item of a list that is written whole for the same", () => {
    const list = (...done: readonly boolean[]) =>
      act("TodoWrite", {
        todos: done.map((isDone, index) => ({ content: `row ${index}`, status: isDone ? "completed" : "pending" })),
      });
    expect(rule(list(false, false), read(), list(true, false))).toMatchObject({
      isBoundary: true,
      why: "a task is finished",
    });
    expect(rule(list(true, false), read(), list(true, false))).toMatchObject({ isBoundary: false });
    expect(rule(list(true, false), read(), list(true, false), list(true, true), read())).toMatchObject({
      isBoundary: false,
    });
  });

  it("[R65] says yes where looking around ends with a list of work, not after a single look", () => {
    const list = () => act("TaskCreate", { subject: "Paint" });
    expect(rule(read(), read(), read(), list())).toMatchObject({
      verdict: "YES",
      isBoundary: true,
      why: "research findings summarise well, and key decisions survive",
    });
    expect(rule(read(), list())).toMatchObject({ isBoundary: false });
  });

  it("[R66] says yes once the plan stands in a file, and waits where it stands only in the conversation", () => {
    const write = (file_path: string) => act("Write", { file_path, content: "1. Paint" });
    expect(rule(write("/p/.plimsoll/plan-paint.md"))).toMatchObject({
      verdict: "YES",
      isBoundary: true,
      why: "the plan is in a file and can be read again",
    });
    expect(rule(write("/p/src/plan-paint.ts"))).toMatchObject({ verdict: "NO" });
    expect(rule(act("ExitPlanMode", { plan: "1. Paint" }))).toMatchObject({ verdict: "CONDITIONAL" });
    expect(rule(act("ExitPlanMode", { plan: "1. Paint" }), read())).toMatchObject({ verdict: "YES" });
  });

  it("[R67] says yes once what had failed passes", () => {
    expect(rule(run("npm test", "1 failed", true), edit(), run("npm test", "4 passed"))).toMatchObject({
      verdict: "YES",
      isBoundary: true,
      why: "the findings are in the debug report, and the fix has the diagnosis",
    });
  });

  it("[R69] says yes as a failed approach is given up, not where the next one fails too or is in the making", () => {
    const say = (text: string, rest: readonly Message[]) => [message("assistant", said(text, "model")), ...rest];
    const words = "That did not work, so let me try another brush.";
    const failed = run("./brush", "no hair", true);
    expect(rule(failed, say(words, read()))).toMatchObject({
      verdict: "YES",
      isBoundary: true,
      why: "a one-line note on the failed approach is enough, and a fresh context helps",
    });
    expect(rule(failed, say(words, run("./broom", "no hair", true)))).toMatchObject({ verdict: "CONDITIONAL" });
    expect(rule(failed, say(words, edit()))).toMatchObject({ verdict: "NO" });
    expect(rule(say(words, read()))).toMatchObject({ isBoundary: false });
  });

  it("forbids nothing over calls that nobody described", () => {
    const messages = [...ask("go"), ...edit()];
    const plain = { interpretCall: () => ({ kind: "other" }) };
    expect(ruleMoment(readMoment(messages, plain))).toMatchObject({ verdict: "YES", isBoundary: false });
  });

  it("is the same for who follows the events as for who holds the messages", () => {
    const messages = [
      ...ask("go"),
      read(),
      edit(),
      run("npm test", "1 failed", true),
      read(),
      edit(),
      close(),
      ask("x"),
    ].flat();
    const tracker = createMomentTracker(claudeCodeVocabulary);
    for (const [index, { role, blocks }] of messages.entries()) {
      const common = { origin: "", atMs: undefined, label: "", detail: undefined } as const;
      if (role === "assistant")
        tracker.feed({
          kind: "output",
          ...common,
          stepId: `${index}`,
          model: "",
          usage: undefined,
          isOutputFinal: true,
          blocks,
        });
      else for (const block of blocks) tracker.feed({ kind: "arrival", ...common, source: "prompt", role, block });
      const held = readMoment(messages.slice(0, index + 1), claudeCodeVocabulary);
      expect(ruleMoment(held)).toEqual(ruleMoment(tracker.moment()));
    }
  });
});

describe("an automatic compaction waits", () => {
  const CALM = { isPastHalf: false, isCold: false };
  const wait = (moments: Moments, parts: readonly (readonly Message[])[], pressure = CALM): string =>
    explainWait(() => readMoment([...ask("paint it"), ...parts.flat()], claudeCodeVocabulary), moments, pressure);
  const EDITED = "a file is in the middle of an edit";

  it.each<[Moments, string, string]>([
    ["any", "", ""],
    ["table", EDITED, ""],
    ["boundaries", EDITED, "compact only between two steps of the work"],
    ["turns", "compact only when the user starts a new turn", "compact only when the user starts a new turn"],
  ])("at %s for a moment that fits, and says which", (moments, inAnEdit, atALook) => {
    expect([wait(moments, [edit()]), wait(moments, [edit(), read(), read()])]).toEqual([inAnEdit, atALook]);
  });

  it("for nothing once half of the line is reached; by the table, not where the cache is cold either", () => {
    for (const moments of ["table", "boundaries", "turns"] as const)
      expect(wait(moments, [edit()], { ...CALM, isPastHalf: true })).toBe("");
    expect(wait("table", [edit()], { ...CALM, isCold: true })).toBe("");
    expect(wait("boundaries", [edit()], { ...CALM, isCold: true })).toBe(EDITED);
  });
});
