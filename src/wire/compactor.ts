import type { Layer } from "../core/layer.ts";
import { emptyLedger, type Ledger, recordDecisions, replayLedger } from "../core/ledger.ts";
import type { Message } from "../core/message.ts";
import type { Report } from "../core/report.ts";
import type { AutoCompactState } from "../layers/auto-compact.ts";
import { createLayers } from "../layers/catalogue.ts";
import { listOriginals } from "../layers/history/list-originals.ts";
import type { Original } from "../layers/history/originals.ts";
import type { PolicyName } from "../layers/options/policy-settings.ts";
import { estimateMessageTokens, tokenizerOf } from "../models/tokens.ts";
import { createRequestPolicy } from "../policy/request-coming.ts";
import { type CompactionOptions, requireCompactionOptions } from "./compaction-options.ts";
import { type Conversation, type Format, parseConversation, type WireMessage } from "./conversation.ts";
import { type LayerRow, type Pass, planReaction, replayOnly, runLayers } from "./run-layers.ts";
import { scaleLayers } from "./scale-layers.ts";

export interface Compacted<Messages = readonly WireMessage[]> {
  /** What to send. The identical array where nothing was changed, now or earlier. */
  readonly messages: Messages;
  /** Plain data: save it, and pass it with the next call. */
  readonly ledger: Ledger;
  readonly report: Report;
  /** What left the conversation in this call, word for word, under the handles that stand in its place. */
  readonly originals: readonly Original[];
  /** What a summary found worth keeping for other sessions. */
  readonly memories: readonly string[];
  /** Plain data: failures of the summariser add up across calls only where it is passed on. */
  readonly state: AutoCompactState;
  /** Why nothing new was changed although something could have been: `store` or `remember` failed. */
  readonly failure?: string;
}

/** One request: what to send, and what to do when the API says that it does not fit. */
export interface PreparedRequest<Messages = readonly WireMessage[]> extends Compacted<Messages> {
  /** Harder, once. `undefined` for any other error, and where nothing is left to take out: the error goes its way. */
  react(status: number, body: unknown): Promise<Compacted<Messages> | undefined>;
}

/** Keeps one conversation below its line, request after request. */
export interface Compactor<Messages = readonly WireMessage[]> {
  prepare(messages: Messages): Promise<PreparedRequest<Messages>>;
}

/** Remembers the ledger from request to request. Requests that come at once are decided one after another. */
export function createCompactor(format: Format, options: CompactionOptions): Compactor {
  requireCompactionOptions(options);
  const row = createRow(options);
  const oneByOne = createQueue();
  let ledger = options.ledger ?? emptyLedger;

  const settle = async (conversation: Conversation, pass: Pass, before: readonly Message[]): Promise<Compacted> => {
    const originals = listOriginals(pass.edits, before);
    const failure = await tryStore(originals, pass.memories, options);
    if (failure === undefined) ledger = recordDecisions(ledger, pass.edits);
    const kept = failure === undefined ? pass : replayOnly(conversation.messages, ledger, row);
    return {
      messages: conversation.render(kept.messages),
      ledger,
      report: kept.report,
      originals: failure === undefined ? originals : [],
      memories: kept.memories,
      state: row.layers.autoCompact.state(),
      ...(failure === undefined ? {} : { failure }),
    };
  };

  return {
    prepare: (raws) =>
      oneByOne(async () => {
        if (!Array.isArray(raws)) throw new TypeError("messages must be the list of messages that you would send");
        const conversation = parseConversation(raws, format);
        const replayed = replayLedger(ledger, conversation.messages).messages;
        const pass = await runLayers(conversation, ledger, row);
        const settled = await settle(conversation, pass, replayed);
        const sent = settled.failure === undefined ? pass : replayOnly(conversation.messages, ledger, row);
        const react: PreparedRequest["react"] = (status, body) =>
          oneByOne(async () => {
            const harder = planReaction({ ...sent, edits: [], memories: [] }, { status, body }, row);
            const reacted = harder && (await settle(conversation, harder, sent.messages));
            return reacted?.failure === undefined ? reacted : undefined;
          });
        return { ...settled, react };
      }),
  };
}

function createRow(options: CompactionOptions): LayerRow {
  const { policy, layers } = options;
  const saved = options.state === undefined ? {} : { saved: { autoCompact: options.state } };
  const tokenizer = tokenizerOf(options.model ?? "");
  const own =
    policy === undefined ? layers : { ...layers, collapseExchanges: { policy, ...layers?.collapseExchanges } };
  return {
    layers: createLayers({ ...scaleLayers(options.targetTokens, own), ...saved }),
    ...(policy === undefined ? {} : { policy: createPolicyLayer(policy, options) }),
    countTokens: options.countTokens ?? ((message) => estimateMessageTokens(message, tokenizer)),
    options,
  };
}

/** Asked first on every request. What was folded before is in the ledger, so everything else counts as never sent. */
function createPolicyLayer(policy: PolicyName, { objective, layers = {} }: CompactionOptions): Layer {
  const { vocabulary, sha256, foldOutputs: fold, collapseExchanges } = layers;
  const collapse = collapseExchanges?.eager === false ? false : collapseExchanges;
  const plan = createRequestPolicy({ policy, objective, vocabulary, sha256, fold, collapse });
  return { name: "policy", cost: 0, eager: true, plan: (view) => plan({ ...view, newFrom: 0 }).edits };
}

/** Two requests that decide at once would each forget what the other decided. */
function createQueue(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** Originals first, then memories: what leaves the conversation must be somewhere else before. */
async function tryStore(
  originals: readonly Original[],
  memories: readonly string[],
  { store, remember }: CompactionOptions,
): Promise<string | undefined> {
  try {
    if (originals.length > 0) await store?.(originals);
    if (memories.length > 0) await remember?.(memories);
    return undefined;
  } catch (error) {
    return `nothing was taken out, because storing failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
