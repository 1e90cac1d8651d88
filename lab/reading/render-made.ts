import { renderSafely } from "../../src/entry/cli/print/style.ts";
import type { MadeSession } from "./make-readings.ts";

/** What was made of each session, or why nothing was. */
export function renderMade(sessions: readonly MadeSession[]): string {
  const lines = sessions.flatMap(({ name, why, memories }) => [
    why === "" ? name : `${name}: left out, ${renderSafely(why)}`,
    ...memories.map((memory) =>
      memory.why === "" ? `  ${memory.name}: ${memory.tokens} tokens` : `  ${memory.name}: none, ${memory.why}`,
    ),
  ]);
  return [...lines, ...(sessions.every(({ why }) => why !== "") ? [NONE] : [])].join("\n");
}

const NONE =
  "No session could be cut: one needs a compaction with 20 requests behind it, or to come to 167,000 tokens.";
