import type { JsonObject } from "../../core/json.ts";
import { listField, textField } from "../../core/json-fields.ts";
import { foldOutput } from "../../fold/fold-output.ts";
import { findPersisted, joinTexts, parsePersisted } from "../../hosts/claude-code/persisted-output.ts";
import type { Row, RowMessage } from "../../hosts/claude-code/row-reader.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import type { BirthFold } from "../../layers/options/birth-fold.ts";
import { estimateTextTokens } from "../../models/tokens.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import { isRecall } from "../../policy/is-recall.ts";
import { resultArrived } from "../../policy/result-arrived.ts";
import type { Original } from "./keep-original.ts";

/** What a fold needs to know and cannot do by itself. */
export interface FoldDoor {
  /** Keeps an original and says under which hash and path; `undefined` where it could not be kept: then nothing is folded. */
  keep(original: Original): Promise<{ readonly sha256: string; readonly path: string } | undefined>;
  /** The whole of an output that the client itself put away. */
  readPersisted(path: string): Promise<string | undefined>;
  /** What a call was given; empty where nobody saw it. */
  inputOf(callId: string): JsonObject;
}

export interface FoldedRow {
  readonly message: RowMessage;
  readonly deeds: readonly DeedDetail[];
}

/** Folds the results in a row before it is stored; `undefined` where nothing is to be folded. */
export async function foldRow(row: Row, door: FoldDoor, rule: BirthFold): Promise<FoldedRow | undefined> {
  const deeds: DeedDetail[] = [];
  const tool = textField(row.origin, "tool");
  const content: JsonObject[] = [];
  for (const block of row.message.content) {
    const folded =
      block.type === "tool_result" && block.is_error !== true
        ? await foldResult(block, { tool, door, rule })
        : undefined;
    if (folded) deeds.push(folded.deed);
    content.push(folded ? { ...block, content: folded.text } : block);
  }
  return deeds.length === 0 ? undefined : { message: { ...row.message, content }, deeds };
}

async function foldResult(
  block: JsonObject,
  { tool, door, rule }: { readonly tool: string; readonly door: FoldDoor; readonly rule: BirthFold },
): Promise<{ readonly text: string; readonly deed: DeedDetail } | undefined> {
  const shown = readText(block);
  const callId = textField(block, "tool_use_id");
  const input = door.inputOf(callId);
  if (shown === undefined || isRecall(tool, input)) return undefined;
  const persisted = findPersisted(shown);
  const file = persisted === undefined ? undefined : await door.readPersisted(persisted);
  const text = (persisted === undefined || file === undefined ? undefined : parsePersisted(persisted, file)) ?? shown;
  const due = resultArrived({ text, kind: claudeCodeVocabulary.interpretCall(tool, input).kind }, rule);
  if (due === undefined || (text === shown && persisted !== undefined)) return undefined;
  const command = textField(input, "command");
  const kept = await door.keep({ output: text, tool, command });
  if (kept === undefined) return undefined;
  const startMs = performance.now();
  const { handle, text: folded } = foldOutput(text, { tool, command }, { ...kept, ...due });
  const ms = Math.round((performance.now() - startMs) * 100) / 100;
  return {
    text: folded,
    deed: {
      kind: "folded",
      callId,
      tool,
      handle,
      characters: text.length,
      shownCharacters: folded.length,
      ms,
      savedTokens: Math.round(estimateTextTokens(shown, "dense") - estimateTextTokens(folded, "dense")),
    },
  };
}

/** Text alone is folded; a result with a picture in it stays as it is. */
function readText({ content }: JsonObject): string | undefined {
  if (typeof content === "string") return content;
  return joinTexts(listField({ content: content ?? null }, "content"));
}
