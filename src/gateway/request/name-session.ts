import { createHash } from "node:crypto";
import type { ParsedRequest } from "./parse-request.ts";

/** Where a request came from, beside its body. */
export interface Sender {
  /** Whose token it was; empty where there is only one person. */
  readonly user: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * The conversation that a request belongs to, as a name for files and rows: 32 hexadecimal digits that tell nothing. The
 * client's own session and agent where it names them, and how the conversation begins: titles and older clients' subagents
 * share a session's id, and after a compaction another conversation begins.
 */
export function nameSession({ fields, conversation }: ParsedRequest, { user, headers }: Sender): string {
  const session = parseSessionId(fields.userId) || textOf(headers["x-claude-code-session-id"]);
  const agent = textOf(headers["x-claude-code-agent-id"]);
  const beginning = conversation.messages[0]?.id ?? "";
  return createHash("sha256")
    .update(JSON.stringify([user, session, agent, beginning]))
    .digest("hex")
    .slice(0, 32);
}

/** Newer clients write JSON, older ones `user_…_account_…_session_ID`. */
export function parseSessionId(userId: string): string {
  const older = /_session_([0-9A-Za-z-]+)$/.exec(userId)?.[1];
  if (older !== undefined || !userId.startsWith("{")) return older ?? "";
  try {
    const parsed: unknown = JSON.parse(userId);
    const id = typeof parsed === "object" && parsed !== null && "session_id" in parsed ? parsed.session_id : "";
    return typeof id === "string" ? id : "";
  } catch {
    return "";
  }
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : (value?.[0] ?? "");
}
