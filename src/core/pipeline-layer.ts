import { type Applied, applyEdits } from "./apply-edits.ts";
import type { Edit } from "./edit.ts";
import type { EditVerdict, Pricer } from "./edit-verdict.ts";
import type { Layer, View } from "./layer.ts";
import type { Message } from "./message.ts";
import type { LayerReport, PricedEdit } from "./report.ts";

export interface LayerRun {
  readonly messages: readonly Message[];
  readonly applied: readonly Edit[];
  readonly report: Pick<LayerReport, "layer" | "applied" | "refused" | "priced" | "failure">;
}

export interface LayerRunOptions {
  readonly pricer: Pricer | undefined;
  /** The conversation before any layer was asked. */
  readonly replayed: readonly Message[];
  /** The conversation does not fit: what the pricer declines is made all the same. */
  readonly mustFit: boolean;
}

/** Asks one layer and carries out what it proposes, as far as it is allowed and worth its price. Never throws. */
export function runLayer(layer: Layer, view: View, options: LayerRunOptions): LayerRun {
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
    // A layer may be somebody else's code: it must not cost the person a request.
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
