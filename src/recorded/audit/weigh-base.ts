import { clipLine } from "../../core/clip-text.ts";
import type { ToolEvidence } from "../../hosts/baseline.ts";
import { estimateTextTokens, type Tokenizer } from "../../models/tokens.ts";
import type { DeferredTool } from "../../policy/choose-deferred.ts";
import type { MonthlyPrice } from "./price-carry.ts";

/** The base of a request by its parts, as the client recorded the newest prompt. */
export interface Base {
  /** Empty where the client records no prompt. The largest first, as everywhere here. */
  readonly sections: readonly BaseSection[];
  readonly tools: readonly BaseTool[];
  readonly evidence: {
    readonly of: ToolEvidence["of"];
    readonly sessions: number;
    readonly requests: number;
    readonly isEnough: boolean;
  };
  /** What the tools behind the search would add to each request. */
  readonly saved: MonthlyPrice & { readonly tokens: number };
}

interface BaseSection extends MonthlyPrice {
  /** Its heading, or how it begins. */
  readonly name: string;
  readonly tokens: number;
}

interface BaseTool extends BaseSection {
  /** `behind` the tool search, moved there by Plimsoll: its tokens are in no request. */
  readonly place: "front" | "behind";
  /** Sessions of the evidence that called it. */
  readonly sessions: number;
}

const NAME_CHARACTERS = 48;

export function weighBase(
  { of, isEnough, records, sections, schemas }: ToolEvidence,
  deferred: readonly DeferredTool[],
  { tokenizer, price }: { readonly tokenizer: Tokenizer; price(tokens: number): MonthlyPrice },
): Base {
  const weigh = (text: string): number => Math.round(estimateTextTokens(text, tokenizer));
  const priced = <Part extends { readonly tokens: number }>(part: Part) => ({ ...part, ...price(part.tokens) });
  const own = records.filter(({ requests }) => requests > 0);
  const behind = new Map(deferred.map(({ name, tokens }) => [name, tokens]));
  const front = [...schemas].filter(([name]) => !behind.has(name)).map(([name, text]) => [name, weigh(text)] as const);
  const place = (rows: Iterable<readonly [string, number]>, where: BaseTool["place"]): readonly BaseTool[] =>
    [...rows].map(([name, tokens]) => {
      const sessions = own.filter(({ called }) => called.has(name)).length;
      return priced({ name, tokens, place: where, sessions });
    });
  return {
    sections: sections.map((text) => priced({ name: nameSection(text), tokens: weigh(text) })).sort(bySize),
    tools: [...place(front, "front"), ...place(behind, "behind")].sort(bySize),
    evidence: { of, isEnough, sessions: own.length, requests: own.reduce((sum, { requests }) => sum + requests, 0) },
    saved: priced({ tokens: deferred.reduce((sum, { tokens }) => sum + tokens, 0) }),
  };
}

const bySize = (left: BaseSection, right: BaseSection): number => right.tokens - left.tokens;

function nameSection(text: string): string {
  return clipLine(/^#+ (.+)$/m.exec(text)?.[1] ?? text.trim(), NAME_CHARACTERS);
}
