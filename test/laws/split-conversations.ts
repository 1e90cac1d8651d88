import type { ApiRequest } from "../api/api-request.ts";
import { isRecord } from "../api/messages-body.ts";
import { parseJson } from "./things.ts";

/** The requests of one conversation, with their places in the whole run. */
export interface ConversationLog {
  readonly isSubagent: boolean;
  readonly requests: readonly { readonly index: number; readonly request: ApiRequest }[];
}

/** Requests for a summary or a note belong to none: they carry a conversation, but do not go on with it. */
export function splitConversations(requests: readonly ApiRequest[]): readonly ConversationLog[] {
  const logs = new Map<string, { isSubagent: boolean; requests: { index: number; request: ApiRequest }[] }>();
  for (const [index, request] of requests.entries()) {
    if (request.lane === "compaction" || request.lane === "note") continue;
    const name = `${sessionOf(request)} ${request.agentId}`;
    const log = logs.get(name) ?? { isSubagent: request.lane === "subagent", requests: [] };
    log.requests.push({ index, request });
    logs.set(name, log);
  }
  return [...logs.values()];
}

function sessionOf({ headers, body }: ApiRequest): string {
  const header = headers["x-claude-code-session-id"];
  if (header !== undefined) return header;
  const { metadata } = body.raw;
  const user = isRecord(metadata) && typeof metadata.user_id === "string" ? parseJson(metadata.user_id) : undefined;
  return isRecord(user) && typeof user.session_id === "string" ? user.session_id : "";
}
