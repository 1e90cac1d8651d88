import type { JsonObject } from "../../src/core/json.ts";
import { countField, isObject, listField, objectField, textField } from "../../src/core/json-fields.ts";
import { answerRecall, type RecallAnswer, refuse } from "../../src/survive/recall/answer-recall.ts";
import { listStretch } from "../../src/survive/recall/list-stretch.ts";
import { choosePageSize } from "../../src/survive/recall/page-size.ts";
import type { Wanted } from "../../src/survive/recall/parse-handles.ts";
import { type Picked, pickParts } from "../../src/survive/recall/pick-parts.ts";
import { parseRecall } from "../../src/survive/recall/recall-request.ts";
import { createHandles, findCall } from "../../src/survive/record/call-handle.ts";
import type { CallNote } from "../../src/survive/record/trail.ts";
import { type ReadingFolder, SESSION_FILE } from "./reading-folder.ts";

/** What a reader's recall is answered out of: everything that had left a window before the cut. */
export interface Originals {
  answer(input: JsonObject): RecallAnswer;
}

export function openOriginals(folder: ReadingFolder): Originals {
  const session = folder.readJson(SESSION_FILE) ?? {};
  const originals = folder.readJson("originals.json") ?? {};
  const stored = folder.readJson("calls.json") ?? {};
  const calls = listField(stored, "calls").flatMap(parseCall);
  const results = objectField(stored, "results") ?? {};
  // Readers have a context of about this size; nobody knows their cache.
  const page = { model: textField(session, "model"), contextTokens: largestMemory(session), share1h: 0 };
  const pick = (wanted: Wanted): Picked => {
    const { name, digits } = wanted;
    const text = digits === undefined ? undefined : findText(originals, digits);
    if (text !== undefined) return pickParts(wanted, text);
    const told = listStretch(calls, name) ?? results[findCall(calls, name)?.callId ?? ""];
    return typeof told === "string" ? { parts: [{ name, handle: name, text: told }] } : { missing: { name, why: "" } };
  };
  return {
    answer(input) {
      const request = parseRecall(input);
      if ("problem" in request) return refuse(request.problem);
      const name = createHandles(calls);
      const known = [...Object.keys(originals), ...calls.map(({ callId }) => name(callId))];
      return answerRecall(request, request.wanted.map(pick), { known, pageCharacters: choosePageSize(page) });
    },
  };
}

/** By its first digits, as long as they name one text only. */
function findText(originals: JsonObject, digits: string): string | undefined {
  const fitting = Object.keys(originals).filter((handle) => isNamed(handle, digits));
  const [only] = fitting;
  return fitting.length === 1 && only !== undefined ? textField(originals, only) : undefined;
}

/** Handles are twelve digits of a hash; who writes more of them means the same. */
function isNamed(handle: string, digits: string): boolean {
  const own = handle.slice("plimsoll:".length);
  return own.startsWith(digits) || digits.startsWith(own);
}

function parseCall(value: unknown): readonly CallNote[] {
  if (!isObject(value)) return [];
  const outcome = (["done", "failed", "waiting"] as const).find((each) => each === value.outcome) ?? "done";
  return [
    {
      callId: textField(value, "callId"),
      request: countField(value, "request"),
      tool: textField(value, "tool"),
      subject: textField(value, "subject"),
      characters: countField(value, "characters"),
      outcome,
    },
  ];
}

function largestMemory(session: JsonObject): number {
  const memories = Object.values(objectField(session, "memories") ?? {});
  return Math.max(0, ...memories.map((memory) => (isObject(memory) ? countField(memory, "tokens") : 0)));
}

/** As one text; a picture cannot be shown to who only reads. */
export function renderRecallAnswer(answer: RecallAnswer): string {
  if (answer.isError) return answer.words;
  return answer.blocks
    .map((block) => (typeof block === "string" ? block : `[a picture, ${block.mediaType}]`))
    .join("\n");
}
