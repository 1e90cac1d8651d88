import { type Applied, applyEdits } from "./apply-edits.ts";
import type { Edit, Refusal } from "./edit.ts";
import type { EditVerdict, Pricer } from "./edit-verdict.ts";
import {
  countDropped,
  type Layer,
  type Ledger,
  type Occasion,
  recordDecisions,
  replayLedger,
  type View,
} from "./layer.ts";
import { computeOnce, type Message } from "./message.ts";
import { requireAtLeast } from "./require-option.ts";

export interface PipelineOptions {
  readonly messages: readonly Message[];
  readonly layers: readonly Layer[];
  readonly ledger: Ledger;
  readonly targetTokens: number;
  readonly countTokens: (message: Message) => number;
  /** How many times to go through all layers; each layer runs at most once per pass. */
  readonly maxPasses?: number;
  /** Checked before every layer, and by slow layers themselves. The entry point owns the clock. */
  readonly isTimeSpent?: () => boolean;
  /** Decides for every possible edit whether it is worth its price; without it all are made. */
  readonly pricer?: Pricer;
  /** Above this, price does not matter: edits that the pricer declines are made anyway. */
  readonly mustFitTokens?: number;
  /**
   * How far above the line the view must be before the non-eager layers start; once started they go on until it is below the line. Default
   * 0. The cached prefix is then changed about once per this many tokens of growth, not with every request.
   */
  readonly hysteresisTokens?: number;
  readonly occasion?: Occasion;
}

export interface PipelineResult {
  /** What to send. The identical array if nothing was changed, now or earlier. */
  readonly messages: readonly Message[];
  readonly ledger: Ledger;
  readonly report: Report;
}

const DEFAULT_MAX_PASSES = 2;

/**
 * Replays earlier decisions, then runs the layers, cheapest first, until the view is below the line, nothing more is proposed, or passes or
 * time run out. A layer that throws is reported and skipped.
 */
export function runPipeline(options: PipelineOptions): PipelineResult {
  const maxPasses = options.maxPasses ?? DEFAULT_MAX_PASSES;
  requireOptions(options, maxPasses);
  const { targetTokens, pricer, mustFitTokens = Number.POSITIVE_INFINITY } = options;
  const wakeAbove = Math.min(targetTokens + (options.hysteresisTokens ?? 0), mustFitTokens);

  const known = {
    ...(options.occasion === undefined ? {} : { occasion: options.occasion }),
    ...(options.isTimeSpent === undefined ? {} : { isTimeSpent: options.isTimeSpent }),
  };
  const count = createCounter(options.countTokens);
  const replay = replayLedger(options.ledger, options.messages);
  const row = [...options.layers].sort((left, right) => left.cost - right.cost);
  const tokensBefore = count(options.messages);
  const reports: LayerReport[] = [];
  let { messages } = replay;
  let { ledger } = options;
  let tokens = count(messages);
  let isAwake = false;
  let stopped: Report["stopped"] | undefined;

  for (let pass = 1; pass <= maxPasses && stopped === undefined; pass++) {
    let changed = false;
    for (const layer of row) {
      isAwake ||= tokens > wakeAbove;
      const isWanted = (isAwake && tokens > targetTokens) || (layer.eager && pass === 1);
      if (!isWanted) continue;
      if (options.isTimeSpent?.()) {
        stopped = "timeSpent";
        break;
      }
      const view: View = { messages, tokens, targetTokens, countTokens: options.countTokens, ...known };
      const outcome = runLayer(layer, view, { pricer, replayed: replay.messages, mustFit: tokens > mustFitTokens });
      const after = count(outcome.messages);
      reports.push({ ...outcome.report, pass, tokensBefore: tokens, tokensAfter: after });
      if (outcome.messages !== messages) changed = true;
      ledger = recordDecisions(ledger, outcome.applied);
      messages = outcome.messages;
      tokens = after;
    }
    if (stopped !== undefined) break;
    if (tokens <= targetTokens) stopped = "belowLine";
    else if (!isAwake && tokens <= wakeAbove) stopped = "withinMargin";
    else if (!changed) stopped = "nothingToDo";
  }

  const decided = { replayed: replay.applied.length, dropped: countDropped(replay) };
  const end = { tokensBefore, tokensAfter: tokens, targetTokens, stopped: stopped ?? "passesSpent" };
  return { messages, ledger, report: { ...end, ...decided, layers: reports } };
}

function requireOptions({ targetTokens, mustFitTokens, hysteresisTokens }: PipelineOptions, maxPasses: number): void {
  if (!Number.isInteger(maxPasses) || maxPasses < 1) {
    throw new TypeError(`maxPasses must be a whole number of at least 1, not ${maxPasses}`);
  }
  requireAtLeast(0, "targetTokens", targetTokens);
  requireAtLeast(0, "hysteresisTokens", hysteresisTokens);
  if (mustFitTokens !== undefined && !(mustFitTokens >= targetTokens)) {
    throw new TypeError(`mustFitTokens must be at least targetTokens (${targetTokens}), not ${mustFitTokens}`);
  }
}

/** Messages are immutable, so each is weighed once, however often the view changes. The cache lives for one run. */
function createCounter(countTokens: (message: Message) => number): (messages: readonly Message[]) => number {
  const weigh = computeOnce(countTokens);
  return (messages) => messages.reduce((total, message) => total + weigh(message), 0);
}

interface LayerRun {
  readonly messages: readonly Message[];
  readonly applied: readonly Edit[];
  readonly report: Pick<LayerReport, "layer" | "applied" | "refused" | "priced" | "failure">;
}

interface LayerRunOptions {
  readonly pricer: Pricer | undefined;
  /** The conversation before any layer ran. */
  readonly replayed: readonly Message[];
  /** The conversation does not fit, so edits that the pricer declines are made anyway. */
  readonly mustFit: boolean;
}

/** Runs one layer and applies its proposals, as far as they are allowed and worth their price. Never throws. */
function runLayer(layer: Layer, view: View, options: LayerRunOptions): LayerRun {
  try {
    const planned = applyEdits(view.messages, layer.plan(view));
    if (!options.pricer || planned.applied.length === 0) return finish(layer, planned);
    const { priced, failure } = priceEdits(options.pricer, planned.applied, { layer, view, options });
    const made = priced.filter(({ verdict }) => verdict.isMade).map(({ edit }) => edit);
    if (failure !== undefined && !options.mustFit) return fail(layer, view, failure);
    if (failure !== undefined || made.length === planned.applied.length) {
      return finish(layer, planned, { priced, ...(failure === undefined ? {} : { failure }) });
    }
    const chosen = applyEdits(view.messages, made);
    return finish(layer, { ...chosen, refused: [...planned.refused, ...chosen.refused] }, { priced });
  } catch (error) {
    // A layer may be third-party code: its failure must not cost the person a request.
    return fail(layer, view, describe(error));
  }
}

function priceEdits(
  pricer: Pricer,
  edits: readonly Edit[],
  { layer, view, options }: { readonly layer: Layer; readonly view: View; readonly options: LayerRunOptions },
): { readonly priced: readonly PricedEdit[]; readonly failure?: string } {
  try {
    const verdicts = pricer(edits, view, { isEager: layer.eager, replayed: options.replayed });
    if (verdicts.length !== edits.length) {
      return { priced: [], failure: `the pricer gave ${verdicts.length} verdicts for ${edits.length} edits` };
    }
    return { priced: edits.flatMap((edit, index) => pairVerdict(edit, verdicts[index], options)) };
  } catch (error) {
    return { priced: [], failure: `the pricer failed: ${describe(error)}` };
  }
}

function pairVerdict(edit: Edit, verdict: EditVerdict | undefined, { mustFit }: LayerRunOptions): PricedEdit[] {
  if (verdict === undefined) return [];
  const isForced = mustFit && !verdict.isMade;
  return [{ edit, verdict: isForced ? { ...verdict, isMade: true, why: "mustFit" } : verdict }];
}

function finish(
  layer: Layer,
  { messages, applied, refused }: Applied,
  more: Pick<LayerReport, "priced" | "failure"> = {},
): LayerRun {
  return { messages, applied, report: { layer: layer.name, applied: applied.length, refused, ...more } };
}

function fail(layer: Layer, view: View, failure: string): LayerRun {
  return { messages: view.messages, applied: [], report: { layer: layer.name, applied: 0, refused: [], failure } };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What one run of the pipeline did, layer by layer, for people and for tests. */
export interface Report {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  /** Earlier decisions that were applied again. */
  readonly replayed: number;
  /** Earlier decisions not applied because their target has changed; the new content was sent as it is. */
  readonly dropped: number;
  readonly layers: readonly LayerReport[];
  /** `withinMargin`: above the line, but by less than the margin that starts the non-eager layers. */
  readonly stopped: "belowLine" | "withinMargin" | "nothingToDo" | "passesSpent" | "timeSpent";
}

export interface PricedEdit {
  readonly edit: Edit;
  readonly verdict: EditVerdict;
}

export interface LayerReport {
  readonly layer: string;
  readonly pass: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly applied: number;
  readonly refused: readonly Refusal[];
  /** Present if there is a pricer and something to price: every possible edit, made or declined. */
  readonly priced?: readonly PricedEdit[];
  /** The message of the error the layer threw. The run went on without it. */
  readonly failure?: string;
}

/** The edits that were not worth their price, over all layers. An edit declined twice by one layer counts once. */
export function listDeclined(report: Report): readonly PricedEdit[] {
  const last = new Map<string, LayerReport>();
  for (const layer of report.layers) if (layer.priced) last.set(layer.layer, layer);
  return [...last.values()].flatMap(({ priced = [] }) => priced.filter(({ verdict }) => !verdict.isMade));
}

export function renderReport(report: Report): string {
  const lines = report.layers.map((layer) => {
    const refused = layer.refused.length > 0 ? `, ${layer.refused.length} refused (${layer.refused[0]?.why})` : "";
    const count = layer.priced?.filter(({ verdict }) => !verdict.isMade).length ?? 0;
    const declined = count > 0 ? `, ${count} declined for their price` : "";
    const failure = layer.failure === undefined ? "" : `, failed: ${layer.failure}`;
    return `${layer.pass}. ${layer.layer}: ${layer.applied} edits${refused}${declined}${failure}, ${renderTokens(layer)}`;
  });
  const total = `${renderTokens(report)}, line at ${Math.round(report.targetTokens)}`;
  const dropped = report.dropped > 0 ? `, ${report.dropped} dropped because what they replaced has changed` : "";
  return [
    `${total}; ${report.replayed} earlier decisions replayed${dropped}; stopped: ${report.stopped}`,
    ...lines,
  ].join("\n");
}

/** Estimates are fractions; a person reads whole tokens. */
function renderTokens({ tokensBefore, tokensAfter }: Pick<Report, "tokensBefore" | "tokensAfter">): string {
  return `${Math.round(tokensBefore)} -> ${Math.round(tokensAfter)} tokens`;
}
