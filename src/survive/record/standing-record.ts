import { toOneLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import type { Fact, RequestFact } from "../receipt/fact.ts";
import { listFacts } from "../receipt/list-facts.ts";
import { findContinuation, type Happened, settleCalls } from "./continuation.ts";
import { renderOpenTasks } from "./open-tasks.ts";
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
  const { request, next, announced, rules } = findStanding(happened, root);
  const wayBack = recallTool === "" ? "" : ` A numbered line comes back whole from ${recallTool}: handle#number.`;
  const head = `${RECORD_OPENING}${wayBack} Read a file again before editing it.`;
  const asked = request.filter(({ words }) => !tail.includes(words));
  const said = announced.filter(({ words }) => !tail.includes(words));
  const text = [
    head,
    ...fitStanding(
      happened,
      { request: asked, next, announced: said, rules },
      MAX_STANDING_TOKENS - weighText(`${head}\n`),
    ),
  ].join("\n");
  return { text, tokens: Math.ceil(weighText(text)) };
}

/** What was asked and what comes next, then the open tasks, then the rules; as far as there is room. */
function fitStanding(
  happened: Happened,
  { request, next, announced, rules }: Standing,
  maxTokens: number,
): readonly string[] {
  const now = fitFacts([...request, ...next, ...announced], maxTokens);
  const tasks = renderOpenTasks(happened, maxTokens - weighText(now.join("\n")));
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

/** The certain among the facts, whoever is told them. */
export interface Standing {
  readonly request: readonly RequestFact[];
  /** What the model said it would do next and has not been seen to do. */
  readonly announced: readonly { readonly text: string; readonly words: string }[];
  readonly next: readonly Fact[];
  readonly rules: readonly Fact[];
}

export function findStanding(followed: Happened, root: string): Standing {
  const happened = settleCalls(followed);
  const facts = listFacts(happened, { root }).map((fact) =>
    fact.kind === "request" ? fact : { ...fact, text: redactSecrets(fact.text) },
  );
  const request = facts.filter((fact) => fact.kind === "request");
  const { announced } = happened.state;
  return {
    request,
    announced: announced
      ? [{ text: `Announced, not seen done: "${redactSecrets(toOneLine(announced.text))}"`, words: announced.text }]
      : [],
    // What the model is at and what it was asked stand where the conversation goes on: only what is proved is told apart.
    next: facts.filter(({ kind }) => kind === "continuation" && isProved(happened)),
    rules: facts.filter((fact) => fact.kind === "constraint" && isRule(fact.sentence)).slice(0, MAX_RULES),
  };
}

/** By tests that failed when they last ran. */
function isProved(happened: Happened): boolean {
  const { kind } = findContinuation(happened);
  const test = happened.state.commands.findLast(({ isTest }) => isTest);
  return kind === "failure" && test?.tests?.verdict === "failed";
}

/** Said once and for all, not of the matter at hand. */
const RULE =
  /^(?:(?:and|but|also|so|please|note|remember|important)[,:]? ){0,3}(?:never|always|do not ever|don['’]t ever|from now on|going forward|(?:do not|don['’]t|no) \w+ (?:.{0,80} )?(?:without|unless|until|any ?more|again)\b|only (?:ever )?\w+ (?:.{0,80} )?(?:if|when|after)\b)|\b(?:must never|must always|should never|should always|never ever|every time|from now on|each time)\b/i;

function isRule(sentence: string): boolean {
  return RULE.test(sentence.trim());
}
