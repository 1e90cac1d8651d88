import type { Edit, OpaqueRule, Refusal, RefusalReason, ReplaceBlock, ReplaceSpan } from "./edit.ts";
import { type ContentHasher, hashBlocks, hashMessages } from "./hash.ts";
import { type Block, computeOnce, type Message, type Role } from "./message.ts";
import { sha256 } from "./sha256.ts";

export interface Applied {
  /** The identical array when nothing changed; unchanged messages are the identical objects. */
  readonly messages: readonly Message[];
  readonly applied: readonly Edit[];
  readonly refused: readonly Refusal[];
}

/**
 * The one place where edits are applied to a conversation. Edits take effect one after another. An edit is refused, with its reason, when
 * its target has changed, or when it would break an invariant, alter thinking or touch a block we do not understand; the rest still apply.
 * Never throws on data.
 */
export function applyEdits(
  messages: readonly Message[],
  edits: readonly Edit[],
  hash: ContentHasher = sha256,
  rule: OpaqueRule = "stays",
): Applied {
  const applied: Edit[] = [];
  const refused: Refusal[] = [];
  let current = messages;
  let run: ReplaceBlock[] = [];
  const take = (outcome: Applied): void => {
    for (const edit of outcome.applied) applied.push(edit);
    for (const refusal of outcome.refused) refused.push(refusal);
    current = outcome.messages;
  };
  for (const edit of edits) {
    // Block edits in a row need only one walk over the conversation.
    if (edit.kind === "replaceBlock") {
      run.push(edit);
      continue;
    }
    take(applyBlockEdits(current, run, { hash, rule }));
    run = [];
    // Everything else is treated as a span: an edit kind from a newer version finds no target there and is refused.
    take(applySpan(current, edit, { hash, rule }));
  }
  take(applyBlockEdits(current, run, { hash, rule }));
  return { messages: current, applied, refused };
}

interface Terms {
  readonly hash: ContentHasher;
  readonly rule: OpaqueRule;
}

function applyBlockEdits(messages: readonly Message[], edits: readonly ReplaceBlock[], terms: Terms): Applied {
  if (edits.length === 0) return { messages, applied: [], refused: [] };
  const wanted = new Set(edits.flatMap(({ block, restsOn = [] }) => [block, ...restsOn]));
  const blocks = new Map<string, Block>();
  for (const message of messages) {
    for (const block of message.blocks) if (wanted.has(block.id)) blocks.set(block.id, block);
  }
  const applied: Edit[] = [];
  const refused: Refusal[] = [];
  const changed = new Map<string, Block>();
  const find = (id: string): Block | undefined => changed.get(id) ?? blocks.get(id);
  for (const edit of edits) {
    const outcome = applyBlock(edit, find, terms);
    if ("why" in outcome) refused.push(outcome);
    else {
      changed.set(edit.block, outcome);
      applied.push(edit);
    }
  }
  if (changed.size === 0) return { messages, applied, refused };
  const next = messages.map((message) =>
    message.blocks.some((block) => changed.has(block.id))
      ? { ...message, blocks: message.blocks.map((block) => changed.get(block.id) ?? block) }
      : message,
  );
  return { messages: next, applied, refused };
}

function applyBlock(edit: ReplaceBlock, find: (id: string) => Block | undefined, { hash, rule }: Terms) {
  const block = find(edit.block);
  if (block === undefined) return refuseEdit(edit, "targetMissing", `no block ${edit.block}`);
  const others = (edit.restsOn ?? []).flatMap((id) => find(id) ?? []);
  if (hashBlocks([block, ...others], hash) !== edit.replaces)
    return refuseEdit(edit, "targetDiffers", `block ${edit.block} is not what it was, or not what it was about`);
  return replaceContent(block, edit, rule);
}

function applySpan(messages: readonly Message[], edit: ReplaceSpan, { hash, rule }: Terms): Applied {
  const refuse = (why: RefusalReason, detail: string): Applied => {
    return { messages, applied: [], refused: [refuseEdit(edit, why, detail)] };
  };
  const first = messages.findIndex((message) => message.id === edit.first);
  const last = messages.findIndex((message) => message.id === edit.last);
  if (first < 0 || last < 0) return refuse("targetMissing", `no message ${first < 0 ? edit.first : edit.last}`);
  if (last < first) return refuse("spanReversed", `${edit.last} comes before ${edit.first}`);
  const span = messages.slice(first, last + 1);
  if (hashMessages(span, hash) !== edit.replaces)
    return refuse("targetDiffers", `the messages from ${edit.first} to ${edit.last} are not what they were`);
  // Most differ in an id, which is found sooner than a difference in their JSON.
  const isAlike = span.length === edit.messages.length && span.every(({ id }, at) => id === edit.messages[at]?.id);
  if (isAlike && JSON.stringify(span) === JSON.stringify(edit.messages)) return refuse("changesNothing", edit.first);
  const held = rule === "stays" ? findHeld(span, edit) : "";
  if (held !== "") return refuse("opaqueIsUntouchable", held);
  if (altersThinking(span, edit.messages))
    return refuse("thinkingIsBound", "thinking may leave with its whole message, not change, move or appear");
  const next = [...messages.slice(0, first), ...edit.messages, ...messages.slice(last + 1)];
  const violation = findNewViolation(messages, next);
  if (violation) return refuse("breaksInvariant", renderViolation(violation));
  return { messages: next, applied: [edit], refused: [] };
}

function altersThinking(span: readonly Message[], replacement: readonly Message[]): boolean {
  const before = new Map(span.map((message) => [message.id, message]));
  return replacement.some((message) => renderThinking(message) !== renderThinking(before.get(message.id)));
}

function renderThinking(message: Message | undefined): string {
  return (message?.blocks ?? [])
    .flatMap((block) => (block.kind === "thinking" ? [JSON.stringify(block)] : []))
    .join("\n");
}

/** Why parts of a span may not be removed; empty when all may. */
function findHeld(span: readonly Message[], { handles }: ReplaceSpan): string {
  const blocks = span.flatMap((message) => message.blocks);
  if (blocks.some(({ kind }) => kind === "opaque")) return "the span holds a block that is not understood";
  const isLost = handles.length === 0 && blocks.some(hasOpaquePart);
  return isLost ? "a result that holds a part that is not understood may leave only behind a handle" : "";
}

/** The block with its new content, or why it cannot have it. The caller has already checked that it is the right block. */
export function replaceContent(block: Block, edit: ReplaceBlock, rule: OpaqueRule = "stays"): Block | Refusal {
  const { content } = edit;
  const unchanged = refuseEdit(edit, "changesNothing", edit.block);
  if (block.kind === "thinking")
    return refuseEdit(edit, "thinkingIsBound", "a thinking block is bound to its place by its signature");
  if (block.kind === "opaque")
    return refuseEdit(edit, "opaqueIsUntouchable", `block type ${block.type} is not understood`);
  if (block.kind === "toolCall") {
    if (!("input" in content)) return refuseEdit(edit, "wrongContent", "a tool call takes an input, not a text");
    const isSame = JSON.stringify(content.input) === JSON.stringify(block.input);
    return isSame ? unchanged : { ...block, input: content.input };
  }
  if (!("text" in content)) return refuseEdit(edit, "wrongContent", `a block of kind ${block.kind} takes a text`);
  const { text } = content;
  if (block.kind === "text") return text === block.text ? unchanged : { ...block, text };
  if (block.kind === "image") return { kind: "text", id: block.id, text, author: "host" };
  if (rule === "stays" && hasOpaquePart(block))
    return refuseEdit(edit, "opaqueIsUntouchable", "the result holds a part that is not understood");
  const [first] = block.parts;
  const isSame = block.parts.length === 1 && first?.kind === "text" && first.text === text;
  return isSame ? unchanged : { ...block, parts: [{ kind: "text", text }] };
}

/** We cannot know what an unknown part does for the model. */
function hasOpaquePart(block: Block): boolean {
  return block.kind === "toolResult" && block.parts.some((part) => part.kind === "opaque");
}

function refuseEdit(edit: Edit, why: RefusalReason, detail: string): Refusal {
  return { edit, why, detail };
}

/** Something a provider refuses or a model misreads. `subject` is the id of the call, message or block, if there is one. */
interface Violation {
  readonly rule:
    | "orphanResult"
    | "unansweredCall"
    | "repeatedResult"
    | "leadingAssistant"
    | "emptyMessage"
    | "emptyConversation"
    | "repeatedId";
  readonly subject: string;
}

/**
 * Every rule the conversation breaks, in order. Recorded conversations already break some (an interrupted call has no result), so an edit
 * must only not add violations.
 */
export function findViolations(messages: readonly Message[]): readonly Violation[] {
  const violations: Violation[] = [];
  const ids = new Set<string>();
  let openCalls = new Set<string>();
  let answered = new Set<string>();
  let previousRole: Role | undefined;

  for (const message of messages) {
    if (message.blocks.length === 0) violations.push({ rule: "emptyMessage", subject: message.id });
    for (const { id } of [message, ...message.blocks]) {
      if (ids.has(id)) violations.push({ rule: "repeatedId", subject: id });
      ids.add(id);
    }
    // A mid-conversation system message may come between a call and its results.
    if (message.role === "system") continue;
    if (previousRole === undefined && message.role === "assistant")
      violations.push({ rule: "leadingAssistant", subject: message.id });
    // Parallel calls and their results may come as several messages in a row; an assistant message after a user message ends the round.
    if (previousRole === "user" && message.role === "assistant") {
      for (const callId of openCalls) violations.push({ rule: "unansweredCall", subject: callId });
      openCalls = new Set();
      answered = new Set();
    }
    previousRole = message.role;

    for (const block of message.blocks) {
      if (block.kind === "toolCall") openCalls.add(block.callId);
      if (block.kind !== "toolResult") continue;
      if (openCalls.delete(block.callId)) answered.add(block.callId);
      else
        violations.push({
          rule: answered.has(block.callId) ? "repeatedResult" : "orphanResult",
          subject: block.callId,
        });
    }
  }
  for (const callId of openCalls) violations.push({ rule: "unansweredCall", subject: callId });
  if (previousRole === undefined) violations.push({ rule: "emptyConversation", subject: "" });
  return violations;
}

/** What one edit leaves is what the next one finds. */
const violationsOf = computeOnce(findViolations);

export function findNewViolation(before: readonly Message[], after: readonly Message[]): Violation | undefined {
  const known = new Map<string, number>();
  for (const key of violationsOf(before).map(renderViolation)) known.set(key, (known.get(key) ?? 0) + 1);
  return violationsOf(after).find((violation) => {
    const left = known.get(renderViolation(violation)) ?? 0;
    known.set(renderViolation(violation), left - 1);
    return left <= 0;
  });
}

export function renderViolation(violation: Violation): string {
  return `${violation.rule}:${violation.subject}`;
}
