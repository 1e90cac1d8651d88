import {
  isObject,
  type JsonObject,
  listField,
  objectField,
  parseObject,
  textField,
  textListField,
} from "../../../core/json.ts";
import { readAppendedLines } from "../../../files/file-cursor.ts";
import { createByteFinder } from "./scan-usage.ts";

/** What a session's transcript says about the base of its requests. The texts are those of the newest request that the client recorded. */
export interface ToolScan {
  readonly requests: number;
  readonly called: ReadonlySet<string>;
  readonly offered: ReadonlySet<string>;
  /** The sections of the system prompt; empty where the client does not record it. */
  readonly sections: readonly string[];
  /** Schemas in front as the API gets them, by the tool's name. */
  readonly schemas: ReadonlyMap<string, string>;
}

const CALL = Buffer.from('{"type":"tool_use",');
const MESSAGE = Buffer.from('"message":{');
const ATTACHMENT = Buffer.from('"attachment":{"type":"');
const LOOKED_AT_BYTES = 400;
const NAMED = /^\{"type":"tool_use","id":"[^"]*","name":"([^"]+)"/;
const ANSWERED = /^"message":\{(?:(?!"content":).)*?"id":"([^"]+)"/;
const ATTACHED = /^"attachment":\{"type":"(prompt_snapshot|deferred_tools_delta)"/;

/** A tool's name in earlier clients, and today's. */
const RENAMED: Readonly<Record<string, string>> = { Task: "Agent" };

/**
 * Looks for calls and for what the client recorded of its prompt, without decoding the rest: inside a JSON string the quotes of a needle would
 * be escaped, so a match is a block. Throws what the system throws.
 */
export function scanTools(path: string): ToolScan {
  const answers = new Set<string>();
  const called = new Set<string>();
  const offered = new Set<string>();
  let sections: readonly string[] = [];
  let schemas = new Map<string, string>();
  const [calls, messages, attachments] = [CALL, MESSAGE, ATTACHMENT].map(createByteFinder);

  const take = (attachment: JsonObject): void => {
    if (textField(attachment, "type") === "deferred_tools_delta") {
      for (const name of textListField(attachment, "addedNames")) offered.add(name);
      return;
    }
    sections = textListField(attachment, "systemPrompt");
    const tools = listField(attachment, "tools").filter(isObject);
    // A snapshot before the first request has no tools yet.
    if (tools.length > 0) schemas = new Map(tools.map((tool) => [textField(tool, "name"), renderSchema(tool)]));
    for (const name of schemas.keys()) offered.add(name);
  };

  readAppendedLines(path, {
    onRefill: () => {
      for (const finder of [calls, messages, attachments]) finder?.forget();
    },
    onBytes: (bytes, from, to) => {
      const cut = (at: number): string => bytes.toString("latin1", at, Math.min(to, at + LOOKED_AT_BYTES));
      const attached = attachments?.find(bytes, from) ?? -1;
      if (attached >= 0 && attached < to) {
        if (ATTACHED.test(cut(attached)))
          take(objectField(parseObject(bytes.toString("utf8", from, to)), "attachment") ?? {});
        return;
      }
      const message = messages?.find(bytes, from) ?? -1;
      // A split answer has a line for each of its blocks. What the person said has no id.
      const id = message >= 0 && message < to ? ANSWERED.exec(cut(message))?.[1] : undefined;
      if (id !== undefined) answers.add(id);
      for (
        let at = calls?.find(bytes, from) ?? -1;
        at >= 0 && at < to;
        at = calls?.find(bytes, at + CALL.length) ?? -1
      ) {
        const name = NAMED.exec(cut(at))?.[1];
        if (name !== undefined) called.add(RENAMED[name] ?? name);
      }
    },
    onLine: () => undefined,
    onOverlongLine: () => undefined,
  });
  return { requests: answers.size, called, offered, sections, schemas };
}

function renderSchema(tool: JsonObject): string {
  return JSON.stringify({
    name: tool.name ?? "",
    description: tool.description ?? "",
    input_schema: tool.schema ?? {},
  });
}
