import type { ReplaySession } from "../../src/replay/session.ts";

/**
 * The model under which the client plays a session: of the recorded one's kind, with the window that the recording had, and
 * one for which the client compacts by itself before the window is full (it does not for 4.5 and older).
 */
export function chooseModel({ steps, windowTokens }: Pick<ReplaySession, "steps" | "windowTokens">): string {
  const model = steps[0]?.model ?? "";
  const isOld = /-4-|-4$|-3-/.test(model) && !/opus-4-[789]/.test(model);
  if (!isOld) return model;
  const kind = model.includes("opus") ? "claude-opus-4-6" : "claude-sonnet-4-6";
  return windowTokens > 200_000 ? `${kind}[1m]` : kind;
}
