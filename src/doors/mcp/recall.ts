import type { JsonObject } from "../../core/json.ts";
import { objectField, textField } from "../../core/json-fields.ts";
import { renderResultText, type ToolResultBlock } from "../../core/message.ts";
import { findOwnHandle } from "../../fold/marker.ts";
import { assessHealth } from "../../measure/health.ts";
import { answerRecall, type RecallAnswer, refuse } from "../../survive/recall/answer-recall.ts";
import { listStretch } from "../../survive/recall/list-stretch.ts";
import { choosePageSize, keepPageSize } from "../../survive/recall/page-size.ts";
import type { Wanted } from "../../survive/recall/parse-handles.ts";
import { type Picked, pickParts } from "../../survive/recall/pick-parts.ts";
import { nameQuestion, parseRecall } from "../../survive/recall/recall-request.ts";
import { createHandles, findCall } from "../../survive/record/call-handle.ts";
import { decodeText } from "./decode-text.ts";
import type { ServerSession } from "./server-session.ts";
import { tellTranscript } from "./tell-transcript.ts";

/** A page of what the handles stand for. */
export function recall(session: ServerSession, input: JsonObject): RecallAnswer {
  const request = parseRecall(input);
  if ("problem" in request) return refuse(request.problem);
  const picked = request.wanted.map((wanted) => findWanted(session, wanted));
  const isComplete = picked.every((each) => "parts" in each);
  const pageCharacters = keepPageSize(session.pageSizes, nameQuestion(request), () => chooseSize(session));
  return answerRecall(request, picked, { known: isComplete ? [] : listKnown(session), pageCharacters });
}

/** What one handle stands for, or why it stands for nothing. */
export function findWanted(session: ServerSession, wanted: Wanted): Picked {
  const { name, digits } = wanted;
  const stored = digits === undefined ? undefined : readStored(session, digits);
  if (typeof stored === "string") return pickParts(wanted, stored);
  const texts = stored === undefined ? findResult(session, name) : [];
  if (texts.length === 0) return { missing: { name, why: stored?.why ?? "" } };
  return { parts: texts.map((text) => ({ name, handle: name, text })) };
}

function chooseSize(session: ServerSession): number {
  const meter = session.follow()?.meter;
  if (meter === undefined) return choosePageSize({ model: "", contextTokens: undefined, share1h: 0 });
  const { model, usedTokens } = assessHealth(meter);
  return choosePageSize({ model, contextTokens: usedTokens, share1h: 0 });
}

function readStored({ originals }: ServerSession, digits: string): string | { readonly why: string } | undefined {
  const found = originals.read(digits);
  if (!found.ok) return found.problem.code === "notFound" ? undefined : { why: `${found.problem.detail}.` };
  const { bytes, sha256 } = found.value;
  return decodeText(bytes) ?? { why: `${bytes.length} bytes that are no text are kept under ${sha256}.` };
}

/** What a call gave, out of the transcript, its pictures apart; where that is a fold, what was folded. */
function findResult(session: ServerSession, handle: string): readonly string[] {
  const calls = session.follow()?.trail.calls ?? [];
  const stretch = listStretch(calls, handle);
  if (stretch !== undefined) return [stretch];
  const callId = findCall(calls, handle)?.callId;
  const file = session.transcript();
  if (callId === undefined || file === undefined) return [];
  let texts: readonly string[] = [];
  tellTranscript(file, (event) => {
    if (event.kind !== "arrival" || event.block.kind !== "toolResult" || event.block.callId !== callId) return;
    texts = listTexts(event.block);
  });
  const own = findOwnHandle(texts[0] ?? "")?.slice("plimsoll:".length);
  const original = own === undefined ? undefined : readStored(session, own);
  return typeof original === "string" ? [original] : texts;
}

/** The text of a result, then its pictures, as they are stored. */
function listTexts(result: ToolResultBlock): readonly string[] {
  const pictures = result.parts.flatMap((part) => {
    const source = part.kind === "text" ? undefined : objectField(part.raw, "source");
    const data = textField(source ?? {}, "data");
    return data === "" ? [] : [`data:${textField(source ?? {}, "media_type")};base64,${data}`];
  });
  const text = renderResultText(result);
  return text === "" && pictures.length > 0 ? pictures : [text, ...pictures];
}

function listKnown(session: ServerSession): readonly string[] {
  const calls = session.follow()?.trail.calls ?? [];
  const name = createHandles(calls);
  return [...session.originals.handles(), ...calls.map(({ callId }) => name(callId))];
}
