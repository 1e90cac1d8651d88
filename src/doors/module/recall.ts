import type { Json, JsonObject } from "../../core/json.ts";
import { findOwnHandle } from "../../fold/marker.ts";
import { answerRecall, type RecallAnswer, refuse } from "../../survive/recall/answer-recall.ts";
import { listStretch } from "../../survive/recall/list-stretch.ts";
import { choosePageSize, keepPageSize } from "../../survive/recall/page-size.ts";
import type { Wanted } from "../../survive/recall/parse-handles.ts";
import { type Picked, pickParts } from "../../survive/recall/pick-parts.ts";
import {
  nameQuestion,
  parseRecall,
  RECALL_DESCRIPTION,
  RECALL_PARAMETERS,
} from "../../survive/recall/recall-request.ts";
import { createHandles, findCall } from "../../survive/record/call-handle.ts";
import { readArchived } from "./archive.ts";
import { parseMessages } from "./compaction-event.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";

/** As the model sees it: short, because it stands in every request. */
export const RECALL_SPEC: {
  readonly name: "recall";
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly isDeferred: boolean;
} = {
  name: "recall",
  description: RECALL_DESCRIPTION,
  inputSchema: RECALL_PARAMETERS,
  isDeferred: false,
};

export function nameRecallTool($: Engine): string {
  return `mcp__${$.plugin.name}__${RECALL_SPEC.name}`;
}

/** The wanted texts, a page of them; in words what to do where there is nothing. */
export async function recall($: Engine, live: Live, input: JsonObject): Promise<RecallAnswer> {
  const request = parseRecall(input);
  if ("problem" in request) return refuse(request.problem);
  const picked = await Promise.all(request.wanted.map((wanted) => pick($, live, wanted)));
  const isComplete = picked.every((each) => "parts" in each);
  const pageCharacters = keepPageSize(live.pageSizes, nameQuestion(request), () => {
    const { model, usedTokens } = live.watch.health();
    return choosePageSize({ model, contextTokens: usedTokens, share1h: live.cacheLife.isHour ? 1 : 0 });
  });
  return answerRecall(request, picked, { known: isComplete ? [] : await listKnown(live), pageCharacters });
}

/** As the engine takes it: words as they are, pictures in the form of the Messages API, and what is wrong as an error. */
export function toToolResult(answer: RecallAnswer): JsonObject {
  if (answer.isError) return { deny: answer.words };
  const [only, ...more] = answer.blocks;
  if (typeof only === "string" && more.length === 0) return { result: only };
  const result: readonly Json[] = answer.blocks.map((block) =>
    typeof block === "string"
      ? { type: "text", text: block }
      : {
          type: block.mediaType.startsWith("image/") ? "image" : "document",
          source: { type: "base64", media_type: block.mediaType, data: block.data },
        },
  );
  return { result };
}

async function pick($: Engine, live: Live, wanted: Wanted): Promise<Picked> {
  const { name, digits } = wanted;
  const stored = digits === undefined ? undefined : await live.shelf.read(digits).catch(() => undefined);
  if (stored !== undefined) return pickParts(wanted, stored);
  const text = listStretch(live.watch.happened().trail.calls, name) ?? (await findResult($, live, name));
  return text === undefined ? { missing: { name, why: "" } } : { parts: [{ name, handle: name, text }] };
}

/** A call's result: folded at birth, put away by a compaction, or still in the conversation. */
async function findResult($: Engine, live: Live, handle: string): Promise<string | undefined> {
  const callId = findCall(live.watch.happened().trail.calls, handle)?.callId;
  if (callId === undefined) return undefined;
  const found = (await readArchived($, live.archives, callId)) ?? (await readCurrent($, callId));
  return found === undefined ? undefined : ((await readFolded(live, found)) ?? found);
}

/** What was found may itself be a fold: the person asks for the output, not for its preview. */
async function readFolded({ shelf }: Live, text: string): Promise<string | undefined> {
  const digits = findOwnHandle(text)?.slice("plimsoll:".length);
  return digits === undefined ? undefined : shelf.read(digits).catch(() => undefined);
}

async function readCurrent($: Engine, callId: string): Promise<string | undefined> {
  const messages = parseMessages(await $.session.messages().catch(() => []));
  for (const { resultTexts } of messages) {
    const found = resultTexts.find((result) => result.callId === callId);
    if (found) return found.text;
  }
  return undefined;
}

/** Every handle that would have been answered. */
async function listKnown({ shelf, watch }: Live): Promise<readonly string[]> {
  const { calls } = watch.happened().trail;
  const name = createHandles(calls);
  return [...(await shelf.list().catch(() => [])), ...calls.map(({ callId }) => name(callId))];
}
