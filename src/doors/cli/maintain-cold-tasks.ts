import { clipLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import { findColdFiles, removeColdFiles } from "../../files/cold-files.ts";
import {
  listColdTasks,
  planClearSummaries,
  planExpireSummaries,
  planResetState,
} from "../../survive/cold-tasks/plan-cold-maintenance.ts";
import type { Terminal } from "./command.ts";
import { locateSettings } from "./install/settings-places.ts";
import { renderJson } from "./render-json.ts";
import { renderSafely } from "./style.ts";

/** What the files of cold tasks need from a person now and then: to be seen, and to go. */
export function maintainColdTasks(what: string, terminal: Terminal, isJson: boolean): string {
  const files = findColdFiles(locateSettings(terminal).configFolder, terminal.environment.HOME);
  if (what === "list") {
    const listed = listColdTasks(files);
    if (isJson)
      return renderJson({
        summaries: listed.map(({ path, bytes, summary }) => ({ path, bytes, summary: summary ?? null })),
      });
    if (listed.length === 0) return "No summaries of finished tasks are written down.";
    return listed
      .map(({ path, summary }) =>
        summary === undefined
          ? `${renderSafely(path)}: no summary`
          : `${renderSafely(summary.compressed_at.slice(0, 16))}  ${renderSafely(clipLine(summary.subject, 100))} (session ${renderSafely(summary.session_id)}, ${renderSafely(path)})`,
      )
      .join("\n");
  }
  const gone =
    what === "reset"
      ? planResetState(files)
      : what === "clear"
        ? planClearSummaries(files)
        : planExpireSummaries(files, terminal.nowMs());
  removeColdFiles(gone);
  return isJson ? renderJson({ removed: gone }) : `${renderCount(gone.length, "file")} removed.`;
}
