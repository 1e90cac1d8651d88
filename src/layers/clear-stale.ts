import type { ReplaceBlock } from "../core/edit.ts";
import { hashText } from "../core/hash.ts";
import type { Json } from "../core/json.ts";
import { type View, weighSaving } from "../core/layer.ts";
import { type Block, type Message, renderInput, type ToolCallBlock, type ToolResultBlock } from "../core/message.ts";
import { replaceBlock } from "../core/propose-edit.ts";
import { countLines } from "../fold/thresholds.ts";
import { splitExchanges } from "./history/exchanges.ts";
import { findPointedTo, type KnownCall, listCalls } from "./history/list-calls.ts";
import { listOriginals } from "./history/list-originals.ts";
import { CLEARED, isMarker, renderLine } from "./history/markers.ts";
import { type Hash, nameBlock, nameWhole, renderOriginal, type StoringLayer } from "./history/originals.ts";
import { type CallMeaning, type CallVocabulary, plainVocabulary } from "./history/vocabulary.ts";
import { parseNumbers } from "./options/policy-settings.ts";

export interface ClearStaleOptions {
  readonly vocabulary?: CallVocabulary;
  /** Newest exchanges to leave alone; at least 1. */
  readonly keepExchanges?: number;
  /** Nothing is cleared below this many tokens: clearing a little at a time costs more cache than it saves. */
  readonly clearAtLeast?: number;
  /** Inputs of failed calls older than this many exchanges lose their large values. */
  readonly purgeInputsAfterExchanges?: number;
  /** Also clears results that nothing in this many newest exchanges refers to. Off by default. */
  readonly unusedAfterExchanges?: number;
  readonly sha256?: Hash | undefined;
}

const NAME = "clearStale";
const DEFAULTS = {
  keepExchanges: 4,
  clearAtLeast: 5_000,
  purgeInputsAfterExchanges: 4,
  unusedAfterExchanges: Number.POSITIVE_INFINITY,
};
const LEAST = { keepExchanges: 1, purgeInputsAfterExchanges: 1, unusedAfterExchanges: 1 };
/** For shorter content the note that replaces it saves nothing worth a broken prefix. */
const LEAST_CHARACTERS = 400;
const MAX_SUBJECT_CHARACTERS = 80;

/** Layer 2: replaces content that a later call made obsolete with a handle, as a whole. Nothing is summarised. */
export function createClearStale(options: ClearStaleOptions = {}): StoringLayer {
  const { vocabulary = plainVocabulary, sha256 } = options;
  const numbers = parseNumbers(DEFAULTS, options, { least: LEAST, fix: "pass a number, or Infinity to disable this" });
  const settings: Settings = { ...numbers, vocabulary, sha256 };
  return {
    name: NAME,
    cost: 2,
    eager: false,
    plan: (view) => {
      const planned = planClearing(view, settings);
      const saved = planned.reduce((sum, { saving }) => sum + saving, 0);
      return saved < settings.clearAtLeast ? [] : planned.map(({ edit }) => edit);
    },
    originals: (edits, messages) => listOriginals(edits, messages, options.sha256),
  };
}

type Settings = typeof DEFAULTS & { readonly vocabulary: CallVocabulary; readonly sha256: Hash | undefined };

interface Planned {
  readonly edit: ReplaceBlock;
  readonly saving: number;
}

interface StaleFinding {
  readonly block: string;
  /** Completes "cleared because": `src/a.ts was read again`. */
  readonly why: string;
  /** The later blocks that the reason refers to; if the conversation took another course, the reason no longer holds. */
  readonly because: readonly Block[];
}

function planClearing(view: View, settings: Settings): readonly Planned[] {
  const { messages } = view;
  const { sha256: hash } = settings;
  const exchanges = splitExchanges(messages);
  const freshFrom = exchanges.length - settings.keepExchanges;
  const calls = listCalls(messages, exchanges, settings.vocabulary);
  const pointedTo = findPointedTo(calls);
  const unusedFrom = exchanges.length - settings.unusedAfterExchanges;
  const unused =
    unusedFrom > 0
      ? findUnused(calls, messages.slice(exchanges[unusedFrom]?.first), Math.min(freshFrom, unusedFrom))
      : [];
  const found = new Map<string, StaleFinding>();
  for (const finding of [...findSuperseded(calls, freshFrom), ...findDuplicates(calls, freshFrom), ...unused]) {
    if (!pointedTo.has(finding.block) && !found.has(finding.block)) found.set(finding.block, finding);
  }
  const purgeBefore = exchanges.length - settings.purgeInputsAfterExchanges;
  return calls.flatMap((known) => {
    const finding = known.result && found.get(known.result.id);
    if (finding) return clearResult(view, known, finding, hash);
    return known.exchange < purgeBefore ? purgeInput(view, known, hash) : [];
  });
}

function clearResult(
  view: View,
  { call, result, message, meaning }: KnownCall,
  { why, because }: StaleFinding,
  hash: Hash | undefined,
): readonly Planned[] {
  const original = result && renderOriginal(result);
  if (!call || !result || original === undefined || original.length < LEAST_CHARACTERS || isMarker(original)) return [];
  if (result.parts.some((part) => part.kind === "opaque")) return [];
  const subject = renderLine(meaning.path ?? meaning.command ?? "", MAX_SUBJECT_CHARACTERS);
  const { handle } = nameBlock(result, hash) ?? nameWhole(original, hash);
  const what = `${renderLine(call.tool, MAX_SUBJECT_CHARACTERS)}${subject === "" ? "" : ` ${subject}`}`;
  const text = `${CLEARED}${what} — ${why}; ${countLines(original)} lines, ${original.length} chars, full text: ${handle}]`;
  const restsOn = [call, ...because];
  const account = { by: NAME, reason: `${what}: ${why}`, handles: [handle] };
  return planEdit(view, message, {
    before: result,
    after: { ...result, parts: [{ kind: "text", text }] },
    edit: replaceBlock(result, { content: { text }, restsOn, ...account }, hash),
  });
}

/** A failed call keeps its result but loses its large input: the next attempt repeats it, corrected. */
function purgeInput(view: View, { call, result, message }: KnownCall, hash: Hash | undefined): readonly Planned[] {
  if (!call || !result?.isError) return [];
  const original = renderInput(call).length < LEAST_CHARACTERS ? undefined : nameBlock(call, hash);
  if (!original) return [];
  const { handle } = original;
  if (!Object.values(call.input).some(isLarge)) return [];
  const note = `${CLEARED}the call failed; full input: ${handle}]`;
  const fields = Object.entries(call.input).map(([key, value]) => [key, isLarge(value) ? note : value] as const);
  const input = Object.fromEntries(fields);
  const account = { by: NAME, reason: `the large input of a failed ${call.tool}`, handles: [handle] };
  return planEdit(view, message, {
    before: call,
    after: { ...call, input },
    edit: replaceBlock(call, { content: { input }, restsOn: [result], ...account }, hash),
  });
}

type Change = Parameters<typeof weighSaving>[2] & { readonly edit: ReplaceBlock };

function planEdit(view: View, at: number, { edit, ...change }: Change): readonly Planned[] {
  const message = view.messages[at];
  const saving = message ? weighSaving(view, message, change) : 0;
  return saving > 0 ? [{ edit, saving }] : [];
}

function isLarge(value: Json | undefined): boolean {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).length > LEAST_CHARACTERS;
}

/**
 * Reads whose file was later written, edited or read again. A later read must cover the range; one that only points back does not count. A
 * file that is still being edited keeps its reads: the next edit must quote them exactly.
 */
function findSuperseded(calls: readonly KnownCall[], freshFrom: number): readonly StaleFinding[] {
  const findings: StaleFinding[] = [];
  const later = new Map<string, Later>();
  for (const known of [...calls].reverse()) {
    const { meaning, result, call, exchange } = known;
    if (!result || !call || result.isError || !meaning.path || known.isPointer) continue;
    const file: Later = later.get(meaning.path) ?? { reads: [], lastEdit: -1 };
    later.set(meaning.path, file);
    if (meaning.kind === "read") {
      const reason = exchange < freshFrom ? explain(meaning, file, freshFrom) : undefined;
      if (reason !== undefined) findings.push({ block: result.id, ...reason });
      file.reads.push({ range: meaning.range, call, result });
    }
    if (meaning.kind === "write") file.written ??= { call, result };
    if (meaning.kind === "edit") {
      file.edited ??= { call, result };
      file.lastEdit = Math.max(file.lastEdit, exchange);
    }
  }
  return findings;
}

interface Later {
  readonly reads: (CallWithResult & Pick<CallMeaning, "range">)[];
  written?: CallWithResult;
  edited?: CallWithResult;
  lastEdit: number;
}

interface CallWithResult {
  readonly call: ToolCallBlock;
  readonly result: ToolResultBlock;
}

function explain(meaning: CallMeaning, { reads, written, edited, lastEdit }: Later, freshFrom: number) {
  const read = reads.find(({ range }) => covers(range, meaning.range));
  if (read) return giveReason("read again since", read);
  if (written) return giveReason(`overwritten since by ${written.call.tool}`, written);
  return edited && lastEdit < freshFrom ? giveReason(`changed since by ${edited.call.tool}`, edited) : undefined;
}

function giveReason(why: string, { call, result }: CallWithResult): Pick<StaleFinding, "why" | "because"> {
  return { why, because: [call, result] };
}

/** No range means the whole file. */
function covers(outer: CallMeaning["range"], inner: CallMeaning["range"]): boolean {
  if (!outer) return true;
  return inner !== undefined && outer.first <= inner.first && outer.last >= inner.last;
}

/** Results that equal a later result of the same call; the newest stays. */
function findDuplicates(calls: readonly KnownCall[], freshFrom: number): readonly StaleFinding[] {
  const repeated = collectRepeatedCalls(calls);
  const findings: StaleFinding[] = [];
  const seen = new Map<string, { readonly text: string; readonly result: Block }>();
  for (const { call, result, exchange } of [...calls].reverse()) {
    const key = call && repeated.get(call.id);
    if (!result || result.isError || key === undefined) continue;
    const text = renderOriginal(result) ?? "";
    const answer = `${key}:${hashText(text)}`;
    // The 64-bit hash only finds candidates; the texts are compared before clearing.
    const later = seen.get(answer);
    if (later?.text === text && exchange < freshFrom)
      findings.push({ block: result.id, why: "repeated word for word below", because: [later.result] });
    if (!later) seen.set(answer, { text, result });
  }
  return findings;
}

/** Keys of calls made more than once, by block; only their results are compared. */
function collectRepeatedCalls(calls: readonly KnownCall[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const times = new Map<string, number>();
  for (const { call } of calls) {
    if (!call) continue;
    const key = `${call.tool} ${renderInput(call)}`;
    keys.set(call.id, key);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return new Map([...keys].filter(([, key]) => (times.get(key) ?? 0) > 1));
}

/** Results that nothing since `freshFrom` refers to. Reads stay: a host that believes a file in view answers the next read with a pointer to nothing. */
function findUnused(
  calls: readonly KnownCall[],
  recent: readonly Message[],
  freshFrom: number,
): readonly StaleFinding[] {
  const named = collectNamed(recent);
  return calls.flatMap(({ call, result, exchange, meaning }) => {
    if (!call || !result || result.isError || exchange >= freshFrom || meaning.kind === "read") return [];
    const text = renderOriginal(result) ?? "";
    for (const [name] of text.matchAll(NAMES)) if (isCoined(name) && named.has(name)) return [];
    // The reason must stay true however the conversation goes on, and a later message may refer to the result.
    return [{ block: result.id, why: "left out to make room", because: [] }];
  });
}

const NAMES = /[\p{L}\p{N}_$][\p{L}\p{N}_$./:@-]{2,}[\p{L}\p{N}_$]/gu;

/** Paths, identifiers and numbers; ordinary words occur by chance and show no reference. */
function isCoined(name: string): boolean {
  return /[./_$\d]|\p{Ll}\p{Lu}/u.test(name);
}

/** What the model and the person said or asked for lately; results are not references. */
function collectNamed(messages: readonly Message[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const block of messages.flatMap(({ blocks }) => blocks)) {
    if (block.kind !== "text" && block.kind !== "toolCall") continue;
    for (const [name] of (renderOriginal(block) ?? "").matchAll(NAMES)) if (isCoined(name)) named.add(name);
  }
  return named;
}
