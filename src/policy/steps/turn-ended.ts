import type { Health } from "../../measure/health.ts";
import { isHeavy, type Level } from "../../measure/level.ts";
import type { Phase } from "../../session/phase.ts";
import { decideCompaction } from "../advice/decide-compaction.ts";
import { RECOMMENDATIONS } from "../advice/report-health.ts";
import { chain, type PolicyCommand, type PolicyStep, stay } from "../command.ts";
import type { PolicyState } from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";
import { noteSaid } from "./opened.ts";

export interface TurnEnded {
  readonly health: Health;
  /** Absent if the session does not show it plainly. */
  readonly phase: Phase | undefined;
  /** How many tools there were at the start. Asked once. */
  readonly tools: number;
}

export function isCountDue({ told: injected }: PolicyState): boolean {
  return injected.phase === undefined && injected.audit !== true;
}

/** Messages to the user at the end of a turn: once, that an audit is worthwhile; and that the end of a phase is a place to compact. */
export function turnEnded(state: PolicyState, event: TurnEnded, settings: Settings): PolicyStep {
  return chain(auditDue(state, event, settings), (next) => phaseEnded(next, event, settings));
}

/** For an entry point whose user sees nothing at a turn's end: the messages come with the next prompt. */
export function keepForPrompt({ state, commands }: PolicyStep): PolicyStep {
  const words = commands.flatMap((command) => (command.kind === "warn" ? [command.text] : []));
  if (words.length === 0) return { state, commands };
  const waiting = [...(state.told.waiting ?? []), ...words];
  return { state: noteSaid({ waiting })(state), commands: commands.filter(({ kind }) => kind !== "warn") };
}

function auditDue(state: PolicyState, { health, tools }: TurnEnded, settings: Settings): PolicyStep {
  if (state.told.audit === true || !settings.hasAdvisories || !isAuditDue(health.level, tools)) return stay(state);
  const why = health.level === "GREEN" ? `${tools} tools are loaded at the start` : `the window is at ${health.level}`;
  return {
    state: noteSaid({ audit: true })(state),
    commands: [
      {
        kind: "warn",
        text: `${why}: run plimsoll audit to see what every request contains before your first prompt, and what to leave out`,
      },
      { kind: "note", action: { kind: "report", why: `audit due: ${why}`, level: health.level, advised: "audit" } },
    ],
  };
}

/** Notes a report at a boundary, and tells the user if the load calls for a compaction and the table allows one. */
function phaseEnded(state: PolicyState, { health: { level }, phase }: TurnEnded, settings: Settings): PolicyStep {
  const before = state.told.phase;
  if (phase === undefined || phase === before) return stay(state);
  const next = noteSaid({ phase })(state);
  if (before === undefined) return stay(next);
  const why = `${before} ended, ${phase} began`;
  const isAdvised = settings.hasAdvisories && isHeavy(level) && decideCompaction(before, phase).verdict === "YES";
  const commands: readonly PolicyCommand[] = [
    { kind: "note", action: { kind: "report", why, level, advised: RECOMMENDATIONS[level] } },
    ...(isAdvised
      ? [{ kind: "warn", text: `${why}, and the window is at ${level}: this is a good time to run /compact` } as const]
      : []),
  ];
  return { state: next, commands };
}

/** More tools than this at the start justify an audit at any level. */
const MANY_TOOLS = 80;

/** An audit is due when the window is filling, or when the tools alone are many. */
export function isAuditDue(level: Level, tools: number): boolean {
  return level !== "GREEN" || tools > MANY_TOOLS;
}
