import { applyEdits } from "../core/apply-edits.ts";
import type { Edit } from "../core/edit.ts";
import { type Layer, type Ledger, unknownOccasion, type View } from "../core/layer.ts";
import { type Block, type Message, renderResultText } from "../core/message.ts";
import { type PipelineOptions, type Report, runPipeline } from "../core/pipeline.ts";
import { renderFailure } from "../core/render-failure.ts";
import type { Layers, LayersOptions } from "../layers/catalogue.ts";
import { LEAST_LEDGER_TOKENS } from "../layers/options/policy-settings.ts";
import type { ExtractedMemory } from "../library/prompt/memory/merge-memories.ts";
import { keepBound } from "../policy/request-coming.ts";
import type { CheckedOptions } from "./compaction-options.ts";
import type { Conversation } from "./conversation.ts";

/** The result of one run of the layers; nothing of it has taken effect yet. */
export interface Pass {
  readonly messages: readonly Message[];
  /** New ones only: earlier ones from the ledger are already in `messages`. */
  readonly edits: readonly Edit[];
  readonly memories: readonly ExtractedMemory[];
  readonly report: Report;
}

export type Parsed = Pick<Conversation<object>, "messages" | "render">;

export interface LayerRow {
  readonly layers: Layers;
  /** Runs before them. */
  readonly policy: Layer;
  readonly countTokens: (message: Message) => number;
  readonly options: CheckedOptions;
}

/** Replays earlier decisions, runs the layers, and asks a model only if they were not enough. */
export async function runLayers(conversation: Parsed, ledger: Ledger, row: LayerRow): Promise<Pass> {
  const { layers, options } = row;
  layers.autoCompact.begin();
  layers.reactToOverflow.begin();
  const all = [row.policy, ...layers.row, ...(options.ownLayers ?? [])];
  const spared = all.map((layer) => spareNewest(layer, options.keepTokens));
  const pass = runRow({ messages: conversation.messages, ledger }, row, spared);
  const { stopped } = pass.report;
  const isEnough = stopped === "belowLine" || stopped === "withinMargin";
  return isEnough || !options.summarise ? pass : askModel(conversation, pass, row);
}

/** What the caller wants to keep whole is no layer's to change. */
function spareNewest(layer: Layer, keepTokens = 0): Layer {
  if (keepTokens === 0) return layer;
  return {
    ...layer,
    plan(view) {
      const edits = layer.plan(view);
      const newest = new Set(keepBound(edits, view.messages, findNewest(view, keepTokens)));
      return edits.filter((edit) => !newest.has(edit));
    },
  };
}

/** The first message of the newest so many tokens. */
function findNewest({ messages, countTokens }: View, keepTokens: number): number {
  let from = messages.length;
  for (let tail = 0; from > 0 && tail < keepTokens; from--) tail += countTokens(messages[from - 1] ?? NO_MESSAGE);
  return from;
}

const NO_MESSAGE: Message = { id: "", role: "system", blocks: [] };

/** Without layers, only the ledger is replayed. */
export function runRow(
  history: Pick<PipelineOptions, "messages" | "ledger">,
  { options, countTokens }: LayerRow,
  layers: readonly Layer[] = [],
): Pass {
  const { targetTokens, mustFitTokens, hysteresisTokens } = options;
  const pricer = options.createPricer?.();
  const { decisions, requests, beganWith } = history.ledger;
  const occasion = {
    ...unknownOccasion,
    model: options.model ?? "",
    // A ledger of an earlier version has not counted.
    carriedRequests: requests ?? (decisions.length === 0 ? 0 : Number.POSITIVE_INFINITY),
    beganWith,
    ...options.occasion?.(),
  };
  const limits = { targetTokens, mustFitTokens, hysteresisTokens };
  const { messages, ledger, report } = runPipeline({ ...history, ...limits, layers, countTokens, pricer, occasion });
  return { messages, edits: ledger.decisions.slice(decisions.length), memories: [], report };
}

/** Plans a lighter request after the API said that it does not fit. `undefined` if it said something else, or if nothing is left to remove. */
export function planReaction(
  sent: Pass,
  { status, body }: { readonly status: number; readonly body: unknown },
  row: LayerRow,
): Pass | undefined {
  const { reactToOverflow } = row.layers;
  const reaction = reactToOverflow.react(status, body, createView(sent, row));
  if (reaction.kind !== "retry") return undefined;
  return addLayer({ ...sent, edits: [] }, row, { layer: reactToOverflow.name, edits: reaction.edits });
}

/** Exactly one attempt; if it fails, the report says so, and the history stays. */
async function askModel(conversation: Parsed, pass: Pass, row: LayerRow): Promise<Pass> {
  const { autoCompact } = row.layers;
  const view = createView(pass, row);
  const question = autoCompact.ask(view);
  if (!question || !row.options.summarise) return pass;
  const { messages, instructions, maxOutputTokens } = question;
  const said = { messages: conversation.render(messages), text: renderTranscript(messages) };
  const layer = autoCompact.name;
  try {
    const answer = await row.options.summarise({ ...said, instructions, maxOutputTokens });
    const verdict = autoCompact.accept(question, String(answer), view);
    if (verdict.kind === "rejected") return addLayer(pass, row, { layer, failure: verdict.reason });
    return addLayer(pass, row, { layer, edits: [verdict.edit], memories: verdict.memories });
  } catch (error) {
    const failure = `the summariser failed: ${renderFailure(error)}`;
    autoCompact.fail(failure);
    return addLayer(pass, row, { layer, failure });
  }
}

interface LayerOutcome extends Partial<Pick<Pass, "edits" | "memories">> {
  readonly layer: string;
  readonly failure?: string;
}

function addLayer(pass: Pass, row: LayerRow, { layer, edits = [], memories = [], ...failed }: LayerOutcome): Pass {
  const { messages, applied, refused } = applyEdits(pass.messages, edits);
  const { report } = pass;
  const tokensAfter = weigh(messages, row);
  const counted = { pass: (report.layers.at(-1)?.pass ?? 0) + 1, tokensBefore: report.tokensAfter, tokensAfter };
  return {
    messages,
    edits: [...pass.edits, ...applied],
    memories,
    report: {
      ...report,
      tokensAfter,
      layers: [...report.layers, { layer, ...counted, applied: applied.length, refused, ...failed }],
      stopped: tokensAfter <= report.targetTokens ? "belowLine" : report.stopped,
    },
  };
}

function createView({ messages }: Pass, row: LayerRow): View {
  const { countTokens, options } = row;
  return { messages, tokens: weigh(messages, row), targetTokens: options.targetTokens, countTokens };
}

function weigh(messages: readonly Message[], { countTokens }: LayerRow): number {
  return messages.reduce((sum, message) => sum + countTokens(message), 0);
}

/**
 * The layers' defaults are for windows of 200,000 tokens. Below a lower line they
 * must keep less, or they would never get there. The caller's settings override this.
 */
export function scaleLayers(targetTokens: number, layers: LayersOptions = {}): LayersOptions {
  const share = (parts: number, atMost: number): number => Math.min(atMost, Math.floor(targetTokens / parts));
  return {
    ...layers,
    clearStale: { clearAtLeast: share(20, 5_000), ...layers.clearStale },
    autoCompact: { keepTokens: share(6, 10_000), leastTokens: share(3, 10_000), ...layers.autoCompact },
    collapseExchanges: {
      // Below the line nothing happens, unless the caller asks for it: earlier is often cheaper.
      eager: false,
      leastTokens: share(10, 5_000),
      maxTailTokens: share(3, 40_000),
      // The default policy's ledger may have 12,000 tokens: more than half of such a line.
      ...(targetTokens < 24_000 ? { maxLedgerTokens: Math.max(LEAST_LEDGER_TOKENS, share(2, 12_000)) } : {}),
      ...layers.collapseExchanges,
    },
  };
}

/** A conversation as one text, for a model that only reads it: no ids to pair, no tools to declare, no pictures. */
export function renderTranscript(messages: readonly Message[]): string {
  return messages
    .map(({ role, blocks }) => [`## ${role}`, ...blocks.map(renderPlain).filter((line) => line !== "")].join("\n"))
    .join("\n\n");
}

function renderPlain(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "toolCall":
      return `[call of ${block.tool}] ${JSON.stringify(block.input)}`;
    case "toolResult":
      return `[${block.isError ? "failed" : "result"}] ${renderResultText(block)}`;
    case "image":
      return `[picture, ${block.mediaType}]`;
    case "opaque":
      return `[${block.type}]`;
    case "thinking":
      return "";
  }
}
