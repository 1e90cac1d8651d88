/** If red: rules, reminders or warnings are given at the wrong event, or twice. */
import { describe, expect, it } from "vitest";
import { asks, calls, edits, follow, runs, says, toEvents } from "../../../test/support/session-story.ts";
import { happen } from "../../../test/support/story.ts";
import { hashText } from "../../core/hash.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { emptyMeter } from "../../measure/meter.ts";
import type { Action } from "../../session/action.ts";
import type { Phase } from "../../session/phase.ts";
import type { PolicyCommand, PolicyStep } from "../command.ts";
import { INITIAL_POLICY, type LoopLook, NOTHING_SAID, type PolicyState } from "../policy-state.ts";
import { DEFAULT_SETTINGS, type Settings } from "../settings/settings.ts";
import { type Called, called } from "./called.ts";
import { delegated } from "./delegated.ts";
import { documentChanged } from "./document-changed.ts";
import { endsPause, leavesSomething } from "./ended.ts";
import { isLoopDue, loopResumed, loopSaved, remembered } from "./looped.ts";
import { measured, saved } from "./measured.ts";
import { type Opened, opened } from "./opened.ts";
import { ran } from "./ran.ts";
import { responded, said } from "./said.ts";
import { isCountDue, keepForPrompt, turnEnded } from "./turn-ended.ts";

const model = (): string => "claude-sonnet-4-5";
const at = (percent: number, toolCalls = 0): Health =>
  assessHealth(
    { ...emptyMeter, toolCalls },
    { client: { usedTokens: percent * 2000, windowTokens: 200_000 }, profile: "percent" },
  );
const [GREEN, ORANGE, RED] = [at(10), at(78), at(95)];
const set = (some: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...some });
const kinds = (commands: readonly PolicyCommand[]): readonly string[] => commands.map(({ kind }) => kind);
const textOf = ({ commands }: Pick<PolicyStep, "commands">, kind: "tell" | "warn"): string =>
  commands.flatMap((command) => (command.kind === kind ? [command.text] : [])).join("\n");
const RULE = { name: ".plimsoll/rules/a.md", text: "Coil the ropes." };
const HERE = { mode: { kind: "none" } as const, modeText: undefined, rules: [RULE], plan: "" };

describe("a window begins", () => {
  const event = (more: Partial<Opened> = {}): Opened => ({
    why: "startup",
    surroundings: HERE,
    notes: () => "Notes of yesterday.",
    nowMs: 1,
    model,
    ...more,
  });

  it.each([
    ["startup", true, true],
    ["resume", true, true],
    ["clear", true, false],
    ["compact", true, false],
  ] as const)("by %s: rules are told %s, notes are told %s", (why, rules, notes) => {
    const said = textOf(opened(INITIAL_POLICY, event({ why })), "tell");
    expect([said.includes(RULE.text), said.includes("Notes of yesterday.")]).toEqual([rules, notes]);
  });

  it("repeats nothing that still stands in it", () => {
    const first = opened(INITIAL_POLICY, event()).state;
    expect(textOf(opened(first, event({ why: "resume", stands: first.told })), "tell")).toBe("");
    expect(textOf(opened(first, event({ why: "resume" })), "tell")).toContain(RULE.text);
  });

  it("remembers which pause it was told of, and what was said to the person", () => {
    const line = { ...INITIAL_POLICY, told: { ...NOTHING_SAID, line: 2 } };
    const { told: injected } = opened(line, event({ paused: "Phase: 4", notes: () => "Phase: 4" })).state;
    expect([injected.paused, injected.line]).toEqual([hashText("Phase: 4"), 2]);
  });

  it("names to the person what waits for their agreement", () => {
    const claim = { project: "/p", name: ".plimsoll/settings.json", text: "{}" };
    expect(textOf(opened(INITIAL_POLICY, event({ waiting: [claim] })), "warn")).toBe(
      "1 file of this project is not used until you agree to it (.plimsoll/settings.json). Run: plimsoll trust",
    );
    expect(textOf(opened(INITIAL_POLICY, event()), "warn")).toBe("");
  });
});

describe("a prompt is on its way", () => {
  const say = (prompt: string, state: PolicyState = INITIAL_POLICY, settings: Partial<Settings> = {}, health = GREEN) =>
    said(
      state,
      {
        prompt,
        surroundings: HERE,
        limits: [],
        health: () => health,
        happened: () => undefined,
        savedDecisions: () => 0,
        baseTokens: () => undefined,
        model,
      },
      set(settings),
    );

  it("brings rules once, and again only when they change", () => {
    const first = say("Go.");
    expect(textOf(first, "tell")).toContain(RULE.text);
    expect(textOf(say("Go.", first.state), "tell")).toBe("");
  });

  it("says once a window that the person's own line is reached", () => {
    const first = say("Go.", INITIAL_POLICY, { lineTokens: 150_000 }, ORANGE);
    expect(textOf(first, "warn")).toContain("your line of 150k is reached");
    expect(textOf(say("Go.", first.state, { lineTokens: 150_000 }, ORANGE), "warn")).toBe("");
    expect(textOf(say("Go.", INITIAL_POLICY, { lineTokens: 157_000 }, ORANGE), "warn")).toBe("");
  });

  it("answers a question about the context with figures, and no other one", () => {
    expect(textOf(say("How full is the context window?"), "tell")).toContain("Measured now");
    expect(textOf(say("Paint the hull."), "tell")).not.toContain("Measured now");
  });

  it("says what waited for it, once", () => {
    const waiting = { ...INITIAL_POLICY, told: { ...NOTHING_SAID, waiting: ["plimsoll audit is worth it"] } };
    const first = say("Go.", waiting);
    expect(textOf(first, "warn")).toContain("plimsoll audit is worth it");
    expect(textOf(say("Go.", first.state), "warn")).toBe("");
  });

  it("reminds at each prompt only where it is asked to, and of nothing at a notice", () => {
    const plain = textOf(say("Go.", say("Go.").state), "tell");
    expect(textOf(say("Go.", say("Go.").state, { remindsEachPrompt: true }), "tell").length).toBeGreaterThan(
      plain.length,
    );
    expect(textOf(say("", say("Go.").state, { remindsEachPrompt: true }), "tell")).toBe("");
  });

  it("counts responses while somebody writes tersely", () => {
    const terse = say("/caveman").state;
    expect(terse.red.density.manual).toBe("caveman");
    expect(responded(terse).red.density).not.toEqual(terse.red.density);
  });
});

describe("a call is about to be made", () => {
  const call = (action: Action, more: Partial<Called> = {}, settings: Partial<Settings> = { blocksAtRed: true }) =>
    called(
      INITIAL_POLICY,
      { tool: "T", action, health: RED, isLook: false, project: "/p", nowMs: 0, isOverridden: false, ...more },
      set(settings),
    );
  const isRefused = (step: PolicyStep): boolean => kinds(step.commands).includes("refuse");

  it.each<[string, Action, boolean]>([
    ["read", { kind: "read", path: "/p/a", range: undefined }, false],
    ["search", { kind: "search", pattern: "x", path: "" }, false],
    ["fetch", { kind: "fetch", url: "https://example.org" }, false],
    ["list tasks", { kind: "listTasks" }, false],
    ["ask", { kind: "ask", questions: [] }, false],
    ["create a task", { kind: "createTask", subject: "x" }, false],
    ["note todos", { kind: "replaceTodos", todos: [] }, false],
    ["propose a plan", { kind: "proposePlan", plan: "x" }, false],
    ["write state", { kind: "write", path: "/p/.plimsoll/plan-1.md", text: "" }, false],
    ["edit CLAUDE.md", { kind: "edit", path: "/p/sub/CLAUDE.md" }, false],
    ["edit the instructions of another agent", { kind: "edit", path: "/p/AGENTS.md" }, false],
    ["write state elsewhere", { kind: "write", path: "/q/.plimsoll/x.md", text: "" }, true],
    ["leave the folder", { kind: "write", path: "/p/.plimsoll/../../x", text: "" }, false],
    ["write code", { kind: "write", path: "/p/a.ts", text: "" }, true],
    ["edit code", { kind: "edit", path: "/p/a.ts" }, true],
    ["run plimsoll", { kind: "run", command: "npx plimsoll state" }, false],
    ["run something", { kind: "run", command: "make" }, true],
    ["run what only mentions it", { kind: "run", command: "echo plimsoll x" }, true],
    ["delegate", { kind: "other", tool: "T" }, true],
  ])("at RED to %s: refused %s", (name, action, refused) => {
    // Dots that lead out of the folder are no state file, wherever they end.
    expect(isRefused(call(action))).toBe(name === "leave the folder" ? true : refused);
  });

  it("is refused only where the person asked for that, at RED, and without their way out", () => {
    const make: Action = { kind: "run", command: "make" };
    expect(isRefused(call(make, {}, {}))).toBe(false);
    expect(isRefused(call(make, { health: ORANGE }))).toBe(false);
    expect(isRefused(call(make, { isOverridden: true }))).toBe(false);
    expect(isRefused(call({ kind: "other", tool: "T" }, { isLook: true }))).toBe(false);
  });

  it("saves before the first refusal, and not again with the second", () => {
    const first = call({ kind: "run", command: "make" });
    expect(kinds(first.commands)).toContain("save");
    expect(kinds(first.commands).indexOf("save")).toBeLessThan(kinds(first.commands).indexOf("refuse"));
    const event = { tool: "T", action: { kind: "run", command: "make" } as const, health: RED, isLook: false };
    const rest = { project: "/p", nowMs: 1, isOverridden: false };
    const second = called(first.state, { ...event, ...rest }, set({ blocksAtRed: true }));
    expect(kinds(second.commands)).toEqual(["note", "refuse"]);
  });
});

describe("the load is known", () => {
  it.each([
    ["GREEN", GREEN, []],
    ["ORANGE", ORANGE, ["tell", "note"]],
  ] as const)("at %s it is answered with %j", (_, health, expected) => {
    expect(kinds(measured(INITIAL_POLICY, { health, model }, DEFAULT_SETTINGS).commands)).toEqual(expected);
  });

  it("says nothing where advisories are off", () => {
    const off = set({ hasAdvisories: false });
    expect(measured(INITIAL_POLICY, { health: RED, model }, off).commands).toEqual([]);
  });

  it("at RED tells of the save only once it is on disk, and why where it is not", () => {
    const step = measured(INITIAL_POLICY, { health: RED, model }, DEFAULT_SETTINGS);
    expect(kinds(step.commands)).toContain("save");
    expect(textOf(step, "tell")).not.toContain("State saved");
    expect(textOf(saved(step.state, { why: undefined, model }, DEFAULT_SETTINGS), "tell")).toContain("State saved");
    const failed = textOf(saved(step.state, { why: "the disk is full", model }, DEFAULT_SETTINGS), "tell");
    expect(failed).not.toContain("State saved");
  });
});

describe("a call has come back", () => {
  const density = { ...INITIAL_POLICY.red.density, manual: "caveman" as const };
  const terse: PolicyState = { ...INITIAL_POLICY, red: { ...INITIAL_POLICY.red, density } };
  const back = (action: Action, state = terse) =>
    ran(state, { action, asked: "", phase: () => "implementation", model });

  it("asks for full words after what cannot be undone, and for nothing after anything else", () => {
    expect(textOf(back({ kind: "run", command: "rm -rf build" }), "tell")).not.toBe("");
    expect(back({ kind: "run", command: "make" }).commands).toEqual([]);
    expect(back({ kind: "read", path: "a", range: undefined })).toEqual({ state: terse, commands: [] });
  });

  it("[R91] ends a team's terse summary with its fifth phase, not before", () => {
    const workers = ["a", "b", "c"].map((name): Parameters<typeof ran>[1] => {
      const action: Action = { kind: "delegate", prompt: name };
      return { action, asked: `Caveman mode. Do ${name}.`, phase: () => "planning", model };
    });
    const team = workers.reduce((state, worker) => ran(state, worker).state, INITIAL_POLICY);
    const runsIn = (phase: Phase) =>
      ran(team, { action: { kind: "run", command: "make" }, asked: "", phase: () => phase, model });
    expect(team.red.density.isTeamDense).toBe(true);
    expect(runsIn("implementation").state).toEqual(team);
    expect(runsIn("verify").state.red.density.isTeamDense).toBe(false);
  });
});

describe("a document was changed", () => {
  const change = (state: PolicyState, path = "/p/docs/a.md", settings: Partial<Settings> = {}) => {
    const document = { path, before: "", after: "Always use oakum." };
    return documentChanged(state, { document, project: "/p", model }, set(settings));
  };

  it("is told of each convention that it breaks once", () => {
    const first = change(INITIAL_POLICY);
    expect(textOf(first, "tell")).toContain("oakum");
    expect(change(first.state).commands).toEqual([]);
  });

  it("is none where it lies outside of the project, or where advisories are off", () => {
    expect(change(INITIAL_POLICY, "/q/docs/a.md").commands).toEqual([]);
    expect(change(INITIAL_POLICY, "/p/docs/a.md", { hasAdvisories: false }).commands).toEqual([]);
  });
});

describe("a subagent starts", () => {
  const state = follow(asks("Build. You must not touch the bell."), says("I decided to use tar because oil is thin."));
  const reported = (sendsPackets: boolean) =>
    delegated({ task: "Check it", state, root: "/p", model }, set({ sendsPackets }));

  it("with a packet only where the person switched it on", () => {
    expect(reported(false)).toEqual([]);
    expect(kinds(reported(true))).toEqual(["tell", "note"]);
  });
});

describe("a session ends", () => {
  it.each([
    ["that only looked", [asks("Look."), runs("ls")], false],
    ["that only read a file", [asks("Look."), calls("Read", { file_path: "/p/a.ts" }, "1\ta")], false],
    ["that changed a file", [asks("Fix."), edits("/p/a.ts")], true],
    [
      "that has a task",
      [asks("Go."), calls("TodoWrite", { todos: [{ content: "paint", status: "pending" }] }, "Noted")],
      true,
    ],
  ] as const)("%s: what it leaves is seen", (_, beats, expected) => {
    expect(leavesSomething(happen(toEvents(...beats)))).toBe(expected);
  });

  it("ends the pause that it was told of, and no other", () => {
    const policy = { ...INITIAL_POLICY, told: { ...NOTHING_SAID, paused: hashText("here") } };
    expect(endsPause(policy, "here")).toBe(true);
    expect(endsPause(policy, "there")).toBe(false);
    expect(endsPause(INITIAL_POLICY, "here")).toBe(false);
    expect(endsPause(policy, "")).toBe(false);
  });
});

describe("a turn has ended", () => {
  const end = (state: PolicyState, health: Health, phase: Phase, tools = 0, settings = {}) =>
    turnEnded(state, { health, phase, tools }, set(settings));

  it("says once that an audit is worth it", () => {
    const first = end(INITIAL_POLICY, RED, "implementation");
    expect(textOf(first, "warn")).toContain("plimsoll audit");
    expect(textOf(end(first.state, RED, "implementation"), "warn")).toBe("");
    expect(isCountDue(first.state)).toBe(false);
    expect(textOf(end(INITIAL_POLICY, RED, "implementation", 0, { hasAdvisories: false }), "warn")).toBe("");
  });

  it("keeps its words for the next prompt where the person does not see them", () => {
    const { state, commands } = keepForPrompt(end(INITIAL_POLICY, RED, "implementation"));
    expect(kinds(commands)).not.toContain("warn");
    expect(state.told.waiting).toHaveLength(1);
  });
});

describe("a list of work meets a full window", () => {
  const moment = (health: Health, action: Action) => ({ health, action, nowMs: 0 });
  const task: Action = { kind: "listTasks" };

  it("is looked at only at RED, and only where advisories are on", () => {
    expect(isLoopDue(INITIAL_POLICY, moment(GREEN, task), DEFAULT_SETTINGS)).toBe(false);
    expect(isLoopDue(INITIAL_POLICY, moment(RED, task), DEFAULT_SETTINGS)).toBe(true);
    expect(isLoopDue(INITIAL_POLICY, moment(RED, task), set({ hasAdvisories: false }))).toBe(false);
    const seeking = { ...INITIAL_POLICY, loop: { kind: "skipping" } as const };
    expect(isLoopDue(seeking, moment(GREEN, task), DEFAULT_SETTINGS)).toBe(true);
  });

  const LOOK: LoopLook = {
    level: "RED",
    progress: {
      phase: "4",
      task: 4,
      tasks: 7,
      completed: ["one", "two", "three"],
      remaining: ["five", "six", "seven"],
      decisions: [],
      blockers: [],
      wipFiles: [],
    },
    isAtBoundary: true,
    completedTasks: [1, 2, 3],
    planFile: "none",
  };

  it("[R116] is compacted once, after the state and the memory are saved, and again only after another save", () => {
    const loop = { kind: "flushing", what: "memory", look: LOOK } as const;
    const step = remembered({ ...INITIAL_POLICY, loop }, { why: undefined, model, canCompact: true });
    expect(step.commands.map(({ kind }) => kind)).toEqual(["compact"]);
    expect(remembered(step.state, { why: undefined, model, canCompact: true }).commands).toEqual([]);
    expect(loopSaved(step.state, undefined).commands).toEqual([]);
  });

  it("is nothing where there is none", () => {
    expect(loopSaved(INITIAL_POLICY, undefined)).toEqual({ state: INITIAL_POLICY, commands: [] });
    expect(loopResumed(INITIAL_POLICY)).toEqual({ line: "", step: { state: INITIAL_POLICY, commands: [] } });
  });
});
