import { type Json, type JsonObject, textField } from "../../core/json.ts";
import { addRecalls, parseRecalls, type RecallCounts, renderRecalls } from "../../policy/recall-rate.ts";
import type { RecallAnswer } from "../../survive/recall/answer-recall.ts";
import { createQuotedHandles } from "../../survive/recall/quoted-handles.ts";
import { createCalled, type RecallPort, recall } from "../../survive/recall/recall.ts";
import type { ClientPort } from "./client-port.ts";
import { type EngineMessage, parseRows } from "./compaction/compaction-event.ts";
import type { Live } from "./live.ts";

/** Answers a recall, and counts it where a compaction of ours has gone before. */
export async function recallInClient($: ClientPort, live: Live, e: JsonObject): Promise<JsonObject> {
  const answer = await recall(e, createLivePort($, live, textField(e, "agentId")));
  if (!answer.isError && live.conversation.hasAnswered) await countRecalls(live, { compactions: 0, recalls: 1 });
  return toToolResult(answer);
}

const MOST_BYTES = 1 << 20;

/** Read again each time, because other sessions count there, too. A failure costs the figure, never the turn. */
export async function countRecalls({ files, recalls: { file }, root }: Live, counts: RecallCounts): Promise<void> {
  const add = async (): Promise<void> => {
    const kept = await files.read(file, MOST_BYTES);
    const figures = parseRecalls(kept && "text" in kept ? kept.text : "");
    await files.write(file, renderRecalls(addRecalls(figures, root, counts)), { isDurable: false });
  };
  await files.alone(file.slice(0, file.lastIndexOf("/")), add).catch(() => undefined);
}

/** A subagent reaches what its session stored, as the session reaches what its subagents did, and what its own window quotes. */
export function createLivePort($: ClientPort, live: Live, agentId = ""): RecallPort {
  const readRows = async () =>
    parseRows(await $.session.messages(agentId === "" ? undefined : { agentId }).catch(() => []));
  const { called, handles } = createCalled(
    () => live.watch.happened().trail.calls,
    async (callId) => {
      const text = live.store.archived(callId) ?? findResult(await readRows(), callId);
      return text === undefined ? undefined : [text];
    },
  );
  return {
    stored: live.store.read,
    called,
    own: () => [...live.store.own(), ...handles()],
    quoted: async () => listQuoted(await readRows()),
  };
}

function listQuoted(rows: readonly EngineMessage[]): readonly string[] {
  const quoted = createQuotedHandles();
  for (const { role, text, toolUses, resultTexts } of rows) {
    quoted.feed({ kind: "text", id: "", text, author: role === "assistant" ? "model" : "host" });
    for (const call of toolUses) quoted.feed({ kind: "toolCall", id: "", ...call });
    for (const { text: said, ...result } of resultTexts)
      quoted.feed({ kind: "toolResult", id: "", ...result, parts: [{ kind: "text", text: said }] });
  }
  return quoted.list();
}

/** In the client's form: text as it is, pictures as in the Messages API, and problems as an error. */
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

function findResult(rows: readonly EngineMessage[], callId: string): string | undefined {
  return rows.flatMap(({ resultTexts }) => resultTexts).find((result) => result.callId === callId)?.text;
}
