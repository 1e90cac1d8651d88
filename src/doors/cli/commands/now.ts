import { listAll, listTranscripts, locateAll, readMeasures, readSession } from "../../../hosts/catalogue.ts";
import type { Reading, RecordedSession } from "../../../hosts/follow-transcript.ts";
import type { Health } from "../../../measure/health.ts";
import { billRequests } from "../../../models/economics/bill.ts";
import { findFoldable } from "../../../policy/foldable.ts";
import { assessSession } from "../../../recorded/assess-session.ts";
import { attributeSession } from "../../../recorded/attribute-session.ts";
import { markAtLeast, noteAtLeast } from "../at-least.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, EXIT_NOTHING_FOUND, type Terminal } from "../command.ts";
import { renderLoadLine } from "../load-line.ts";
import { locateSample } from "../locate-sample.ts";
import { planCompaction } from "../plan-compaction.ts";
import { renderJson } from "../render-json.ts";
import { renderParts } from "../render-parts.ts";
import { paint, paintLevel, renderSafely, renderTokens, renderUsd } from "../style.ts";

const OTHERS_SHOWN = 4;

export const nowCommand: Command = {
  name: "now",
  summary: "The load line of your newest session, what fills it, what it costs and what would lighten it",
  options: [JSON_OPTION],
  examples: [{ command: "plimsoll now", shows: "your newest session in full, the ones before it in a line each" }],
  run(invocation, terminal) {
    const recent = findRecent(terminal);
    const { isSample, others } = recent;
    if (!recent.newest)
      throw new CliError(
        "no recorded session, and the sample session is missing: reinstall the package",
        EXIT_NOTHING_FOUND,
      );
    const view = lookAt(recent.newest, terminal);
    if (invocation.flags.has("json")) return terminal.print(renderJson({ isSample, ...view }));
    if (isSample)
      terminal.print(
        `No session of yours in ${locateAll(terminal.environment, terminal.hosts).join(", ")} yet: this is the sample session that comes with Plimsoll.\n`,
      );
    terminal.print(renderSession(view, terminal));
    if (others.length > 0) terminal.print(`\n${paint(terminal, "bold", "Before it")}`);
    for (const reading of others) terminal.print(renderOther(reading, terminal));
    terminal.print(`\n${paint(terminal, "dim", "More: plimsoll inspect, plimsoll stats, plimsoll --help")}`);
  },
};

interface ReadFile {
  readonly file: string;
  readonly session: RecordedSession;
}

interface Recent {
  readonly newest: ReadFile | undefined;
  readonly others: readonly Reading[];
  readonly isSample: boolean;
}

/**
 * The person's own newest sessions, no more read than shown, and each once; where there are none, the sample that the package
 * carries. A file of only a prompt or a title has no load to show.
 */
function findRecent({ environment, hosts }: Terminal): Recent {
  let newest: ReadFile | undefined;
  const others: Reading[] = [];
  for (const { path: file, isSubagent, bytes } of listAll(environment, hosts)) {
    if (others.length >= OTHERS_SHOWN) break;
    if (isSubagent || bytes === 0) continue;
    if (newest) {
      const reading = readMeasures(file, hosts);
      if (hasSteps(reading)) others.push(reading);
    } else {
      const session = readSession(file, hosts);
      if (hasSteps(session)) newest = { file, session };
    }
  }
  if (newest) return { newest, others, isSample: false };
  const [sample] = listTranscripts(locateSample());
  return { newest: sample && { file: sample.path, session: readSession(sample.path) }, others, isSample: true };
}

function hasSteps({ transcript }: Reading): boolean {
  return transcript.meter.steps > 0;
}

function lookAt(read: ReadFile, terminal: Terminal) {
  const { file, session } = read;
  const { title, cwd, sessionId } = session.transcript;
  const { steps, misses } = session.accounts;
  const { spend, unpriced, unfinal } = billRequests(steps);
  const missedUsd = misses.reduce((sum, miss) => sum + (miss.extraUsd ?? 0), 0);
  return {
    transcript: file,
    title: title || sessionId,
    directory: cwd,
    health: assessSession(session, terminal),
    attribution: attributeSession(session).at(-1),
    costUsd: spend.totalUsd,
    unpricedRequests: unpriced,
    unfinalOutputRequests: unfinal,
    cacheMisses: misses.length,
    missedUsd,
    foldable: findFoldable(session.recording),
    collapse: planCollapse(read, terminal),
  };
}

/** What the module would do before the next request, by the same plan that preview-compact shows. */
function planCollapse(read: ReadFile, terminal: Terminal) {
  const planned = planCompaction(read, terminal);
  if (planned === undefined) return undefined;
  const { preview, settings } = planned;
  const isEarly = settings.isOn && settings.early === "price" && settings.compaction !== "native";
  return {
    policy: settings.policy,
    isEarly,
    isDue: isEarly && preview.isDue,
    messages: preview.dropped.messages,
    savedTokens: preview.contextTokens - preview.afterTokens,
  };
}

type SessionView = ReturnType<typeof lookAt>;

function renderSession(view: SessionView, terminal: Terminal): string {
  const { health, attribution, collapse } = view;
  const heading = (text: string): string => `\n${paint(terminal, "bold", text)}`;
  const missed =
    view.cacheMisses > 0
      ? `, of which ${renderUsd(view.missedUsd)} for ${view.cacheMisses} prompt-cache ${view.cacheMisses === 1 ? "miss" : "misses"}`
      : "";
  return [
    `${paint(terminal, "bold", renderSafely(view.title))}  ${paint(terminal, "dim", renderSafely(view.directory))}`,
    renderLoadLine(health, terminal),
    paint(terminal, "dim", `source: ${health.source} (${health.confidence}): ${health.note}`),
    ...(attribution ? [heading("What fills it"), renderParts(attribution)] : []),
    heading("What it cost so far"),
    `  ${markAtLeast(view.unpricedRequests + view.unfinalOutputRequests, renderUsd(view.costUsd))}${missed}`,
    ...noteAtLeast(view.unfinalOutputRequests, view.unpricedRequests).map((note) =>
      paint(terminal, "dim", `  ${note}`),
    ),
    heading("What Plimsoll would do"),
    `  ${renderAdvice(health, collapse)}`,
  ].join("\n");
}

function renderAdvice({ level }: Health, collapse: SessionView["collapse"]): string {
  const deed = renderDeed(collapse);
  switch (level) {
    case "GREEN":
      return collapse?.isDue ? `${deed}. Nothing is urgent.` : "nothing yet: the load is light.";
    case "YELLOW":
      return `${deed}. Load only what is essential from here on.`;
    case "ORANGE":
      return `${deed}. Compact at the next boundary.`;
    case "RED":
      return `${deed}. Save the state and compact now.`;
  }
}

function renderDeed(collapse: SessionView["collapse"]): string {
  if (collapse?.isDue)
    return `collapse ${collapse.messages} old messages into a ledger, originals kept: ${renderTokens(collapse.savedTokens)} tokens less in every request`;
  if (collapse?.isEarly === false) return "nothing by itself: its settings leave the moment to you or the client";
  return "nothing yet: what is old is not worth a rewriting";
}

function renderOther(reading: Reading, terminal: Terminal): string {
  const health = assessSession(reading, terminal);
  const { title, sessionId } = reading.transcript;
  const size =
    health.usedTokens === undefined
      ? "size not known"
      : `${renderTokens(health.usedTokens)} of ${renderTokens(health.windowTokens)}`;
  return `  ${paintLevel(terminal, health.level, health.level.padEnd(6))}  ${size.padEnd(16)}  ${renderSafely(title || sessionId).slice(0, 60)}`;
}
