/** The body of a Messages API request, parsed at the door: known to be well formed, unknown fields kept. */

export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Message {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

export interface MessagesBody {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly system: readonly ContentBlock[];
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly stream: boolean;
  /** The body as it came, for fields that are not spelled out here. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Returns the sentence that the API would answer with when the body is not one of a Messages request. */
export function parseMessagesBody(raw: unknown): MessagesBody | string {
  if (!isRecord(raw)) return "the body must be a JSON object";
  if (typeof raw.model !== "string") return "model: Field required";
  if (!Array.isArray(raw.messages)) return "messages: Field required";
  const messages: Message[] = [];
  for (const [index, entry] of raw.messages.entries()) {
    const content = isRecord(entry) ? parseContent(entry.content) : null;
    if (!isRecord(entry) || typeof entry.role !== "string" || content === null) {
      return `messages.${index}: Input should be a message with role and content`;
    }
    messages.push({ role: entry.role, content });
  }
  const system = parseContent(raw.system ?? []);
  if (system === null) return "system: Input should be a string or a list of blocks";
  return {
    model: raw.model,
    messages,
    system: typeof system === "string" ? [{ type: "text", text: system }] : system,
    tools: Array.isArray(raw.tools) ? raw.tools.filter(isRecord) : [],
    stream: raw.stream === true,
    raw,
  };
}

/** A message's content as blocks: a plain string is one text block. */
export function blocksOf(content: Message["content"]): readonly ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function parseContent(value: unknown): string | readonly ContentBlock[] | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return null;
  return value.every(isBlock) ? value : null;
}

function isBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && typeof value.type === "string";
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
