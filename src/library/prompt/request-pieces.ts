import { hashText } from "../../core/hash.ts";
import { isObject, type Json, type JsonObject, listField } from "../../core/json.ts";
import { estimateTextTokens, type Tokenizer } from "../../models/tokens.ts";
import type { CacheTtl } from "./assemble-prompt.ts";

/** One block of a request: the smallest thing that a cached prefix can end with. */
export interface RequestPiece {
  readonly place: PiecePlace;
  /** Index in the request's list of tools, system blocks or messages. */
  readonly index: number;
  /** Index in its message; 0 elsewhere. */
  readonly block: number;
  readonly role: string;
  /** For people: `tools[2] Bash`, `system[0]`, `messages[4].content[1]`. */
  readonly name: string;
  /** What the cache sees of it: without breakpoints, and with a digest in place of encoded data. */
  readonly text: string;
  readonly images: number;
  /** One for every breakpoint on it or inside it. */
  readonly breakpoints: readonly CacheTtl[];
  readonly canCarry: boolean;
}

export type PiecePlace = "tools" | "system" | "messages";

/** Blocks known to accept a breakpoint. Thinking does not, and unknown blocks are left alone. */
const CARRIERS: ReadonlySet<Json | undefined> = new Set(["text", "image", "document", "tool_use", "tool_result"]);
const TOKENS_PER_IMAGE = 1500;

/** A request in the order in which a cache reads it: tools, system, messages. Unexpected content is a piece too. */
export function listPieces(request: JsonObject): readonly RequestPiece[] {
  const tools = listField(request, "tools").flatMap((tool, index) => {
    // A tool that is loaded later is not part of the prefix.
    if (isObject(tool) && tool.defer_loading === true) return [];
    const canCarry = isObject(tool);
    const name = canCarry && typeof tool.name === "string" ? ` ${tool.name}` : "";
    return [{ ...toPiece(tool), place: "tools", index, block: 0, role: "", name: `tools[${index}]${name}`, canCarry }];
  }) satisfies RequestPiece[];
  const system = toBlocks(request.system).map((block, index) => {
    return { ...toPiece(block), place: "system", index, block: 0, role: "", name: `system[${index}]` };
  }) satisfies RequestPiece[];
  const messages = listField(request, "messages").flatMap((message, index) => {
    const role = isObject(message) && typeof message.role === "string" ? message.role : "";
    return toBlocks(isObject(message) ? message.content : message).map((block, at) => {
      const name = `messages[${index}].content[${at}]`;
      return { ...toPiece(block), place: "messages", index, block: at, role, name } satisfies RequestPiece;
    });
  });
  return [...tools, ...system, ...messages];
}

export function estimatePieceTokens(
  { text, images }: Pick<RequestPiece, "text" | "images">,
  tokenizer: Tokenizer,
): number {
  return Math.round(estimateTextTokens(text, tokenizer) + images * TOKENS_PER_IMAGE);
}

function toPiece(value: Json): Pick<RequestPiece, "text" | "images" | "breakpoints" | "canCarry"> {
  const breakpoints = listBreakpoints(value);
  const bare = stripControls(value);
  if (isObject(bare) && bare.type === "text" && typeof bare.text === "string" && Object.keys(bare).length === 2)
    return { text: bare.text, images: 0, breakpoints, canCarry: bare.text.trim() !== "" };
  let images = 0;
  const text = JSON.stringify(bare, (_key, field: Json) => {
    if (!isObject(field) || field.type !== "base64" || typeof field.data !== "string") return field;
    images += 1;
    return { ...field, type: "digest", data: hashText(field.data) };
  });
  return { text, images, breakpoints, canCarry: isObject(bare) && CARRIERS.has(bare.type) };
}

function listBreakpoints(value: Json): readonly CacheTtl[] {
  if (!isObject(value)) return [];
  const control = value.cache_control;
  const own: readonly CacheTtl[] = isObject(control) ? [control.ttl === "1h" ? "1h" : "5m"] : [];
  return [...own, ...listField(value, "content").flatMap(listBreakpoints)];
}

/** Breakpoints are not hashed: a prefix stays the same when breakpoints move. */
function stripControls(value: Json): Json {
  if (!isObject(value)) return value;
  const { cache_control: _control, ...rest } = value;
  return Array.isArray(rest.content) ? { ...rest, content: listField(rest, "content").map(stripControls) } : rest;
}

/** A plain string equals one text block. */
export function toBlocks(content: Json | undefined): readonly Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : listField({ content }, "content");
}
