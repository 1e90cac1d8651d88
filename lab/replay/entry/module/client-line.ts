import { type Breaker, CALM, countCompaction, countRequest } from "../../../../src/entry/engine/compaction/breaker.ts";

/** Where the client compacts while the module has lowered its line, and when it would rather end the turn. */
export interface ClientLine {
  /** `false` while nothing was lowered: then the client compacts where it always does. */
  isReached(contextTokens: number): boolean;
  /** A person has spoken: a turn begins, and the client counts anew. */
  hearPrompt(): void;
  countRequest(): void;
  /** A compaction is about to be made; `false` where the client ends the turn instead, because its window refills again and again. */
  mayCompact(): boolean;
}

const RESERVED_TOKENS = 20_000;
const MARGIN_TOKENS = 13_000;
/** So many in a row that came too soon are let pass. */
const MOST_RAPID = 3;

/** As 2.1.325 was seen to do it, from the two variables that it reads before every request. */
export function createClientLine(env: ReadonlyMap<string, string>): ClientLine {
  let breaker: Breaker = CALM;
  return {
    isReached(contextTokens) {
      const window = env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW");
      if (window === undefined) return false;
      const effective = Number(window) - RESERVED_TOKENS;
      const percent = env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE");
      const share = percent === undefined ? effective : Math.floor((effective * Number(percent)) / 100);
      return contextTokens >= Math.min(share, effective - MARGIN_TOKENS);
    },
    hearPrompt() {
      breaker = CALM;
    },
    countRequest() {
      breaker = countRequest(breaker);
    },
    mayCompact() {
      breaker = countCompaction(breaker);
      return breaker.rapid <= MOST_RAPID;
    },
  };
}
