import { isObject, listField, objectField, textField } from "../../../core/json.ts";
import { sha256 } from "../../../core/sha256.ts";
import { foldOutput } from "../../../fold/fold-output.ts";
import { findHandles } from "../../../fold/marker.ts";
import type { Entry } from "../conversation.ts";
import type { OutputToKeep } from "../originals/keep-original.ts";

/** Results in the end of a conversation, shortened because the client's window has no room for them whole. */
export interface FoldedTail {
  readonly entries: readonly Entry[];
  /** To be kept before anything is shortened. */
  readonly originals: readonly OutputToKeep[];
}

const BUDGET_CHARACTERS = 3_000;

export function foldTail(entries: readonly Entry[], maxCharacters: number): FoldedTail {
  const originals: OutputToKeep[] = [];
  const calls = new Map(
    entries.flatMap((entry) =>
      entry.kind === "row"
        ? listField(entry.row.raw, "toolUses")
            .filter(isObject)
            .map((call) => [textField(call, "tool_use_id"), call] as const)
        : [],
    ),
  );
  const fold = (callId: string, text: string): string => {
    // What holds a handle already was shortened before, or is a picture.
    if (text.length <= maxCharacters || findHandles(text).length > 0) return text;
    const call = calls.get(callId) ?? {};
    const tool = textField(call, "tool");
    const command = textField(objectField(call, "input") ?? {}, "command");
    originals.push({ output: text, tool, command });
    return foldOutput(text, { tool, command }, { sha256: sha256(text), budget: BUDGET_CHARACTERS }).text;
  };
  const folded = entries.map((entry): Entry => {
    if (entry.kind !== "row" || entry.row.results.length === 0) return entry;
    const resultTexts = entry.row.resultTexts.map((result) => ({ ...result, text: fold(result.callId, result.text) }));
    return { ...entry, row: { ...entry.row, resultTexts } };
  });
  return { entries: folded, originals };
}
