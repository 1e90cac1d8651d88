import { applyEdits } from "./apply-edits.ts";
import type { Layer, View } from "./layer.ts";
import { type Ledger, recordDecisions, replayLedger } from "./ledger.ts";
import type { Message } from "./message.ts";
import type { LayerReport, Report } from "./report.ts";

export interface PipelineOptions {
  readonly messages: readonly Message[];
  readonly layers: readonly Layer[];
  readonly ledger: Ledger;
  readonly targetTokens: number;
  readonly countTokens: (message: Message) => number;
  /** How often the whole row of layers may be walked; each layer runs at most once per pass. */
  readonly maxPasses?: number;
  /** Asked before every layer; the clock belongs to the door. */
  readonly isTimeSpent?: () => boolean;
}

export interface PipelineResult {
  /** What to send. The identical array when nothing was changed, now or earlier. */
  readonly messages: readonly Message[];
  readonly ledger: Ledger;
  readonly report: Report;
}

const DEFAULT_MAX_PASSES = 2;

/**
 * Replays what was decided before, then asks the layers, cheapest first, until the view is below the line, nothing more is
 * proposed, or passes or time are spent. A layer that throws is reported and passed over.
 */
export function runPipeline(options: PipelineOptions): PipelineResult {
  const maxPasses = options.maxPasses ?? DEFAULT_MAX_PASSES;
  if (!Number.isInteger(maxPasses) || maxPasses < 1) {
    throw new TypeError(`maxPasses must be a whole number of at least 1, not ${maxPasses}`);
  }
  if (!(options.targetTokens >= 0)) throw new TypeError(`targetTokens must be 0 or more, not ${options.targetTokens}`);

  const count = createCounter(options.countTokens);
  const replay = replayLedger(options.ledger, options.messages);
  const row = [...options.layers].sort((left, right) => left.cost - right.cost);
  const tokensBefore = count(options.messages);
  const reports: LayerReport[] = [];
  let { messages } = replay;
  let { ledger } = options;
  let tokens = count(messages);
  let stopped: Report["stopped"] | undefined;

  for (let pass = 1; pass <= maxPasses && stopped === undefined; pass++) {
    let changed = false;
    for (const layer of row) {
      if (tokens <= options.targetTokens && !(layer.eager && pass === 1)) continue;
      if (options.isTimeSpent?.()) {
        stopped = "timeSpent";
        break;
      }
      const view: View = { messages, tokens, targetTokens: options.targetTokens, countTokens: options.countTokens };
      const outcome = runLayer(layer, view);
      const after = count(outcome.messages);
      reports.push({ ...outcome.report, pass, tokensBefore: tokens, tokensAfter: after });
      if (outcome.messages !== messages) changed = true;
      ledger = recordDecisions(ledger, outcome.applied);
      messages = outcome.messages;
      tokens = after;
    }
    if (stopped !== undefined) break;
    if (tokens <= options.targetTokens) stopped = "belowLine";
    else if (!changed) stopped = "nothingToDo";
  }

  const report: Report = {
    tokensBefore,
    tokensAfter: tokens,
    targetTokens: options.targetTokens,
    replayed: replay.applied.length,
    layers: reports,
    stopped: stopped ?? "passesSpent",
  };
  return { messages, ledger, report };
}

function runLayer(layer: Layer, view: View) {
  try {
    const { messages, applied, refused } = applyEdits(view.messages, layer.plan(view));
    return { messages, applied, report: { layer: layer.name, applied: applied.length, refused } };
  } catch (error) {
    // A layer may be somebody else's code: it must not cost the person a request.
    const failure = error instanceof Error ? error.message : String(error);
    return { messages: view.messages, applied: [], report: { layer: layer.name, applied: 0, refused: [], failure } };
  }
}

/** Messages are immutable, so each is weighed once however often the view changes around it. */
function createCounter(countTokens: (message: Message) => number): (messages: readonly Message[]) => number {
  const known = new WeakMap<Message, number>();
  return (messages) => {
    let total = 0;
    for (const message of messages) {
      let tokens = known.get(message);
      if (tokens === undefined) {
        tokens = countTokens(message);
        known.set(message, tokens);
      }
      total += tokens;
    }
    return total;
  };
}
