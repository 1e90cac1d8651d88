import { type Applied, applyEdits } from "./apply-edits.ts";
import type { Edit, Refusal } from "./edit.ts";
import type { EditVerdict, Pricer } from "./edit-verdict.ts";
import { countDropped, type Layer, type Ledger, recordDecisions, replayLedger, type View } from "./layer.ts";
import { computeOnce, type Message } from "./message.ts";
import { renderFailure } from "./render-failure.ts";
import { requireAtLeast, requireWhole } from "./require-option.ts";

/** Slow layers check `isTimeSpent` themselves, and it is checked before every layer. The entry point owns the clock. */
export interface PipelineOptions extends Omit<View, "tokens"> {
  readonly layers: readonly Layer[];
  readonly ledger: Ledger;
  /** How many times to go through all layers; each layer runs at most once per pass. */
  readonly maxPasses?: number;
  /** Decides for every possible edit whether it is worth its price; without it all are made. */
  readonly pricer?: Pricer | undefined;
  /** Above this, price does not matter: edits that the pricer declines are made anyway. */
  readonly mustFitTokens?: number | undefined;
  /**
   * How far above the line the view must be before the non-eager layers start; once started they go on until it is below the line. Default
   * 0. The cached prefix is then changed about once per this many tokens of growth, not with every request.
   */
  readonly hysteresisTokens?: number | undefined;
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
  const { targetTokens, countTokens, isTimeSpent, occasion, pricer, maxPasses = DEFAULT_MAX_PASSES } = options;
  const { mustFitTokens = Number.POSITIVE_INFINITY, hysteresisTokens = 0 } = options;
  requireLimits({ targetTokens, mustFitTokens, hysteresisTokens });
  requireWhole(1, { maxPasses });
  const wakeAbove = Math.min(targetTokens + hysteresisTokens, mustFitTokens);

  // Messages are immutable, so each is weighed once, however often the view changes.
  const weigh = computeOnce(countTokens);
  const count = (all: readonly Message[]): number => all.reduce((total, message) => total + weigh(message), 0);
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
      if (isTimeSpent?.()) {
        stopped = "timeSpent";
        break;
      }
      const view: View = { messages, tokens, targetTokens, countTokens, isTimeSpent, occasion };
      const terms = { pricer, replayed: replay.messages, mustFit: tokens > mustFitTokens };
      const { messages: after, applied, ...more } = runLayer(layer, view, terms);
      const counted = { layer: layer.name, pass, applied: applied.length, tokensBefore: tokens };
      tokens = count(after);
      reports.push({ ...more, ...counted, tokensAfter: tokens });
      if (after !== messages) changed = true;
      ledger = recordDecisions(ledger, applied);
      messages = after;
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

type Limits = Pick<PipelineOptions, "targetTokens" | "mustFitTokens" | "hysteresisTokens">;

function requireLimits({ targetTokens, mustFitTokens = targetTokens, hysteresisTokens }: Limits): void {
  requireAtLeast(0, "targetTokens", targetTokens);
  requireAtLeast(0, "hysteresisTokens", hysteresisTokens);
  if (!(mustFitTokens >= targetTokens))
    throw new TypeError(`mustFitTokens must be at least targetTokens (${targetTokens}), not ${mustFitTokens}`);
}

type LayerRun = Applied & Pick<LayerReport, "priced" | "failure">;

interface LayerTerms {
  readonly pricer: Pricer | undefined;
  /** The conversation before any layer ran. */
  readonly replayed: readonly Message[];
  /** The conversation does not fit, so edits that the pricer declines are made anyway. */
  readonly mustFit: boolean;
}

/** Runs one layer and applies its proposals, as far as they are allowed and worth their price. Never throws. */
function runLayer(layer: Layer, view: View, { pricer, replayed, mustFit }: LayerTerms): LayerRun {
  const nothing: Applied = { messages: view.messages, applied: [], refused: [] };
  try {
    const planned = applyEdits(view.messages, layer.plan(view));
    const edits = planned.applied;
    if (!pricer || edits.length === 0) return planned;
    const verdicts = askPricer(() => pricer(edits, view, { isEager: layer.eager, replayed }), edits.length);
    if (typeof verdicts === "string")
      return mustFit ? { ...planned, priced: [], failure: verdicts } : { ...nothing, failure: verdicts };
    const priced = edits.flatMap((edit, index) => {
      const verdict = verdicts[index];
      return verdict ? [{ edit, verdict: mustFit ? force(verdict) : verdict }] : [];
    });
    const made = priced.filter(({ verdict }) => verdict.isMade).map(({ edit }) => edit);
    if (made.length === edits.length) return { ...planned, priced };
    const chosen = applyEdits(view.messages, made);
    return { ...chosen, refused: [...planned.refused, ...chosen.refused], priced };
  } catch (error) {
    // A layer may be third-party code: its failure must not cost the person a request.
    return { ...nothing, failure: renderFailure(error) };
  }
}

/** The verdicts, or why there are none. */
function askPricer(ask: () => readonly EditVerdict[], edits: number): readonly EditVerdict[] | string {
  try {
    const verdicts = ask();
    return verdicts.length === edits ? verdicts : `the pricer gave ${verdicts.length} verdicts for ${edits} edits`;
  } catch (error) {
    return `the pricer failed: ${renderFailure(error)}`;
  }
}

function force(verdict: EditVerdict): EditVerdict {
  return verdict.isMade ? verdict : { ...verdict, isMade: true, why: "mustFit" };
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
