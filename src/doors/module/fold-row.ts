import { type JsonObject, listField, textField } from "../../core/json.ts";
import { type GroupMember, planLast } from "../../fold/fold-group.ts";
import { foldOutput } from "../../fold/fold-output.ts";
import { nameHandle } from "../../fold/marker.ts";
import type { Row, RowMessage } from "../../hosts/claude-code/row-reader.ts";
import { findPersisted, joinTexts, parsePersisted } from "../../hosts/claude-code/tool-output.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import type { BirthFold } from "../../layers/options/birth-fold.ts";
import { estimateTextTokens } from "../../models/tokens.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import type { GroupedOutput } from "../../policy/group-outputs.ts";
import { isRecall } from "../../policy/is-recall.ts";
import { resultArrived } from "../../policy/result-arrived.ts";
import type { OutputToKeep } from "./originals/keep-original.ts";

/** What a fold needs to know and cannot do by itself. */
export interface FoldDoor {
  /** Keeps an original and says under which hash and path; `undefined` where it could not be kept: then nothing is folded. */
  keep(original: OutputToKeep): Promise<{ readonly sha256: string; readonly path: string } | undefined>;
  /** The whole of an output that the client itself put away. */
  readPersisted(path: string): Promise<string | undefined>;
  /** What a call was given; empty where nobody saw it. */
  inputOf(callId: string): JsonObject;
  /** The outputs that this one shares an artifact with, where it does; absent where outputs are not combined. */
  joinGroup?(output: GroupedOutput): readonly GroupMember[] | undefined;
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
        ? await foldResult(block, { tool, window: row.agentId ?? "", door, rule })
        : undefined;
    if (folded) deeds.push(folded.deed);
    content.push(folded ? { ...block, content: folded.text } : block);
  }
  return deeds.length === 0 ? undefined : { message: { ...row.message, content }, deeds };
}

interface Folding {
  readonly tool: string;
  readonly window: string;
  readonly door: FoldDoor;
  readonly rule: BirthFold;
}

async function foldResult(
  block: JsonObject,
  { tool, window, door, rule }: Folding,
): Promise<{ readonly text: string; readonly deed: DeedDetail } | undefined> {
  const shown = readText(block);
  const callId = textField(block, "tool_use_id");
  const input = door.inputOf(callId);
  if (shown === undefined || isRecall(tool, input)) return undefined;
  const persisted = findPersisted(shown);
  const file = persisted === undefined ? undefined : await door.readPersisted(persisted);
  const text = (persisted === undefined || file === undefined ? undefined : parsePersisted(persisted, file)) ?? shown;
  if (text === shown && persisted !== undefined) return undefined;
  const { kind } = claudeCodeVocabulary.interpretCall(tool, input);
  const command = textField(input, "command");
  const due = resultArrived({ text, kind }, rule);
  const output = { id: callId, tool, command: command || textField(input, "pattern"), text };
  const earlier = due ? undefined : door.joinGroup?.({ ...output, kind, window });
  const last = earlier && planLast(earlier, output);
  if (due === undefined && last === undefined) return undefined;
  const kept = await door.keep({ output: last?.artifact ?? text, tool, command });
  if (kept === undefined) return undefined;
  const handle = nameHandle(kept.sha256);
  const startMs = performance.now();
  const folded = last?.render({ ...kept, handle }) ?? foldOutput(text, { tool, command }, { ...kept, ...due }).text;
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
