import { createHash } from "node:crypto";
import { hashText } from "../../../core/hash.ts";
import { parseObject, textField } from "../../../core/json.ts";
import { computeOnce, type Message } from "../../../core/message.ts";
import type { Host } from "../../../hosts/host.ts";
import type { Headers, ParsedRequest, Wire } from "../wire.ts";

export interface Sender {
  /** The owner of the token; empty if there is only one person. */
  readonly user: string;
  readonly headers: Headers;
}

export interface SessionName {
  /** A name for files and rows: 32 hexadecimal digits that reveal nothing. */
  readonly session: string;
  /** Tells decisions apart if the client does not name its conversation, because several may share a name; `undefined` if it does. */
  readonly answers: readonly string[] | undefined;
}

/**
 * Made from the client's session and agent, if named, and the beginning of the conversation: titles and older clients'
 * subagents share a session's id, and another conversation begins after a compaction. A client that names none runs the
 * same prompt again and again, so the answers up to the first call count as well. Nothing is decided before that call.
 */
export function identifySession({ wire, fields, conversation }: ParsedRequest, { user, headers }: Sender): SessionName {
  const { session, agent } = findNames(headers, wire);
  const own = parseSessionId(fields.userId) || session;
  const beginning = conversation.messages[0]?.id ?? "";
  if (own !== "") return { session: render([user, own, agent, beginning]), answers: undefined };
  const answers = listAnswers(conversation.messages);
  const run = answers.find(({ hasCall }) => hasCall)?.chain ?? "";
  return { session: render([user, "", agent, beginning, run]), answers: answers.map(({ chain }) => chain) };
}

function render(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** The session and the subagent in a client's headers; empty if it names none. */
export function findNames(headers: Headers, { client }: Pick<Wire, "client">): NonNullable<Host["headers"]> {
  const { session = "", agent = "" } = client.headers ?? {};
  return { session: textOf(headers[session]), agent: textOf(headers[agent]) };
}

/** Newer clients write JSON, older ones `user_…_account_…_session_ID`. */
export function parseSessionId(userId: string): string {
  const older = /_session_([0-9A-Za-z-]+)$/.exec(userId)?.[1];
  if (older !== undefined || !userId.startsWith("{")) return older ?? "";
  return textField(parseObject(userId), "session_id");
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : (value?.[0] ?? "");
}

/**
 * Tells runs of one prompt, and branches of one run, apart: their answers differ, and call ids are unique. What a client may change
 * later within the same run does not count: results that it clears, reminders that it moves, thinking that it no longer sends.
 */
function listAnswers(messages: readonly Message[]) {
  const answers: { readonly chain: string; readonly hasCall: boolean }[] = [];
  for (const message of messages) {
    const before = answers.at(-1)?.chain ?? "";
    const chain = advanceChain(before, message);
    const hasCall = message.blocks.some(({ kind }) => kind === "toolCall");
    if (chain !== before) answers.push({ chain, hasCall });
  }
  return answers;
}

/** Two histories have the same chain if the model said and called the same. Unchanged if it did neither in this message. */
export function advanceChain(chain: string, message: Message): string {
  const said = message.role === "assistant" ? renderOnce(message) : "";
  return said === "" ? chain : hashText(`${chain}${said}`);
}

/** Messages are the same objects from request to request. */
const renderOnce = computeOnce(({ blocks }: Message): string => {
  const said = blocks.flatMap((block): readonly string[] => {
    if (block.kind === "text") return [`text ${block.text}`];
    return block.kind === "toolCall" ? [`call ${block.callId} ${block.tool}`] : [];
  });
  return said.length === 0 ? "" : hashText(JSON.stringify(said));
});
