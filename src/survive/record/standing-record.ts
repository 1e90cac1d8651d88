import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import { findStandingRequest } from "../../session/standing-request.ts";
import type { Fact, RequestFact } from "../receipt/fact.ts";
import { listFacts } from "../receipt/list-facts.ts";
import { type Continuation, findContinuation, type Happened } from "./continuation.ts";
import { RECORD_OPENING } from "./record-opening.ts";
import { weighText } from "./weigh.ts";

export interface StandingOptions {
  /** The project's folder: paths are written from there. */
  readonly root?: string;
  /** The tool that gives back what a line stands for; empty where there is none. */
  readonly recallTool?: string;
  /** What stands word for word behind the ledger: no word of it is said twice. */
  readonly tail?: string;
}

/** What stands in front of a ledger. */
export interface StandingRecord {
  readonly text: string;
  /** The most it weighs, whichever tokenizer reads it. */
  readonly tokens: number;
}

/** Never exceeded, by the upper bound of both tokenizers. */
export const MAX_STANDING_TOKENS = 900;

const MAX_RULES = 5;

/**
 * Where the work stands, beside a ledger that tells how it came there: what the person wants, what is to be done next, what is open, and what
 * they said once and for all. Each line is a fact that the receipt looks for as well; where nothing is certain there is no line.
 */
export function renderStandingRecord(happened: Happened, options: StandingOptions = {}): StandingRecord {
  const { root = "", recallTool = "", tail = "" } = options;
  const view = { happened, continuation: findContinuation(happened) };
  const { request, next, announced, rules } = findStanding(view, root);
  const wayBack =
    recallTool === ""
      ? ""
      : ` ${recallTool} searches all of that conversation (pass handle and pattern); handle#number shows one line in full.`;
  const head = `${RECORD_OPENING}${wayBack} Read a file again before editing it.`;
  const asked = request.filter(({ words }) => !tail.includes(words));
  const said = announced.filter(({ words }) => !tail.includes(words));
  const text = [
    head,
    ...fitStanding(
      view,
      { request: asked, next, announced: said, rules },
      MAX_STANDING_TOKENS - weighText(`${head}\n`),
    ),
  ].join("\n");
  return { text, tokens: Math.ceil(weighText(text)) };
}

/** What was asked and what comes next, then the open tasks, then the rules; as far as there is room. */
function fitStanding(
  view: StandingView,
  { request, next, announced, rules }: Standing,
  maxTokens: number,
): readonly string[] {
  const now = fitFacts([...request, ...next, ...announced], maxTokens);
  const tasks = renderOpenTasks(view.happened, view.continuation, maxTokens - weighText(now.join("\n")));
  const before = [...now, ...tasks];
  return [...before, ...fitFacts(rules, maxTokens - weighText(`${before.join("\n")}\n`))];
}

/** As many as there is room for, the most important first; further lines of one are set in, so that none is taken for a line of ours. */
function fitFacts(facts: readonly Pick<Fact, "text">[], maxTokens: number): readonly string[] {
  const lines: string[] = [];
  for (const { text } of facts) {
    const line = text.replaceAll("\n", "\n  ");
    if (weighText([...lines, line].join("\n")) <= maxTokens) lines.push(line);
  }
  return lines;
}

/** What happened, and where the work stands by it. */
export interface StandingView {
  readonly happened: Happened;
  readonly continuation: Continuation;
}

/** The certain among the facts, whoever is told them. */
export interface Standing {
  readonly request: readonly RequestFact[];
  /** What the model said it would do next and has not been seen to do. */
  readonly announced: readonly { readonly text: string; readonly words: string }[];
  readonly next: readonly Fact[];
  readonly rules: readonly Fact[];
}

export function findStanding({ happened, continuation }: StandingView, root: string): Standing {
  const facts = listFacts(happened, { root, continuation }).map((fact) =>
    fact.kind === "request" ? fact : { ...fact, text: redactSecrets(fact.text) },
  );
  const request = facts.filter((fact) => fact.kind === "request");
  const { announced } = happened.state;
  return {
    request,
    announced: announced
      ? [{ text: `Announced, maybe not done: "${redactSecrets(toOneLine(announced.text))}"`, words: announced.text }]
      : [],
    // What the model is at and what it was asked stand where the conversation goes on: only what is proved is told apart.
    next: facts.filter(({ kind }) => kind === "continuation" && isProved(happened, continuation)),
    rules: facts.filter((fact) => fact.kind === "constraint" && RULE.test(fact.sentence.trim())).slice(0, MAX_RULES),
  };
}

/** By tests that failed when they last ran. */
function isProved({ state }: Happened, { next }: Continuation): boolean {
  const test = state.commands.findLast(({ isTest }) => isTest);
  return next.kind === "failure" && test?.tests?.verdict === "failed";
}

/** Said once and for all, not of the matter at hand. */
const RULE =
  /^(?:(?:and|but|also|so|please|note|remember|important)[,:]? ){0,3}(?:never|always|do not ever|don['’]t ever|from now on|going forward|(?:do not|don['’]t|no) \w+ (?:.{0,80} )?(?:without|unless|until|any ?more|again)\b|only (?:ever )?\w+ (?:.{0,80} )?(?:if|when|after)\b)|\b(?:must never|must always|should never|should always|never ever|every time|from now on|each time)\b/i;

const TASKS_HEADING = "Open tasks at this point, next first:";
/** Ten tasks of 60 characters weigh 310 by the upper bound of both tokenizers. */
const MAX_TASK_TOKENS = 350;
/** Every task is named in fewer words before one is left out. */
const WIDTHS: readonly number[] = [300, 160, 100, 60];
/** A list that nothing has changed for so many requests, and not since the user asked for something else, is not the current work. */
const FRESH_REQUESTS = 30;

/** The client's open tasks line by line: whole, or followed by how many more there are. No line where none is open. */
function renderOpenTasks(
  happened: Happened,
  { open }: Pick<Continuation, "open">,
  roomTokens: number,
): readonly string[] {
  const listed = open.filter(({ source }) => source === "tasks");
  const named = isPast(happened) ? listed.filter(({ status }) => status === "active") : listed;
  if (listed.length === 0) return [];
  if (named.length === 0)
    return [`${listed.length} open tasks are older than the user's last request: read your task list`];
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

/** Nothing of the list changed for long, nor since the user asked for something else. What is in progress is named all the same. */
function isPast({ state, trail }: Happened): boolean {
  const touched = Math.max(0, ...state.work.map(({ changedRequest }) => changedRequest));
  const asked = findStandingRequest(state)?.request ?? 0;
  return touched <= Math.min(trail.request - FRESH_REQUESTS, asked);
}
