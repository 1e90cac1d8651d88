import type { JsonObject } from "../core/json.ts";
import { findHandles } from "../fold/marker.ts";
import { listField, textField } from "../hosts/claude-code/json-fields.ts";
import { createHandles, findCall } from "../session/compaction/call-handle.ts";
import { pageText } from "../session/recall/page-text.ts";
import { parseHandle, pickSection } from "../session/recall/pick-section.ts";
import { readArchived } from "./archive.ts";
import { parseMessages } from "./compaction-event.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";

/** As the model sees it: short, because it stands in every request. */
export const RECALL_SPEC = {
  name: "recall",
  description:
    "Get back, word for word, a tool result that was folded or left the conversation. handle: plimsoll:…, plimsoll:…#line or call:… as printed where it was. One page at a time; lines or pattern for a part of it.",
  inputSchema: {
    type: "object",
    properties: {
      handle: { type: "string" },
      page: { type: "integer" },
      lines: { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 },
      pattern: { type: "string" },
    },
    required: ["handle"],
  },
  isDeferred: false,
} as const;

export function nameRecallTool($: Engine): string {
  return `mcp__${$.plugin.name}__${RECALL_SPEC.name}`;
}

/** The wanted page, headed by one line that says what it is of; in words what to do where there is nothing. */
export async function recall($: Engine, live: Live, input: JsonObject): Promise<string> {
  const handle = textField(input, "handle").trim();
  const text = listStretch(live, handle) ?? (await findOriginal($, live, handle));
  if (text === undefined)
    return `Nothing is kept under "${handle}". Handles look like plimsoll:1a2b3c4d5e6f or call:abc123 and stand at the end of a folded result or of a line of the record.`;
  const [from, to] = listField(input, "lines");
  const { page, pattern } = input;
  const found = pageText(text, {
    page: typeof page === "number" ? page : undefined,
    lines: typeof from === "number" && typeof to === "number" ? [from, to] : undefined,
    pattern: typeof pattern === "string" ? pattern : undefined,
  });
  // The client trims results: a line before and one after keep every blank of the page between them.
  return `[${handle}: ${found.note}]\n${found.text}\n[end]`;
}

/** `call:a..call:b`, as the record writes where it had no room: the calls in between, a line each. */
function listStretch({ watch }: Live, handle: string): string | undefined {
  const { calls } = watch.happened().trail;
  const [first, last] = handle.split("..").map((end) => findCall(calls, end));
  if (!first || !last) return undefined;
  const name = createHandles(calls);
  const ends = [calls.indexOf(first), calls.indexOf(last)];
  const between = calls.slice(Math.min(...ends), Math.max(...ends) + 1);
  return between
    .map((call) => `t${call.turn} ${call.tool} ${call.subject} ${call.characters} ${name(call.callId)}`)
    .join("\n");
}

async function findOriginal($: Engine, live: Live, handle: string): Promise<string | undefined> {
  const wanted = parseHandle(handle);
  const stored = wanted === undefined ? undefined : await readStored($, live, wanted.digits);
  const picked = stored === undefined ? undefined : pickSection(stored, wanted?.section);
  return picked ?? findResult($, live, handle);
}

/** What was too long for a file of the shelf lies in pieces in the session's archive. */
async function readStored($: Engine, { shelf, folder }: Live, digits: string): Promise<string | undefined> {
  return (await shelf.read(digits).catch(() => undefined)) ?? readArchived($, folder, `plimsoll:${digits}`);
}

/** A call's result: folded at birth, put away by a compaction, or still in the conversation. */
async function findResult($: Engine, live: Live, handle: string): Promise<string | undefined> {
  const callId = findCall(live.watch.happened().trail.calls, handle)?.callId;
  if (callId === undefined) return undefined;
  const found = (await readArchived($, live.folder, callId)) ?? (await readCurrent($, callId));
  return found === undefined ? undefined : ((await readFolded(live, found)) ?? found);
}

/** What was found may itself be a fold: the person asks for the output, not for its preview. */
async function readFolded({ shelf }: Live, text: string): Promise<string | undefined> {
  // Its own handle stands last: a preview may quote another.
  const digits = text.startsWith("[FOLDED: ") ? findHandles(text).at(-1)?.slice("plimsoll:".length) : undefined;
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
