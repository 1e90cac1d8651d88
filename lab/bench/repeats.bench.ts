/**
 * Files read and commands run again soon after a compaction that the client made, next to the same count where there was none:
 * a measure of what a compaction loses that needs no model and no quiz.
 */
import type { SessionEvent } from "../../src/core/event.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { estimateBlockTokens, type Tokenizer } from "../../src/models/tokens.ts";
import { divide, drawResamples, findInterval } from "../../src/replay/compare-sessions.ts";
import { listCorpus } from "./corpus.ts";

/** As many as `plimsoll receipt` looks at. */
const CALLS = 24;
/** So much earlier work a span must have behind it: a compaction has, and who has read nothing can repeat nothing. */
const LEAST_LOOKS_BEFORE = 20;
const TOKENIZER: Tokenizer = "classic";

/** `CALLS` calls in a row, their reads and commands, and which of these were made before the span. */
interface Span {
  readonly repository: string;
  readonly isAfterCompaction: boolean;
  looks: number;
  repeats: number;
  repeatedTokens: number;
}

export function run(): void {
  const spans = listCorpus().flatMap((file) => [
    ...listSpans(file.split("/").at(-2) ?? "", readRecording(file).events),
  ]);
  const groups = [true, false].map((isAfter) => spans.filter((span) => span.isAfterCompaction === isAfter));
  console.log(`reads and commands among ${CALLS} calls that were made before, in recorded sessions of Claude Code\n`);
  console.log(
    "| the calls | spans | repositories | repeated, 90 % | tokens of repeated results a span |\n|---|---|---|---|---|",
  );
  for (const [at, group] of groups.entries()) {
    const tokens = group.reduce((total, one) => total + one.repeatedTokens, 0) / group.length;
    const name = at === 0 ? "after a compaction by the client" : "with none shortly before or within";
    const repositories = new Set(group.map(({ repository }) => repository)).size;
    console.log(`| ${name} | ${group.length} | ${repositories} | ${renderShare(group)} | ${Math.round(tokens)} |`);
  }
}

function share(spans: readonly Span[], often: ArrayLike<number> = spans.map(() => 1)): number | undefined {
  const sum = (of: (span: Span) => number): number =>
    spans.reduce((total, span, at) => total + of(span) * (often[at] ?? 0), 0);
  return divide(
    sum(({ repeats }) => repeats),
    sum(({ looks }) => looks),
  );
}

function renderShare(spans: readonly Span[]): string {
  const percent = (value = 0): string => (value * 100).toFixed(1);
  const draws = drawResamples(spans.map(({ repository }) => repository));
  const interval = findInterval(draws.map((often) => share(spans, often)));
  return `${percent(share(spans))} % (${percent(interval?.low)} to ${percent(interval?.high)})`;
}

function* listSpans(repository: string, events: readonly SessionEvent[]): Generator<Span> {
  const results = new Map(
    events.flatMap((event) =>
      event.kind === "arrival" && event.block.kind === "toolResult"
        ? [[event.block.callId, estimateBlockTokens(event.block, TOKENIZER)] as const]
        : [],
    ),
  );
  const before = new Set<string>();
  let within = new Set<string>();
  let calls = 0;
  let hasAnswer = false;
  let span: Span | undefined;
  const begin = (isAfterCompaction: boolean): void => {
    for (const look of within) before.add(look);
    [within, calls] = [new Set(), 0];
    const isFair = before.size >= LEAST_LOOKS_BEFORE;
    span = isFair ? { repository, isAfterCompaction, looks: 0, repeats: 0, repeatedTokens: 0 } : undefined;
  };
  for (const event of events) {
    // A boundary and its summary are one compaction.
    if ((event.kind === "compaction" || (event.kind === "arrival" && event.source === "summary")) && hasAnswer) {
      hasAnswer = false;
      begin(true);
    }
    if (event.kind !== "output") continue;
    hasAnswer = true;
    for (const block of event.blocks) {
      if (block.kind !== "toolCall") continue;
      const action = claudeCodeVocabulary.interpretCall(block.tool, block.input);
      calls++;
      const look = action.kind === "read" ? action.path : action.kind === "run" ? action.command : undefined;
      if (look !== undefined) {
        if (span) span.looks++;
        if (span && before.has(look) && !within.has(look)) {
          span.repeats++;
          span.repeatedTokens += results.get(block.callId) ?? 0;
        }
        within.add(look);
      }
      if (calls < CALLS) continue;
      if (span) yield span;
      begin(false);
    }
  }
}
