import { renderResultText } from "../../core/message.ts";
import { renderCount } from "../../core/render-count.ts";
import { predictTokens, seedCalibration } from "../../measure/calibration.ts";
import { weighArrival } from "../../measure/load.ts";
import type { Recording, Step } from "../../measure/recording.ts";
import { renderLowerUsd } from "../../models/economics/render-usd.ts";
import { priceCarried } from "../../models/economics/spend.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import type { Vocabulary } from "../../session/action.ts";
import { type Finding, warn } from "./finding.ts";

/** A recorded session by its id. */
export interface LintedSession {
  readonly id: string;
  readonly recording: Recording;
  readonly interpretCall: Vocabulary["interpretCall"];
}

/** A smaller file is read whole faster than it is searched. */
const LEAST_LINES = 200;
/** Of the lines of a file that was searched for, not read: so few were used later. */
const MOST_USED = 0.1;
/** A word on more lines than this says nothing of what was used. */
const MOST_LINES_OF_A_WORD = 0.02;
const WORD = /[A-Za-z_][A-Za-z0-9_]{5,}/g;

/** Whole files that were never changed, and of whose lines almost none has a word that the session said later. */
export function findWholeReads(sessions: readonly LintedSession[]): readonly Finding[] {
  const reads = sessions.flatMap(listWholeReads).sort((left, right) => right.tokens - left.tokens);
  const [largest] = reads;
  if (!largest) return [];
  const sum = (field: "tokens" | "requests" | "usd"): number => reads.reduce((total, read) => total + read[field], 0);
  const price = renderLowerUsd(sum("usd"), !reads.every(({ isPriced }) => isPriced));
  const what = `${renderCount(reads.length, "file")} read whole, never changed, and at most a tenth of the lines used later: ${Math.round(sum("tokens"))} tokens, included in ${sum("requests")} requests, ${price}; the largest is ${largest.path} with ${largest.lines} lines`;
  const fix = "search first (Grep, or Read with offset and limit) and read what it finds";
  return [warn("whole-file-reads", { kind: "session", session: largest.session }, what, fix)];
}

function listWholeReads({ id, recording: { steps }, interpretCall }: LintedSession) {
  const actions = steps.map((step) =>
    step.outputs.flatMap((block) =>
      block.kind === "toolCall" ? [{ callId: block.callId, ...interpretCall(block.tool, block.input) }] : [],
    ),
  );
  const lastUse = new Map<string, number>();
  for (const [index, step] of steps.entries())
    for (const [word] of renderSaid(step).matchAll(WORD)) lastUse.set(word, index);
  return steps.flatMap((step, index) =>
    step.arrivals.flatMap((arrival) => {
      const { block } = arrival;
      if (block.kind !== "toolResult" || block.isError) return [];
      const call = actions[index - 1]?.find(({ callId }) => callId === block.callId);
      if (call?.kind !== "read" || call.range !== undefined) return [];
      const isChanged = actions
        .slice(index)
        .flat()
        .some((later) => (later.kind === "edit" || later.kind === "write") && later.path === call.path);
      const lines = renderResultText(block).split("\n");
      if (isChanged || lines.length < LEAST_LINES || measureUse(lines, lastUse, index) > MOST_USED) return [];
      const tokenizer = tokenizerOf(step.model);
      const tokens = predictTokens(weighArrival(arrival, tokenizer), seedCalibration(tokenizer));
      const carriers = steps.slice(index).filter(({ window, usage }) => window === step.window && usage);
      const carried = priceCarried(tokens, carriers);
      return [{ session: id, path: call.path, lines: lines.length, tokens, requests: carriers.length, ...carried }];
    }),
  );
}

/** What the model wrote and called with. */
function renderSaid({ outputs }: Step): string {
  return outputs
    .map((block) => (block.kind === "text" ? block.text : block.kind === "toolCall" ? JSON.stringify(block.input) : ""))
    .join("\n");
}

/** The share of lines with a word of their own that was said from this request on. */
function measureUse(lines: readonly string[], lastUse: ReadonlyMap<string, number>, index: number): number {
  const words = lines.map((line) => new Set(line.match(WORD)));
  const counts = new Map<string, number>();
  for (const set of words) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isOwn = (word: string): boolean => (counts.get(word) ?? 0) <= Math.max(2, lines.length * MOST_LINES_OF_A_WORD);
  const used = words.filter((set) => [...set].some((word) => isOwn(word) && (lastUse.get(word) ?? -1) >= index));
  return used.length / lines.length;
}
