import type { JsonObject } from "../../core/json.ts";
import { estimateTextTokens, SEED_ERROR, type Tokenizer } from "../../models/tokens.ts";

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface WeighedTools {
  /** By the names that the model sees; `highTokens` is an upper bound for 95 of 100 texts. */
  readonly tools: readonly { readonly name: string; readonly tokens: number; readonly highTokens: number }[];
  /** All schemas in every request. */
  readonly loadedTokens: number;
  readonly loadedHighTokens: number;
  /** Only the names in every request, for a client that loads tools on demand. */
  readonly deferredTokens: number;
}

/** The client cuts longer descriptions and server instructions (seen in 2.1.197 and 2.1.325). */
const MOST_DESCRIPTION_CHARACTERS = 2048;

/** The parts of a tool that reach the API. Annotations, titles and output schemas stay with the client. */
export function renderToolForApi(server: string, { name, description, inputSchema }: ListedTool): string {
  return JSON.stringify({
    name: nameTool(server, name),
    description: cutDescription(description),
    input_schema: inputSchema,
  });
}

export function cutDescription(text: string): string {
  return text.length > MOST_DESCRIPTION_CHARACTERS
    ? `${text.slice(0, MOST_DESCRIPTION_CHARACTERS)}… [truncated]`
    : text;
}

/** The client replaces anything but letters, digits, dashes and underscores with an underscore. */
function nameTool(server: string, tool: string): string {
  return `mcp__${toName(server)}__${toName(tool)}`;
}

export function toName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_");
}

export function weighTools(server: string, listed: readonly ListedTool[], tokenizer: Tokenizer): WeighedTools {
  const tools = listed
    .map((tool) => {
      const tokens = estimateTextTokens(renderToolForApi(server, tool), tokenizer);
      return { name: nameTool(server, tool.name), tokens, highTokens: tokens * (1 + SEED_ERROR) };
    })
    .sort((left, right) => right.tokens - left.tokens);
  const loadedTokens = tools.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    tools,
    loadedTokens,
    loadedHighTokens: loadedTokens * (1 + SEED_ERROR),
    deferredTokens: tools.reduce((sum, { name }) => sum + estimateTextTokens(`${name}\n`, tokenizer), 0),
  };
}
