import type { JsonObject } from "../core/json.ts";
import { findOwnHandle } from "../fold/marker.ts";
import { findCall } from "../session/compaction/call-handle.ts";
import { parseHandle, pickSection } from "../session/recall/pick-section.ts";
import {
  listStretch,
  parseRecall,
  RECALL_DESCRIPTION,
  RECALL_PARAMETERS,
  renderRecalled,
} from "../session/recall/recall-request.ts";
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

/** The wanted page, headed by one line that says what it is of; in words what to do where there is nothing. */
export async function recall($: Engine, live: Live, input: JsonObject): Promise<string> {
  const request = parseRecall(input);
  const { handle } = request;
  const text = listStretch(live.watch.happened().trail.calls, handle) ?? (await findOriginal($, live, handle));
  return renderRecalled(request, text);
}

async function findOriginal($: Engine, live: Live, handle: string): Promise<string | undefined> {
  const wanted = parseHandle(handle);
  const stored = wanted === undefined ? undefined : await readStored($, live, wanted.digits);
  const picked = stored === undefined ? undefined : pickSection(stored, wanted?.section);
  return picked ?? findResult($, live, handle);
}

/** What was too long for a file of the shelf lies in pieces in the session's archive. */
async function readStored($: Engine, { shelf, archives }: Live, digits: string): Promise<string | undefined> {
  return (await shelf.read(digits).catch(() => undefined)) ?? readArchived($, archives, `plimsoll:${digits}`);
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
