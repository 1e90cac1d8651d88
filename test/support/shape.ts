import type { Block, Message, ResultPart } from "../../src/core/message.ts";

const MAX_QUOTED_CHARS = 60;

export interface ShapeOptions {
  /** Quotes what a result says instead of counting it, for tests about what is left in its place. */
  readonly quotesResults?: boolean;
}

/**
 * The shape of a conversation, for inline snapshots: what the model would see, one line per block. A `+` marks a block of
 * the same message as the line above.
 *
 *     user text "fix it"
 *     assistant thinking 9 chars
 *     assistant + call Bash#1 {"command":"ls"}
 *     user result Bash#1 12 chars
 */
export function renderShape(messages: readonly Message[], options: ShapeOptions = {}): string {
  const names = nameCalls(messages);
  return messages
    .flatMap(({ role, blocks }) => {
      if (blocks.length === 0) return [`${role} (empty)`];
      return blocks.map((block, index) => `${role}${index > 0 ? " +" : ""} ${renderBlock(block, names, options)}`);
    })
    .join("\n");
}

function renderBlock(block: Block, names: ReadonlyMap<string, string>, options: ShapeOptions): string {
  switch (block.kind) {
    case "text":
      return `${block.author === "host" ? "host text" : "text"} ${quote(block.text)}`;
    case "thinking":
      return `thinking ${block.text.length} chars`;
    case "image":
      return `image ${block.mediaType}`;
    case "opaque":
      return `opaque ${block.type}`;
    case "toolCall":
      return `call ${names.get(block.callId)} ${clip(JSON.stringify(block.input))}`;
    case "toolResult": {
      const name = names.get(block.callId) ?? `of missing call ${block.callId}`;
      const parts = block.parts.map((part) => renderPart(part, options)).join(", ") || "nothing";
      return `result ${name}${block.isError ? " failed" : ""} ${parts}`;
    }
  }
}

function renderPart(part: ResultPart, options: ShapeOptions): string {
  if (part.kind === "image") return `image ${part.mediaType}`;
  if (part.kind === "opaque") return "opaque";
  return options.quotesResults ? quote(part.text) : `${part.text.length} chars`;
}

/** `Bash#2` is the second call of Bash, whatever id its host gave it. */
function nameCalls(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const timesCalled = new Map<string, number>();
  for (const block of messages.flatMap((message) => message.blocks)) {
    if (block.kind !== "toolCall") continue;
    const times = (timesCalled.get(block.tool) ?? 0) + 1;
    timesCalled.set(block.tool, times);
    names.set(block.callId, `${block.tool}#${times}`);
  }
  return names;
}

function quote(text: string): string {
  const quoted = JSON.stringify(text.slice(0, MAX_QUOTED_CHARS));
  return text.length > MAX_QUOTED_CHARS ? `${quoted}... ${text.length} chars` : quoted;
}

function clip(json: string): string {
  return json.length > MAX_QUOTED_CHARS ? `${json.slice(0, MAX_QUOTED_CHARS)}... ${json.length} chars` : json;
}
