import { hashText } from "../../core/hash.ts";
import type { Level } from "../../measure/level.ts";
import type { PolicyCommand, PolicyStep } from "../command.ts";
import { due, type Injection } from "../injection/compose-injections.ts";
import type { PolicyState } from "../policy-state.ts";
import { classifyException, type DensityException, keepProse } from "./classify-exception.ts";
import type { DensityEvent, DensityMode, DensitySignal, DensityState } from "./density-state.ts";

/** From so many workers on, a fluent summary of terse reports would only add words. */
const TEAM_FROM = 3;

interface DensityStep {
  readonly state: DensityState;
  readonly texts: readonly string[];
  readonly commands: readonly PolicyCommand[];
}

/** A step with texts that are still to be composed with others. */
export interface DensityFollowed extends PolicyStep {
  readonly list: readonly Injection[];
}

/** Advances the session's density by one signal; `why` is what the journal says about the texts. */
export function followDensity(state: PolicyState, signal: DensitySignal, why: string): DensityFollowed {
  const { state: density, texts, commands } = stepDensity(state.red.density, signal);
  return {
    state: { ...state, red: { ...state.red, density } },
    list: texts.map((text) => due("density", why, text)),
    commands,
  };
}

function stepDensity(state: DensityState, signal: DensitySignal): DensityStep {
  switch (signal.kind) {
    case "level":
      return stepLevel(state, signal.level, signal.isAuto === true);
    case "compaction":
      return stepCompaction(state, signal.level);
    case "prompt":
      return stepPrompt(state, signal);
    case "exception":
      return pause({ ...state, exception: signal.exception });
    case "responded":
      return quiet({ ...state, responsesInTask: state.responsesInTask + 1, exception: null });
    case "workstream":
      return stepWorkstream(state, signal.id, signal.mode);
    case "teamEnded":
      return endTeam(state);
  }
}

function quiet(state: DensityState): DensityStep {
  return { state, texts: [], commands: [] };
}

function announce(change: Omit<DensityEvent, "type">): PolicyCommand {
  return { kind: "note", action: { kind: "signal", signal: { type: "output.density.set", ...change } } };
}

/** The current choice, before exceptions for a single response. */
function isDense({ manual, auto }: DensityState): boolean {
  return manual === null ? auto !== null : manual === "caveman";
}

function stepLevel(before: DensityState, level: Level, isAuto: boolean): DensityStep {
  const state = { ...before, level };
  if (!isAuto) return state.auto === null ? quiet(state) : release(state);
  if (level === "GREEN") return state.auto !== null && state.hasCompactedSince ? release(state) : quiet(state);
  const isPressed = level === "ORANGE" || level === "RED";
  if (!isPressed || state.manual !== null) return quiet(state);
  if (state.auto !== null) return state.hasCompactedSince ? remind(state) : quiet(state);
  const auto = level === "RED" ? "context-red" : "context-orange";
  return {
    ...remind({ ...state, auto }),
    commands: [announce({ mode: "caveman", scope: "session", source: auto })],
  };
}

/** A compaction removes the rules. What the user asked for is repeated at once; what the load switched on waits: a compaction usually ends its reason. */
function stepCompaction(before: DensityState, level: Level | undefined): DensityStep {
  const state = { ...before, hasCompactedSince: true, level: level ?? before.level };
  if (state.manual === "caveman") return remind(state);
  if (state.auto === null || level === undefined) return quiet(state);
  return level === "GREEN" ? release(state) : isDense(state) ? remind(state) : quiet(state);
}

function remind(state: DensityState): DensityStep {
  return { state: { ...state, hasCompactedSince: false }, texts: [renderDensityReminder()], commands: [] };
}

/** Ends what the level switched on. What the user switched on stays until they switch it off. */
function release(before: DensityState): DensityStep {
  const state = { ...before, auto: null, hasCompactedSince: false };
  if (before.manual !== null) return quiet(state);
  return {
    state,
    texts: [RELEASE_TEXT],
    commands: [announce({ mode: "normal", scope: "session", source: "context-green" })],
  };
}

function stepPrompt(
  before: DensityState,
  { text, startsTask }: Extract<DensitySignal, { kind: "prompt" }>,
): DensityStep {
  const lastPrompt = hashText(text.trim().toLowerCase().replace(/\s+/g, " "));
  const isRepeated = text.trim() !== "" && before.lastPrompt === lastPrompt;
  const state: DensityState = {
    ...before,
    lastPrompt,
    // A prompt that continues a task had a response before, even if it was not counted.
    responsesInTask: startsTask ? 0 : Math.max(1, before.responsesInTask),
    exception: classifyException({ prompt: text, isRepeated }) ?? null,
  };
  const request = detectDensityRequest(text);
  return request === undefined ? pause(state) : obey(state, request);
}

/** The user's choice wins, both ways. A choice that already holds is not announced again. */
function obey(before: DensityState, mode: DensityMode): DensityStep {
  const state = { ...before, manual: mode };
  if (before.manual === mode) return pause(state);
  const announced = announce({ mode, scope: "session", source: "user" });
  const wasDense = isDense(before);
  if (mode === "caveman") {
    const rules = wasDense ? [] : [renderDensityReminder()];
    return { state, texts: [...rules, ...pause(state).texts], commands: [announced] };
  }
  const warnings = before.level === "RED" ? [{ kind: "warn", text: STOPPED_AT_RED } as const] : [];
  return { state, texts: wasDense ? [RELEASE_TEXT] : [], commands: [announced, ...warnings] };
}

/** Tells the model once to write in full, if the current mode is terse and this response must not be. */
function pause(state: DensityState): DensityStep {
  const { exception, responsesInTask } = state;
  const why = responsesInTask === 0 ? "first" : exception;
  return isDense(state) && why !== null ? { ...quiet(state), texts: [renderException(why)] } : quiet(state);
}

function stepWorkstream(before: DensityState, id: string, mode: DensityMode): DensityStep {
  if (before.workstreams[id] === mode) return quiet(before);
  const state = { ...before, workstreams: { ...before.workstreams, [id]: mode } };
  const announced = announce({ mode, scope: `workstream:${id}`, source: "workstream" });
  const dense = Object.values(state.workstreams).filter((each) => each === "caveman").length;
  if (before.isTeamDense || before.manual !== null || dense < TEAM_FROM)
    return { ...quiet(state), commands: [announced] };
  return {
    state: { ...state, isTeamDense: true },
    texts: [TEAM_TEXT],
    commands: [announced, announce({ mode: "caveman", scope: "team", source: "team" })],
  };
}

/** The workstreams are merged, so their scopes end. */
function endTeam(before: DensityState): DensityStep {
  const state = { ...before, workstreams: {}, isTeamDense: false };
  const ended = announce({ mode: "normal", scope: "team", source: "team" });
  return { ...quiet(state), commands: before.isTeamDense ? [ended] : [] };
}

/** All rules of caveman mode: what to drop, what to use instead, what never changes, and what outranks it. */
export function renderDensityReminder(): string {
  return [
    "Caveman mode is on: terse output, full technical accuracy.",
    "Drop: articles, filler, pleasantries, empty hedging, connectives, restating the question or the plan.",
    "Use: fragments, short synonyms, common abbreviations, arrows (cause -> effect), bullets, bare skeletons.",
    "Never touch: code, errors, paths, identifiers, numbers, units, versions. They stay verbatim.",
    "Keep a hedge that expresses real uncertainty: say what is not verified.",
    "Write ONE response in full, then resume, for: security warnings; confirming what cannot be undone; ordered steps; requests to explain, clarify or repeat; root-cause diagnosis; the first response of every task.",
    "Precedence: calibration > evidence > a skill's output format > safety > actionability > economy.",
    "Do not drift back: write every response this way until told otherwise.",
  ].join("\n");
}

export const RELEASE_TEXT = "Caveman mode released: write normally again.";

const STOPPED_AT_RED =
  "Caveman mode is off as you asked, though the window is nearly full: longer answers bring the compaction nearer. Run /compact soon.";

const TEAM_TEXT =
  "Write the team summary in caveman mode too, because three or more workers use it. Caveman mode ends with phase 5.";

const REASONS: Readonly<Record<DensityException | "first", string>> = {
  first: "first response of a task",
  security: "security warning",
  irreversible: "confirmation of something that cannot be undone",
  sequence: "ordered steps",
  clarify: "the user asks for an explanation",
  diagnosis: "root-cause diagnosis",
};

export function renderException(exception: DensityException | "first"): string {
  return `Caveman mode pauses for this one response: write it in full (${REASONS[exception]}), then resume.`;
}

const GAP = "[ \\t\\n]{1,4}";

/** Tested first: "stop caveman" contains "caveman", and the longer phrase has to win. */
const OFF = [
  `(?:stop|end|exit|quit|disable|no|no more|without)${GAP}(?:the${GAP})?caveman(?:${GAP}mode)?`,
  `/?caveman(?:${GAP}mode)?${GAP}off`,
  `normal${GAP}mode`,
  `(?:don['’]?t|do not|not)${GAP}be${GAP}(?:so${GAP})?brief`,
];
/** `caveman` alone is a request; with an article before it or a noun after it, as in `the caveman parser`, it names a thing. */
const ON = [
  "/caveman",
  `caveman${GAP}mode`,
  `(?<!\\b(?:the|this|that|our|my)${GAP})caveman(?!${GAP}(?:test|parser|code|file|module|function|class|feature|rule|text)s?\\b)`,
  `be${GAP}(?:more${GAP})?brief`,
  `less${GAP}tokens`,
];

/** Not part of a path, file name or identifier: `caveman.ts`, `src/caveman`, `be-brief`, `caveman()` request nothing. */
const REQUEST: RegExp = new RegExp(
  `(?<![\\w./\\\\-])(?:(${OFF.join("|")})|(?:${ON.join("|")}))(?![\\w/\\\\(-])(?!\\.\\w)`,
  "gi",
);

/** What a prompt asks for. Code and quotations do not count; of several requests the last one counts. */
export function detectDensityRequest(prompt: string): DensityMode | undefined {
  let request: DensityMode | undefined;
  for (const match of keepProse(prompt).matchAll(REQUEST)) request = match[1] === undefined ? "caveman" : "normal";
  return request;
}
