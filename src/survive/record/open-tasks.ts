import { clipLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import { orderOpen } from "../../session/open-work.ts";
import { findStandingRequest } from "../../session/standing-request.ts";
import type { Happened } from "./happened.ts";
import { weighText } from "./weigh.ts";

const HEADING = "Open tasks at this point, next first:";
/** Ten tasks of 60 characters weigh 310 by the upper bound of both tokenizers. */
const MAX_TOKENS = 350;
/** Every task is named in fewer words before one is left out. */
const WIDTHS: readonly number[] = [300, 160, 100, 60];
/** A list that nothing has changed for so many requests, and not since the user asked for something else, is not the current work. */
const FRESH_REQUESTS = 30;

/** The list of open tasks line by line: whole, or followed by how many more there are. No line where nothing is open. */
export function renderOpenTasks({ state, trail }: Happened, roomTokens: number): readonly string[] {
  const { work } = state;
  const open = orderOpen(work.filter(({ status }) => status === "active" || status === "open"));
  if (open.length === 0) return [];
  const touched = Math.max(...work.map(({ changedRequest }) => changedRequest));
  const asked = findStandingRequest(state)?.request ?? 0;
  if (touched <= Math.min(trail.request - FRESH_REQUESTS, asked))
    return [`${open.length} open tasks are older than what the user asked last: read your task list`];
  const items = open.map(
    ({ status, subject }) => `${status === "active" ? "in progress: " : ""}${redactSecrets(subject)}`,
  );
  const render = (width: number, shown: number): readonly string[] => [
    HEADING,
    ...items.slice(0, shown).map((item) => `- ${clipLine(item, width)}`),
    ...(shown < items.length ? [`- ${items.length - shown} more: read your task list`] : []),
  ];
  const fits = (lines: readonly string[]): boolean =>
    weighText(`\n${lines.join("\n")}`) <= Math.min(MAX_TOKENS, roomTokens);
  const whole = WIDTHS.map((width) => render(width, items.length)).find(fits);
  if (whole !== undefined) return whole;
  for (let shown = items.length - 1; shown >= 0; shown--) {
    const lines = render(Math.min(...WIDTHS), shown);
    if (fits(lines)) return lines;
  }
  return [];
}
