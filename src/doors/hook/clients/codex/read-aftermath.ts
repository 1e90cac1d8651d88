import { isObject, listField, textField } from "../../../../core/json.ts";
import type { Block } from "../../../../core/message.ts";
import { parseItem } from "../../../../hosts/codex/parse-item.ts";
import { readTail } from "../../session-files.ts";
import { type Aftermath, NOTHING_YET, type RecordedAnswer } from "../aftermath.ts";
import { parseRolloutLine, type RolloutLine } from "./rollout-lines.ts";

/** Some dozens of requests; we look again at every event. */
const MAX_BYTES = 8 << 20;

const BOUNDARY = '"type":"compacted"';

/** The client loads its own instructions again after a compaction: none of them is missed. */
export function readAftermath(rollout: string, fromByte: number): Aftermath {
  const { bytes } = readTail(rollout, MAX_BYTES, fromByte);
  const boundary = bytes.indexOf(BOUNDARY);
  // Asked at every call until it is there: nothing is parsed before.
  if (boundary < 0) return NOTHING_YET;
  const start = bytes.lastIndexOf(10, boundary) + 1;
  const contexts: string[] = [];
  const answers: RecordedAnswer[] = [];
  let replaced: Replaced | undefined;
  for (const text of bytes.toString("utf8", start).split("\n")) {
    const line = parseRolloutLine(text);
    if (line?.kind === "compacted") replaced = readReplaced(line);
    if (line === undefined || replaced === undefined) continue;
    if (line.kind === "token_usage_record") answers.push({ id: String(line.atMs), atMs: line.atMs });
    if (line.kind === "message" && line.payload.role === "developer") contexts.push(...listTexts(line.payload));
  }
  if (replaced === undefined) return NOTHING_YET;
  return { hasBoundary: true, ...replaced, contexts: contexts.join("\n"), answers, instruments: [] };
}

type Replaced = Pick<Aftermath, "summary" | "isSealed">;

/** The summary, and what the client keeps word for word beside it: both stand in the next request. */
function readReplaced({ payload }: RolloutLine): Replaced {
  const items = listField(payload, "replacement_history").filter(isObject);
  const blocks = items.map(parseItem).flatMap((item): readonly Block[] => ("blocks" in item ? item.blocks : []));
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  return {
    summary: [...new Set([textField(payload, "message"), ...texts])].join("\n").trim() || "(nothing that can be read)",
    isSealed: blocks.some(({ kind }) => kind === "opaque"),
  };
}

function listTexts(payload: RolloutLine["payload"]): readonly string[] {
  return listField(payload, "content")
    .filter(isObject)
    .map((part) => textField(part, "text"));
}
