import { isObject, type JsonObject } from "../../../core/json.ts";
import type { ResultPart } from "../../../core/message.ts";
import { renderFailure } from "../../../core/render-failure.ts";
import { findHandles } from "../../../fold/marker.ts";
import type { RecallAnswer } from "../../../survive/recall/answer-recall.ts";
import { createHashPort, findByDigits, recall } from "../../../survive/recall/recall.ts";
import { parseRecall, RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../../survive/recall/recall-request.ts";
import { advanceChain } from "../request/identify-session.ts";
import { parseSpan, scanList, scanObject } from "../request/json-spans.ts";
import { within } from "../request/patience.ts";
import { type FieldPlace, locateField, placeField, type RequestFields } from "../request/request-fields.ts";
import { insertBytes } from "../request/set-members.ts";
import type { GatewayStore, KnownLedger } from "../store/gateway-store.ts";
import type { ParsedRequest, Wire } from "../wire.ts";
import type { RecallService } from "./recall-service.ts";
import type { RecalledAnswer, RecalledCall } from "./round.ts";

interface ServedRecall {
  readonly request: ParsedRequest;
  readonly pieces: readonly Buffer[];
  readonly store: GatewayStore;
  /** The hashes of what was removed from this very request. Everything else is out of reach, and never named. */
  readonly left: readonly string[];
  /** Cache system prompt and tools for an hour, if the client leaves that open. */
  readonly isBaseLong: boolean;
  keep(recalled: RecalledAnswer): Promise<boolean>;
}

/** A model waits for this as long as for any tool. */
const READ_TIMEOUT_MS = 10_000;

export function createRecallService(served: ServedRecall): RecallService {
  const { request, pieces, store, left, isBaseLong, keep } = served;
  const tool = findRecallToolName(request);
  return {
    tool,
    wire: request.wire,
    async answer({ callId, input, at }) {
      const answer = await within(READ_TIMEOUT_MS, fetchOriginal(input, { store, left })).catch(
        (error: unknown) => ({ isError: true, words: `Recall failed: ${renderFailure(error)}` }) as const,
      );
      const parts = toParts(answer, request.wire);
      return { at, callId, tool, input, parts, isError: answer.isError, needs: listNeeds({ input, parts }, left) };
    },
    goOn: (messages) => addTool(pieces, { request, isBaseLong }, messages),
    keep: (rounds) =>
      keep({ kind: "recalled", behind: request.conversation.messages.reduce(advanceChain, ""), rounds }),
  };
}

/** The body with the tool behind the client's own, and with further messages. The cached prefix begins with the tools, so once added, the tool stays. */
export function addTool(
  pieces: readonly Buffer[],
  { request, isBaseLong }: Pick<ServedRecall, "request" | "isBaseLong">,
  messages: readonly Uint8Array[] = [],
): readonly Buffer[] {
  const { wire, bytes, list, fields } = request;
  const { tools } = fields;
  if (!tools) return pieces;
  const about = { description: RECALL_DESCRIPTION, parameters: RECALL_PARAMETERS };
  const tool = Buffer.from(`,${JSON.stringify(wire.bytes.renderTool(findRecallToolName(request), about))}`);
  const added = Buffer.concat(messages.flatMap((message) => [COMMA, message]));
  const before = (place: FieldPlace, inserted: Buffer) => {
    return { offset: locateField(place, bytes).end - 1, isBehind: place.isBehind, bytes: inserted };
  };
  return insertBytes(pieces, bytes.length, [
    before(tools, tool),
    { offset: list.end - 1, isBehind: true, bytes: added },
    ...(isBaseLong ? findBaseMarks(request) : []).map((mark) => before(mark, LONG)),
  ]);
}

const COMMA = Buffer.from(",");
const LONG = Buffer.from(',"ttl":"1h"');

/** Stored like a decision, and after those that another instance has stored in the meantime. */
export async function keepRecalled(
  recalled: RecalledAnswer,
  session: string,
  ledger: KnownLedger,
  store: GatewayStore,
): Promise<KnownLedger | undefined> {
  let known = ledger;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const kept = await store.appendDecisions(session, [recalled], known);
    if (kept) return kept;
    known = await store.readLedger(session, known);
  }
  return undefined;
}

const MAX_ATTEMPTS = 5;

/** The answer to a `recall` call. Rejects if the store does. */
export function fetchOriginal(
  input: JsonObject,
  { store, left }: Pick<ServedRecall, "left"> & { readonly store: Pick<GatewayStore, "readOriginal"> },
): Promise<RecallAnswer> {
  return recall(input, createHashPort({ hashes: () => left, read: (hash) => store.readOriginal(hash) }));
}

function toParts(answer: RecallAnswer, { bytes }: Wire): readonly ResultPart[] {
  if (answer.isError) return [{ kind: "text", text: answer.words }];
  return answer.blocks.map((block): ResultPart => {
    if (typeof block === "string") return { kind: "text", text: block };
    const { mediaType, data } = block;
    const raw = bytes.renderPicture(mediaType, data);
    if (!mediaType.startsWith("image/")) return { kind: "opaque", raw };
    return { kind: "image", mediaType, encodedLength: data.length, raw };
  });
}

const NAME = "plimsoll_recall";

/** Cached by fields, which are the same object for as long as their content is the same. */
const names = new WeakMap<RequestFields, string>();

/** A name that none of the client's tools has; it stays the same for as long as the client offers the same tools. */
export function findRecallToolName({ bytes, fields }: ParsedRequest): string {
  const known = names.get(fields);
  if (known !== undefined) return known;
  const { tools } = fields;
  const offered = tools && parseSpan(bytes, locateField(tools, bytes));
  const taken = new Set(Array.isArray(offered) ? offered.map((tool) => (isObject(tool) ? tool.name : undefined)) : []);
  let name = NAME;
  for (let count = 2; taken.has(name); count++) name = `${NAME}_${count}`;
  names.set(fields, name);
  return name;
}

/** The hashes of removed texts that a call gave back, or named in its answer. */
function listNeeds(
  { input, parts }: Pick<RecalledCall, "input" | "parts">,
  left: readonly string[],
): readonly string[] {
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const named = findHandles(text).map((handle) => handle.replace(/^plimsoll:/, ""));
  return [...new Set([...listAsked(input), ...named].flatMap((digits) => findByDigits(left, digits)))];
}

/** Whether everything an answer fetched was removed from this request, too: what one run of a prompt fetched is never put into another. */
export function isWithinReach({ rounds }: RecalledAnswer, left: readonly string[]): boolean {
  return rounds.every(({ calls }) => calls.every((call) => isCallWithinReach(call, left)));
}

function isCallWithinReach({ input, isError, needs }: RecalledCall, left: readonly string[]): boolean {
  if (needs) return needs.every((hash) => left.includes(hash));
  // Older versions did not store `needs`; the digits in the call are used instead.
  return isError || listAsked(input).every((digits) => findByDigits(left, digits).length > 0);
}

function listAsked(input: RecalledCall["input"]): readonly string[] {
  const request = parseRecall(input);
  return "problem" in request ? [] : request.wanted.flatMap(({ digits }) => digits ?? []);
}

/** Cached by fields, as the names. */
const knownMarks = new WeakMap<RequestFields, readonly FieldPlace[]>();

/**
 * The client's cache breakpoints before its messages, if it sets no life time on any of them. If it sets one, all stay: the
 * client has decided, and a longer life time may not follow a shorter one. The life time is inserted before each closing brace.
 */
function findBaseMarks(request: ParsedRequest): readonly FieldPlace[] {
  const marks = knownMarks.get(request.fields) ?? listMarks(request);
  knownMarks.set(request.fields, marks);
  return marks;
}

function listMarks({ bytes, fields }: ParsedRequest): readonly FieldPlace[] {
  const marks: FieldPlace[] = [];
  for (const field of [fields.tools, fields.system]) {
    if (!field) continue;
    for (const span of scanList(bytes, locateField(field, bytes).start)?.elements ?? []) {
      const [mark] = scanObject(bytes, span.start)?.members.filter(({ key }) => key === "cache_control") ?? [];
      const said = mark && parseSpan(bytes, mark.value);
      if (!mark || !isObject(said)) continue;
      if (said.type !== "ephemeral" || said.ttl !== undefined) return [];
      marks.push(placeField(mark.value, field.isBehind, bytes));
    }
  }
  return marks;
}
