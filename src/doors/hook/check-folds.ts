import type { DeedDetail } from "../../policy/deeds/deed.ts";
import { holdsResult } from "./clients/claude-code/client.ts";
import { isGivenUp, MAX_IGNORED, noteIgnored, noteKept, type PendingFold, readFoldLog } from "./fold-log.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { MAX_TAIL_BYTES } from "./read-load.ts";
import { readTail } from "./session-files.ts";
import { locateTrusted } from "./trusted-file.ts";

/**
 * Whether the client kept what it was given: it ignores an answer whose shape it does not expect without a word, and another
 * plugin may have answered too. The transcript shows it, once the result is written there.
 */
export function checkFolds(input: HookInput, context: HookContext): readonly DeedDetail[] {
  const { folder } = context;
  const pending = folder === undefined ? [] : readFoldLog(folder).pending;
  if (folder === undefined || pending.length === 0) return [];
  const transcript = locateTrusted(input.transcript, context);
  if (transcript === undefined) return [];
  const lines = readTail(transcript, MAX_TAIL_BYTES).bytes.toString("utf8").split("\n");
  const deeds: DeedDetail[] = [];
  for (const fold of pending) {
    const isKept = isFoldKept(fold, lines);
    if (isKept === true) noteKept(folder, fold);
    if (isKept === false) deeds.push(...noteLoss(folder, fold));
  }
  return deeds;
}

/** `undefined` while the result is not there to be seen. */
function isFoldKept({ callId, handle }: PendingFold, lines: readonly string[]): boolean | undefined {
  return lines.findLast((text) => holdsResult(text, callId))?.includes(handle);
}

function noteLoss(folder: string, fold: PendingFold): readonly DeedDetail[] {
  const isKnown = isGivenUp(readFoldLog(folder), fold.tool);
  noteIgnored(folder, fold);
  const why = `the result of ${fold.callId} is in the transcript as it was`;
  const ignored: DeedDetail = { kind: "ignored", what: `fold of ${fold.tool}`, why };
  if (isKnown || !isGivenUp(readFoldLog(folder), fold.tool)) return [ignored];
  const declined = `the client did not keep ${MAX_IGNORED} folds of it in this session`;
  return [ignored, { kind: "declined", what: `folding ${fold.tool}`, why: declined }];
}
