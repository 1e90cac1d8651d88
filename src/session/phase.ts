import type { Action } from "./action.ts";
import { reportsProblem } from "./episodes/episode-ending.ts";
import { hasFailed } from "./exit-status.ts";
import { isProbe, nameAttempt } from "./failed-approaches.ts";
import type { Tracker } from "./happening.ts";
import { asksForLastSteps, isMereReply } from "./standing-request.ts";
import { isTestCommand } from "./test-command.ts";

export const PHASES = ["research", "planning", "implementation", "debug", "quality", "verify", "commit"] as const;

export type Phase = (typeof PHASES)[number];

export interface PhaseState {
  readonly phase: Phase;
  readonly recent: readonly Phase[];
  /** The last command failed, so what follows is for finding out why. */
  readonly hasOpenFailure: boolean;
  /** The topic of the person's newest words, if clear: looking around is then part of it. */
  readonly aim?: Phase | undefined;
  /** The last two phases that the session showed plainly, the older first. */
  readonly shown?: readonly Phase[] | undefined;
}

const LOOK_BACK = 8;
const SEARCHED_CHARACTERS = 2000;
const COMMIT = /\bgit (?:commit|push|merge|tag)\b|\bgh pr (?:create|merge)\b/;
const QUALITY = /\b(?:lint|eslint|biome|prettier|gofmt|clippy|ruff|mypy|tsc|golangci-lint|format)\b/;

/** Looking around for a purpose. */
const BENT: Readonly<Partial<Record<Phase, readonly Phase[]>>> = {
  debug: ["research", "implementation"],
  commit: ["research"],
  implementation: ["research"],
};
/** A change or a failure says more about the phase than a lookup. */
const INFORMATIVE: readonly Phase[] = ["implementation", "planning", "debug"];
const INFORMATIVE_WEIGHT = 4;
const CHANGES =
  /(?:^|[\s"'|;&(])(?:rm|mv|cp|mkdir|touch|chmod|chown|ln|tee|sed -i|systemctl|service|pacman|opkg|uci|(?:npm|pnpm|yarn|bun|pip|uv|cargo|go|apt(?:-get)?|brew) (?:i|install|add|remove|uninstall|upgrade|get))\s|[^<>=&\d-]>{1,2}\s{0,3}(?!\/dev\/null)["'~./\w]/;
const BROWSES = /browser|playwright|puppeteer/i;
const MAKES = /^(?:implement|create|build|add|write|fix|refactor|set ?up|update|migrate|convert|generate|port)\b/i;
const CHECKS = /^(?:verify|test|validate)\b/i;
/** Documents that describe what is to be built. */
const PLANS = /\b(?:plans?|specs?|designs?|adrs?|rfcs?)\b[^\\/]*(?:[\\/][^\\/]*)?\.mdx?$/i;
const NAMES_PROBLEM =
  /\b(?:got|getting|get|see|seeing|have|there(?:['’]s| is| are))\b.{0,60}\b(?:issue|bug|error|failure)s?\b/i;
/** Longer words begin something of their own. */
const FURTHER_CHARACTERS = 200;

/** Guesses the phase from the last actions since the person said what they want. */
export function createPhaseTracker(
  saved: PhaseState = { phase: "research", recent: [], hasOpenFailure: false },
): Tracker<PhaseState> {
  let recent = [...saved.recent];
  let { hasOpenFailure, aim, shown = [] } = saved;

  const note = (): void => {
    const phase = findPhase({ recent });
    if (phase !== undefined && shown.at(-1) !== phase) shown = [...shown.slice(-1), phase];
  };

  const hear = (text: string): void => {
    hasOpenFailure = false;
    if (isMereReply(text)) return;
    // A further word on what is broken; after a commit it is another matter.
    const isFurther = aim === "debug" && text.length <= FURTHER_CHARACTERS && !recent.includes("commit");
    recent = [];
    const isAboutProblem = reportsProblem(text) || NAMES_PROBLEM.test(text.slice(0, SEARCHED_CHARACTERS));
    if (isAboutProblem) aim = "debug";
    else if (asksForLastSteps(text)) aim = "commit";
    else if (!isFurther) aim = undefined;
  };

  return {
    follow(happening) {
      if (happening.kind === "asked") hear(happening.text);
      if (happening.kind !== "outcome") return;
      const { action, outcome } = happening;
      if (action.kind === "run") hasOpenFailure = hasFailed(action, outcome);
      const phase = speakFor(action, hasOpenFailure);
      if (phase) recent = [...recent, aim && BENT[aim]?.includes(phase) ? aim : phase].slice(-LOOK_BACK);
      note();
      // After a plan is approved, reading serves to carry it out.
      if (action.kind === "proposePlan" && !outcome.isRefused && !outcome.isError) aim = "implementation";
    },
    state: () => ({
      phase: decidePhase(recent, aim),
      recent,
      hasOpenFailure,
      ...(aim && { aim }),
      ...(shown.length > 0 && { shown }),
    }),
  };
}

/** So many acts in a row that speak for the same phase show it. */
const PLAIN_ACTS = 3;

/**
 * The phase, if the session shows it plainly: a commit was just made, tests ran while nothing was being changed, the last acts all changed
 * files, or all looked around before anything was changed. Looking around after a failure is not seen to be debugging.
 */
export function findPhase({ recent }: Pick<PhaseState, "recent">): Phase | undefined {
  const last = recent.slice(-PLAIN_ACTS);
  const [first] = last;
  const isChanging = (acts: readonly Phase[]): boolean =>
    acts.some((phase) => phase === "implementation" || phase === "debug");
  if (last.at(-1) === "commit") return "commit";
  if (last.at(-1) === "verify" && !isChanging(last)) return "verify";
  if (last.length < PLAIN_ACTS || first === "debug" || !last.every((phase) => phase === first)) return undefined;
  return first === "research" && isChanging(recent) ? undefined : first;
}

/** The two stages between which the work stands; `undefined` if the session does not show it plainly. */
export function findTransition({
  recent,
  shown = [],
}: PhaseState): readonly [Phase, Phase | "next-feature"] | undefined {
  const now = findPhase({ recent });
  if (now === "commit") return ["commit", "next-feature"];
  const [before, after] = shown;
  return before === "research" && after === "implementation" && now === after ? [before, after] : undefined;
}

function speakFor(action: Action, hasOpenFailure: boolean): Phase | undefined {
  switch (action.kind) {
    case "read":
    case "search":
    case "fetch":
      return hasOpenFailure ? "debug" : "research";
    case "delegate":
      if (MAKES.test(action.prompt)) return "implementation";
      return CHECKS.test(action.prompt) ? "verify" : "research";
    case "createTask":
    case "proposePlan":
    case "ask":
      return "planning";
    case "write":
    case "edit":
      if (PLANS.test(action.path)) return "planning";
      return hasOpenFailure ? "debug" : "implementation";
    case "run":
      return speakForCommand(action.command, hasOpenFailure);
    case "other":
      return BROWSES.test(action.tool) ? "verify" : undefined;
    default:
      return undefined;
  }
}

/** What a command is for, if it is one of the three that end a piece of work. */
export function classifyCommand(command: string): "commit" | "verify" | "quality" | undefined {
  if (COMMIT.test(command)) return "commit";
  if (isTestCommand(command)) return "verify";
  return QUALITY.test(command) ? "quality" : undefined;
}

function speakForCommand(command: string, hasOpenFailure: boolean): Phase | undefined {
  const purpose = classifyCommand(command);
  if (purpose === "commit" || purpose === "quality") return purpose;
  if (hasOpenFailure) return "debug";
  if (purpose) return purpose;
  if (CHANGES.test(command.slice(0, SEARCHED_CHARACTERS))) return "implementation";
  return isProbe(nameAttempt({ kind: "run", command })) ? "research" : undefined;
}

/** The newest action weighs most: a commit ends a phase at once, a single lookup does not. */
function decidePhase(recent: readonly Phase[], aim: Phase | undefined): Phase {
  const last = recent.at(-1);
  if (last === undefined) return aim ?? "research";
  if (last === "commit" || last === "verify") return last;
  const weights = new Map<Phase, number>();
  for (const [index, phase] of recent.entries()) {
    const weight = (index + 1) * (INFORMATIVE.includes(phase) ? INFORMATIVE_WEIGHT : 1);
    weights.set(phase, (weights.get(phase) ?? 0) + weight);
  }
  return [...weights].sort(([, left], [, right]) => right - left)[0]?.[0] ?? last;
}
