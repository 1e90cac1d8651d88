import { renderTokens } from "../../measure/render-load.ts";
import { assessLoad } from "./assess-load.ts";
import type { HookContext, HookInput } from "./hook.ts";
import type { Told } from "./inject-told.ts";

export interface SaidLine {
  /** For the person; empty for nothing. */
  readonly text: string;
  /** The compactions of the session when it was last said; `undefined` before. */
  readonly saidAt: number | undefined;
}

/** Command hooks cannot bring a compaction about, so once a window they say that the person's own line is reached. */
export function sayLine(input: HookInput, context: HookContext, { line: saidAt }: Told): SaidLine {
  const { lineTokens } = context.settings;
  if (lineTokens === null) return { text: "", saidAt };
  const { usedTokens, compactions } = assessLoad(input, context).health;
  if (usedTokens === undefined || usedTokens < lineTokens || saidAt === compactions) return { text: "", saidAt };
  const text = `your line of ${renderTokens(lineTokens)} is reached: ${renderTokens(usedTokens)} tokens. /compact makes room`;
  return { text, saidAt: compactions };
}
