import { blocksOf, type ContentBlock, type Message } from "../api/messages-body.ts";
import {
  findCallHandles,
  findHandles,
  findOwnHandle,
  findQueuedWords,
  isMarker,
  originOf,
  stripNotes,
  stripReminders,
} from "./own-texts.ts";
import { continuesLedger, readLedger } from "./read-ledger.ts";
import { inputKey, partsOf, pictureKey, pictureOf, type Thing, textKey } from "./things.ts";

/** A handle that stands in a request. */
export interface HandleInView {
  readonly handle: string;
  /** Ours to keep: that it gives nothing is a loss. Others may have been quoted from anywhere. */
  readonly isOurs: boolean;
  /** What the ledger shows of what the handle gives. */
  readonly shown: string;
}

/** What one message holds, in the terms of the laws. */
export interface Reading {
  /** To be followed from here on. A marker's thing is what its handle gives. */
  readonly things: readonly (Thing & { readonly marker?: string })[];
  /** Words that stand in a ledger word for word. */
  readonly quoted: readonly { readonly isPerson: boolean; readonly text: string }[];
  readonly handles: readonly HandleInView[];
  readonly thoughts: readonly string[];
  /** Stands in the place of a history. */
  readonly replaces: "plimsoll" | "client" | undefined;
  /** The segment of ledger that it ends in. */
  readonly openLedger: string | undefined;
  readonly role: string;
}

type Draft = {
  -readonly [Field in keyof Reading]: Reading[Field] extends readonly (infer Entry)[] ? Entry[] : Reading[Field];
};

/** `openLedger` is the segment in which the user message before it ended. */
export function readMessage(message: Message, openLedger?: string): Reading {
  const { role } = message;
  const draft: Draft = {
    things: [],
    quoted: [],
    handles: [],
    thoughts: [],
    replaces: undefined,
    openLedger: role === "assistant" ? undefined : openLedger,
    role,
  };
  for (const block of blocksOf(message.content)) {
    if (block.type === "text" && typeof block.text === "string") readText(block.text, draft);
    else if (block.type === "tool_use") readCall(block, draft);
    else if (block.type === "tool_result") readResult(block, draft);
    else if (block.type === "thinking" || block.type === "redacted_thinking") draft.thoughts.push(nameThought(block));
    else readPicture(block, draft);
  }
  return draft;
}

function readText(text: string, draft: Draft): void {
  if (draft.role === "assistant") {
    noteQuoted(text, draft);
    if (text.trim() !== "") draft.things.push({ what: "answer", key: textKey(text), text });
    return;
  }
  for (const words of findQueuedWords(text)) draft.things.push({ what: "words", key: textKey(words), text: words });
  const origin = draft.role === "system" ? "host" : originOf(text);
  const goesOn = origin === "person" && draft.openLedger !== undefined && continuesLedger(text);
  if (origin === "replacement" || goesOn) {
    readReplacement(text, draft);
    return;
  }
  if (origin === "summary") draft.replaces = "client";
  noteQuoted(text, draft);
  if (isMarker(text)) noteMarker(text, "prompt", draft);
  else if (origin === "person") {
    const words = stripNotes(stripReminders(text));
    draft.things.push({ what: "prompt", key: textKey(words), text: words });
  }
}

function readReplacement(text: string, draft: Draft): void {
  if (originOf(text) === "replacement") draft.replaces = "plimsoll";
  const { said, lines, open } = readLedger(text, draft.openLedger);
  draft.openLedger = open;
  for (const { by, text: words } of said) {
    const spoken = stripNotes(words);
    if (spoken.trim() !== "") draft.quoted.push({ isPerson: by === "person", text: spoken });
  }
  for (const { handle, shown } of lines) {
    draft.handles.push({ handle, shown, isOurs: true });
    // What a call was given lies next to its result; words have no such part.
    if (!/^(?:assistant|note): /.test(shown)) draft.handles.push({ handle: `${handle}i`, shown: "", isOurs: false });
  }
  for (const handle of findHandles(text)) {
    if (handle.endsWith("#N")) continue;
    draft.handles.push({ handle, shown: "", isOurs: text.includes(`shortened before, ${handle}`) });
  }
  notePictures(text, draft);
  for (const handle of findCallHandles(text)) draft.handles.push({ handle, shown: "", isOurs: true });
}

function readCall(block: ContentBlock, draft: Draft): void {
  const callId = String(block.id);
  const text = JSON.stringify(block.input ?? {});
  const note = text.includes("[CLEARED: ") ? findHandles(text).at(-1) : undefined;
  const marker = note === undefined ? {} : { marker: note };
  if (note !== undefined) draft.handles.push({ handle: note, shown: "", isOurs: true });
  draft.things.push({ what: "input", key: inputKey(block.input ?? {}), text, callId, ...marker });
}

function readResult(block: ContentBlock, draft: Draft): void {
  const callId = String(block.tool_use_id);
  const { texts, pictures } = partsOf(block);
  for (const words of texts.flatMap(findQueuedWords))
    draft.things.push({ what: "words", key: textKey(words), text: words });
  const kept = texts.map(stripReminders).filter((text, index) => text !== "" || texts[index] === "");
  const text = kept.join("\n");
  for (const data of pictures) draft.things.push({ what: "picture", key: pictureKey(data), text: data, callId });
  if (isMarker(text)) noteMarker(text, "result", draft, callId);
  else {
    noteQuoted(text, draft);
    // Also an empty one, by which a result is seen to have changed; there is nothing in it to follow.
    const words = stripNotes(text);
    draft.things.push({ what: "result", key: textKey(words), text: words, callId });
  }
}

function readPicture(block: ContentBlock, draft: Draft): void {
  const data = pictureOf(block);
  if (data !== undefined) draft.things.push({ what: "picture", key: pictureKey(data), text: data });
}

function noteMarker(text: string, what: "prompt" | "result", draft: Draft, callId?: string): void {
  const own = findOwnHandle(text) ?? "";
  const isPicture = /^\[(?:picture|document) /.test(text);
  noteQuoted(text, draft);
  if (!isPicture) draft.handles.push({ handle: own, shown: "", isOurs: true });
  const whose = callId === undefined ? {} : { callId };
  draft.things.push({ what: isPicture ? "picture" : what, key: textKey(text), text, marker: own, ...whose });
}

/** Handles may stand in any text. */
function noteQuoted(text: string, draft: Draft): void {
  for (const handle of findHandles(text)) draft.handles.push({ handle, shown: "", isOurs: false });
  notePictures(text, draft);
}

/** Each note stands for a picture of its own, though equal ones have the same handle. */
function notePictures(text: string, draft: Draft): void {
  for (const [, handle = ""] of text.matchAll(/\[(?:picture|document) (plimsoll:[0-9a-f]{12})\b/g))
    draft.handles.push({ handle, shown: "", isOurs: true });
}

function nameThought({ thinking, signature, data }: ContentBlock): string {
  return `h:${String(signature ?? "")} ${String(thinking ?? data ?? "")}`;
}
