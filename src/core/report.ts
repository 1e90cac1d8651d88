import type { Refusal } from "./edit.ts";

/** What one run of the pipeline did, layer by layer, for people and for tests. */
export interface Report {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly targetTokens: number;
  /** Decisions of earlier requests that were carried out again. */
  readonly replayed: number;
  readonly layers: readonly LayerReport[];
  readonly stopped: "belowLine" | "nothingToDo" | "passesSpent" | "timeSpent";
}

export interface LayerReport {
  readonly layer: string;
  readonly pass: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly applied: number;
  readonly refused: readonly Refusal[];
  /** Present when the layer threw: its message. The run went on without it. */
  readonly failure?: string;
}

export function renderReport(report: Report): string {
  const lines = report.layers.map((layer) => {
    const refused = layer.refused.length > 0 ? `, ${layer.refused.length} refused (${layer.refused[0]?.why})` : "";
    const failure = layer.failure === undefined ? "" : `, failed: ${layer.failure}`;
    return `${layer.pass}. ${layer.layer}: ${layer.applied} edits${refused}${failure}, ${layer.tokensBefore} -> ${layer.tokensAfter} tokens`;
  });
  const total = `${report.tokensBefore} -> ${report.tokensAfter} tokens, line at ${report.targetTokens}`;
  return [`${total}; ${report.replayed} earlier decisions replayed; stopped: ${report.stopped}`, ...lines].join("\n");
}
