import type { Json } from "../../src/core/json.ts";
import { renderResultText, type ToolCallBlock, type ToolResultBlock } from "../../src/core/message.ts";
import type { Recording } from "../../src/measure/recording.ts";

/** A tool result, the call that asked for it, and what the following steps passed to their tools. */
export interface UsedResult {
  readonly block: ToolResultBlock;
  readonly call: ToolCallBlock | undefined;
  readonly model: string;
  readonly text: string;
  /** Paths, names and numbers of the next steps' inputs that this result holds and its own call does not. */
  readonly used: readonly string[];
}

const NEXT_STEPS = 5;

export function listUsedResults({ steps }: Recording): readonly UsedResult[] {
  const calls = new Map<string, ToolCallBlock>();
  const inputs = steps.map(({ outputs }) =>
    outputs.flatMap((block) => (block.kind === "toolCall" ? [renderStrings(block.input)] : [])).join("\n"),
  );
  for (const { outputs } of steps)
    for (const block of outputs) if (block.kind === "toolCall") calls.set(block.callId, block);
  return steps.flatMap(({ arrivals, window, model }, index) =>
    arrivals.flatMap(({ block }): readonly UsedResult[] => {
      if (block.kind !== "toolResult") return [];
      const following = inputs.filter(
        (_, step) => step >= index && step < index + NEXT_STEPS && steps[step]?.window === window,
      );
      const call = calls.get(block.callId);
      const text = renderResultText(block);
      const used = findUsed(text, following.join("\n"), call ? renderStrings(call.input) : "");
      return [{ block, call, model, text, used }];
    }),
  );
}

const PATH = /(?:[\w.@~+-]{0,80}\/){1,20}[\w.@+-]{1,80}/g;
const WORD = /[A-Za-z_$][\w$]{4,80}/g;
const NUMBER = /\b\d{4,12}\b/g;
const TROUBLE = /error|fail|panic|exception|warning/i;

function findUsed(text: string, following: string, own: string): readonly string[] {
  const items = new Set<string>();
  for (const path of following.match(PATH) ?? []) if (path.length > 5 && text.includes(path)) items.add(path);
  const words = new Set(text.match(WORD) ?? []);
  for (const word of following.match(WORD) ?? []) if (isInformative(word) && words.has(word)) items.add(word);
  const numbers = new Set(text.match(NUMBER) ?? []);
  for (const number of following.match(NUMBER) ?? []) if (numbers.has(number)) items.add(number);
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (trimmed.length > 12 && trimmed.length < 300 && TROUBLE.test(trimmed) && following.includes(trimmed))
      items.add(trimmed);
  }
  return [...items].filter((item) => !own.includes(item));
}

/** A digit, an underscore or a hump: a name that somebody gave, not a word of the language. */
function isInformative(word: string): boolean {
  return /[0-9_]|[a-z][A-Z]/.test(word);
}

/** Whether a preview still tells it. A path may be told as its folder and its name apart. */
export function isRetained(item: string, preview: string): boolean {
  if (preview.includes(item)) return true;
  const cut = item.lastIndexOf("/");
  if (cut < 0) return false;
  const name = item.slice(cut + 1);
  const folder = item.slice(0, cut).split("/").slice(-1).join("/");
  return name !== "" && preview.includes(name) && preview.includes(folder);
}

function renderStrings(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(renderStrings).join("\n");
}
