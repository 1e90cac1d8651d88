import { PHASES, type Phase } from "../../session/phase.ts";

/** What decides in addition to the transition itself. Fields that are left out are unknown. */
export interface CompactionFacts {
  /** The plan is in a file, such as `.plimsoll/plan-NAME.md`. */
  readonly hasPlanFile?: boolean;
  /** The current file is fully written; `false` in the middle of an edit. */
  readonly isFileComplete?: boolean;
  readonly doTestsPass?: boolean;
}

export interface CompactionDecision {
  readonly verdict: "YES" | "NO" | "CONDITIONAL";
  readonly why: string;
  readonly survives: readonly string[];
  readonly lost: readonly string[];
}

type Ruling = Pick<CompactionDecision, "verdict" | "why">;

const SURVIVES = ["task description", "file paths mentioned", "key decisions", "plan reference", "current phase"];
const LOST = ["full file contents read", "intermediate reasoning", "exact error messages", "tool output details"];
const NOTE_FIRST = "before compacting, note in one line what was tried and why it failed";

/** Whether the transition from one stage to the next is a good place to compact, and at what price. */
export function decideCompaction(from: Stage, to: Stage, facts: CompactionFacts = {}): CompactionDecision {
  const survives = to === "pivot" ? [...SURVIVES, NOTE_FIRST] : SURVIVES;
  return { ...judge(from, to, facts), survives, lost: LOST };
}

function judge(from: Stage, to: Stage, facts: CompactionFacts): Ruling {
  if (facts.isFileComplete === false) return { verdict: "NO", why: "a file is in the middle of an edit" };
  if (from === "commit") return { verdict: "YES", why: "the work is in git, which is a safe boundary" };
  if (to === "pivot")
    return { verdict: "YES", why: "a one-line note on the failed approach is enough, and a fresh context helps" };
  switch (`${from} ${to}`) {
    case "research planning":
      return { verdict: "YES", why: "research findings summarise well, and key decisions survive" };
    case "planning implementation":
      return facts.hasPlanFile === true
        ? { verdict: "YES", why: "the plan is in a file and can be read again" }
        : { verdict: "CONDITIONAL", why: "no plan file: write the plan to .plimsoll/plan-NAME.md first" };
    case "debug next-feature":
      return { verdict: "YES", why: "the findings are in the debug report, and the fix has the diagnosis" };
    case "quality verify":
      return { verdict: "NO", why: "quality findings point at file:line in the current context" };
    case "implementation implementation":
      return judgeFile(facts);
    default:
      return { verdict: "CONDITIONAL", why: "no rule covers this step: finish the task and save the state first" };
  }
}

function judgeFile({ isFileComplete, doTestsPass }: CompactionFacts): Ruling {
  if (isFileComplete && doTestsPass) return { verdict: "YES", why: "the file is fully written and its tests pass" };
  const missing = [
    ...(isFileComplete ? [] : ["the file is fully written"]),
    ...(doTestsPass ? [] : ["its tests pass"]),
  ];
  return { verdict: "CONDITIONAL", why: `compact only once ${missing.join(" and ")}` };
}

/** Rows and columns of the decision table: the phases of the work, and two ways to leave it. */
export type Stage = Phase | "next-feature" | "pivot";

export const STAGES: readonly Stage[] = [...PHASES, "next-feature", "pivot"];

/** The numbers that the table prints next to three stages. */
const NUMBERED: Readonly<Record<string, Stage>> = { "4": "implementation", "5": "quality", "7": "commit" };

/** Parses a stage by name, in any case, with a blank, hyphen or underscore between its words, or by its number. */
export function parseStage(text: string): Stage | undefined {
  const name = text.trim().toLowerCase().replace(/[\s_]/g, "-");
  return STAGES.find((stage) => stage === name) ?? (Object.hasOwn(NUMBERED, name) ? NUMBERED[name] : undefined);
}
