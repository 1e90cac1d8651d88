import type { JsonObject } from "../core/json.ts";
import { renderResultText } from "../core/message.ts";
import { findOwnHandle } from "../fold/marker.ts";
import { findCall } from "../session/compaction/call-handle.ts";
import { parseHandle, pickSection } from "../session/recall/pick-section.ts";
import { listStretch, parseRecall, renderRecalled } from "../session/recall/recall-request.ts";
import { decodeText } from "./decode-text.ts";
import type { ServerSession } from "./server-session.ts";
import { tellTranscript } from "./tell-transcript.ts";

/** A page of the original that a handle stands for. */
export function recall(session: ServerSession, input: JsonObject): string {
  const request = parseRecall(input);
  const wanted = parseHandle(request.handle);
  const stored = wanted === undefined ? undefined : readStored(session, wanted.digits);
  const picked = stored === undefined ? undefined : pickSection(stored, wanted?.section);
  return renderRecalled(request, picked ?? findResult(session, request.handle));
}

function readStored({ store }: ServerSession, digits: string): string | undefined {
  const found = store.read(digits);
  if (!found.ok) {
    if (found.problem.code === "notFound") return undefined;
    throw new Error(found.problem.detail);
  }
  const { bytes, sha256 } = found.value;
  const text = decodeText(bytes);
  if (text === undefined) throw new Error(`${bytes.length} bytes that are no text are kept under ${sha256}`);
  return text;
}

/** What a call gave, out of the transcript; where that is a fold, what was folded. */
function findResult(session: ServerSession, handle: string): string | undefined {
  const calls = session.follow()?.trail.calls ?? [];
  const stretch = listStretch(calls, handle);
  if (stretch !== undefined) return stretch;
  const callId = findCall(calls, handle)?.callId;
  const file = session.transcript();
  if (callId === undefined || file === undefined) return undefined;
  let text: string | undefined;
  tellTranscript(file, (event) => {
    if (event.kind !== "arrival" || event.block.kind !== "toolResult" || event.block.callId !== callId) return;
    text = renderResultText(event.block);
  });
  const own = findOwnHandle(text ?? "")?.slice("plimsoll:".length);
  return (own === undefined ? undefined : readStored(session, own)) ?? text;
}
