import fc from "fast-check";
import { applyEdits } from "../../src/core/apply-edits.ts";
import type { Edit } from "../../src/core/edit.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Block, Message } from "../../src/core/message.ts";
import { arbitraryText } from "./arbitrary-session.ts";
import { assistant, call, deepFreeze, editsOf, replacement, resultOf, system, thinking, user } from "./build.ts";

/** An edit for any conversation: indices wrap around, so every seed means something everywhere and shrinks well. */
export type EditSeed = BlockSeed | SpanSeed;

interface BlockSeed {
  readonly kind: "block";
  readonly aim: Aim;
  readonly index: number;
  readonly content: "same" | string | JsonObject;
}

interface SpanSeed {
  readonly kind: "span";
  readonly aim: Aim;
  readonly index: number;
  /** Zero and below: the span is reversed. */
  readonly length: number;
  readonly instead: "same" | "equal" | readonly MessageSeed[];
}

/** At what is there, at what an edit before may have put in, at nothing, or at what another run says under the same ids. */
type Aim = "old" | "new" | "none" | "other";

interface MessageSeed {
  readonly what: Fresh | Taken;
  readonly index: number;
}

type Fresh = "summary" | "answer" | "note" | "pair" | "callOnly" | "resultOnly" | "thought";
/** Made of a message that is there: kept, robbed of its first block, reworded, or put in a second time under another id. */
type Taken = "keep" | "strip" | "retouch" | "clash";

const arbitraryAim = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Aim>("old") },
  { weight: 2, arbitrary: fc.constant<Aim>("other") },
  { weight: 1, arbitrary: fc.constantFrom<Aim[]>("new", "none") },
);

const arbitraryMessageSeed = fc.record<MessageSeed>({
  what: fc.oneof(
    fc.constantFrom<Fresh[]>("summary", "answer", "note", "pair", "callOnly", "resultOnly", "thought"),
    fc.constantFrom<Taken[]>("keep", "strip", "retouch", "clash"),
  ),
  index: fc.nat(6),
});

const arbitraryBlockSeed = fc.record<BlockSeed>({
  kind: fc.constant("block"),
  aim: arbitraryAim,
  index: fc.nat(200),
  content: fc.oneof(
    { weight: 1, arbitrary: fc.constant("same" as const) },
    { weight: 4, arbitrary: arbitraryText },
    { weight: 1, arbitrary: fc.record({ command: arbitraryText }) },
  ),
});

const arbitrarySpanSeed = fc.record<SpanSeed>({
  kind: fc.constant("span"),
  aim: arbitraryAim,
  index: fc.nat(40),
  length: fc.integer({ min: 0, max: 6 }),
  instead: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom("same" as const, "equal" as const) },
    { weight: 4, arbitrary: fc.constant<MessageSeed[]>([{ what: "summary", index: 0 }]) },
    { weight: 6, arbitrary: fc.array(arbitraryMessageSeed, { maxLength: 3 }) },
  ),
});

/**
 * Good and bad edits alike: missing targets, content of the wrong kind, spans that cut pairs or run backwards, replacements
 * that orphan, repeat ids, drop blocks of a message that stays, touch or invent thinking, or change nothing.
 */
export const arbitraryEditSeeds: fc.Arbitrary<readonly EditSeed[]> = fc.array(
  fc.oneof(arbitraryBlockSeed, arbitrarySpanSeed),
  { maxLength: 8 },
);

/**
 * The edits that the seeds mean for this conversation, deeply frozen. Each is about what the ones before it leave, except for
 * some that another run of the same conversation decided: those find that their target differs.
 */
export function createEdits(messages: readonly Message[], seeds: readonly EditSeed[]): readonly Edit[] {
  const edits: Edit[] = [];
  let current = messages;
  for (const [order, seed] of seeds.entries()) {
    const targets = findTargets(current, seed.aim);
    const edit = seed.kind === "block" ? createBlockEdit(targets, seed) : createSpanEdit(targets, seed, `new${order}`);
    edits.push(edit);
    current = applyEdits(current, [edit]).messages;
  }
  return edits;
}

function findTargets(current: readonly Message[], aim: Aim): readonly Message[] {
  if (aim === "old") return current;
  if (aim === "other") return sayOtherwise(current);
  return aim === "new" ? replacement("new0.0", user("a summary")) : [];
}

function createBlockEdit(messages: readonly Message[], seed: BlockSeed): Edit {
  const target = pick(
    messages.flatMap((message) => message.blocks),
    seed.index,
  );
  const { replaceBlock } = editsOf(messages);
  if (target === undefined) return replaceBlock("no such block", "text");
  return replaceBlock(target.id, seed.content === "same" ? contentOf(target) : seed.content);
}

function createSpanEdit(messages: readonly Message[], seed: SpanSeed, prefix: string): Edit {
  const start = messages.length === 0 ? 0 : seed.index % messages.length;
  const end = Math.min(messages.length, start + seed.length) - 1;
  const first = messages[start]?.id ?? "no such message";
  const last = messages[end]?.id ?? "no such message";
  const span = messages.slice(start, end + 1);
  const { replaceSpan } = editsOf(messages);
  if (seed.instead === "same") return replaceSpan(first, last, span);
  if (seed.instead === "equal") return replaceSpan(first, last, structuredClone(span));
  const instead = seed.instead.flatMap(({ what, index }, place) => {
    const source = what === "clash" ? pick(messages, index) : pick(span, index);
    return createMessages(what, `${prefix}.${place}`, source);
  });
  return replaceSpan(first, last, instead);
}

/** `source` is a message of the span, for `clash` one of the whole conversation. */
function createMessages(what: MessageSeed["what"], prefix: string, source: Message | undefined): readonly Message[] {
  switch (what) {
    case "summary":
      return replacement(prefix, user("a summary"));
    case "answer":
      return replacement(prefix, assistant("an answer"));
    case "note":
      return replacement(prefix, system("a note"));
    case "pair":
      return replacement(prefix, assistant(call("Bash", {}, prefix)), user(resultOf(prefix, "done")));
    case "callOnly":
      return replacement(prefix, assistant(call("Bash", {}, prefix)));
    case "resultOnly":
      return replacement(prefix, user(resultOf(prefix, "done")));
    case "thought":
      return replacement(prefix, assistant(thinking("made up")));
    default:
      return source === undefined ? [] : [deepFreeze(takeMessage(what, prefix, source))];
  }
}

function takeMessage(what: Taken, prefix: string, source: Message): Message {
  switch (what) {
    case "keep":
      return source;
    case "strip":
      return { ...source, blocks: source.blocks.slice(1) };
    case "retouch":
      return { ...source, blocks: source.blocks.map(retouch) };
    case "clash":
      return { ...source, id: prefix, role: "system" };
  }
}

/** The same conversation, in which every text and every result says something else. */
export function sayOtherwise(messages: readonly Message[]): readonly Message[] {
  return deepFreeze(messages.map((message) => ({ ...message, blocks: message.blocks.map(changeWords) })));
}

function changeWords(block: Block): Block {
  if (block.kind === "text") return { ...block, text: `${block.text}, otherwise` };
  if (block.kind !== "toolResult") return block;
  return { ...block, parts: [{ kind: "text", text: "otherwise" }, ...block.parts] };
}

function retouch(block: Block): Block {
  return block.kind === "thinking" || block.kind === "text" ? { ...block, text: `${block.text}, retouched` } : block;
}

function contentOf(block: Block): string | JsonObject {
  if (block.kind === "toolCall") return block.input;
  if (block.kind === "text" || block.kind === "thinking") return block.text;
  const [part] = block.kind === "toolResult" ? block.parts : [];
  return part?.kind === "text" ? part.text : "the same";
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(1, items.length)];
}
