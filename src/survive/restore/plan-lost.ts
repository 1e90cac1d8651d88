import { diffSummary } from "../receipt/diff-summary.ts";
import { planRepair } from "../receipt/plan-repair.ts";
import type { LostItem, RestoreState } from "./restore-state.ts";

/** What a summary lost of a session, as the lines that put it back, each fact once. */
export function planLost(
  summary: string,
  { facts, kept }: Pick<RestoreState, "facts" | "kept">,
): Pick<RestoreState, "held" | "paraphrased" | "lost"> {
  const diff = diffSummary(stripAnalysis(summary), facts, kept);
  // Room is decided when it is given: here every line counts.
  const { repaired } = planRepair(diff, Number.MAX_SAFE_INTEGER);
  return {
    held: diff.held.length,
    paraphrased: diff.paraphrased.length,
    lost: repaired.map((item): LostItem => ({ ...item, fate: "wanted" })),
  };
}

/** The client throws the writer's notes away: what only they tell is lost. */
function stripAnalysis(summary: string): string {
  const stripped = summary.replace(/<analysis>[\s\S]*?<\/analysis>/g, "");
  return /<summary>([\s\S]*?)<\/summary>/.exec(stripped)?.[1] ?? stripped;
}
