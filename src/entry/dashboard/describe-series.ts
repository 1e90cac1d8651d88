import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { type Attribution, fitParts, UNRECORDED } from "../../measure/attribution.ts";
import { renderTokens } from "../../measure/render-load.ts";
import type { OwnAction } from "../../policy/actions/own-action.ts";
import { listFolds } from "../../recorded/judge-folds.ts";
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
  actions: readonly OwnAction[],
): Series {
  const marks = listMarks(session, actions);
  const shown = thin(attributions, new Set(marks.map(({ request }) => request - 1)));
  const fitted = shown.map(fitParts);
  const layers = planLayers(rankTools(fitted)).map(({ name, kind, take }) => ({
    name,
    kind,
    tokens: fitted.map((attribution) => Math.max(0, Math.round(take(attribution)))),
  }));
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
  const sum = (name: string, kind: string, parts: readonly string[]): PlannedLayer => ({
    name: capitalise(name),
    kind,
    take: (attribution) => parts.reduce((total, part) => total + (attribution.parts[part] ?? 0), 0),
  });
  const one = (part: string, kind: string): PlannedLayer => sum(labelPart(part), kind, [part]);
  return [
    ...["base", "summary"].map((part) => one(part, part)),
    ...tools.slice(0, MOST_TOOLS).map((part) => one(part, "tool")),
    sum("results of other tools", "otherTools", tools.slice(MOST_TOOLS)),
    ...["input", "text", "thinking", "prompt", "attachment", "reminder"].map((part) => one(part, part)),
    ...UNRECORDED.map((part) => one(part, "unrecorded")),
    { name: capitalise(UNACCOUNTED), kind: "unexplained", take: ({ unexplainedTokens }) => unexplainedTokens },
  ];
}

/** In the order of the requests that they precede. */
function listMarks(
  { recording, accounts }: Pick<RecordedSession, "recording" | "accounts">,
  actions: readonly OwnAction[],
): readonly Mark[] {
  const requestOfStep = new Map(recording.steps.map(({ id }, index) => [id, index + 1]));
  const marks: Mark[] = [];
  const mark = (kind: Mark["kind"], request: number | undefined, text: string): void => {
    if (request !== undefined) marks.push({ request, kind, text });
  };
  for (const { compaction, firstStep } of recording.windows) {
    if (!compaction) continue;
    const at = compaction.preTokens === undefined ? "" : ` at ${renderTokens(compaction.preTokens)} tokens`;
    mark("compaction", firstStep + 1, `Compacted ${TRIGGERS[compaction.trigger] ?? compaction.trigger}${at}`);
  }
  for (const { beforeStep, event } of recording.microcompactions) {
    const saved = event.savedTokens === undefined ? "" : `, ${renderTokens(event.savedTokens)} tokens less`;
    mark("clear", beforeStep + 1, `Old results cleared by the agent${saved}`);
  }
  for (const { stepId, cause, missedTokens } of accounts.misses) {
    const written = `${renderTokens(missedTokens)} tokens written to the cache again`;
    mark("miss", requestOfStep.get(stepId), `${capitalise(labelCause(cause))}: ${written}`);
  }
  for (const { request, action } of listFolds(recording, actions))
    mark("fold", request, `Output of ${action.tool} shortened by ${renderTokens(action.savedTokens)} tokens`);
  return marks.sort((left, right) => left.request - right.request);
}
