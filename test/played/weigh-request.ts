import type { JsonObject } from "../../src/core/json.ts";
import { isObject } from "../../src/core/json.ts";
import { type Block, renderResultText, type ToolResultBlock } from "../../src/core/message.ts";
import { RECURRING } from "../../src/entry/engine/compaction/row-extras.ts";
import { parseBlock } from "../../src/hosts/claude-code/parse-blocks.ts";
import { estimateTextTokens } from "../../src/models/tokens.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { weighUnrecorded } from "../../src/replay/walk-session.ts";
import type { MessagesBody } from "../api/messages-body.ts";
import type { Weigh } from "../api/prompt-cache.ts";
import type { SessionScript } from "./script-session.ts";

/**
 * Weighs requests as replay weighs them: a recorded block weighs what the recorded usage says, anything else what the
 * estimator says. Tools and system prompt weigh what the recorded client's did, with the lists that it said again in every window.
 * What the client adds by itself to every conversation weighs nothing: what the recorded client added, logged or not, is counted in
 * its place, with the result or the prompt it came with.
 */
export function createRequestWeigher(session: ReplaySession, script: SessionScript): (body: MessagesBody) => Weigh {
  const recorded = readWeights(session, script);
  const remembered = new Map<string, number>();
  const { tokenizer } = session;

  const weighText = (text: string): number => {
    if (isClients(text)) return 0;
    return (
      recorded.texts.get(text.trim()) ?? weighUnrecorded({ kind: "text", id: "", text, author: "host" }, tokenizer)
    );
  };
  const weighRemarks = (text: string): number =>
    splitRemarks(text).reduce(
      (sum, remark) => sum + (isClients(remark) ? 0 : estimateTextTokens(remark, tokenizer)),
      0,
    );
  const weighResult = (block: ToolResultBlock): number => {
    const known = recorded.results.get(block.callId);
    if (known === undefined) return weighUnrecorded(block, tokenizer);
    // The client trims a result where it puts a remark of its own behind it.
    const text = renderResultText(block).trimStart();
    const isWhole = text.startsWith(known.text.trim()) && countPictures(block) === known.pictures;
    if (!isWhole) return known.riding + weighUnrecorded(block, tokenizer);
    return known.riding + known.tokens + weighRemarks(text.slice(known.text.trim().length));
  };
  const weighBlock = (raw: JsonObject): number => {
    const block = parseBlock(raw, "host");
    switch (block.kind) {
      case "text":
        return weighText(block.text);
      case "thinking":
        return recorded.thoughts.get(block.signature || block.text) ?? weighUnrecorded(block, tokenizer);
      case "toolCall":
        return recorded.calls.get(block.callId) ?? weighUnrecorded(block, tokenizer);
      case "toolResult":
        return weighResult(block);
      default:
        return (
          recorded.others.get(JSON.stringify(block.kind === "image" ? block.raw.source : block.raw)) ??
          weighUnrecorded(block, tokenizer)
        );
    }
  };

  return ({ system }) => {
    const lengthOf = (value: Readonly<Record<string, unknown>>): number => String(value.text ?? "").length;
    const prompt = system.reduce((most, block) => (lengthOf(block) > lengthOf(most) ? block : most), system[0] ?? {});
    return (place, value) => {
      if (place === "tool") return isOurs(value) ? estimateTextTokens(JSON.stringify(value), tokenizer) : 0;
      if (place === "system" && system.some((block) => block === value))
        return value === prompt ? session.baseTokens + recorded.repeatedTokens : 0;
      const { cache_control: _, ...raw } = value;
      const key = JSON.stringify(raw);
      let tokens = remembered.get(key);
      if (tokens === undefined) {
        const parsed: unknown = JSON.parse(key);
        tokens = isObject(parsed) ? weighBlock(parsed) : 0;
        remembered.set(key, tokens);
      }
      return tokens;
    };
  };
}

/** The tool that the module brings stands in every request and is paid for. */
function isOurs({ name }: Readonly<Record<string, unknown>>): boolean {
  return String(name).startsWith("mcp__plimsoll");
}

/** What client 2.1.325 tells the model by itself, with or without its tag. */
const CLIENTS_OWN =
  /^(?:<system-reminder>\s*)?(?:# Environment|You are powered by|The following deferred tools|Available agent types|The following skills are available|<total_tokens>|Today's date|Attribution for git|The task tools haven't been used|# MCP Server Instructions)/;

/** What stands behind a result: one remark after another. */
export function splitRemarks(text: string): readonly string[] {
  return text
    .split(/(?=<system-reminder>)/)
    .map((remark) => remark.trim())
    .filter((remark) => remark !== "");
}

export function isClients(text: string): boolean {
  return CLIENTS_OWN.test(text);
}

interface RecordedResult {
  readonly text: string;
  readonly pictures: number;
  readonly tokens: number;
  /** What the recorded client added next to it. */
  readonly riding: number;
}

function countPictures({ parts }: ToolResultBlock): number {
  return parts.filter(({ kind }) => kind === "image").length;
}

interface RecordedWeights {
  /** Without the blanks at its ends: the client adds a line feed to some prompts. */
  readonly texts: Map<string, number>;
  readonly thoughts: Map<string, number>;
  readonly calls: Map<string, number>;
  readonly results: Map<string, RecordedResult>;
  /** Pictures, by their source. */
  readonly others: Map<string, number>;
  /** Of the lists and reminders that the client says again in every window. */
  repeatedTokens: number;
}

function readWeights(session: ReplaySession, script: SessionScript): RecordedWeights {
  const weights: RecordedWeights = {
    texts: new Map(),
    thoughts: new Map(),
    calls: new Map(),
    results: new Map(),
    others: new Map(),
    repeatedTokens: 0,
  };
  const said = new Set(script.steps.flatMap(({ prompt }) => prompt.map((block) => String(block.text ?? ""))));
  for (const [index, { joined }] of session.steps.entries()) {
    const blocks = joined.flatMap(({ role, blocks: own }) => own.map((block) => ({ role, block })));
    let riding = 0;
    for (const { role, block } of blocks) {
      const tokens = session.weights.get(block) ?? 0;
      const isPlayed = role === "assistant" || block.kind !== "text" || said.has(block.text);
      if (!isPlayed && index === 0 && RECURRING.has(session.labels.get(block) ?? "")) weights.repeatedTokens += tokens;
      else if (!isPlayed) riding += tokens;
      else if (block.kind === "text") weights.texts.set(block.text.trim(), tokens);
      else if (block.kind === "thinking") weights.thoughts.set(block.signature || block.text, tokens);
      else if (block.kind === "toolCall") weights.calls.set(block.callId, tokens);
      else if (block.kind === "toolResult")
        weights.results.set(block.callId, {
          text: renderResultText(block),
          pictures: countPictures(block),
          tokens,
          riding: 0,
        });
      else weights.others.set(JSON.stringify(block.kind === "image" ? block.raw.source : block.raw), tokens);
    }
    if (riding > 0)
      addRiding(
        weights,
        riding,
        blocks.map(({ block }) => block),
      );
  }
  return weights;
}

/** What the recorded client added came with a result, or with a prompt. */
function addRiding({ results, texts }: RecordedWeights, riding: number, blocks: readonly Block[]): void {
  const carrier =
    blocks.findLast(({ kind }) => kind === "toolResult") ??
    blocks.find((block) => block.kind === "text" && texts.has(block.text.trim()));
  if (carrier?.kind === "text") texts.set(carrier.text.trim(), (texts.get(carrier.text.trim()) ?? 0) + riding);
  if (carrier?.kind !== "toolResult") return;
  const known = results.get(carrier.callId);
  if (known) results.set(carrier.callId, { ...known, riding: known.riding + riding });
}
