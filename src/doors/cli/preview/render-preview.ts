import { renderCount } from "../../../core/render-count.ts";
import type { CappedBundle } from "../../../recorded/preview/apply-dispatch-caps.ts";
import type { ContextPreview } from "../../../recorded/preview/preview-context.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely, renderTokens } from "../style.ts";

const TONES = { proceed: "green", warn: "yellow", block: "red" } as const;

/** The answer for a person: what to do, why, what weighs most, and what the hard caps would leave of it. */
export function renderPreview(preview: ContextPreview, dispatch: CappedBundle, terminal: Terminal): string {
  const { action, caller, threshold, gated_tokens: gated, top_5_files_by_size: top, on_block: blocked } = preview;
  const files = renderCount(preview.file_count, "file");
  return [
    `${paint(terminal, TONES[action], action)}: ${renderTokens(gated)} tokens for ${caller} (warns at ${renderTokens(threshold.warn_at)}, blocks at ${renderTokens(threshold.block_at)})`,
    `${files}, ${preview.total_chars} characters: ${renderTokens(preview.calibrated_tokens)} tokens, at most ${renderTokens(preview.upper_tokens)}; a quarter of the characters: ${renderTokens(preview.estimated_tokens)}`,
    ...(top.length > 0 ? ["largest:", ...top.map(({ path, chars }) => `  ${chars}  ${renderSafely(path)}`)] : []),
    ...(blocked ? [`do: ${blocked.advice}`] : []),
    ...(blocked?.split ?? []).map((paths, index) => `  worker ${index + 1}: ${paths.map(renderSafely).join(", ")}`),
    renderDispatch(dispatch),
  ].join("\n");
}

function renderDispatch({ text, chars, fileCount, isUserTruncated, truncated, dropped }: CappedBundle): string {
  if (text === undefined) return `at dispatch: refused, ${chars} characters without any file`;
  const cuts = [
    truncated.length > 0 ? `${truncated.length} cut` : "",
    dropped.length > 0 ? `${dropped.length} dropped` : "",
    isUserTruncated ? "the prompt cut" : "",
  ].filter((cut) => cut !== "");
  const end = cuts.length === 0 ? "nothing cut" : cuts.join(", ");
  return `at dispatch, after the hard caps: ${chars} characters, ${fileCount} file${fileCount === 1 ? "" : "s"}, ${end}`;
}
