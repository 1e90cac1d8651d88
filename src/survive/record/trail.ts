import { sliceWhole, toOneLine } from "../../core/clip-text.ts";
import type { Arrival, Output, SessionEvent } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import { renderResultText, type ToolCallBlock, type ToolResultBlock } from "../../core/message.ts";
import { type Action, isChange, type Outcome, type Vocabulary } from "../../session/action.ts";
import { nameAttempt } from "../../session/failed-approaches.ts";
import { baseName } from "../../session/file-path.ts";
import { type EditPlace, locateEdit } from "./locate-edit.ts";
import { createTermTracker, type TermRecord } from "./track-terms.ts";

/** One call in a line: enough to know whether to fetch it again, and by which handle. */
export interface CallNote {
  readonly callId: string;
  readonly request: number;
  readonly tool: string;
  readonly subject: string;
  readonly characters: number;
  readonly outcome: "done" | "failed" | "waiting";
}

/** What is kept of a session in addition to its state: the calls and the names that were seen. Plain data. */
export interface TrailState {
  readonly calls: readonly CallNote[];
  readonly terms: readonly TermRecord[];
  readonly lastEdit: EditPlace | undefined;
  readonly request: number;
  readonly currentStep: string;
}

interface Trail {
  feed(event: SessionEvent): void;
  state(): TrailState;
}

const MAX_SUBJECT_CHARACTERS = 120;

interface OpenCall {
  readonly at: number;
  readonly action: Action;
  readonly texts: readonly string[];
}

/** Follows the same events as the session, in time proportional to what is new. Open calls are not saved. */
export function createTrail(vocabulary: Vocabulary, saved?: TrailState): Trail {
  const calls = [...(saved?.calls ?? [])];
  const terms = createTermTracker(saved?.terms);
  const open = new Map<string, OpenCall>();
  let { lastEdit, request, currentStep } = saved ?? { lastEdit: undefined, request: 0, currentStep: "" };

  const followCall = ({ callId, tool, input }: ToolCallBlock): void => {
    const action = vocabulary.interpretCall(tool, input);
    const texts = collectStrings(input);
    for (const text of texts) terms.note(text, isChange(action) ? "edits" : "inputs", request);
    open.set(callId, { at: calls.length, action, texts });
    const subject = sliceWhole(toOneLine(nameSubject(action, texts)), MAX_SUBJECT_CHARACTERS);
    calls.push({ callId, request, tool, subject, characters: 0, outcome: "waiting" });
  };

  const followOutput = (event: Output): void => {
    if (event.stepId !== currentStep) {
      ({ stepId: currentStep } = event);
      request++;
    }
    for (const block of event.blocks) {
      if (block.kind === "text") terms.note(block.text, "texts", request);
      if (block.kind === "toolCall") followCall(block);
    }
  };

  const followResult = (block: ToolResultBlock, detail: Arrival["detail"]): void => {
    const text = renderResultText(block);
    terms.note(text, block.isError ? "errors" : "results", request);
    const call = open.get(block.callId);
    const note = call ? calls[call.at] : undefined;
    if (!call || !note) return;
    open.delete(block.callId);
    calls[call.at] = { ...note, characters: text.length, outcome: block.isError ? "failed" : "done" };
    if (!block.isError && lastEdit && movesAway(call.action, lastEdit.path)) lastEdit = undefined;
    if (block.isError || !isChange(call.action)) return;
    lastEdit = placeEdit(call, vocabulary.interpretResult(call.action, block, detail), request) ?? lastEdit;
  };

  return {
    feed(event) {
      if (event.kind === "output") followOutput(event);
      if (event.kind !== "arrival") return;
      const { block, source, detail, label } = event;
      if (block.kind === "toolResult") followResult(block, detail);
      if (block.kind !== "text" || (source === "attachment" && vocabulary.isBoilerplate?.(label))) return;
      terms.note(block.text, block.author === "person" ? "words" : source === "summary" ? "texts" : "results", request);
    },
    state: () => ({ calls: calls.slice(), terms: terms.state(), lastEdit, request, currentStep }),
  };
}

const MOVES = /(?:^|[\s;&|(])(?:(?:git )?(?:mv|rm|restore)|git (?:checkout|reset|stash|clean))\s/;

/** Whether a command moved, removed or took back a file: its last change is then no place to go on from. */
function movesAway(action: Action, path: string): boolean {
  if (action.kind !== "run" || !MOVES.test(action.command)) return false;
  return action.command.includes(baseName(path)) || /\bgit (?:reset --hard|stash(?! list| show))/.test(action.command);
}

/** A file that was written whole has no place in it. */
function placeEdit({ action, texts }: OpenCall, outcome: Outcome, request: number): EditPlace | undefined {
  if (!isChange(action)) return undefined;
  const { kind, path } = action;
  const others = texts.filter((text) => text !== path);
  const place = kind === "edit" ? locateEdit(path, others, outcome) : { line: undefined, symbol: "" };
  return { path, request, ...place };
}

/** What a call was about: the attempt without the word for its kind, or an unknown tool's first text. */
function nameSubject(action: Action, texts: readonly string[]): string {
  switch (action.kind) {
    case "read":
    case "write":
    case "edit":
      return action.path;
    case "search":
      return [action.pattern, action.path].filter((part) => part !== "").join(" in ");
    case "fetch":
      return action.url;
    case "run":
      return nameAttempt(action);
    case "delegate":
      return action.prompt;
    default:
      return texts[0] ?? "";
  }
}

/** Every string inside a value, in order and at any depth, because field names differ between hosts. */
function collectStrings(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectStrings);
}

const SHORTEST_HANDLE = 6;

/** Shortens call ids to the shortest unique end, as one does with commits: a full id costs as much as the rest of its line. `findCall` resolves them. */
export function createHandles(calls: readonly CallNote[]): (callId: string) => string {
  let length = SHORTEST_HANDLE;
  const longest = calls.reduce((most, { callId }) => Math.max(most, callId.length), 0);
  const ids = new Set(calls.map(({ callId }) => callId));
  while (length < longest && new Set([...ids].map((id) => id.slice(-length))).size < ids.size) length++;
  return (callId) => `call:${callId.slice(-length)}`;
}

/** The call that a handle names by its id or the end of it; nothing if none or several match. */
export function findCall(calls: readonly CallNote[], handle: string): CallNote | undefined {
  const end = handle.replace(/^call:/, "");
  const found = calls.filter(({ callId }) => callId.endsWith(end));
  const ids = new Set(found.map(({ callId }) => callId));
  return end !== "" && ids.size === 1 ? found[0] : undefined;
}
