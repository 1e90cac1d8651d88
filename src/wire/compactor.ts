import type { Edit } from "../core/edit.ts";
import { emptyLedger, type Ledger, recordDecisions, replayLedger } from "../core/layer.ts";
import { type Block, computeOnce, type Message } from "../core/message.ts";
import type { Report } from "../core/pipeline.ts";
import { renderFailure } from "../core/render-failure.ts";
import type { AutoCompactState } from "../layers/auto-compact.ts";
import { createLayers, type LayersOptions } from "../layers/catalogue.ts";
import { listOriginals } from "../layers/history/list-originals.ts";
import type { NamedOriginal } from "../layers/history/originals.ts";
import type { ExtractedMemory } from "../library/prompt/memory/merge-memories.ts";
import { estimateBlockTokens, estimateMessageTokens, tokenizerOf } from "../models/tokens.ts";
import { type CheckedOptions, type CompactOptions, checkOptions } from "./compaction-options.ts";
import { type Format, isJsonObject, parseConversation } from "./conversation.ts";
import { explainTarget, listNewest, type ReachedTarget } from "./explain-target.ts";
import { findFormat, listItems } from "./formats.ts";
import { createPolicyLayer, policyOrDefault, readKept } from "./policy-layer.ts";
import { type LayerRow, type Parsed, type Pass, planReaction, runLayers, runRow, scaleLayers } from "./run-layers.ts";

export interface Compacted<Messages = readonly object[]> {
  /** The messages to send. The identical array if nothing was changed, now or earlier. */
  readonly messages: Messages;
  /** Plain data: save it, and pass it with the next call. */
  readonly ledger: Ledger;
  readonly report: Report;
  /** What was asked for, what is left, and, if that is more, why. */
  readonly target: ReachedTarget;
  /** What left the conversation in this call, word for word, under the handles that replace it. */
  readonly originals: readonly NamedOriginal[];
  /** What a summary found worth keeping for other sessions. */
  readonly memories: readonly ExtractedMemory[];
  /** Plain data: failures of the summariser add up across calls only if it is passed on. */
  readonly state: AutoCompactState;
  /** Why nothing new was changed although something could have been: `store` or `remember` failed. */
  readonly failure?: string;
}

/** One request: what to send, and what to do if the API says that it does not fit. */
export interface PreparedRequest<Messages = readonly object[]> extends Compacted<Messages> {
  /** Compacts harder, once. `undefined` for any other error, and if nothing is left to remove: handle the error as usual. */
  react(status: number, body: unknown): Promise<Compacted<Messages> | undefined>;
}

/** Keeps one conversation below its line, request after request. */
export interface Compactor<Messages = readonly object[]> {
  prepare(messages: Messages): Promise<PreparedRequest<Messages>>;
  /** What `prepare` would send, for a count of its tokens: nothing is stored, decided or asked of a model. */
  preview(messages: Messages): Promise<Messages>;
}

/**
 * Makes a conversation lighter: five layers, cheapest first, until it has at most `targetTokens`. Untouched messages and
 * blocks are your own objects; if nothing had to be done, so is the array. Works without a model. Stateless: pass the
 * returned `ledger` with the next call. Without it every call decides anew over the whole history, so a later request
 * may begin with other bytes than the one before, and the provider's prompt cache is written again from there on.
 */
export function compact<Messages extends readonly object[]>(
  messages: Messages,
  options: CompactOptions<Messages>,
): Promise<Compacted<Messages>>;
export async function compact(messages: readonly object[], options: CompactOptions): Promise<Compacted> {
  const { react: _, ...compacted } = await createCompactor(options).prepare(messages);
  return compacted;
}

/** For a loop of your own: keeps the ledger from request to request. Concurrent requests are decided one after another. */
export function createCompactor<Messages extends readonly object[]>(
  options: CompactOptions<Messages>,
): Compactor<Messages>;
export function createCompactor(options: CompactOptions): Compactor {
  return createUnchecked(checkOptions(options));
}

type MaybeLater<Value> = Value | Promise<Value>;

/** Where a conversation's ledger is between its requests. */
export interface LedgerKeeper {
  read(): MaybeLater<Ledger>;
  /** Called once per request and the message that `opens` its newest exchange, with what it decided and the originals of it. `undefined` if another instance decided first: then nothing new takes effect. */
  add(edits: readonly Edit[], originals: readonly NamedOriginal[], opens: string): MaybeLater<Ledger | undefined>;
}

/** In memory, for a caller that saves the ledger itself. */
function keepInMemory({ ledger: given = emptyLedger }: CompactOptions): LedgerKeeper {
  let ledger = given;
  return {
    read: () => ledger,
    add(edits, _, opens) {
      const { decisions, requests = decisions.length, beganWith = opens } = ledger;
      ledger = { ...recordDecisions(ledger, edits), requests: requests + 1, beganWith };
      return ledger;
    },
  };
}

/** For an adapter, which has further options. */
export function createUnchecked(options: CheckedOptions, keeper: LedgerKeeper = keepInMemory(options)): Compactor {
  const row = createRow(options);
  const parse = createParser(options);
  const oneByOne = createQueue();

  /** Also returns the pass that was sent: if storing failed, one without the new edits. */
  const settle = async (conversation: Parsed, pass: Pass, before: readonly Message[]) => {
    const originals = listOriginals(pass.edits, before);
    // Words may still join the exchange's last message, and give it another id.
    const opens = listNewest(conversation.messages)[0]?.id ?? "";
    const added = await tryKeep(originals, pass.memories, options, () => keeper.add(pass.edits, originals, opens));
    const isStored = typeof added === "object";
    const ledger = isStored ? added : await keeper.read();
    const kept = isStored ? pass : runRow({ messages: conversation.messages, ledger }, row);
    const { report, memories } = kept;
    const left = isStored ? { originals } : { originals: [], failure: added };
    const state = row.layers.autoCompact.state();
    const target = explainTarget(kept.messages, report, row);
    const messages = conversation.render(kept.messages);
    const compacted = { messages, ledger, report, target, memories, state, ...left };
    return { kept, compacted, isStored };
  };

  return {
    preview: (raws) =>
      oneByOne(async () => {
        const conversation = parse(raws);
        const quiet = { ...row, options: { ...options, summarise: undefined } };
        return conversation.render((await runLayers(conversation, await keeper.read(), quiet)).messages);
      }),
    prepare: (raws) =>
      oneByOne(async () => {
        if (!Array.isArray(raws)) throw new TypeError("messages must be the list of messages that you would send");
        const conversation = parse(raws);
        const ledger = await keeper.read();
        const pass = await runLayers(conversation, ledger, row);
        // Needed for the originals only, and replaying costs a hash of every target.
        const before =
          pass.edits.length === 0 ? conversation.messages : replayLedger(ledger, conversation.messages).messages;
        const { kept: sent, compacted } = await settle(conversation, pass, before);
        const react: PreparedRequest["react"] = (status, body) =>
          oneByOne(async () => {
            const harder = planReaction(sent, { status, body }, row);
            const reacted = harder && (await settle(conversation, harder, sent.messages));
            return reacted?.isStored ? reacted.compacted : undefined;
          });
        return { ...compacted, react };
      }),
  };
}

function createParser(options: CheckedOptions): (raws: readonly object[]) => Parsed {
  const { create, group } = findFormat(options.format);
  const read = (raws: readonly object[]): Parsed => {
    const format = create(options.decideAuthor ?? (() => "person"));
    const conversation = parseConversation(raws, format);
    if (!options.keep && !options.excludeTools?.length) return conversation;
    return parseConversation(raws, keepBlocks(format, conversation.messages, options));
  };
  if (!group) return read;
  return (items) => {
    const groups = group(items);
    const { messages, render } = read(groups);
    return {
      messages,
      render(edited) {
        const rendered = render(edited);
        return rendered === groups ? items : listItems(rendered);
      },
    };
  };
}

function createRow(options: CheckedOptions): LayerRow {
  const { policy } = options;
  const layers: LayersOptions = { vocabulary: findFormat(options.format).vocabulary, ...options.layers };
  const saved = options.state === undefined ? {} : { saved: { autoCompact: options.state } };
  const tokenizer = tokenizerOf(options.model ?? "");
  // A message with one folded block is a new object, but its other blocks are the same.
  const weigh = computeOnce((block: Block) => estimateBlockTokens(block, tokenizer));
  const collapseExchanges = { policy: policyOrDefault(policy), ...readKept(options), ...layers.collapseExchanges };
  return {
    layers: createLayers({ ...scaleLayers(options.targetTokens, { ...layers, collapseExchanges }), ...saved }),
    policy: createPolicyLayer({ ...options, layers }),
    countTokens: computeOnce(options.countTokens ?? ((message) => estimateMessageTokens(message, tokenizer, weigh))),
    options,
  };
}

/** Two requests that decide at once would each lose what the other decided. */
function createQueue(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    // Holds no request: a conversation that stays open would keep its whole last history.
    last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  };
}

/** Originals first, then memories, then what was decided: nothing leaves the conversation before it is stored. The ledger, or why nothing new takes effect. */
async function tryKeep(
  originals: readonly NamedOriginal[],
  memories: readonly ExtractedMemory[],
  { store, remember }: CompactOptions,
  add: () => ReturnType<LedgerKeeper["add"]>,
): Promise<Ledger | string> {
  try {
    if (originals.length > 0) await store?.(originals);
    if (memories.length > 0) await remember?.(memories);
    return (await add()) ?? "nothing was removed, because another instance decided at the same time";
  } catch (error) {
    return `nothing was removed, because storing failed: ${renderFailure(error)}`;
  }
}

/**
 * What the caller keeps is parsed as opaque: no layer touches it, its surroundings are collapsed without
 * it, and it is sent as it came. A call whose result is kept stays with it, and the other way round.
 */
function keepBlocks(
  format: Format,
  messages: readonly Message[],
  { keep, excludeTools = [] }: Pick<CompactOptions, "keep" | "excludeTools">,
): Format {
  const isKept = (block: Block): boolean =>
    keep?.(block) === true || (block.kind === "toolCall" && excludeTools.includes(block.tool));
  const calls = new Set(
    messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => ("callId" in block && isKept(block) ? [block.callId] : [])),
    ),
  );
  return {
    ...format,
    seal(block, raw) {
      const stays = "callId" in block ? calls.has(block.callId) : block.kind !== "opaque" && isKept(block);
      return stays ? { kind: "opaque", id: block.id, type: block.kind, raw: isJsonObject(raw) ? raw : {} } : block;
    },
  };
}
