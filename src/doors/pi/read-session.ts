import type { Edit } from "../../core/edit.ts";
import { countField, isObject, objectField, textField } from "../../core/json.ts";
import type { WireMessage } from "../../wire/conversation.ts";
import { isRecord } from "../../wire/is-json.ts";
import type { WindowEntry } from "../aboard/answer-compaction.ts";
import type { Answered } from "../aboard/shape-request.ts";
import { parseItems } from "../gateway/store/parse-stored.ts";
import type { PiContext, PiEntry } from "./extension-api.ts";

/** Under this name the decisions about a conversation lie in its own file, on the branch that they were made on. */
export const ENTRY = "plimsoll";

export function isMessage(value: unknown): value is WireMessage {
  // A summary has no content, and nobody looks for one: it is opaque.
  return isRecord(value) && typeof value.role === "string" && value.role !== "system";
}

/** What was decided on this branch, oldest first. */
export function readDecisions(branch: readonly PiEntry[]): readonly Edit[] {
  return branch.flatMap(({ type, customType, data }) => {
    if (type !== "custom" || customType !== ENTRY || !isRecord(data)) return [];
    return (parseItems(data.decisions) ?? []).flatMap((item) => (item.kind === "recalled" ? [] : [item]));
  });
}

/** The whole conversation of a branch, what left the window included. */
export function listHistory(branch: readonly PiEntry[]): readonly WireMessage[] {
  return branch.flatMap(({ type, message }) => (type === "message" && isMessage(message) ? [message] : []));
}

/** The window, message by message, and the summary that it begins with; empty where it has none. */
export function readPiWindow({ sessionManager }: Pick<PiContext, "sessionManager">): {
  readonly entries: readonly WindowEntry[];
  readonly earlier: string;
} {
  const entries: WindowEntry[] = [];
  let earlier = "";
  for (const { sourceEntry, messages } of sessionManager.buildSessionProjection().entries) {
    if (sourceEntry.type === "compaction") earlier = isRecord(sourceEntry) ? String(sourceEntry.summary ?? "") : "";
    else for (const message of messages) if (isMessage(message)) entries.push({ id: sourceEntry.id, message });
  }
  return { entries, earlier };
}

/** What an answer says of its request; nothing where the request failed. */
export function readAnswer(message: WireMessage): Answered | undefined {
  if (!isObject(message) || message.role !== "assistant") return undefined;
  const usage = objectField(message, "usage");
  const atMs = message.timestamp;
  if (usage === undefined || typeof atMs !== "number" || message.stopReason === "error") return undefined;
  const written = countField(usage, "cacheWrite");
  const hour = Math.min(written, countField(usage, "cacheWrite1h"));
  return {
    model: textField(message, "model"),
    atMs,
    usage: {
      inputTokens: countField(usage, "input"),
      cacheReadTokens: countField(usage, "cacheRead"),
      cacheWrite5mTokens: written - hour,
      cacheWrite1hTokens: hour,
      outputTokens: countField(usage, "output"),
    },
  };
}
