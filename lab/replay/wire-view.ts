import type { Block, Message } from "../../src/core/message.ts";
import type { Original } from "../../src/layers/history/originals.ts";
import { parseSections, renderSections } from "../../src/layers/ledger/sections.ts";
import { createAnthropicFormat, renderBlock } from "../../src/wire/anthropic/messages.ts";
import { parseConversation, type WireMessage } from "../../src/wire/conversation.ts";

/** A recorded conversation in the words of the API, and what came of it in ours. */
export interface WireView {
  render(message: Message): WireMessage;
  /** An original in the words of the recording, without what the client wraps its own in. */
  unwrap(original: Original): Original;
  /** What left, with the very blocks of the history wherever they stand in it word for word. */
  read(sent: readonly WireMessage[], history: readonly Message[]): readonly Message[];
}

/**
 * One conversation's: a text that somebody wrote into it is the same block in every request. The client wraps its own words in a
 * user's message, and that is all that an entry point can tell them by.
 */
export function createWireView(): WireView {
  const keys = new WeakMap<Block, string>();
  const written = new Map<string, Block>();
  const keyOf = (block: Block): string => {
    const known = keys.get(block) ?? nameRaw(renderSaid(block));
    keys.set(block, known);
    return known;
  };
  const intern = (key: string, parse: () => Block | undefined): readonly Block[] => {
    const block = written.get(key) ?? parse();
    if (block) written.set(key, block);
    return block ? [block] : [];
  };
  return {
    render: ({ role, blocks }) => ({ role, content: blocks.map(renderSaid) }),
    unwrap({ handle, text }) {
      const sections = parseSections(text);
      return {
        handle,
        text: sections
          ? renderSections([...sections].map(([name, each]) => [name, unwrapText(each)]))
          : unwrapText(text),
      };
    },
    read(sent, history) {
      const recorded = history.flatMap(({ blocks }) => blocks);
      const raws = sent.map(listRaws);
      const left = raws.flat().map(nameRaw);
      const matched = matchInOrder(recorded.map(keyOf), left);
      const times = new Map<string, number>();
      let at = 0;
      return sent.map((message, order): Message => {
        const blocks = (raws[order] ?? []).flatMap((raw): readonly Block[] => {
          const key = left[at] ?? "";
          const block = recorded[matched[at++] ?? -1];
          if (block) return [block];
          const time = (times.get(key) ?? 0) + 1;
          times.set(key, time);
          return intern(`${time} ${key}`, () => parseAlone(message.role, raw));
        });
        return { id: `sent:${order}`, role: readRole(message.role), blocks };
      });
    },
  };
}

/**
 * For every key of the second list its place in the first, or -1. What both begin with is told first, the rest from the end:
 * a conversation keeps its opening and its end, and where it says the same twice, the later one is still there.
 */
export function matchInOrder(before: readonly string[], after: readonly string[]): readonly number[] {
  const matched = after.map(() => -1);
  let common = 0;
  while (common < after.length && common < before.length && before[common] === after[common]) {
    matched[common] = common;
    common++;
  }
  const places = new Map<string, number[]>();
  for (let index = common; index < before.length; index++) {
    const key = before[index] ?? "";
    const known = places.get(key);
    if (known) known.push(index);
    else places.set(key, [index]);
  }
  let limit = before.length;
  for (let index = after.length - 1; index >= common; index--) {
    const found = places.get(after[index] ?? "")?.findLast((place) => place < limit);
    if (found === undefined) continue;
    matched[index] = found;
    limit = found;
  }
  return matched;
}

function renderSaid(block: Block): object {
  if (block.kind !== "text" || block.author !== "host" || block.text.startsWith(WRAPPED))
    return renderBlock(block, undefined);
  return renderBlock({ ...block, text: `${WRAPPED}\n${block.text}${END}` }, undefined);
}

const WRAPPED = "<system-reminder>";
const END = "\n</system-reminder>";

function unwrapText(text: string): string {
  return text.startsWith(`${WRAPPED}\n`) && text.endsWith(END) ? text.slice(WRAPPED.length + 1, -END.length) : text;
}

function listRaws({ content }: WireMessage): readonly object[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Marks for the cache move from request to request, and are no part of what is said. */
function nameRaw(raw: object): string {
  if (!("cache_control" in raw)) return JSON.stringify(raw);
  const { cache_control: _, ...said } = raw;
  return JSON.stringify(said);
}

function parseAlone(role: string, raw: object): Block | undefined {
  return parseConversation([{ role, content: [raw] }], createAnthropicFormat()).messages[0]?.blocks[0];
}

function readRole(role: string): Message["role"] {
  return role === "assistant" || role === "system" ? role : "user";
}
