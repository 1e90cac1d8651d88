import { applyEdits } from "../../src/core/apply-edits.ts";
import type { Edit } from "../../src/core/edit.ts";
import type { View } from "../../src/core/layer.ts";
import type { Block, Message } from "../../src/core/message.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { findHandles, nameHandle } from "../../src/fold/marker.ts";
import { splitExchanges } from "../../src/layers/history/exchanges.ts";
import { type Original, renderOriginal, type StoringLayer } from "../../src/layers/history/originals.ts";
import { parseSections } from "../../src/layers/ledger/sections.ts";
import { estimateMessageTokens } from "../../src/models/tokens.ts";
import { deepFreeze } from "./build.ts";
import { findOrphans } from "./find-orphans.ts";

export interface ContractOptions {
  /** The newest exchange was never sent, so the layer may touch it, too. */
  readonly mayTouchNewest?: boolean;
  /** A summary takes the place of words; they must be retrievable like everything else. */
  readonly mayReplaceWords?: boolean;
}

/** A view of messages as the pipeline would show it; the line at 0 keeps every layer asking. */
export function createView(messages: readonly Message[], targetTokens = 0): View {
  const countTokens = (message: Message): number => estimateMessageTokens(message, "classic");
  return { messages, tokens: weigh(messages, countTokens), targetTokens, countTokens };
}

/**
 * The contract that every layer keeps, on one conversation: each breach as a sentence, none where it is kept. It reports
 * instead of asserting, so that planted faults can show that it sees them.
 */
export function findBreaches(
  layer: StoringLayer,
  messages: readonly Message[],
  options: ContractOptions = {},
): readonly string[] {
  const view = createView(deepFreeze(messages));
  const before = JSON.stringify(messages);
  try {
    const edits = deepFreeze(layer.plan(view));
    const again = layer.plan(createView(structuredClone(messages)));
    const { messages: after, refused } = applyEdits(messages, edits);
    return [
      ...(JSON.stringify(edits) === JSON.stringify(again) ? [] : ["is not deterministic: planned twice, two plans"]),
      ...(JSON.stringify(messages) === before ? [] : ["changes what it was given"]),
      ...refused.map(({ why, detail }) => `proposes what cannot be done: ${why} ${detail}`),
      ...findUnaccounted(layer, edits),
      ...findUnsettled(layer, after),
      ...findHarm(messages, after),
      ...(options.mayTouchNewest ? [] : findTouchedNewest(messages, after)),
      ...(options.mayReplaceWords ? [] : findLostWords(messages, after)),
      ...(weigh(after, view.countTokens) <= view.tokens ? [] : ["makes the view heavier"]),
      ...findLost(layer, { edits, messages, after }),
    ];
  } catch (error) {
    return [`throws on data: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function weigh(messages: readonly Message[], countTokens: View["countTokens"]): number {
  return messages.reduce((sum, message) => sum + countTokens(message), 0);
}

function findUnaccounted({ name }: StoringLayer, edits: readonly Edit[]): readonly string[] {
  return edits.flatMap(({ by, reason }) => [
    ...(by === name ? [] : [`signs as ${by}, not as ${name}`]),
    ...(reason === "" ? ["gives no reason"] : []),
  ]);
}

function findUnsettled(layer: StoringLayer, after: readonly Message[]): readonly string[] {
  const further = layer.plan(createView(deepFreeze(after)));
  return further.length === 0 ? [] : [`does not settle: ${further.length} further edits on its own result`];
}

function findHarm(before: readonly Message[], after: readonly Message[]): readonly string[] {
  const known = new Set(findOrphans(before));
  const left = new Map(blocksOf(after).map((block) => [block.id, block]));
  const thoughts = new Map(after.map((message) => [message.id, renderThinking(message)]));
  return [
    ...findOrphans(after)
      .filter((orphan) => !known.has(orphan))
      .map((orphan) => `leaves an orphan: ${orphan}`),
    ...blocksOf(before)
      .filter((block) => isOpaque(block) && !mayBe(left.get(block.id), block))
      .map(({ id }) => `touches what nobody understands: ${id}`),
    ...before
      .filter((message) => (thoughts.get(message.id) ?? renderThinking(message)) !== renderThinking(message))
      .map(({ id }) => `touches thinking of ${id}`),
    // What a model thought of calls that it still waits for must come back to it.
    ...newestOf(before)
      .filter((message) => renderThinking(message) !== "" && !thoughts.has(message.id))
      .map(({ id }) => `takes the newest thinking away: ${id}`),
  ];
}

function findTouchedNewest(before: readonly Message[], after: readonly Message[]): readonly string[] {
  const newest = newestOf(before);
  const end = newest.length === 0 ? [] : after.slice(-newest.length);
  return JSON.stringify(newest) === JSON.stringify(end) ? [] : ["touches the newest exchange"];
}

function findLostWords(before: readonly Message[], after: readonly Message[]): readonly string[] {
  const left = new Set(blocksOf(after).map((block) => JSON.stringify(block)));
  // In a segment of ledger they stand word for word, further lines set in.
  const ledger = after.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "text" && block.id.startsWith("ledger:") ? [block.text] : [])),
  );
  const isSaid = (text: string): boolean =>
    ledger.some((segment) => `\n${segment}\n`.includes(`\nperson: ${text.replaceAll("\n", "\n  ")}\n`));
  return blocksOf(before)
    .filter(
      (block) =>
        block.kind === "text" && block.author === "person" && !left.has(JSON.stringify(block)) && !isSaid(block.text),
    )
    .map(({ id }) => `touches the person's words: ${id}`);
}

interface Change {
  readonly edits: readonly Edit[];
  readonly messages: readonly Message[];
  readonly after: readonly Message[];
}

/** Every byte that left is in the view still, or in an original whose handle can be read there. */
function findLost(layer: StoringLayer, { edits, messages, after }: Change): readonly string[] {
  const originals = layer.originals(edits, messages);
  const wrong = originals.filter(({ handle, text }) => handle !== nameHandle(sha256(text)));
  const view = blocksOf(after).flatMap(textsOf).join("\n");
  const { texts, sections } = followHandles(view, originals);
  const left = new Set(blocksOf(after).map((block) => JSON.stringify(block)));
  const isThere = (text: string): boolean =>
    view.includes(text.replaceAll("\n", "\n  ")) ||
    [view, ...texts].some((place) => place.includes(text) || place.includes(JSON.stringify(text).slice(1, -1)));
  return [
    ...wrong.map(({ handle }) => `names an original by another's handle: ${handle}`),
    ...blocksOf(messages)
      .filter((block) => !left.has(JSON.stringify(block)))
      .filter((block) => !sections.has(renderOriginal(block) ?? JSON.stringify(block)))
      .filter((block) => !textsOf(block).every(isThere))
      .map(({ id }) => `loses an original: ${id}`),
  ];
}

interface Reachable {
  readonly texts: readonly string[];
  /** Whole sections, and each thought of a section of thoughts: what is in one is compared byte for byte. */
  readonly sections: ReadonlySet<string>;
}

/** What the view leads to: a handle that stands in what another names is followed, too. */
function followHandles(view: string, originals: readonly Original[]): Reachable {
  const stored = new Map(originals.map(({ handle, text }) => [handle, text]));
  const texts: string[] = [];
  const sections = new Set<string>();
  const waiting = [view];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const handle of findHandles(place)) {
      const text = stored.get(handle);
      if (text === undefined || !stored.delete(handle)) continue;
      waiting.push(text);
      const parsed = parseSections(text);
      if (!parsed) texts.push(text);
      for (const [name, section] of parsed ?? [])
        for (const part of name === "thoughts" ? section.split("\n") : [section]) sections.add(part);
    }
  }
  return { texts, sections };
}

/** Everything a block holds, as texts that must not get lost. */
function textsOf(block: Block): readonly string[] {
  switch (block.kind) {
    case "text":
      return [block.text];
    case "thinking":
      return [block.text, block.signature];
    case "toolCall":
      return [JSON.stringify(block.input)];
    case "toolResult":
      return block.parts.map((part) => (part.kind === "text" ? part.text : JSON.stringify(part.raw)));
    default:
      return [JSON.stringify(block.raw)];
  }
}

function blocksOf(messages: readonly Message[]): readonly Block[] {
  return messages.flatMap(({ blocks }) => blocks);
}

function newestOf(messages: readonly Message[]): readonly Message[] {
  const newest = splitExchanges(messages).at(-1);
  return newest ? messages.slice(newest.first, newest.last + 1) : [];
}

function renderThinking({ blocks }: Message): string {
  return blocks.flatMap((block) => (block.kind === "thinking" ? [JSON.stringify(block)] : [])).join("\n");
}

/** As it was; a result may also be gone, and then `findLost` looks for it behind a handle. */
function mayBe(after: Block | undefined, before: Block): boolean {
  return after === undefined ? before.kind === "toolResult" : JSON.stringify(after) === JSON.stringify(before);
}

function isOpaque(block: Block): boolean {
  return block.kind === "opaque" || (block.kind === "toolResult" && block.parts.some((part) => part.kind === "opaque"));
}
