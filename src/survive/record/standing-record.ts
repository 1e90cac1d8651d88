import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import { followRules, isStandingRule, parseRules, renderRules } from "../../core/standing-rules.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import { weighText } from "../../models/tokens.ts";
import { findStandingRequest } from "../../session/standing-request.ts";
import type { Fact, FactOf } from "../receipt/fact.ts";
import { listFacts } from "../receipt/list-facts.ts";
import { type Continuation, findContinuation, type Happened } from "./continuation.ts";
import { RECORD_OPENING } from "./record-opening.ts";

interface StandingOptions {
  /** The project's folder; paths are written relative to it. */
  readonly root?: string;
  /** The tool that fetches back what a line stands for; empty if there is none. */
  readonly recallTool?: string;
  /** What follows the ledger word for word, so that nothing of it is repeated. */
  readonly tail?: string;
  /** The ledger. A rule that it does not show goes before one that it does. */
  readonly ledger?: string;
  /** An earlier record in which the conversation begins: its rules still hold. */
  readonly earlier?: string | undefined;
}

/** Never exceeded, by the upper bound of both tokenizers. */
export const MAX_STANDING_TOKENS = 900;

/**
 * The text in front of a ledger: what the user wants, what to do next and what is open, as far as they fit in this order, and the user's
 * standing rules, for which there is always room. Each line but the rules is a fact that the receipt also checks.
 */
export function renderStandingRecord(
  happened: Happened,
  { root = "", recallTool = "", tail = "", ledger = "", earlier = "" }: StandingOptions = {},
): string {
  const continuation = findContinuation(happened);
  const { request, next, announced, rules } = findStanding(happened, continuation, root);
  const wayBack =
    recallTool === ""
      ? ""
      : ` ${recallTool} searches all of that conversation (pass handle and pattern); handle#number shows one line in full.`;
  const head = `${RECORD_OPENING}${wayBack} Read a file again before editing it.`;
  const block = renderRules(followRules(rules, parseRules(earlier)), { weigh: weighText, shown: `${ledger}\n${tail}` });
  const room = MAX_STANDING_TOKENS - weighText(`${head}\n${block}\n`);
  const isNew = ({ words }: { readonly words: string }): boolean => !tail.includes(words);
  const now = fitFacts([...request.filter(isNew), ...next, ...announced.filter(isNew)], room);
  const before = [...now, ...renderOpenTasks(happened, continuation, room - weighText(now.join("\n")))];
  return [head, ...before, block].filter((part) => part !== "").join("\n");
}

/** As many facts as fit, the most important first. Further lines of one fact are indented, so that none is taken for a line of ours. */
function fitFacts(facts: readonly Pick<Fact, "text">[], maxTokens: number): readonly string[] {
  const lines: string[] = [];
  for (const { text } of facts) {
    const line = text.replaceAll("\n", "\n  ");
    if (weighText([...lines, line].join("\n")) <= maxTokens) lines.push(line);
  }
  return lines;
}

/** The facts that are certain. */
interface Standing {
  readonly request: readonly FactOf<"request">[];
  /** What the model said it would do next and was not seen to do. */
  readonly announced: readonly { readonly text: string; readonly words: string }[];
  readonly next: readonly Fact[];
  /** What the user said of all later work, and what lifted it, in order. */
  readonly rules: readonly string[];
}

export function findStanding(happened: Happened, continuation: Continuation, root: string): Standing {
  const facts = listFacts(happened, { root, continuation }).map((fact) =>
    fact.kind === "request" ? fact : { ...fact, text: redactSecrets(fact.text) },
  );
  const request = facts.filter((fact) => fact.kind === "request");
  const { announced, words } = happened.state;
  return {
    request,
    announced: announced
      ? [{ text: `Announced, maybe not done: "${redactSecrets(toOneLine(announced.text))}"`, words: announced.text }]
      : [],
    // The current step and the current request are visible where the conversation goes on, so only a proved next step is listed.
    next: facts.filter(({ kind }) => kind === "continuation" && isProved(happened, continuation)),
    rules: words.flatMap(({ rules, constraints }) => rules ?? constraints.filter(isStandingRule)).map(redactSecrets),
  };
}

/** Proved by tests that failed in their last run. */
function isProved({ state }: Happened, { next }: Continuation): boolean {
  const test = state.commands.findLast(({ isTest }) => isTest);
  return next.kind === "failure" && test?.tests?.verdict === "failed";
}

export const TASKS_HEADING = "Open tasks at this point, next first:";
/** Ten tasks of 60 characters weigh 310 tokens by the upper bound of both tokenizers. */
const MAX_TASK_TOKENS = 350;
/** Every task is shortened before one is left out. */
const WIDTHS: readonly number[] = [300, 160, 100, 60];
/** A list unchanged for so many requests, and since the user asked for something else, is not the current work. */
const FRESH_REQUESTS = 30;

/** The client's open tasks, one per line, followed by how many more there are. No line if none is open. */
function renderOpenTasks(happened: Happened, { open }: Continuation, roomTokens: number): readonly string[] {
  const listed = open.filter(({ source }) => source === "tasks");
  const named = isPast(happened) ? listed.filter(({ status }) => status === "active") : listed;
  if (listed.length === 0) return [];
  if (named.length === 0)
    return [
      `${renderCount(listed.length, "open task")} ${listed.length === 1 ? "is" : "are"} older than the user's last request: read your task list`,
    ];
  const items = named.map(
    ({ status, subject }) => `${status === "active" ? "in progress: " : ""}${redactSecrets(subject)}`,
  );
  const render = (width: number, shown: number): readonly string[] => [
    TASKS_HEADING,
    ...items.slice(0, shown).map((item) => `- ${clipLine(item, width)}`),
    ...(shown < listed.length ? [`- ${listed.length - shown} more: read your task list`] : []),
  ];
  const fits = (lines: readonly string[]): boolean =>
    weighText(`\n${lines.join("\n")}`) <= Math.min(MAX_TASK_TOKENS, roomTokens);
  const whole = WIDTHS.map((width) => render(width, items.length)).find(fits);
  if (whole !== undefined) return whole;
  for (let shown = items.length - 1; shown >= 0; shown--) {
    const lines = render(Math.min(...WIDTHS), shown);
    if (fits(lines)) return lines;
  }
  return [];
}

/** The list has not changed for long, nor since the user asked for something else. Items in progress are named all the same. */
function isPast({ state, trail }: Happened): boolean {
  const touched = Math.max(0, ...state.work.map(({ changedRequest }) => changedRequest));
  const asked = findStandingRequest(state)?.request ?? 0;
  return touched <= Math.min(trail.request - FRESH_REQUESTS, asked);
}
