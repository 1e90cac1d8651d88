import type { Json, JsonObject } from "../../src/core/json.ts";

/**
 * Builders that let a test read like a transcript:
 *
 *     transcript(prompt("fix it"), answer("m1", [toolUse("t1", "Bash")]), toolResult("t1", "a.ts"))
 *
 * The lines become `l1`, `l2`, ..., each the child of the one before it, unless they bring their own `uuid` or `parentUuid`.
 */
export function transcript(...drafts: readonly JsonObject[]): readonly string[] {
  return createWriter()(...drafts);
}

/** For a transcript that is written in several goes: numbers and parents go on where the last go ended. */
export function createWriter(common: JsonObject = {}): (...drafts: readonly JsonObject[]) => readonly string[] {
  let count = 0;
  let parent: Json = null;
  return (...drafts) =>
    drafts.map((draft) => {
      count++;
      const line: JsonObject = {
        parentUuid: parent,
        isSidechain: false,
        uuid: `l${count}`,
        timestamp: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
        sessionId: "session-1",
        version: "2.1.219",
        ...common,
        ...draft,
      };
      if (line.uuid) parent = line.uuid;
      return JSON.stringify(line);
    });
}

/** Lines as a file holds them. */
export function toFile(lines: readonly string[], lineEnd = "\n"): string {
  return lines.map((line) => line + lineEnd).join("");
}

export function prompt(content: Json): JsonObject {
  return { type: "user", message: { role: "user", content } };
}

export function toolResult(callId: string, content: Json, more: JsonObject = {}): JsonObject {
  return prompt([{ type: "tool_result", tool_use_id: callId, content, ...more }]);
}

/** One line of an answer. Bare strings are text blocks; usage counts as it stands in the record. */
export function answer(id: string, content: readonly (string | JsonObject)[], usage: JsonObject = {}): JsonObject {
  const blocks = content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block));
  return {
    type: "assistant",
    requestId: `req_${id}`,
    message: {
      id,
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: blocks,
      stop_reason: "end_turn",
      usage: {
        input_tokens: 3,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 1,
        ...usage,
      },
    },
  };
}

export function toolUse(id: string, name: string, input: JsonObject = {}): JsonObject {
  return { type: "tool_use", id, name, input };
}

export function attachment(content: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "attachment", attachment: content, ...more };
}

/** The line at which a window starts over; its parent is null, its logical parent the line before, as in the client. */
export function boundary(logicalParentUuid: string, metadata: JsonObject = {}): JsonObject {
  const compactMetadata = { trigger: "auto", preTokens: 167_000, ...metadata };
  return { type: "system", subtype: "compact_boundary", parentUuid: null, logicalParentUuid, compactMetadata };
}

export function summary(text: string): JsonObject {
  return { ...prompt(text), isCompactSummary: true, isVisibleInTranscriptOnly: true };
}

/** What clients 2.1.9 to 2.1.81 told of a running subagent, on the line of the main session. */
export function agentProgress(line: JsonObject): JsonObject {
  return { type: "progress", data: { type: "agent_progress", message: line }, toolUseID: "agent_1" };
}
