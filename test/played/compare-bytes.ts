import type { JsonObject } from "../../src/core/json.ts";
import { isObject } from "../../src/core/json.ts";
import { renderResultText, type ToolResultBlock } from "../../src/core/message.ts";
import { parseBlock } from "../../src/hosts/claude-code/parse-blocks.ts";
import { blocksOf, type ContentBlock } from "../api/messages-body.ts";
import type { AnswerBlock } from "../api/scenario.ts";
import type { PlayedRequest } from "./recorded-api.ts";
import type { ScriptResult, SessionScript } from "./script-session.ts";
import { isClients, splitRemarks } from "./weigh-request.ts";

const KINDS = ["results", "errors", "pictures", "parallel", "calls", "answers", "prompts"] as const;
export type FidelityKind = (typeof KINDS)[number];

/** So many of so many reached the API as they were recorded; the first request that carries one decides. */
export interface Share {
  readonly same: number;
  readonly all: number;
}

export interface Fidelity {
  readonly shares: Readonly<Record<FidelityKind, Share>>;
  /** What differs, in short, for looking closely. */
  readonly different: readonly string[];
}

/**
 * A result counts as the same where its words are, blanks at its ends aside: the client trims it where it puts a remark of its
 * own behind it. A call counts as the same with the defaults that the client fills in. A prompt may stand within a remark:
 * so the client passes on what was typed while it worked.
 */
export function compareBytes(requests: readonly PlayedRequest[], script: SessionScript): Fidelity {
  const judged: { readonly kind: FidelityKind; readonly isSame: boolean; readonly what: string }[] = [];
  const calls = new Map(script.steps.flatMap(({ answer }) => answer.filter(isCall)).map((call) => [call.id, call]));
  const { firsts, words } = collectFirsts(requests);
  for (const { raw } of firsts.values()) {
    if (raw.type === "tool_use") {
      const call = calls.get(String(raw.id));
      if (call) judged.push({ kind: "calls", isSame: isSameCall(call, raw), what: `${call.name} ${call.id}` });
    }
    const recorded = raw.type === "tool_result" ? script.results.get(String(raw.tool_use_id)) : undefined;
    if (recorded) judged.push(...compareResult(raw, recorded));
  }
  for (const [index, { answer, prompt }] of script.steps.entries()) {
    // The last answer ends the conversation: no request carries it.
    const isCarried = index < script.steps.length - 1;
    for (const block of answer)
      if (block.type === "text" && isCarried)
        judged.push({ kind: "answers", isSame: words.has(block.text), what: block.text });
    for (const block of prompt) {
      const [kind, key] =
        block.type === "image"
          ? (["pictures", JSON.stringify(block.source)] as const)
          : (["prompts", String(block.text)] as const);
      judged.push({ kind, isSame: words.has(key) || words.holds(key), what: key });
    }
    const places = answer.filter(isCall).flatMap(({ id }) => firsts.get(`tool_result ${id}`)?.index ?? []);
    if (places.length > 1) judged.push({ kind: "parallel", isSame: new Set(places).size === 1, what: "" });
  }
  const share = (kind: FidelityKind): Share => {
    const ofKind = judged.filter((entry) => entry.kind === kind);
    return { same: ofKind.filter(({ isSame }) => isSame).length, all: ofKind.length };
  };
  return {
    shares: {
      results: share("results"),
      errors: share("errors"),
      pictures: share("pictures"),
      parallel: share("parallel"),
      calls: share("calls"),
      answers: share("answers"),
      prompts: share("prompts"),
    },
    different: judged.filter(({ isSame }) => !isSame).map(({ kind, what }) => `${kind} ${what.slice(0, 100)}`),
  };
}

/** Where each call and each result is first seen, and every text that was ever sent. */
function collectFirsts(requests: readonly PlayedRequest[]) {
  const firsts = new Map<string, { readonly raw: ContentBlock; readonly index: number }>();
  const texts = new Set<string>();
  const remarks = new Set<string>();
  for (const [index, { request }] of requests.entries()) {
    for (const raw of request.body.messages.flatMap(({ content }) => blocksOf(content))) {
      if (raw.type === "text") texts.add(String(raw.text));
      if (raw.type === "image") texts.add(JSON.stringify(raw.source));
      const key = raw.type === "tool_result" ? `tool_result ${raw.tool_use_id}` : `tool_use ${raw.id}`;
      if ((raw.type !== "tool_use" && raw.type !== "tool_result") || firsts.has(key)) continue;
      firsts.set(key, { raw, index });
      if (raw.type === "tool_result") remarks.add(JSON.stringify(raw.content));
    }
  }
  const inner = (text: string): string => JSON.stringify(text).slice(1, -1);
  const isIn = (held: ReadonlySet<string>, text: string): boolean => [...held].some((entry) => entry.includes(text));
  return {
    firsts,
    words: {
      has: (text: string): boolean => texts.has(text),
      holds: (text: string): boolean => isIn(texts, text) || isIn(remarks, inner(text)),
    },
  };
}

type Call = Extract<AnswerBlock, { readonly type: "tool_use" }>;

function isCall(block: AnswerBlock): block is Call {
  return block.type === "tool_use";
}

function isSameCall(call: Call, raw: ContentBlock): boolean {
  const sent = isObject(raw.input) ? raw.input : {};
  return Object.entries(call.input).every(([key, value]) => JSON.stringify(sent[key]) === JSON.stringify(value));
}

function compareResult(raw: ContentBlock, recorded: ScriptResult) {
  const { callId, tool, content, isError } = recorded;
  const sent = parseResult({ ...raw, cache_control: null });
  const meant = parseResult({ type: "tool_result", tool_use_id: callId, content });
  if (sent === undefined || meant === undefined) return [];
  const [is, was] = [renderResultText(sent).trimStart(), renderResultText(meant).trim()];
  const isSame =
    is.startsWith(was) &&
    splitRemarks(is.slice(was.length)).every((remark) => /^<system-reminder>/.test(remark) || isClients(remark));
  const pictures = picturesOf(meant).map((picture, index) => ({
    kind: "pictures" as const,
    isSame: picturesOf(sent)[index] === picture,
    what: `${tool} ${callId}`,
  }));
  return [
    { kind: "results" as const, isSame, what: `${tool} ${callId}: ${is}` },
    ...(isError ? [{ kind: "errors" as const, isSame: sent.isError, what: `${tool} ${callId}` }] : []),
    ...pictures,
  ];
}

function picturesOf({ parts }: ToolResultBlock): readonly string[] {
  return parts.flatMap((part) => (part.kind === "image" ? [JSON.stringify(part.raw.source)] : []));
}

function parseResult(raw: Readonly<Record<string, unknown>>): ToolResultBlock | undefined {
  const copy: unknown = JSON.parse(JSON.stringify(raw));
  const plain: JsonObject = isObject(copy) ? copy : {};
  const block = parseBlock(plain, "host");
  return block.kind === "toolResult" ? block : undefined;
}
