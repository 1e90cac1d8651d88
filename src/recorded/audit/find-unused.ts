import { estimateTextTokens, type Tokenizer } from "../../models/tokens.ts";
import type { MonthlyPrice } from "./price-carry.ts";

/** Fewer sessions prove nothing: something that one session in four needs is absent from ten sessions in 1 of 18 cases. */
export const LEAST_SESSIONS = 10;

export interface ListedItem {
  readonly kind: "tool" | "agent" | "skill";
  readonly name: string;
  /** The text that every request carries for it. */
  readonly text: string;
}

/** Items of a client's recorded listing that can be switched off one by one. */
export function parseListing(label: string, text: string): readonly ListedItem[] {
  if (label === "deferred_tools_delta")
    return [...text.matchAll(/\bmcp__[\w-]+/g)].map(([name]) => ({ kind: "tool", name, text: name }));
  const kind = label === "agent_listing_delta" ? "agent" : label === "skill_listing" ? "skill" : undefined;
  if (!kind) return [];
  return text.split(/\n(?=- )/).flatMap((line) => {
    const name = /^- ([\w:.@-]+)(?:: |:?\s*$)/m.exec(line)?.[1];
    return name === undefined || !line.startsWith("- ") ? [] : [{ kind, name, text: line.trimEnd() }];
  });
}

/** What a project's sessions were offered, by `kind name`, and what they called. */
export interface Offers {
  readonly listed: ReadonlyMap<string, ListedItem & { readonly sessions: number }>;
  /** Listed by the newest session with a listing of that kind; the others are already gone. */
  readonly current: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

export interface Unused extends MonthlyPrice {
  readonly kind: "server" | "tool" | "agent" | "skill" | "instructions";
  /** The name of a tool or server as the model knows it, or the file of instructions. */
  readonly name: string;
  /** In every request. */
  readonly tokens: number;
  /** Sessions that were offered it; none of them used it. */
  readonly sessions: number;
}

/** Each thing that at least ten sessions were offered and none used, the most expensive first. */
export function findUnused(
  { listed, current, used }: Offers,
  { tokenizer, price }: { readonly tokenizer: Tokenizer; price(tokens: number): MonthlyPrice },
): readonly Unused[] {
  const usedServers = new Set([...used].flatMap((key) => serverOf(key.replace(/^tool /, "")) ?? []));
  const found = new Map<string, Omit<Unused, keyof MonthlyPrice>>();
  for (const [key, { kind, name, text, sessions }] of listed) {
    if (!current.has(key) || used.has(key) || sessions < LEAST_SESSIONS || isOurs(name)) continue;
    const server = kind === "tool" ? serverOf(name) : undefined;
    // One line is enough for a server that is never called.
    const one =
      server === undefined || usedServers.has(server)
        ? ({ kind, name } as const)
        : ({ kind: "server", name: server } as const);
    const tokens = estimateTextTokens(`${text}\n`, tokenizer) + (found.get(one.name)?.tokens ?? 0);
    found.set(one.kind === "server" ? one.name : key, { ...one, tokens, sessions });
  }
  return [...found.values()]
    .map((one) => ({ ...one, ...price(one.tokens) }))
    .sort((left, right) => right.tokens - left.tokens || (left.name < right.name ? -1 : 1));
}

function serverOf(tool: string): string | undefined {
  return /^(mcp__.+?)__/.exec(tool)?.[1];
}

const isOurs = (name: string): boolean => /^(?:mcp__(?:plugin_)?)?plimsoll/.test(name);

const LEAST_NAMES = 5;

/** Whether instructions name at least five commands or paths in code, none of which occurs in these calls. */
export function isIdle(instructions: string, calls: readonly string[]): boolean {
  const names = new Set(
    [...instructions.matchAll(/`([^`\n]{3,80})`/g)].map(([, name]) => JSON.stringify(name).slice(1, -1)),
  );
  return names.size >= LEAST_NAMES && ![...names].some((name) => calls.some((inputs) => inputs.includes(name)));
}
