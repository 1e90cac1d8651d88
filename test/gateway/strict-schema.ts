/**
 * A strict reader of a Messages request: every field known, every type right, roles and pairs in order. Stricter than the API
 * where that costs nothing, so that an edited request is known to be one that a client could have written.
 */
export function findSchemaFaults(body: unknown): readonly string[] {
  if (!isRecord(body)) return ["the body is no object"];
  const faults: string[] = [];
  if (typeof body.model !== "string") faults.push("model is no text");
  if (!Array.isArray(body.messages)) return [...faults, "messages is no list"];
  for (const [index, message] of body.messages.entries()) faults.push(...checkMessage(message, `messages.${index}`));
  return faults;
}

function checkMessage(message: unknown, at: string): readonly string[] {
  if (!isRecord(message)) return [`${at} is no object`];
  const { role, content, ...more } = message;
  const faults = Object.keys(more).map((key) => `${at} has a field ${key}`);
  if (role !== "user" && role !== "assistant" && role !== "system") faults.push(`${at} has the role ${String(role)}`);
  if (typeof content === "string") return content === "" ? [...faults, `${at} is empty`] : faults;
  if (!Array.isArray(content) || content.length === 0) return [...faults, `${at} has no content`];
  return [...faults, ...content.flatMap((block, index) => checkBlock(block, `${at}.content.${index}`, String(role)))];
}

const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  text: { text: "string", citations: "object?" },
  thinking: { thinking: "string", signature: "string" },
  redacted_thinking: { data: "string" },
  tool_use: { id: "string", name: "string", input: "object", caller: "object?" },
  tool_result: { tool_use_id: "string", content: "content?", is_error: "boolean?" },
  image: { source: "object" },
  document: { source: "object", title: "string?", context: "string?", citations: "object?" },
};

const ONLY: Readonly<Record<string, readonly string[]>> = {
  tool_use: ["assistant"],
  thinking: ["assistant"],
  redacted_thinking: ["assistant"],
  tool_result: ["user"],
  image: ["user"],
  document: ["user"],
};

function checkBlock(block: unknown, at: string, role: string): readonly string[] {
  if (!isRecord(block) || typeof block.type !== "string") return [`${at} is no block`];
  const { type, cache_control: mark, ...rest } = block;
  const fields = FIELDS[type];
  if (!fields) return [];
  const faults: string[] = [];
  if (mark !== undefined && !(isRecord(mark) && mark.type === "ephemeral")) faults.push(`${at} has a wrong breakpoint`);
  if (!(ONLY[type] ?? [role]).includes(role)) faults.push(`${at} is ${type} in a message of ${role}`);
  for (const key of Object.keys(rest)) if (!(key in fields)) faults.push(`${at} has a field ${key}`);
  for (const [key, kind] of Object.entries(fields)) faults.push(...checkField(rest[key], `${at}.${key}`, kind));
  if (type === "text" && rest.text === "") faults.push(`${at} is empty`);
  return faults;
}

function checkField(value: unknown, at: string, kind: string): readonly string[] {
  if (value === undefined) return kind.endsWith("?") ? [] : [`${at} is missing`];
  switch (kind.replace("?", "")) {
    case "object":
      return isRecord(value) ? [] : [`${at} is no object`];
    case "content":
      if (typeof value === "string") return [];
      return Array.isArray(value)
        ? value.flatMap((part, index) => checkBlock(part, `${at}.${index}`, "user"))
        : [`${at} is no content`];
    default:
      return kind.startsWith(typeof value) ? [] : [`${at} is no ${kind}`];
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
