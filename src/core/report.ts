import type { Edit, Refusal } from "./edit.ts";
import type { EditVerdict } from "./edit-verdict.ts";

/** What one run of the pipeline did, layer by layer, for people and for tests. */
export interface Report {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  /** Decisions of earlier requests that were carried out again. */
  readonly replayed: number;
  /** Those that were not, because what they replaced is not what it was: what stands there now left whole. */
  readonly dropped: number;
  readonly layers: readonly LayerReport[];
  /** `withinMargin`: above the line, but by less than the margin that wakes the patient layers. */
  readonly stopped: "belowLine" | "withinMargin" | "nothingToDo" | "passesSpent" | "timeSpent";
}

/** An edit that was weighed, with what it costs and saves. */
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
  /** Present where there is a pricer and something to price: every edit that could be made, made or declined. */
  readonly priced?: readonly PricedEdit[];
  /** Present when the layer threw: its message. The run went on without it. */
  readonly failure?: string;
}

/** The edits that were not worth their price, over all layers; a layer that was asked twice declines the same edit once. */
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
