import fc from "fast-check";
import type { JsonObject } from "../../src/core/json.ts";
import type { Block, Message, ToolCallBlock, ToolResultBlock } from "../../src/core/message.ts";
import type { CallVocabulary } from "../../src/layers/history/vocabulary.ts";
import { arbitrarySession, type SessionOptions } from "./arbitrary-session.ts";
import { deepFreeze } from "./build.ts";

/** What the made-up tools of these histories do. */
export const historyVocabulary: CallVocabulary = {
  interpretCall(tool, input) {
    const path = typeof input.path === "string" ? input.path : "";
    const { first, last } = input;
    const range = typeof first === "number" && typeof last === "number" ? { first, last } : undefined;
    if (tool === "Read") return { kind: "read", path, range };
    if (tool === "Write" || tool === "Edit") return { kind: tool.toLowerCase(), path };
    return { kind: "run", command: typeof input.command === "string" ? input.command : "" };
  },
};

/**
 * Random conversations (`arbitrarySession`) whose calls read, write and edit a few files over and over, and whose results are
 * now and then large, repeated, pointers to an earlier read, or look like something a layer left. Deeply frozen.
 */
export function arbitraryHistory(options: SessionOptions = {}): fc.Arbitrary<readonly Message[]> {
  const seeds = fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 16 });
  return fc
    .tuple(arbitrarySession({ maxRounds: 10, ...options }), seeds)
    .map(([messages, exchanges]) => deepFreeze(dress(messages, exchanges)));
}

/** The same seeds give the same beginning however much follows. */
export function dress(messages: readonly Message[], seeds: readonly number[]): readonly Message[] {
  let at = 0;
  const next = (): number => {
    const seed = (seeds[at % seeds.length] ?? 0) + at * 7;
    at++;
    return seed;
  };
  return messages.map((message) => ({ ...message, blocks: message.blocks.map((block) => dressBlock(block, next)) }));
}

function dressBlock(block: Block, next: () => number): Block {
  if (block.kind === "toolCall") return dressCall(block, next());
  return block.kind === "toolResult" ? dressResult(block, next()) : block;
}

function dressCall(block: ToolCallBlock, seed: number): ToolCallBlock {
  const path = `src/file${seed % 3}.ts`;
  const kinds: readonly { readonly tool: string; readonly input: JsonObject }[] = [
    { tool: "Read", input: { path } },
    { tool: "Read", input: { path, first: 1 + (seed % 2) * 20, last: 40 } },
    { tool: "Edit", input: { path, before: "old ".repeat(seed % 200), after: "new" } },
    { tool: "Write", input: { path, content: "export const value = 1;\n".repeat(seed % 60) } },
    { tool: "Bash", input: { command: "npm test" } },
    { tool: "Bash", input: { command: `grep -rn value${seed % 2} ${path}` } },
  ];
  return { ...block, ...(kinds[seed % kinds.length] ?? { tool: "Bash", input: {} }) };
}

function dressResult(block: ToolResultBlock, seed: number): ToolResultBlock {
  const texts: readonly (string | undefined)[] = [
    undefined,
    undefined,
    "ok",
    "File unchanged since last read. The earlier result is still current.",
    renderLines(30 + (seed % 3)),
    renderLines(60),
    renderLines(122 + (seed % 2)),
    `{"rows":[${'{"name":"value","count":12},'.repeat(150)}{}]}`,
    `[FOLDED: Bash output — 9 lines, 900 chars]\nFull output: plimsoll:0123456789ab`,
    `[FOLDED: Bash output — 90 lines, 9000 chars]\nPreview (plain):\n${renderLines(9)}\nFull output: plimsoll:0123456789ab`,
  ];
  const text = texts[(seed >> 3) % texts.length];
  return text === undefined ? block : { ...block, parts: [{ kind: "text", text }] };
}

function renderLines(count: number): string {
  return Array.from({ length: count }, (_, line) => `${line + 1}\tconst value${line} = compute(${line});`).join("\n");
}
