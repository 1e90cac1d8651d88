import type { JsonObject } from "../../src/core/json.ts";
import { countField, isObject, listField, objectField, textField } from "../../src/core/json.ts";
import type { RecallAnswer } from "../../src/survive/recall/answer-recall.ts";
import { createCalled, type RecallPort, recall } from "../../src/survive/recall/recall.ts";
import type { CallNote } from "../../src/survive/record/trail.ts";
import type { ReadingFolder } from "./reading-folder.ts";

/** What a reader's recall is answered out of: everything that had left a window before the cut. */
export interface Originals {
  answer(input: JsonObject): Promise<RecallAnswer>;
}

export function openOriginals(folder: ReadingFolder): Originals {
  const originals = folder.readJson("originals.json") ?? {};
  const stored = folder.readJson("calls.json") ?? {};
  const calls = listField(stored, "calls").flatMap(parseCall);
  const results = objectField(stored, "results") ?? {};
  const { called, handles } = createCalled(
    () => calls,
    (callId) => {
      const reported = results[callId];
      return typeof reported === "string" ? [reported] : undefined;
    },
  );
  const port: RecallPort = {
    stored: (digits) => findText(originals, digits),
    called,
    own: () => [...Object.keys(originals), ...handles()],
    quoted: () => [],
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

/** As one text; a picture cannot be shown to who only reads. */
export function renderRecallAnswer(answer: RecallAnswer): string {
  if (answer.isError) return answer.words;
  return answer.blocks
    .map((block) => (typeof block === "string" ? block : `[a picture, ${block.mediaType}]`))
    .join("\n");
}
