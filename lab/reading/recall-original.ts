import type { JsonObject } from "../../src/core/json.ts";
import { countField, isObject, listField, objectField, textField } from "../../src/core/json.ts";
import type { RecallAnswer } from "../../src/survive/recall/answer-recall.ts";
import { choosePageSize } from "../../src/survive/recall/page-size.ts";
import { createCalled, type RecallPort, recall } from "../../src/survive/recall/recall.ts";
import type { CallNote } from "../../src/survive/record/trail.ts";
import { type ReadingFolder, SESSION_FILE } from "./reading-folder.ts";

/** What a reader's recall is answered out of: everything that had left a window before the cut. */
export interface Originals {
  answer(input: JsonObject): Promise<RecallAnswer>;
}

export function openOriginals(folder: ReadingFolder): Originals {
  const session = folder.readJson(SESSION_FILE) ?? {};
  const originals = folder.readJson("originals.json") ?? {};
  const stored = folder.readJson("calls.json") ?? {};
  const calls = listField(stored, "calls").flatMap(parseCall);
  const results = objectField(stored, "results") ?? {};
  // Readers have a context of about this size; nobody knows their cache.
  const page = { model: textField(session, "model"), contextTokens: largestMemory(session), share1h: 0 };
  const { called, handles } = createCalled(
    () => calls,
    (callId) => {
      const told = results[callId];
      return typeof told === "string" ? [told] : undefined;
    },
  );
  const port: RecallPort = {
    stored: (digits) => findText(originals, digits),
    called,
    known: () => [...Object.keys(originals), ...handles()],
    pageCharacters: () => choosePageSize(page),
  };
  return { answer: (input) => recall(input, port) };
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
