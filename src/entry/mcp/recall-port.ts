import type { SessionEvent } from "../../core/event.ts";
import { objectField, textField } from "../../core/json.ts";
import { renderResultText, type ToolResultBlock } from "../../core/message.ts";
import { readStored } from "../../files/artifacts/originals.ts";
import { hostOf } from "../../hosts/catalogue.ts";
import { createQuotedHandles } from "../../survive/recall/quoted-handles.ts";
import { createCalled, type RecallPort } from "../../survive/recall/recall.ts";
import type { ServerSession } from "./sessions.ts";

export function createPort(session: ServerSession): RecallPort {
  const { called, handles } = createCalled(
    () => session.follow()?.trail.calls ?? [],
    (callId) => readResult(session, callId),
  );
  return {
    stored: (digits) => readStored(session.originals, digits),
    called,
    own: () => [...listOwn(session), ...handles()],
    quoted: () => listQuoted(session),
  };
}

/** Without any session there is no conversation to keep apart: a person has started the server. */
function listOwn(session: ServerSession): readonly string[] {
  const id = session.sessionId();
  return id === "" ? session.originals.handles() : session.originals.handlesOf(id);
}

function listQuoted(session: ServerSession): readonly string[] {
  const file = session.transcript();
  const quoted = createQuotedHandles();
  if (file !== undefined)
    feedTranscript(file, (event) => {
      if (event.kind === "arrival") quoted.feed(event.block);
      if (event.kind === "output") for (const block of event.blocks) quoted.feed(block);
    });
  return quoted.list();
}

/** A call's result from the transcript, with pictures separate. */
function readResult(session: ServerSession, callId: string): readonly string[] {
  const file = session.transcript();
  if (file === undefined) return [];
  let texts: readonly string[] = [];
  feedTranscript(file, (event) => {
    if (event.kind !== "arrival" || event.block.kind !== "toolResult" || event.block.callId !== callId) return;
    texts = listTexts(event.block);
  });
  return texts;
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

/** Passes on every event of the main conversation, including compacted ones, in constant memory. */
export function feedTranscript(file: string, feed: (event: SessionEvent) => void): void {
  hostOf(file)
    .openTranscript(file)
    .read({
      onEntry: ({ uuid, isSidechain, events }) => {
        if (uuid !== "" && !isSidechain) for (const event of events) feed(event);
      },
    });
}
