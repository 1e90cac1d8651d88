import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { type Attribution, fitParts, UNRECORDED } from "../../measure/attribution.ts";
import type { Recording } from "../../measure/recording.ts";
import { renderTokens } from "../../measure/render-load.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import { capitalise, labelCause, labelPart, UNACCOUNTED } from "../person/labels.ts";
import type { Mark, Series, ShownLayer } from "./wire.ts";

/** The heaviest tools get a layer of their own; more colours could not be told apart. */
const MOST_TOOLS = 5;
/** A screen has no more columns. */
const MOST_POINTS = 480;

const RESULT = "result:";

const TRIGGERS: Readonly<Record<string, string>> = { auto: "automatically", manual: "manually" };

export function describeSeries(
  session: Pick<RecordedSession, "recording" | "accounts">,
  attributions: readonly Attribution[],
  deeds: readonly Deed[],
): Series {
  const marks = listMarks(session, deeds);
  const shown = thin(attributions, new Set(marks.map(({ request }) => request - 1)));
  const told = shown.map(fitParts);
  const tools = rankTools(told);
  const layers = planLayers(tools).map(
    ({ name, kind, take }): ShownLayer => ({
      name,
      kind,
      tokens: told.map((attribution) => Math.max(0, Math.round(take(attribution)))),
    }),
  );
  return {
    requests: shown.map(({ step }) => step + 1),
    usedTokens: shown.map(({ contextTokens }) => contextTokens),
    layers: layers.filter(({ tokens }) => tokens.some((count) => count > 0)),
    marks,
  };
}

/** All requests if there are few; otherwise evenly spaced ones, the last, and all at which something happened. */
function thin(attributions: readonly Attribution[], marked: ReadonlySet<number>): readonly Attribution[] {
  const stride = Math.ceil(attributions.length / MOST_POINTS);
  const last = attributions.length - 1;
  if (stride <= 1) return attributions;
  return attributions.filter(({ step }, index) => index % stride === 0 || index === last || marked.has(step));
}

function rankTools(attributions: readonly Attribution[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { parts } of attributions)
    for (const [part, tokens] of Object.entries(parts))
      if (part.startsWith(RESULT)) sums.set(part, (sums.get(part) ?? 0) + tokens);
  return [...sums].sort((left, right) => right[1] - left[1]).map(([part]) => part);
}

interface PlannedLayer extends Omit<ShownLayer, "tokens"> {
  take(attribution: Attribution): number;
}

function planLayers(tools: readonly string[]): readonly PlannedLayer[] {
  const sum = (name: string, kind: ShownLayer["kind"], parts: readonly string[]): PlannedLayer => ({
    name: capitalise(name),
    kind,
    take: (attribution) => parts.reduce((total, part) => total + (attribution.parts[part] ?? 0), 0),
  });
  const one = (kind: ShownLayer["kind"], part: string): PlannedLayer => sum(labelPart(part), kind, [part]);
  return [
    one("base", "base"),
    one("summary", "summary"),
    ...tools.slice(0, MOST_TOOLS).map((part) => one("tool", part)),
    sum("results of other tools", "otherTools", tools.slice(MOST_TOOLS)),
    one("input", "input"),
    one("text", "text"),
    one("thinking", "thinking"),
    one("prompt", "prompt"),
    one("attachment", "attachment"),
    one("reminder", "reminder"),
    ...UNRECORDED.map((part) => one("unrecorded", part)),
    { name: capitalise(UNACCOUNTED), kind: "unexplained", take: ({ unexplainedTokens }) => unexplainedTokens },
  ];
}

/** In the order of the requests that they precede. */
function listMarks(
  { recording, accounts }: Pick<RecordedSession, "recording" | "accounts">,
  deeds: readonly Deed[],
): readonly Mark[] {
  const requestOfStep = new Map(recording.steps.map(({ id }, index) => [id, index + 1]));
  const marks: Mark[] = [];
  for (const { compaction, firstStep } of recording.windows) {
    if (!compaction) continue;
    const at = compaction.preTokens === undefined ? "" : ` at ${renderTokens(compaction.preTokens)} tokens`;
    marks.push({
      request: firstStep + 1,
      kind: "compaction",
      text: `Compacted ${TRIGGERS[compaction.trigger] ?? compaction.trigger}${at}`,
    });
  }
  for (const { beforeStep, event } of recording.microcompactions) {
    const saved = event.savedTokens === undefined ? "" : `, ${renderTokens(event.savedTokens)} tokens less`;
    marks.push({ request: beforeStep + 1, kind: "clear", text: `Old results cleared by the client${saved}` });
  }
  for (const { stepId, cause, missedTokens } of accounts.misses) {
    const request = requestOfStep.get(stepId);
    if (request === undefined) continue;
    marks.push({
      request,
      kind: "miss",
      text: `${capitalise(labelCause(cause))}: ${renderTokens(missedTokens)} tokens written to the cache again`,
    });
  }
  const requestOfCall = mapResults(recording);
  for (const deed of deeds) {
    const request = deed.kind === "folded" ? requestOfCall.get(deed.callId) : undefined;
    if (request === undefined || deed.kind !== "folded") continue;
    marks.push({
      request,
      kind: "fold",
      text: `Output of ${deed.tool} shortened by ${renderTokens(deed.savedTokens)} tokens`,
    });
  }
  return marks.sort((left, right) => left.request - right.request);
}

/** The request that first contained each call's result. */
export function mapResults({ steps }: Recording): ReadonlyMap<string, number> {
  const requests = new Map<string, number>();
  for (const [index, { arrivals }] of steps.entries())
    for (const { block } of arrivals) if (block.kind === "toolResult") requests.set(block.callId, index + 1);
  return requests;
}
