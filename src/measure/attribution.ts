import type { Arrival, Output } from "../core/event.ts";
import type { Block } from "../core/message.ts";
import { tokenizerOf } from "../models/tokens.ts";
import { type Calibration, predictTokens, seedCalibration } from "./calibration.ts";
import { weighArrival, weighOutput } from "./load.ts";
import type { Recording, Step } from "./recording.ts";

/** Tokens by what they are, e.g. `base`, `result:Read`, `thinking`. Parts and `unexplained` sum to the recorded usage. */
export interface Attribution {
  readonly step: number;
  readonly contextTokens: number;
  readonly parts: Readonly<Record<string, number>>;
  /** Tokens that no recorded line accounts for; negative if the client cleared something without recording it. */
  readonly unexplainedTokens: number;
}

/** If the first request carries this much more than its file shows, the session began before the file, with unrecorded content. */
export const MOST_BASE_TOKENS = 70_000;
/** Name of that part. */
export const BEFORE_FILE = "beforeFile";
/** What the first request after a compaction carries beyond the summary and the kept messages: the client puts files back unrecorded. */
const WITH_COMPACTION = "withCompaction";
/** What a request carries beyond its prompt: reminders, which older clients do not record. */
const WITH_PROMPT = "withPrompt";

/** Parts known only to have been sent, and what they came with. */
export const UNRECORDED: readonly string[] = [BEFORE_FILE, WITH_COMPACTION, WITH_PROMPT];

interface Item {
  readonly part: string;
  readonly tokens: number;
}

/** How far an estimate may be scaled to match the measured size before the rest counts as unexplained. */
const LEAST_SCALE = 0.4;
const MOST_SCALE = 2;

export function attributeWindow(recording: Recording, calibration?: Calibration): readonly Attribution[] {
  const attributions: Attribution[] = [];
  let parts: Record<string, number> = {};
  let unexplained = 0;
  let baseTokens: number | undefined;
  let before: Step | undefined;
  let unmeasured: readonly Step[] = [];
  for (const [index, step] of recording.steps.entries()) {
    if (!step.usage) {
      unmeasured = [...unmeasured, step];
      continue;
    }
    const weigh = createWeigher(step, calibration);
    const between = unmeasured.filter(({ window }) => window === step.window);
    const arrived = [...between.flatMap(weigh.step), ...step.arrivals.map(weigh.arrival)];
    unmeasured = [];
    if (!before || before.window !== step.window) {
      const kept = recording.windows[step.window]?.kept ?? [];
      const items = [...kept.flatMap(weigh.kept), ...arrived];
      const known = sumItems(items);
      const rest = step.contextTokens - known;
      const base = Math.max(0, baseTokens === undefined ? rest : Math.min(baseTokens, rest));
      const isMidFile = baseTokens === undefined && base > MOST_BASE_TOKENS;
      // How much of it is the client's own prompt is unknown here; after a compaction the rest of the window shows it.
      if (!isMidFile) baseTokens ??= base;
      parts = isMidFile ? { [BEFORE_FILE]: base } : { base };
      addItems(parts, items, 1);
      unexplained = before ? nameUnrecorded(parts, WITH_COMPACTION, rest - base) : rest - base;
    } else {
      const growth = step.contextTokens - before.contextTokens;
      const answer = before.outputs.map(weigh.output);
      const answerTokens = before.isOutputFinal ? before.usage?.outputTokens : undefined;
      const left = explainGrowth(parts, { growth, answer, arrived, answerTokens });
      const isPrompted = step.arrivals.some(({ source }) => source === "prompt");
      unexplained += isPrompted ? nameUnrecorded(parts, WITH_PROMPT, left) : left;
    }
    before = step;
    attributions.push({
      step: index,
      contextTokens: step.contextTokens,
      parts: { ...parts },
      unexplainedTokens: unexplained,
    });
  }
  return attributions;
}

/** Names unrecorded tokens after what they came with; a negative number stays unexplained. */
function nameUnrecorded(parts: Record<string, number>, part: string, tokens: number): number {
  if (tokens <= 0) return tokens;
  parts[part] = (parts[part] ?? 0) + tokens;
  return 0;
}

interface Growth {
  readonly growth: number;
  readonly answer: readonly Item[];
  readonly arrived: readonly Item[];
  /** The answer's recorded tokens, if final. */
  readonly answerTokens: number | undefined;
}

/** Adds the growth to the parts and returns what stays unexplained. */
function explainGrowth(parts: Record<string, number>, { growth, answer, arrived, answerTokens }: Growth): number {
  const answerEstimate = sumItems(answer);
  if (answerTokens !== undefined && answerEstimate > 0 && answerTokens <= growth) {
    addItems(parts, answer, answerTokens / answerEstimate);
    return explainGrowth(parts, { growth: growth - answerTokens, answer: [], arrived, answerTokens: undefined });
  }
  const items = [...answer, ...arrived];
  const estimate = sumItems(items);
  if (estimate === 0) return growth;
  // If the window shrank, the client cleared something: arrivals count as estimated, and the loss stays visible.
  const scale = growth <= 0 ? 1 : Math.min(MOST_SCALE, Math.max(LEAST_SCALE, growth / estimate));
  addItems(parts, items, scale);
  return growth - estimate * scale;
}

function createWeigher(step: Step, calibration: Calibration | undefined) {
  const tokenizer = tokenizerOf(step.model);
  const scale = calibration ?? seedCalibration(tokenizer);
  const output = (block: Block): Item => ({
    part: nameOutput(block),
    tokens: predictTokens(weighOutput(block, tokenizer), scale),
  });
  const arrival = (arrived: Arrival): Item => ({
    part: arrived.source === "toolResult" ? `result:${arrived.label}` : arrived.source,
    tokens: predictTokens(weighArrival(arrived, tokenizer), scale),
  });
  const kept = (event: Arrival | Output): readonly Item[] =>
    event.kind === "arrival" ? [arrival(event)] : event.blocks.map(output);
  const whole = ({ arrivals, outputs }: Step): readonly Item[] => [...arrivals.map(arrival), ...outputs.map(output)];
  return { output, arrival, kept, step: whole };
}

function nameOutput(block: Block): string {
  if (block.kind === "toolCall") return "input";
  return block.kind === "thinking" ? "thinking" : "text";
}

function sumItems(items: readonly Item[]): number {
  return items.reduce((total, item) => total + item.tokens, 0);
}

function addItems(parts: Record<string, number>, items: readonly Item[], scale: number): void {
  for (const { part, tokens } of items) parts[part] = (parts[part] ?? 0) + tokens * scale;
}

/** If the client removed something unrecorded, the parts exceed the request. The base is always sent, so the rest is scaled down to what was sent. */
export function fitParts(attribution: Attribution): Attribution {
  const { parts, contextTokens, unexplainedTokens } = attribution;
  if (unexplainedTokens >= 0) return attribution;
  const base = Math.min(parts.base ?? 0, contextTokens);
  const rest = contextTokens - unexplainedTokens - (parts.base ?? 0);
  const scale = rest > 0 ? (contextTokens - base) / rest : 0;
  const fitted = Object.entries(parts).map(
    ([part, tokens]) => [part, part === "base" ? base : tokens * scale] as const,
  );
  return { ...attribution, parts: Object.fromEntries(fitted), unexplainedTokens: 0 };
}
